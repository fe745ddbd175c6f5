/** Translates a project's own code: from its files to those of `src/extensions/`. */
import { posix } from 'node:path';
import type { Names } from '../names.ts';
import { member, type StrapiProject } from '../strapi-project.ts';
import { FILE, USER } from '../../strapi/own-names.ts';
import { type ClassifiedFile, classify, targetOf } from './classify.ts';
import { type FileReport, renderCodeReport } from './code-report.ts';
import type { FileContext, OwnModule, ProjectContext, Role, TypeInfo } from './file-context.ts';
import { resolveFile } from './imports.ts';
import { HOOKS } from './lifecycles-rule.ts';
import { functionIn, type ModuleShape, shapeOf } from './module-shape.ts';
import { emptyWiring, indexText, type Wiring } from './print-index.ts';
import { modelText } from './print-model.ts';
import { callsSuper, exportNames, ModulePrinter } from './print-module.ts';
import { type Action, type Lookup, RoutesPrinter, uidOfHandler } from './print-routes.ts';
import { readRoutes, type RoutesFile } from './read-routes.ts';
import { moduleTo } from './strapi-rule.ts';
import { compiler, type Node, parseCode, propertyName, type SourceFile, visitAll } from './syntax.ts';
import { usersExtensionText } from './users-extension.ts';

export interface CodeSource {
  readonly project: StrapiProject;
  readonly names: Names;
  /** Scripts and JSON files by path, such as `src/index.js`. */
  readonly files: ReadonlyMap<string, string>;
  /** Of package.json: name → version. */
  readonly dependencies: Readonly<Record<string, unknown>>;
  /** The modules that translated code uses: name → text. */
  readonly support: ReadonlyMap<string, string>;
}

export interface TranslatedCode {
  /** By path within `src/extensions/`; not formatted. */
  readonly files: ReadonlyMap<string, string>;
  readonly report: readonly FileReport[];
  /** Markdown. */
  readonly text: string;
}

interface Parsed extends ClassifiedFile {
  readonly source: SourceFile;
  readonly shape: ModuleShape;
}

const CORE: ReadonlySet<string> = new Set(['find', 'findOne', 'create', 'update', 'delete']);

function typesOf({ types }: StrapiProject, names: Names): ReadonlyMap<string, TypeInfo> {
  const own = types.map((type): [string, TypeInfo] => [
    type.uid,
    {
      uid: type.uid,
      name: names.type(type.uid) ?? type.uid,
      plural: names.plural(type.uid),
      isSingle: type.kind === 'singleType',
      hasDrafts: member(type.options, 'draftAndPublish') === true,
    },
  ]);
  const builtIn = (uid: string, name: string): [string, TypeInfo] => [
    uid,
    { uid, name, plural: `${name}s`, isSingle: false, hasDrafts: false },
  ];
  return new Map([
    ...own,
    builtIn(USER, 'user'),
    builtIn(FILE, 'file'),
    builtIn('plugin::users-permissions.role', 'role'),
  ]);
}

/** The method and path of a generated route. */
function generatedRoute(type: TypeInfo, action: string): readonly [string, string] {
  const base = `/api/${type.isSingle ? type.name : type.plural}`;
  const one = type.isSingle ? base : `${base}/:id`;
  const routes: Readonly<Record<string, readonly [string, string]>> = {
    find: ['get', base],
    findOne: ['get', one],
    create: ['post', base],
    update: ['put', one],
    delete: ['delete', one],
  };
  return routes[action] ?? ['get', base];
}

function isEmptyFunction(node: Node): boolean {
  const ts = compiler();
  const isEmpty = (body: Node | undefined): boolean =>
    body !== undefined && ts.isBlock(body) && body.statements.length === 0;
  if (ts.isMethodDeclaration(node)) return isEmpty(node.body);
  return ts.isPropertyAssignment(node) && ts.isArrowFunction(node.initializer) && isEmpty(node.initializer.body);
}

/** Nothing but what Strapi writes itself: a factory without own code, functions without a body. */
function isGenerated({ role, shape, source }: Parsed): boolean {
  if (source.statements.length === 0) return true;
  if (shape.factory !== undefined && shape.value === undefined) return !hasMore(source);
  const { object } = shape;
  if (shape.factory === 'createCoreRouter') return false;
  if (object && (role === 'start' || role === 'controller' || role === 'service')) {
    return object.properties.every(isEmptyFunction);
  }
  return false;
}

