/** The routes of a file as endpoints, and as routes of `router` where a handler makes its response itself. */
import type { FileContext, OwnModule, TypeInfo } from './file-context.ts';
import { answersItself } from './print-module.ts';
import type { OwnRoute, RouteConfig } from './read-routes.ts';
import type { Rewriter } from './rewriter.ts';
import { moduleTo } from './strapi-rule.ts';
import { bare, compiler, type Expression, isFunc, type Node, propertyName, textOfLiteral } from './syntax.ts';

/** A function that a route leads to. */
export interface Action {
  readonly module: OwnModule;
  readonly name: string;
  /** Its declaration. */
  readonly node: Node;
  /** It wraps the generated action. */
  readonly isWrapping: boolean;
}

export interface Lookup {
  /** The action of a handler, seen from the folder of an API. */
  action(handler: string, api: string): Action | undefined;
  /** The module of a policy or middleware. */
  guard(kind: 'policy' | 'middleware', name: string, api: string): string | undefined;
  type(uid: string): TypeInfo | undefined;
  /** Whether a route of `router` that stands for a generated one would take the requests of this path. */
  isTaken(method: string, path: string): boolean;
  /** The type of an API, for the permission of its routes. */
  typeOfApi(api: string): TypeInfo | undefined;
}

const CORE: ReadonlySet<string> = new Set(['find', 'findOne', 'create', 'update', 'delete']);

export function uidOfHandler(handler: string, api: string): { readonly uid: string; readonly action: string } {
  const cut = handler.lastIndexOf('.');
  const [controller, action] = [handler.slice(0, cut), handler.slice(cut + 1)];
  return { uid: controller.includes('::') ? controller : `api::${api}.${controller}`, action };
}

