/** The routes of a file. */
import type { ModuleShape } from './module-shape.ts';
import { bare, compiler, type Expression, initializerOf, type Node, propertyName, textOfLiteral } from './syntax.ts';

export interface OwnRoute {
  readonly node: Node;
  readonly method: string;
  readonly path: string;
  /** `article.find`, `api::article.article.find`; undefined if it is a function or not known. */
  readonly handler: string | undefined;
  readonly config: RouteConfig;
}

export interface RouteConfig {
  readonly policies: readonly Expression[];
  readonly middlewares: readonly Expression[];
  /** `auth: false`: everybody may call. */
  readonly isPublic: boolean;
}

export interface RoutesFile {
  readonly routes: readonly OwnRoute[];
  /** What `createCoreRouter` says about generated routes: action → its settings. */
  readonly core: ReadonlyMap<string, RouteConfig> | undefined;
  readonly only: readonly string[] | undefined;
  /** What can't be read. */
  readonly unknown: readonly Node[];
}

const NONE: RouteConfig = { policies: [], middlewares: [], isPublic: false };

function members(node: Node | undefined): ReadonlyMap<string, Expression> {
  const ts = compiler();
  const inner = node && bare(initializerOf(bare(node)) ?? node);
  const found = new Map<string, Expression>();
  if (!inner || !ts.isObjectLiteralExpression(inner)) return found;
  for (const member of inner.properties) {
    const name = member.name && propertyName(member.name);
    if (name !== undefined && ts.isPropertyAssignment(member)) found.set(name, member.initializer);
    if (name !== undefined && ts.isShorthandPropertyAssignment(member)) found.set(name, member.name);
  }
  return found;
}

function elements(node: Node | undefined): readonly Expression[] {
  const inner = node && bare(node);
  return inner && compiler().isArrayLiteralExpression(inner) ? inner.elements : [];
}

function configIn(node: Node | undefined): RouteConfig {
  if (node === undefined) return NONE;
  const config = members(node);
  return {
    policies: elements(config.get('policies')),
    middlewares: elements(config.get('middlewares')),
    isPublic: config.get('auth')?.getText() === 'false',
  };
}

export function routeIn(node: Expression): OwnRoute | undefined {
  const route = members(node);
  const [method, path] = [textOfLiteral(route.get('method')), textOfLiteral(route.get('path'))];
  if (method === undefined || path === undefined) return undefined;
  const handler = route.get('handler');
  const named = elements(handler)[0] ?? handler;
  return {
    node,
    method: method.toUpperCase(),
    path,
    handler: textOfLiteral(named),
    config: configIn(route.get('config')),
  };
}

function literals(node: Node | undefined): readonly string[] | undefined {
  return node && elements(node).flatMap((element) => textOfLiteral(element) ?? []);
}

export function readRoutes({ value, factory }: ModuleShape): RoutesFile {
  if (factory === 'createCoreRouter') {
    const options = members(value);
    const core = new Map([...members(options.get('config'))].map(([action, config]) => [action, configIn(config)]));
    const except = literals(options.get('except'));
    const only =
      literals(options.get('only')) ??
      (except && ['find', 'findOne', 'create', 'update', 'delete'].filter((one) => !except.includes(one)));
    return { routes: [], core, only, unknown: [] };
  }
  const found = members(value).get('routes') ?? value;
  const inner = found && bare(initializerOf(bare(found)) ?? found);
  if (!inner || !compiler().isArrayLiteralExpression(inner)) {
    return { routes: [], core: undefined, only: undefined, unknown: inner ? [inner] : [] };
  }
  const each = inner.elements.map((element) => [element, routeIn(element)] as const);
  return {
    routes: each.flatMap(([, route]) => route ?? []),
    core: undefined,
    only: undefined,
    unknown: each.flatMap(([element, route]) => (route ? [] : [element])),
  };
}
