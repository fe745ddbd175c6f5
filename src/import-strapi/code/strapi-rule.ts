/** Calls of the global `strapi`. */
import { posix } from 'node:path';
import type { FileContext, OwnModule } from './file-context.ts';
import { isAliasOfPart, isPart, isStrapi, type MemberPath, type Segment, strapiPath } from './member-path.ts';
import type { Rewriter, Rule } from './rewriter.ts';
import { bare, compiler, type Expression, initializerOf, type Node, textOfLiteral } from './syntax.ts';
import { type Api, translateEntriesCall } from './translate-entries.ts';
import { optionsOf } from './translate-query.ts';

type Printer = (rewriter: Rewriter) => string | undefined;
/** How to print a path; a string is why it can't be translated. */
type Found = Printer | string | undefined;

const CORE: ReadonlySet<string> = new Set(['find', 'findOne', 'create', 'update', 'delete', 'count', 'createOrUpdate']);

/** The relative path to a module of the extensions. */
export function moduleTo({ target }: FileContext, path: string): string {
  const relative = posix.relative(posix.dirname(target), path);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** A valid name for an imported module: `api::order-item.order-item` → `orderItemService`. */
function moduleName(uid: string, suffix: string): string {
  const [api = '', name = ''] = uid.replace(/^(?:api|plugin)::/u, '').split('.');
  const words = (api === name || name === '' ? api : `${api}-${name}`).split(/[^A-Za-z0-9]+/u);
  const camel = words.map(
    (word, index) => (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1),
  );
  return `${camel.join('')}${suffix}`;
}

function moduleText(uid: string, module: OwnModule, suffix: string, file: FileContext): Printer {
  return (rewriter) => {
    const name = rewriter.freeName(moduleName(uid, suffix));
    rewriter.services.set(moduleTo(file, module.path), name);
    return name;
  };
}

/** A function's arguments, or a constant for what was the uid. */
function uidIn(segment: Segment | undefined): string | undefined {
  return textOfLiteral(segment?.arguments?.[0]);
}

function entries(
  api: Api,
  type0: Expression | undefined,
  method: Segment | undefined,
  given: readonly Expression[],
  file: FileContext,
): Found {
  const uid = textOfLiteral(type0);
  if (!method?.arguments) return undefined;
  const what = api === 'documents' ? 'documents()' : api === 'query' ? 'db.query' : api;
  if (uid === undefined) {
    if (!type0) return `the type isn't known before the code runs: write ${what} for each type with server.entries`;
    return (rewriter) => {
      const printed = rewriter.print(type0);
      const dynamic = { uid: '', name: `(${printed})`, plural: '', isSingle: false, hasDrafts: false };
      return translateEntriesCall({ api, type: dynamic, method: method.name, given }, rewriter, file);
    };
  }
  const type = file.types.get(uid);
  if (type === undefined) return `there is no type ${uid} here`;
  return (rewriter) => translateEntriesCall({ api, type, method: method.name, given }, rewriter, file);
}

const LEVELS: Readonly<Record<string, string>> = {
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  error: 'error',
  http: 'info',
  verbose: 'debug',
  silly: 'debug',
  fatal: 'error',
  log: 'info',
  trace: 'debug',
};

/** `service('api::a.b')`, `services['api::a.b']` and `api.a.services.b`: the uid, and what follows. */
function serviceIn(
  segments: readonly Segment[],
): { readonly uid: string | undefined; readonly rest: readonly Segment[] } | undefined {
  const [first, second, third, fourth] = segments;
  if (first?.name === 'service' && first.arguments) return { uid: uidIn(first), rest: segments.slice(1) };
  if (first?.name === 'services' && second) {
    const uid = second.name.includes('::') ? second.name : `api::${second.name}.${second.name}`;
    return { uid, rest: segments.slice(2).length > 0 || !second.arguments ? segments.slice(2) : [] };
  }
  if (first?.name === 'api' && second && third?.name === 'services' && fourth) {
    return { uid: `api::${second.name}.${fourth.name}`, rest: segments.slice(4) };
  }
  const isPlugin = first?.name === 'plugin' || first?.name === 'plugins';
  if (!isPlugin) return undefined;
  const plugin = first.arguments ? uidIn(first) : second?.name;
  const after = segments.slice(first.arguments ? 1 : 2);
  const [kind, named] = after;
  if (kind?.name === 'service' && kind.arguments) {
    return { uid: `plugin::${plugin}.${uidIn(kind)}`, rest: after.slice(1) };
  }
  if (kind?.name === 'services' && named) return { uid: `plugin::${plugin}.${named.name}`, rest: after.slice(2) };
  return undefined;
}

function serviceCall(uid: string, rest: readonly Segment[], file: FileContext): Found {
  const [method] = rest;
  const own = file.services.get(uid);
  const type = file.types.get(uid);
  if (own && (method === undefined || own.names.has(method.name))) {
    const module = moduleText(uid, own, 'Service', file);
    if (method === undefined) return module;
    return (rewriter) => {
      const called = method.arguments ? `(${method.arguments.map((one) => rewriter.print(one)).join(', ')})` : '';
      return `${module(rewriter)}.${method.name}${called}`;
    };
  }
  if (type && method?.arguments && CORE.has(method.name)) {
    const call = { api: 'service', type, method: method.name, given: method.arguments } as const;
    return (rewriter) => translateEntriesCall(call, rewriter, file);
  }
  if (uid.startsWith('plugin::')) return pluginCall(uid, method);
  return own ? `the service ${uid} has no function ${method?.name}` : `there is no service ${uid}`;
}

function pluginCall(uid: string, method: Segment | undefined): Found {
  const given = method?.arguments ?? [];
  const [first, second] = given;
  const options = optionsOf(first);
  switch (`${uid}.${method?.name}`) {
    case 'plugin::email.email.send':
      return (rewriter) => {
        rewriter.notes.add('mails are sent as plain text; a `mailer` of your own also gets `html`');
        return `${rewriter.use('server')}.send(${given.map((one) => rewriter.print(one)).join(', ')})`;
      };
    case 'plugin::users-permissions.jwt.issue': {
      const id = options?.get('id');
      return id && ((rewriter) => `(await ${rewriter.use('server')}.sessions.start(${rewriter.print(id)})).jwt`);
    }
    case 'plugin::users-permissions.user.add':
      return (
        first &&
        ((rewriter) =>
          `${rewriter.use('oneOf')}(${rewriter.use('server')}.entries.user.create(${rewriter.use('dataOf')}(${rewriter.print(first)})))`)
      );
    case 'plugin::users-permissions.user.edit':
      return (
        first &&
        second &&
        ((rewriter) =>
          `${rewriter.use('oneOf')}(${rewriter.use('server')}.entries.user.update(${rewriter.print(first)}, ${rewriter.use('dataOf')}(${rewriter.print(second)})))`)
      );
    case 'plugin::users-permissions.user.fetch':
      return (
        first &&
        ((rewriter) =>
          `${rewriter.use('oneOf')}(${rewriter.use('server')}.entries.user.findOne(${[first, second]
            .filter((one) => one !== undefined)
            .map((one) => rewriter.print(one))
            .join(', ')}))`)
      );
    case 'plugin::users-permissions.user.remove': {
      const id = options?.get('id');
      return (
        id &&
        ((rewriter) => `${rewriter.use('oneOf')}(${rewriter.use('server')}.entries.user.delete(${rewriter.print(id)}))`)
      );
    }
    default:
      return `the service ${uid} of Strapi is not here`;
  }
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^db\.connection/u,
    'SQL of your own: within server.inTransaction, use transaction.run(sql`…`) with the tables of this server',
  ],
  [
    /^(?:getModel|contentTypes?|components|getComponent)/u,
    'the schema is not available to code: name the attributes that you need',
  ],
  [/^config/u, 'put the setting in an environment variable or a module of your own'],
  [/^(?:io|server)/u, 'there is no access to the HTTP server: use routes, middleware or onStart in index.ts'],
  [/^(?:store|db\.metadata|dirs|eventHub|webhookStore|customFields|admin)/u, 'this part of Strapi is not here'],
  [/^(?:cron|cronJobs)/u, 'use schedule() in index.ts'],
];