/** The permission that stands for that of the action in Strapi, of which there is none here. */
function permissionOf({ method, handler = '', config }: OwnRoute, api: string, lookup: Lookup): string {
  if (config.isPublic) return 'null';
  const { uid, action } = uidOfHandler(handler, api);
  const type = lookup.type(uid) ?? lookup.typeOfApi(api);
  if (type === undefined) return 'UNDECIDED';
  const usual = { GET: 'find', POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' }[method] ?? 'find';
  const verb = CORE.has(action) ? action : usual;
  const subject = { user: 'users', role: 'roles', file: 'upload' }[type.name] ?? type.name;
  if (type.isSingle) return `'${subject}.${verb === 'findOne' ? 'find' : verb === 'create' ? 'update' : verb}'`;
  if (subject === 'users' && verb === 'delete') return "'users.destroy'";
  return `'${subject}.${verb}'`;
}

/** The path of a generated route, which a route of the project may declare again. */
function isGenerated({ method, path }: OwnRoute, action: string, type: TypeInfo | undefined): boolean {
  if (type === undefined || !CORE.has(action)) return false;
  const plain = path.replace(/\/$/u, '').replaceAll(/:\w+/gu, ':id');
  const one = type.isSingle ? `/${type.name}` : `/${type.plural}/:id`;
  const expected: Readonly<Record<string, readonly [string, string]>> = {
    find: ['GET', type.isSingle ? one : `/${type.plural}`],
    findOne: ['GET', one],
    create: ['POST', `/${type.plural}`],
    update: ['PUT', one],
    delete: ['DELETE', one],
  };
  const [verb, at] = expected[action] ?? [];
  return verb === method && at === plain;
}

export class RoutesPrinter {
  readonly endpoints: string[] = [];
  readonly routes: string[] = [];
  /** Actions of generated routes with policies or middleware: action → guards. */
  readonly guarded = new Map<string, string>();
  /** Lines for the report: who may call. */
  readonly decisions: string[] = [];
  readonly #file: FileContext;
  readonly #rewriter: Rewriter;
  readonly #lookup: Lookup;
  readonly #api: string;
  readonly imports = new Map<string, string>();

  constructor(file: FileContext, rewriter: Rewriter, lookup: Lookup) {
    this.#file = file;
    this.#rewriter = rewriter;
    this.#lookup = lookup;
    this.#api = /^src\/api\/([^/]+)\//u.exec(file.path)?.[1] ?? '';
  }

  /** Imports the default export of a module, by a name. */
  #default(path: string, name: string): string {
    const module = moduleTo(this.#file, path);
    const plain = name
      .replace(/^.*(?:::|\.)/u, '')
      .replaceAll(/[^\w$]+(.)?/gu, (_all, next: string | undefined) => (next ?? '').toUpperCase());
    const unique = /^[A-Za-z_$]/u.test(plain) ? plain : `_${plain}`;
    const taken = [...this.imports].find(([line]) => line.startsWith(`import ${unique} from`));
    const line = `import ${unique} from '${module}';`;
    if (taken && taken[0] !== line) {
      this.imports.set(`import ${unique}_ from '${module}';`, '');
      return `${unique}_`;
    }
    this.imports.set(line, '');
    return unique;
  }

  #guard(kind: 'policy' | 'middleware', node: Expression): string {
    const ts = compiler();
    const inner = bare(node);
    const use = (name: string): string => this.#rewriter.use(name);
    if (isFunc(inner)) return kind === 'policy' ? this.#rewriter.print(inner) : `(${this.#rewriter.print(inner)})`;
    const options = ts.isObjectLiteralExpression(inner)
      ? new Map(
          inner.properties.flatMap((one) =>
            ts.isPropertyAssignment(one) ? [[propertyName(one.name), one.initializer] as const] : [],
          ),
        )
      : undefined;
    const name = textOfLiteral(options?.get('name') ?? options?.get('resolve') ?? inner);
    const config = options?.get('config') ?? options?.get('options');
    if (name === undefined) return this.#rewriter.mark(node, `this ${kind} is not known before the code runs`);
    if (/^plugin::users-permissions\.isAuthenticated$/iu.test(name)) {
      return "(call: Call) => call.caller.kind === 'user'".replace('Call', use('Call'));
    }
    if (/^plugin::users-permissions\.rateLimit$/iu.test(name)) {
      this.#rewriter.notes.add('rate limits of accounts are settings of the server: set rateLimit of the endpoint');
      return '(_call, next) => next()';
    }
    const path = this.#lookup.guard(kind, name, this.#api);
    if (path === undefined) return this.#rewriter.mark(node, `there is no ${kind} ${name}`);
    const module = this.#default(path, name);
    const text = config ? this.#rewriter.print(config) : '{}';
    if (kind === 'middleware') return `${module}(${text})`;
    return config ? `${use('policyWith')}(${module}, ${text})` : module;
  }

  guards({ policies, middlewares }: RouteConfig): string {
    const parts = [
      policies.length > 0 ? `policies: [${policies.map((one) => this.#guard('policy', one)).join(', ')}]` : undefined,
      middlewares.length > 0
        ? `use: [${middlewares.map((one) => this.#guard('middleware', one)).join(', ')}]`
        : undefined,
    ].filter((part) => part !== undefined);
    return parts.length === 0 ? '' : `, { ${parts.join(', ')} }`;
  }

  add(route: OwnRoute): void {
    const { handler, node, method, path } = route;
    const { uid, action } = uidOfHandler(handler ?? '', this.#api);
    const type = this.#lookup.type(uid);
    const found = handler === undefined ? undefined : this.#lookup.action(handler, this.#api);
    if (isGenerated(route, action, type)) {
      const guards = this.guards(route.config);
      if (guards !== '') this.guarded.set(`${type?.name}.${action}`, guards);
      return;
    }
    if (found === undefined) {
      this.endpoints.push(this.#rewriter.mark(node, `there is no action ${handler ?? 'for this route'}`));
      return;
    }
    this.#print(route, found, `${path.startsWith('/') ? '' : '/'}${path}`);
    if (!route.config.isPublic) this.decisions.push(`${method} ${path}`);
  }

  #print(route: OwnRoute, { module, name, node, isWrapping }: Action, path: string): void {
    const { method, config } = route;
    const use = (one: string): string => this.#rewriter.use(one);
    const permission = permissionOf(route, this.#api, this.#lookup);
    if (permission === 'UNDECIDED') use('UNDECIDED');
    const plain = `${this.#controller(module)}.${name}`;
    const type = this.#lookup.type(uidOfHandler(route.handler ?? '', this.#api).uid)?.name ?? '';
    const next = isWrapping ? `(changed) => ${use('generated')}(${JSON.stringify(type)}, '${name}', changed)` : '';
    const called = `${isWrapping ? `(call) => ${plain}(call, ${next})` : plain}${this.guards(config)}`;
    const prefixed = `/api${path === '/' ? '' : path}`;
    const isPlain = /^(?:\/(?:[\w.~-]+|:\w+))+$/u.test(prefixed);
    if (
      answersItself(node) ||
      this.#lookup.isTaken(method, prefixed) ||
      !isPlain ||
      !['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)
    ) {
      const allow = permission === 'null' ? '' : `${use('permitted')}(${permission}), `;
      const verb = method === 'ALL' ? 'all' : method.toLowerCase();
      this.routes.push(
        `router.${verb}('${prefixed.replaceAll(/\/:(\w+)\?/gu, '{/:$1}').replaceAll(/:(\w+)\([^)]*\)/gu, ':$1')}', ${allow}${use('handler')}(services, ${called}));`,
      );
      return;
    }
    const body =
      ['POST', 'PUT', 'PATCH'].includes(method) && /request\.body|\brequest\b/u.test(node.getText())
        ? 'body: z.record(z.string(), z.any()), '
        : '';
    this.endpoints.push(
      `route({ method: '${method}', path: '${prefixed.replaceAll(/:(\w+)/gu, '{$1}')}', permission: ${permission}, ${body}answer: z.any(), handler: ${use('endpoint')}(${called}) })`,
    );
  }

  #controller({ path }: OwnModule): string {
    const module = moduleTo(this.#file, path);
    const name = `${path
      .replace(/^.*\//u, '')
      .replace(/\.ts$/u, '')
      .replaceAll(/[^\w$]+(.)?/gu, (_all, next: string | undefined) => (next ?? '').toUpperCase())}Controller`;
    this.imports.set(`import * as ${/^\d/u.test(name) ? `_${name}` : name} from '${module}';`, '');
    return /^\d/u.test(name) ? `_${name}` : name;
  }

  /** The body of the module. */
  text(): string {
    const parts = [...this.imports.keys()].sort().join('\n');
    const endpoints =
      this.endpoints.length === 0
        ? ''
        : `export const endpoints = ({ route, z }: EndpointTools<Entries>) => [\n${this.endpoints.join(',\n')},\n];\n`;
    const routes =
      this.routes.length === 0
        ? ''
        : `export function routes(router: Router, services: OwnServices<Entries>): void {\n${this.routes.join('\n')}\n}\n`;
    const types = [...(endpoints === '' ? [] : ['EndpointTools']), ...(routes === '' ? [] : ['OwnServices', 'Router'])];
    const imported =
      types.length === 0
        ? ''
        : `import type { ${types.join(', ')} } from '@content-gen/runtime';\nimport type { Entries } from '${moduleTo(this.#file, '../generated/extensions.ts')}';\n`;
    return `${imported}${parts}\n\n${endpoints}\n${routes}`;
  }
}