/** Whether a file has functions, classes or exports beside its default export. */
function hasMore(source: SourceFile): boolean {
  const ts = compiler();
  return source.statements.some(
    (one) =>
      ts.isFunctionDeclaration(one) ||
      ts.isClassDeclaration(one) ||
      (ts.isVariableStatement(one) && /^export\b/u.test(one.getText())),
  );
}

/** Whether what a file becomes has a default export. */
function hasDefault({ role, shape, source }: Parsed): boolean {
  if ((role === 'controller' || role === 'service') && (shape.object !== undefined || shape.factory !== undefined)) {
    return false;
  }
  if (role === 'lifecycles' || role === 'cron' || role === 'start' || role === 'routes') return false;
  return shape.statement !== undefined || /^\s*(?:module\.)?exports\.\w+\s*=/mu.test(source.text);
}

class CodeTranslator {
  readonly #source: CodeSource;
  readonly #parsed = new Map<string, Parsed>();
  readonly #context: ProjectContext;
  readonly #wiring: Wiring = emptyWiring();
  readonly #files = new Map<string, string>();
  readonly #reports: FileReport[] = [];
  readonly #packages = new Set<string>();
  readonly #decisions: string[] = [];
  readonly #carried = new Set<string>();

  constructor(source: CodeSource) {
    this.#source = source;
    for (const [path, text] of source.files) {
      const file = classify(path);
      if (!file || file.role === 'data') continue;
      const parsed = parseCode(path, text.replaceAll('@ts-expect-error', '@ts-ignore'));
      this.#parsed.set(path, { ...file, source: parsed, shape: shapeOf(parsed) });
    }
    this.#context = {
      major: source.project.major,
      types: typesOf(source.project, source.names),
      services: this.#modulesOf('service'),
      controllers: this.#modulesOf('controller'),
      withDefault: new Set(
        [...source.files.keys()].filter(
          (path) =>
            path.endsWith('.json') || [this.#parsed.get(path)].some((one) => one !== undefined && hasDefault(one)),
        ),
      ),
      modules: new Map([...source.files.keys()].map((path) => [path, this.#moduleOf(path)])),
    };
  }

  /** What a file becomes; undefined if that is nothing. */
  #moduleOf(path: string): string | undefined {
    const role = classify(path)?.role;
    if (role === undefined || role === 'settings' || role === 'test' || role === 'plugin') return undefined;
    const parsed = this.#parsed.get(path);
    return parsed && role !== 'helper' && isGenerated(parsed) ? undefined : targetOf(path);
  }

  #modulesOf(role: Role): ReadonlyMap<string, OwnModule> {
    const own = [...this.#parsed.values()].filter(
      (one) => one.role === role && one.uid !== undefined && !isGenerated(one),
    );
    return new Map(
      own.flatMap(({ uid, path, shape, source }) =>
        uid === undefined
          ? []
          : [[uid, { path: targetOf(path), names: new Set(exportNames(source, shape).keys()) }] as const],
      ),
    );
  }

  #fileContext({ path, role, uid, source, shape }: Parsed): FileContext {
    return {
      ...this.#context,
      path,
      target: targetOf(path),
      role: role as Role,
      uid: shape.uid ?? uid,
      methods: exportNames(source, shape),
    };
  }