function adviceFor(segments: readonly Segment[]): string {
  const path = segments.map(({ name }) => name).join('.');
  return ADVICE.find(([pattern]) => pattern.test(path))?.[1] ?? `strapi.${path} is not here`;
}

const SETTINGS: Readonly<Record<string, string>> = {
  'server.host': 'process.env.HOST',
  'server.port': 'process.env.PORT',
  'server.url': 'process.env.PUBLIC_URL',
  environment: 'process.env.NODE_ENV',
};

/** What a path of `strapi` becomes. */
function found({ segments }: MemberPath, file: FileContext): Found {
  const [first, second, third] = segments;
  if (first === undefined) return undefined;
  const given = second?.arguments ?? [];
  if (first.name === 'entityService' && segments.length === 2) {
    return entries('entityService', given[0], second, given.slice(1), file);
  }
  if (first.name === 'documents' && first.arguments && segments.length === 2) {
    return second?.name === 'use' ? undefined : entries('documents', first.arguments[0], second, given, file);
  }
  if (first.name === 'query' && first.arguments && segments.length === 2) {
    return entries('query', first.arguments[0], second, given, file);
  }
  if (first.name === 'db' && second?.name === 'query' && second.arguments && segments.length === 3) {
    return entries('query', second.arguments[0], third, third?.arguments ?? [], file);
  }
  if (first.name === 'db' && second?.name === 'transaction' && second.arguments && segments.length === 2) {
    const [work] = given;
    return work && ((rewriter) => `${rewriter.use('server')}.inTransaction(${rewriter.print(work)} as any)`);
  }
  if (first.name === 'log' && segments.length === 2 && second?.arguments) {
    const level = LEVELS[second.name];
    return (
      level &&
      ((rewriter) => `${rewriter.use('server')}.log.${level}(${given.map((one) => rewriter.print(one)).join(', ')})`)
    );
  }
  // What sanitizers take.
  if (['getModel', 'contentType'].includes(first.name) && first.arguments && segments.length === 1) {
    const [uid] = first.arguments;
    return uid && ((rewriter) => `({ uid: ${rewriter.print(uid)} } as any)`);
  }
  if (first.name === 'contentAPI' && second?.name === 'sanitize' && third?.arguments && segments.length === 3) {
    const of = third.arguments;
    return (rewriter) =>
      `${rewriter.use('sanitize')}.contentAPI.${third.name}(${of.map((one) => rewriter.print(one)).join(', ')})`;
  }
  if (first.name === 'fetch' && first.arguments) {
    const of = first.arguments;
    return (rewriter) => `fetch(${of.map((one) => rewriter.print(one)).join(', ')})`;
  }
  if (first.name === 'config' && second?.name === 'get' && segments.length === 2) {
    const [name, usual] = given;
    const variable = SETTINGS[textOfLiteral(name) ?? ''];
    return variable && ((rewriter) => (usual ? `(${variable} ?? ${rewriter.print(usual)})` : variable));
  }
  if (first.name === 'controller' && first.arguments) return controllerCall(uidIn(first), segments.slice(1), file);
  const service = serviceIn(segments);
  if (!service || service.rest.length > 1) return undefined;
  if (service.uid === undefined) return 'the service is known only while the code runs: import its module';
  return serviceCall(service.uid, service.rest, file);
}

