/** Code that extends the accounts of Strapi: `strapi-server` of users-permissions. */
import type { ts as TypeScript } from 'ts-morph';
import { pathFrom } from './member-path.ts';
import { functionIn, type ModuleShape } from './module-shape.ts';
import type { ModulePrinter } from './print-module.ts';
import { type OwnRoute, routeIn } from './read-routes.ts';
import { INSTEAD } from './plugin-rule.ts';
import { bare, compiler, type Expression, isFunc } from './syntax.ts';

/** The routes of Strapi's own actions, and the permission to call them; undefined: everybody may. */
const BUILT_IN: Readonly<Record<string, readonly [method: string, path: string, permission: string | undefined]>> = {
  'user.find': ['get', '/api/users', 'users.find'],
  'user.findOne': ['get', '/api/users/:id', 'users.findOne'],
  'user.me': ['get', '/api/users/me', 'users.me'],
  'user.count': ['get', '/api/users/count', 'users.find'],
  'user.create': ['post', '/api/users', 'users.create'],
  'user.update': ['put', '/api/users/:id', 'users.update'],
  'user.destroy': ['delete', '/api/users/:id', 'users.destroy'],
  'auth.callback': ['post', '/api/auth/local', undefined],
  'auth.register': ['post', '/api/auth/local/register', undefined],
  'auth.forgotPassword': ['post', '/api/auth/forgot-password', undefined],
  'auth.resetPassword': ['post', '/api/auth/reset-password', undefined],
  'auth.changePassword': ['post', '/api/auth/change-password', undefined],
  'auth.emailConfirmation': ['get', '/api/auth/email-confirmation', undefined],
  'auth.sendEmailConfirmation': ['post', '/api/auth/send-email-confirmation', undefined],
};

interface Action {
  /** `user.me` */
  readonly name: string;
  readonly value: Expression;
  readonly statement: TypeScript.Statement;
}

function assignmentIn(statement: TypeScript.Statement): TypeScript.BinaryExpression | undefined {
  const ts = compiler();
  const isOne = ts.isExpressionStatement(statement) && ts.isBinaryExpression(statement.expression);
  if (!isOne) return undefined;
  return statement.expression.operatorToken.kind === ts.SyntaxKind.EqualsToken ? statement.expression : undefined;
}

/** `plugin.controllers.user.me = function` */
function actionIn(statement: TypeScript.Statement): Action | undefined {
  const assignment = assignmentIn(statement);
  const path = assignment && pathFrom(assignment.left);
  if (!assignment || path?.root !== 'plugin') return undefined;
  const [first, controller, action, ...more] = path.segments;
  if (first?.name !== 'controllers' || !controller || !action || more.length > 0) return undefined;
  if (!isFunc(bare(assignment.right))) return undefined;
  return { name: `${controller.name}.${action.name}`, value: assignment.right, statement };
}

/** `plugin.routes['content-api'].routes.push({ … })` */
function routesIn(statement: TypeScript.Statement): readonly OwnRoute[] | undefined {
  const ts = compiler();
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return undefined;
  const path = pathFrom(statement.expression);
  const last = path?.segments.at(-1);
  if (path?.root !== 'plugin' || path.segments[0]?.name !== 'routes' || !/^(?:push|unshift)$/u.test(last?.name ?? '')) {
    return undefined;
  }
  const routes = (last?.arguments ?? []).map((one) => routeIn(one));
  return routes.every((one) => one !== undefined) ? routes : undefined;
}

function isReturn(statement: TypeScript.Statement): boolean {
  return compiler().isReturnStatement(statement) && /^return plugin;?$/u.test(statement.getText());
}

/** The statements of the function that gets the plugin; undefined if the file has another form. */
function statementsOf({ value }: ModuleShape): readonly TypeScript.Statement[] | undefined {
  const func = functionIn(value);
  const [parameter] = func?.parameters ?? [];
  if (!func || parameter?.name.getText() !== 'plugin' || !compiler().isBlock(func.body)) return undefined;
  return func.body.statements;
}

/** The body of the module; undefined if the file has another form. Its `routes` stand before those of Strapi. */
export function usersExtensionText(printer: ModulePrinter): string | undefined {
  const statements = statementsOf(printer.shape);
  if (statements === undefined) return undefined;
  const { rewriter } = printer;
  const actions = statements.flatMap((one) => actionIn(one) ?? []);
  const names = new Map(actions.map(({ name }) => [name, rewriter.freeName(name.replace('.', '_'))]));
  const added = statements.flatMap((one) => routesIn(one) ?? []);
  const printed = statements.map((one) => {
    const action = actionIn(one);
    if (action) {
      return `${rewriter.comments(one)}export const ${names.get(action.name)} = ${rewriter.print(action.value)};\n`;
    }
    return routesIn(one) || isReturn(one) ? '' : printer.statement(one);
  });
  const routed = (method: string, path: string, permission: string | undefined, name: string): string => {
    const allow = permission === undefined ? '' : `${rewriter.use('permitted')}('${permission}'), `;
    return `router.${method}('${path}', ${allow}${rewriter.use('handler')}(services, ${name}));`;
  };
  const lines = added.map((route) => lineOf(route, names, routed) ?? `${rewriter.mark(route.node, INSTEAD)};`);
  const own = new Set(added.map(({ handler }) => handler));
  const replaced = actions.flatMap(({ name }) => {
    const [method, path, permission] = BUILT_IN[name] ?? [];
    if (method === undefined || path === undefined || own.has(name)) return [];
    return [routed(method, path, permission, names.get(name) ?? name)];
  });
  const all = [...lines, ...replaced.sort((a, b) => Number(a.includes('/:')) - Number(b.includes('/:')))];
  const routes =
    all.length === 0
      ? ''
      : `\nexport function routes(router: Router, services: OwnServices<Entries>): void {\n${all.join('\n')}\n}\n`;
  return printer.statements() + printed.join('') + routes;
}

/** A route of the project for an action of its own. */
function lineOf(
  { method, path, handler = '', config }: OwnRoute,
  names: ReadonlyMap<string, string>,
  routed: (method: string, path: string, permission: string | undefined, name: string) => string,
): string | undefined {
  const name = names.get(handler);
  if (name === undefined || config.policies.length + config.middlewares.length > 0) return undefined;
  const permission = { GET: 'users.find', POST: 'users.create', DELETE: 'users.destroy' }[method] ?? 'users.update';
  const prefixed = `/api${path.startsWith('/') ? '' : '/'}${path}`;
  return routed(method.toLowerCase(), prefixed, config.isPublic ? undefined : permission, name);
}