  #print(file: Parsed, body: (printer: ModulePrinter) => string, note?: string): void {
    const context = this.#fileContext(file);
    const printer = new ModulePrinter(file.source, context);
    const printed = body(printer);
    this.#files.set(context.target, printer.finish(printed));
    for (const one of printer.imports.packages) this.#packages.add(one);
    const { marks, notes } = printer.rewriter;
    if (note !== undefined) notes.add(note);
    this.#report(file.path, context.target, marks, [...notes]);
  }

  #report(file: string, module: string, marks: FileReport['marks'], notes: readonly string[]): void {
    this.#reports.push({ file, module, outcome: marks.length > 0 ? 'partly' : 'translated', marks, notes });
  }

  /** Functions of an exported object, one by one. */
  #methods(printer: ModulePrinter, file: Parsed): string {
    const names = exportNames(file.source, file.shape);
    const all = file.shape.object?.properties ?? [];
    // Of two members with one name, the last counts.
    const keyOfMember = (one: (typeof all)[number]): string | undefined => one.name && propertyName(one.name);
    const last = [...all].filter(
      (one, index) =>
        keyOfMember(one) === undefined ||
        !all.slice(index + 1).some((later) => keyOfMember(later) === keyOfMember(one)),
    );
    const members = last.map((one) => {
      const key = one.name && propertyName(one.name);
      return printer.method(one, (key !== undefined && names.get(key)) || 'member');
    });
    return printer.statements() + members.join('\n');
  }

  /** A module with one value: a policy, a middleware, a helper. */
  #value(printer: ModulePrinter): string {
    const { shape } = printer;
    const { statement } = shape;
    const statements = printer.statements();
    if (statement === undefined) return statements;
    const ts = compiler();
    const value = ts.isExportAssignment(statement)
      ? statement.expression
      : ts.isExpressionStatement(statement) && ts.isBinaryExpression(statement.expression)
        ? statement.expression.right
        : undefined;
    if (value === undefined) return statements;
    const comments = printer.rewriter.comments(statement);
    return `${statements}${comments}export default ${printer.rewriter.print(value)};\n`;
  }

  /** `exports.name = value`, `module.exports.name = value`. */
  #commonJs(text: string): string {
    if (!/^\s*(?:module\.)?exports\.\w+\s*=/mu.test(text)) return text;
    return `const exports: any = {};\n${text.replaceAll(/\bmodule\.exports\b/gu, 'exports')}\nexport default exports;\n`;
  }

  #helper(file: Parsed): void {
    this.#print(file, (printer) => this.#commonJs(this.#whole(printer)));
  }

  /** All statements, with the export as a value. */
  #whole(printer: ModulePrinter): string {
    const { source, shape } = printer;
    const ts = compiler();
    return source.statements
      .filter((one) => !(ts.isExpressionStatement(one) && /^['"]use strict['"]/u.test(one.getText())))
      .map((one) => {
        if (one !== shape.statement) return printer.statement(one);
        const value = ts.isExportAssignment(one)
          ? one.expression
          : ts.isExpressionStatement(one) && ts.isBinaryExpression(one.expression)
            ? one.expression.right
            : one;
        return `${printer.rewriter.comments(one)}export default ${printer.rewriter.print(value)};\n`;
      })
      .join('');
  }

  #lookup(): Lookup {
    const { types } = this.#context;
    return {
      action: (handler, api) => this.#action(handler, api),
      guard: (kind, name, api) => this.#guard(kind, name, api),
      type: (uid) => types.get(uid),
      isTaken: (method, path) => this.#isTaken(method.toLowerCase(), path),
      typeOfApi: (api) =>
        types.get(`api::${api}.${api}`) ?? [...types.values()].find(({ uid }) => uid.startsWith(`api::${api}.`)),
    };
  }

  /** Whether a controller has an action of its own in place of the generated one, whose path a path would match. */
  #isTaken(method: string, path: string): boolean {
    for (const { role, uid, shape } of this.#parsed.values()) {
      const type = role === 'controller' && uid !== undefined ? this.#context.types.get(uid) : undefined;
      for (const one of type ? (shape.object?.properties ?? []) : []) {
        const key = (one.name && propertyName(one.name)) ?? '';
        if (!type || !CORE.has(key) || callsSuper(one, key)) continue;
        const [verb, at] = generatedRoute(type, key);
        if (verb === method && new RegExp(`^${at.replace(':id', '[^/]+')}$`, 'u').test(path)) return true;
      }
    }
    return false;
  }

  #action(handler: string, api: string): Action | undefined {
    const { uid, action } = uidOfHandler(handler, api);
    const module = this.#context.controllers.get(uid);
    const file = [...this.#parsed.values()].find((one) => one.role === 'controller' && one.uid === uid);
    const node = file?.shape.object?.properties.find((one) => one.name && propertyName(one.name) === action);
    if (!module || !node) return undefined;
    return { module, name: action, node, isWrapping: callsSuper(node, action) };
  }

  #guard(kind: 'policy' | 'middleware', name: string, api: string): string | undefined {
    const uids = name.includes('::') ? [name] : [`api::${api}.${name}`, `global::${name}`];
    const file = [...this.#parsed.values()].find(
      (one) => one.role === kind && one.uid !== undefined && uids.includes(one.uid),
    );
    return file && targetOf(file.path);
  }

  /** Methods of core controllers: as actions around the generated ones, or in place of them if they don't call them. */
  #wireActions(file: Parsed): void {
    const context = this.#fileContext(file);
    const type = context.uid === undefined ? undefined : this.#context.types.get(context.uid);
    if (type === undefined || context.uid?.startsWith('plugin::')) return;
    for (const one of file.shape.object?.properties ?? []) {
      const key = one.name && propertyName(one.name);
      if (key === undefined || !CORE.has(key)) continue;
      const name = this.#importAll(context.target, 'Controller');
      if (callsSuper(one, key)) {
        const own = this.#wiring.actions.get(type.name) ?? new Map<string, string>();
        own.set(key, `${name}.${key}`);
        this.#wiring.actions.set(type.name, own);
        if (key === 'findOne' && /slug/iu.test(one.getText())) {
          this.#decisions.push(`${type.name}.findOne reads by slug: set \`key\` of the type in the schema`);
        }
      } else {
        this.#wiring.replaced.set(`${type.name}.${key}`, { work: `${name}.${key}`, route: generatedRoute(type, key) });
      }
    }
  }

  /** Imports a module in `index.ts`. */
  #importAll(target: string, suffix: string): string {
    const base = target
      .replace(/\.ts$/u, '')
      .replace(/^api\//u, '')
      .split('/')
      .filter((part) => !['controllers', 'content-types', 'routes'].includes(part));
    const parts = [...new Set(base)]
      .join('-')
      .split(/[^A-Za-z0-9]+/u)
      .filter((part) => part !== '');
    const camel = parts
      .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
      .join('');
    const name = /^\d/u.test(camel) ? `_${camel}${suffix}` : `${camel}${suffix}`;
    this.#wiring.imports.add(`import * as ${name} from './${target}';`);
    return name;
  }

  #routes(file: Parsed): void {
    const read: RoutesFile = readRoutes(file.shape);
    const context = this.#fileContext(file);
    if (read.core) return this.#coreRouter(file, read, context);
    const printer = new ModulePrinter(file.source, context);
    const routes = new RoutesPrinter(context, printer.rewriter, this.#lookup());
    for (const route of read.routes) routes.add(route);
    const unknown = read.unknown.map((node) => `${printer.rewriter.mark(node, 'write these routes one by one')};\n`);
    const text = printer.finish(`${routes.text()}${unknown.join('')}`);
    for (const [action, guards] of routes.guarded) this.#guarded(action, guards, context, routes);
    if (routes.endpoints.length + routes.routes.length + unknown.length === 0) {
      this.#reports.push({
        file: file.path,
        module: undefined,
        outcome: routes.guarded.size > 0 ? 'translated' : 'generated',
        marks: printer.rewriter.marks,
        notes: [],
      });
      return;
    }
    this.#files.set(context.target, text);
    const notes = routes.decisions.length > 0 ? [`who may call: ${routes.decisions.join(', ')}`] : [];
    this.#report(file.path, context.target, printer.rewriter.marks, notes);
    if (routes.endpoints.length > 0) {
      this.#wiring.endpoints.push(`${this.#importAll(context.target, 'Routes')}.endpoints`);
    }
    if (routes.routes.length > 0) this.#wiring.routes.push(`${this.#importAll(context.target, 'Routes')}.routes`);
  }

  /** Policies and middleware of generated routes. */
  #guarded(action: string, guards: string, context: FileContext, routes: RoutesPrinter): void {
    const [type = '', name = ''] = action.split('.');
    const replaced = this.#wiring.replaced.get(action);
    if (replaced) {
      this.#wiring.replaced.set(action, {
        ...replaced,
        work: `${replaced.work}${guards.replaceAll('call: Call', 'call')}`,
      });
    }
    const own = this.#wiring.actions.get(type) ?? new Map<string, string>();
    const work = own.get(name) ?? 'unchanged';
    if (replaced) return this.#importGuards(guards, context, routes);
    if (work === 'unchanged') this.#wiring.used.add('unchanged');
    this.#importGuards(guards, context, routes);
    own.set(name, `${work}${guards.replaceAll('call: Call', 'call')}`);
    this.#wiring.actions.set(type, own);
  }

  #importGuards(guards: string, context: FileContext, routes: RoutesPrinter): void {
    if (guards.includes('policyWith')) this.#wiring.used.add('policyWith');
    for (const line of routes.imports.keys()) {
      const path = /from '([^']+)'/u.exec(line)?.[1] ?? '';
      const target = posix.join(posix.dirname(context.target), path);
      this.#wiring.imports.add(line.replace(`'${path}'`, `'./${target}'`));
    }
  }

  #coreRouter(file: Parsed, { core, only }: RoutesFile, context: FileContext): void {
    const type = context.uid === undefined ? undefined : this.#context.types.get(context.uid);
    const printer = new ModulePrinter(file.source, context);
    const routes = new RoutesPrinter(context, printer.rewriter, this.#lookup());
    for (const [action, config] of core ?? []) {
      const guards = routes.guards(config);
      if (guards !== '' && type) routes.guarded.set(`${type.name}.${action}`, guards);
      if (config.isPublic) {
        this.#decisions.push(`${type?.name}.${action} was open to everybody: grant it to \`public\``);
      }
    }
    for (const [action, guards] of routes.guarded) this.#guarded(action, guards, context, routes);
    if (only) this.#decisions.push(`${type?.name} only had the routes ${only.join(', ')}: grant no other permissions`);
    const { marks } = printer.rewriter;
    this.#reports.push({
      file: file.path,
      module: undefined,
      outcome: marks.length > 0 ? 'left' : routes.guarded.size > 0 ? 'translated' : 'generated',
      marks,
      notes: [],
    });
  }

  #hook(type: string, hook: string, text: string): void {
    const own = this.#wiring.hooks.get(type) ?? new Map<string, string[]>();
    own.set(hook, [...(own.get(hook) ?? []), text]);
    this.#wiring.hooks.set(type, own);
  }

  #lifecycles(file: Parsed): void {
    const type = this.#context.types.get(file.uid ?? '');
    // `module.exports = {…}`, or functions that are exported by their names.
    const names = file.shape.object ? [...exportNames(file.source, file.shape).keys()] : exportedNames(file.source);
    const context = this.#fileContext(file);
    this.#print(file, (printer) => {
      const unknown = names.filter((name) => HOOKS[name] === undefined && /^(?:before|after)/u.test(name));
      for (const name of unknown) {
        const member = file.shape.object?.properties.find((one) => one.name && propertyName(one.name) === name);
        printer.rewriter.markAt(member ?? file.source, `${name} has no hook: use ${insteadOf(name)}`);
      }
      const text = file.shape.object ? this.#methods(printer, file) : printer.statements();
      return (
        text +
        unknown
          .map((name) => `untranslated(${JSON.stringify(`${name} has no hook: use ${insteadOf(name)}`)});\n`)
          .join('')
      );
    });
    if (type === undefined) return;
    for (const name of names) {
      const hook = HOOKS[name];
      if (hook === undefined) continue;
      const single = type.isSingle ? { beforeCreate: 'beforeUpdate', afterCreate: 'afterUpdate' }[hook] : undefined;
      this.#hook(type.name, single ?? hook, `${this.#importAll(context.target, 'Hooks')}.${name}`);
    }
  }

  #start(file: Parsed): void {
    const all = file.shape.object?.properties ?? [];
    const names = new Set(all.filter((one) => !isEmptyFunction(one)).map((one) => one.name && propertyName(one.name)));
    const subscriptions = subscriptionsIn(file.source);
    this.#print(file, (printer) => {
      const objects = subscriptions.map(
        ({ object }, index) => `export const lifecycles${index + 1}: any = ${printer.rewriter.print(object)};\n`,
      );
      for (const { statement } of subscriptions) printer.rewriter.replace(statement, '');
      return this.#methods(printer, file) + objects.join('\n');
    });
    const module = this.#importAll('start.ts', '');
    for (const [index, { models, hooks }] of subscriptions.entries()) {
      for (const type of models.map((uid) => this.#context.types.get(uid)?.name ?? uid)) {
        for (const hook of hooks) this.#hook(type, hook, `${module}.lifecycles${index + 1}.${hook}`);
      }
    }
    const run = (name: string): string => `await within(services, () => ${module}.${name}());`;
    if (names.has('register') || names.has('bootstrap') || names.has('destroy')) this.#wiring.used.add('within');
    for (const name of ['register', 'bootstrap']) if (names.has(name)) this.#wiring.onStart.push(run(name));
    if (names.has('destroy')) this.#wiring.onStop.push(run('destroy'));
  }

  #cron(file: Parsed): void {
    const ts = compiler();
    const { object } = file.shape;
    if (!object) return this.#helper(file);
    this.#print(file, (printer) => {
      const tasks = object.properties.map((one) => {
        const name = one.name && propertyName(one.name);
        const value = ts.isPropertyAssignment(one) ? one.initializer : undefined;
        const options = value && ts.isObjectLiteralExpression(value) ? value.properties : [];
        const part = (key: string): Node | undefined =>
          options.find((each) => each.name && propertyName(each.name) === key);
        const task = part('task');
        const rule = ruleIn(part('options')) ?? name;
        const node = task ?? one;
        const printed = ts.isMethodDeclaration(node)
          ? printer.rewriter.print(node).replace(/^(async\s+)?\*?\s*(?:task|'[^']*'|"[^"]*"|\w+)/u, '$1function ')
          : ts.isPropertyAssignment(node)
            ? printer.rewriter.print(node.initializer)
            : printer.rewriter.mark(node, 'write this task as { rule, task }');
        return `${printer.rewriter.comments(one)}{ name: ${JSON.stringify(name ?? '')}, rule: ${JSON.stringify(rule ?? '')}, task: ${printed} },`;
      });
      return `${printer.statements()}\nexport const tasks: readonly { readonly name: string; readonly rule: string; task(): unknown }[] = [\n${tasks.join('\n')}\n];\n`;
    });
    const module = this.#importAll(targetOf(file.path), '');
    this.#wiring.imports.add("import { schedule } from './schedule.ts';");
    this.#wiring.used.add('within');
    this.#wiring.onStart.push(
      `if (services.runsJobs) {\nfor (const { name, rule, task } of ${module}.tasks) {\nschedule(rule, () => within(services, () => task()), (error) => services.log.error({ err: error, task: name }, 'a scheduled task failed'));\n}\n}`,
    );
  }

  #role(file: Parsed): void {
    switch (file.role) {
      case 'controller':
      case 'service':
        if (!file.shape.object) return this.#unknownShape(file);
        this.#print(file, (printer) => this.#methods(printer, file));
        if (file.role === 'controller') this.#wireActions(file);
        return;
      case 'policy':
      case 'middleware':
        return this.#print(file, (printer) => this.#value(printer));
      case 'lifecycles':
        return this.#lifecycles(file);
      case 'routes':
        return this.#routes(file);
      case 'start':
        return this.#start(file);
      case 'cron':
        return this.#cron(file);
      case 'users':
        return this.#usersExtension(file);
      case 'settings':
      case 'plugin':
      case 'test':
      case 'data':
        return;
      default:
        return this.#helper(file);
    }
  }

  /** `strapi-server` of users-permissions: actions and routes of accounts. */
  #usersExtension(file: Parsed): void {
    const { target } = this.#fileContext(file);
    let hasRoutes = false;
    this.#print(file, (printer) => {
      const text = usersExtensionText(printer);
      if (text === undefined) {
        const reason = 'write hooks of user, endpoints, or routes in place of those of accounts';
        printer.rewriter.markAt(file.source, reason);
        return `untranslated(${JSON.stringify(reason)});\n${this.#whole(printer)}`;
      }
      hasRoutes = text.includes('export function routes(');
      const generated = moduleTo(this.#fileContext(file), '../generated/extensions.ts');
      if (hasRoutes) {
        printer.imports.lines.push(
          "import type { OwnServices, Router } from '@content-gen/runtime';",
          `import type { Entries } from '${generated}';`,
        );
      }
      return text;
    });
    if (hasRoutes) this.#wiring.routes.push(`${this.#importAll(target, 'Accounts')}.routes`);
  }

  /** `config/middlewares`: those of the project, which wrap every request. */
  #globalMiddlewares(): void {
    const settings = [...this.#parsed.values()].find(({ path }) => /^config\/middlewares?\.\w+$/u.test(path));
    const names = [...(settings?.source.text.matchAll(/['"](?<uid>global::[\w./-]+)['"]/gu) ?? [])];
    for (const uid of new Set(names.map(({ groups }) => groups?.['uid'] ?? ''))) {
      const path = this.#guard('middleware', uid, '');
      if (path === undefined) continue;
      const name = uid
        .replace('global::', '')
        .replaceAll(/[^\w$]+(.)?/gu, (_all, next: string | undefined) => (next ?? '').toUpperCase());
      this.#wiring.imports.add(`import ${name}Middleware from './${path}';`);
      this.#wiring.used.add('everyRequest').add('started');
      const file = [...this.#parsed.values()].find((one) => one.role === 'middleware' && targetOf(one.path) === path);
      const given = functionIn(file?.shape.value)?.parameters.length === 0 ? '' : '{}';
      this.#wiring.middleware.push(`everyRequest(${name}Middleware(${given}))`);
      this.#decisions.push(`${uid} runs around every request: check its settings, which are in config/middlewares`);
    }
    if (this.#wiring.middleware.length > 0) this.#wiring.onStart.unshift('started(services);');
  }

  /** A controller or service that is not an object of functions: it stays as it is, marked. */
  #unknownShape(file: Parsed): void {
    // A factory without own code beside classes or functions.
    if (file.shape.factory !== undefined && file.shape.value === undefined) {
      return this.#print(file, (printer) => printer.statements());
    }
    if (functionIn(file.shape.value) === undefined) return this.#helper(file);
    this.#print(file, (printer) => {
      const reason = `write this ${file.role} as functions`;
      printer.rewriter.markAt(file.shape.statement ?? file.source, reason);
      return `untranslated(${JSON.stringify(reason)});\n${this.#whole(printer)}`;
    });
  }

  /** Files that the translated ones import, in turn. */
  #carryFrom(paths: readonly string[]): void {
    for (const path of paths) {
      const file = this.#parsed.get(path);
      for (const specifier of file ? specifiersIn(file.source) : []) {
        const target = resolveFile(path, specifier, this.#context);
        if (target === undefined || this.#carried.has(target)) continue;
        this.#carried.add(target);
        const found = this.#parsed.get(target);
        if (found?.role === 'helper') this.#helper(found);
        const json = target.endsWith('.json') ? this.#source.files.get(target) : undefined;
        if (json !== undefined) this.#files.set(targetOf(target), `export default ${json.trim()};\n`);
        if (found?.role === 'helper') this.#carryFrom([target]);
      }
    }
  }

  translate(): TranslatedCode {
    const own = [...this.#parsed.values()].filter(({ role }) => role !== 'helper' && role !== 'test');
    for (const file of own) {
      if (file.role === 'settings') continue;
      if (file.role === 'plugin') {
        this.#reports.push({
          file: file.path,
          module: undefined,
          outcome: 'left',
          marks: [],
          notes: ['local plugins are not translated'],
        });
        continue;
      }
      if (isGenerated(file)) {
        this.#reports.push({ file: file.path, module: undefined, outcome: 'generated', marks: [], notes: [] });
      } else this.#role(file);
    }
    this.#carryFrom(
      own
        .filter(({ role, path }) => role !== 'settings' && this.#context.modules.get(path) !== undefined)
        .map(({ path }) => path),
    );
    for (const file of this.#parsed.values()) {
      if (file.role === 'helper' && !this.#carried.has(file.path)) {
        this.#reports.push({
          file: file.path,
          module: undefined,
          outcome: 'left',
          marks: [],
          notes: ['no translated file imports it'],
        });
      }
    }
    this.#globalMiddlewares();
    if (this.#files.size > 0) this.#finish();
    const reports = this.#reports.sort((a, b) => (a.file < b.file ? -1 : 1));
    return { files: this.#files, report: reports, text: renderCodeReport(reports, this.#decisions, this.#installed()) };
  }

  #finish(): void {
    const { support, project, names } = this.#source;
    for (const [name, text] of support) {
      if (name !== 'schedule.ts' || [...this.#wiring.imports].some((line) => line.includes('schedule.ts'))) {
        this.#files.set(name, text);
      }
    }
    this.#files.set('model.ts', modelText(project, names));
    this.#files.set('index.ts', indexText(this.#wiring));
    if (this.#packages.size > 0) {
      const modules = [...this.#packages].sort().map((name) => `declare module '${name}';`);
      const comment = '// Delete a line to use the types of the package itself.';
      this.#files.set('packages.d.ts', `${comment}\n${modules.join('\n')}\n`);
    }
  }

  /** The packages with the versions of the project. */
  #installed(): readonly string[] {
    const packages = [...this.#packages].map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
    return [...new Set(packages)].sort().map((name) => {
      const version = this.#source.dependencies[name];
      return typeof version === 'string' ? `${name}@${version}` : name;
    });
  }
}

interface Subscription {
  readonly statement: Node;
  readonly object: Node;
  /** Uids; `*` for all types. */
  readonly models: readonly string[];
  readonly hooks: readonly string[];
}

/** `strapi.db.lifecycles.subscribe({ models, afterCreate(event) { … } })`, if all of it has hooks. */
function subscriptionsIn(source: SourceFile): readonly Subscription[] {
  const ts = compiler();
  const found: Subscription[] = [];
  visitAll(source, (node) => {
    if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return;
    const [object] = node.expression.arguments;
    if (!node.expression.expression.getText().endsWith('db.lifecycles.subscribe')) return;
    if (!object || !ts.isObjectLiteralExpression(object)) return;
    const names = object.properties.map((one) => (one.name && propertyName(one.name)) ?? '');
    const models = object.properties.find((one) => one.name && propertyName(one.name) === 'models');
    const uids = models?.getText().match(/(?:api|plugin)::[\w.-]+/gu) ?? ['*'];
    const hooks = names.filter((name) => name !== 'models');
    if (hooks.every((name) => HOOKS[name] !== undefined)) found.push({ statement: node, object, models: uids, hooks });
  });
  return found;
}

function insteadOf(name: string): string {
  if (/^before(?:Find|Count)/u.test(name)) return 'beforeFind, which returns filters';
  if (/^after(?:Find)/u.test(name)) return 'transform, which changes what clients get';
  return 'the hook for one entry, which bulk operations call, too';
}

function ruleIn(node: Node | undefined): string | undefined {
  const text = node?.getText() ?? '';
  return /(?:rule\s*:\s*|options\s*:\s*)["'`]([^"'`]+)["'`]/u.exec(text)?.[1];
}

function exportedNames(source: SourceFile): readonly string[] {
  const ts = compiler();
  return source.statements.flatMap((one) => {
    if (!ts.canHaveModifiers(one) || !ts.getModifiers(one)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) {
      return [];
    }
    if (ts.isFunctionDeclaration(one) && one.name) return [one.name.text];
    return ts.isVariableStatement(one) ? one.declarationList.declarations.map(({ name }) => name.getText()) : [];
  });
}

/** What a file imports from the project. */
function specifiersIn(source: SourceFile): readonly string[] {
  const ts = compiler();
  const found: string[] = [];
  visitAll(source, (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      found.push((node.moduleSpecifier as unknown as { readonly text: string }).text);
    }
    if (
      ts.isCallExpression(node) &&
      (node.expression.getText() === 'require' || node.expression.kind === ts.SyntaxKind.ImportKeyword)
    ) {
      const [specifier] = node.arguments;
      if (specifier && ts.isStringLiteralLike(specifier)) found.push(specifier.text);
    }
  });
  return found.filter((one) => one.startsWith('.'));
}

export function translateCode(source: CodeSource): TranslatedCode {
  return new CodeTranslator(source).translate();
}