function controllerCall(uid: string | undefined, [method]: readonly Segment[], file: FileContext): Found {
  const own = uid === undefined ? undefined : file.controllers.get(uid);
  if (uid === undefined || !own || !method?.arguments || !own.names.has(method.name)) {
    return 'only actions of own controllers can be called';
  }
  const module = moduleText(uid, own, 'Controller', file);
  const given = method.arguments;
  return (rewriter) => `${module(rewriter)}.${method.name}(${given.map((one) => rewriter.print(one)).join(', ')})`;
}

function isChain(node: Node): boolean {
  const ts = compiler();
  return (
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isCallExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTaggedTemplateExpression(node)
  );
}

function inner(node: Node): Node {
  return 'expression' in node ? (node.expression as Node) : 'tag' in node ? (node.tag as Node) : node;
}

/** The first node of a chain. */
function rootOf(node: Node): Node {
  let at = node;
  while (isChain(at)) at = inner(at);
  return at;
}

export function strapiRule(file: FileContext): Rule {
  const ts = compiler();
  const attempt = (node: Node): Found => {
    const path = strapiPath(node);
    return path && path.root === 'strapi' ? found(path, file) : undefined;
  };
  return (node, rewriter) => {
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      isStrapi(rootOf(node.left))
    ) {
      return rewriter.mark(node, 'there is no global object to keep values in: use a module of your own');
    }
    // The constant itself goes: where it is used, the calls are translated.
    if (ts.isVariableStatement(node)) {
      const { declarations } = node.declarationList;
      const isGone = declarations.every(
        ({ name, initializer }) =>
          initializer !== undefined &&
          ((ts.isIdentifier(name) &&
            isPart(strapiPath(initializer)?.segments ?? []) &&
            typeof attempt(initializer) !== 'function') ||
            (!ts.isIdentifier(name) && isStrapi(bare(initializer)))),
      );
      return isGone ? '' : undefined;
    }
    if (!isChain(node) && !ts.isIdentifier(node)) return undefined;
    const root = rootOf(node);
    const isOfStrapi = isStrapi(root) || (node !== root && isAliasOfPart(root));
    if (!isOfStrapi || (ts.isIdentifier(node) && !isReference(node))) return undefined;
    const result = attempt(node);
    if (typeof result === 'function') return result(rewriter) ?? rewriter.mark(node, 'write this with server.entries');
    if (typeof result === 'string') return rewriter.mark(node, `${result}${aliasNote(root)}`);
    for (let at = inner(node); isChain(at); at = inner(at)) {
      if (attempt(at) !== undefined) return undefined;
      if (at === root) break;
    }
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return undefined;
    if (ts.isIdentifier(node)) return passedText(node, rewriter);
    return rewriter.mark(node, `${adviceFor(strapiPath(node)?.segments ?? [])}${aliasNote(root)}`);
  };
}

/** `strapi` as an argument: functions take it, and don't need it. */
function passedText(node: Node, rewriter: Rewriter): string {
  const name = rewriter.use('server');
  return compiler().isShorthandPropertyAssignment(node.parent) ? `strapi: ${name}` : name;
}

/** What a constant was whose declaration is gone. */
function aliasNote(root: Node): string {
  const initializer = initializerOf(root);
  return initializer && !isStrapi(root)
    ? `; ${root.getText()} was ${initializer.getText().replaceAll(/\s+/gu, ' ')}`
    : '';
}

function isReference(node: Node): boolean {
  const ts = compiler();
  const { parent } = node;
  if (ts.isParameter(parent) || ts.isBindingElement(parent)) return false;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return !ts.isPropertyAssignment(parent) || parent.initializer === node;
}
