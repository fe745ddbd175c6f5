/** Routes: endpoints for own actions, and policies and middleware around the generated ones. */
import { posix } from 'node:path';
import type { FileContext } from './file-context.ts';
import type { Parsed } from './parsed-file.ts';
import { callsSuper, ModulePrinter } from './print-module.ts';
import { type Action, type Lookup, RoutesPrinter, uidOfHandler } from './print-routes.ts';
import { CORE, generatedRoute } from './project-types.ts';
import { readRoutes, type RoutesFile } from './read-routes.ts';
import { propertyName } from './syntax.ts';
import type { Translation } from './translation.ts';

/** Whether a controller has an action of its own in place of the generated one, whose path a path would match. */
function isTaken(translation: Translation, method: string, path: string): boolean {
  for (const { role, uid, shape } of translation.parsed.values()) {
    const type = role === 'controller' && uid !== undefined ? translation.context.types.get(uid) : undefined;
    for (const one of type ? (shape.object?.properties ?? []) : []) {
      const key = (one.name && propertyName(one.name)) ?? '';
      if (!type || !CORE.has(key) || callsSuper(one, key)) continue;
      const [verb, at] = generatedRoute(type, key);
      if (verb === method && new RegExp(`^${at.replace(':id', '[^/]+')}$`, 'u').test(path)) return true;
    }
  }
  return false;
}

function actionIn(translation: Translation, handler: string, api: string): Action | undefined {
  const { uid, action } = uidOfHandler(handler, api);
  const module = translation.context.controllers.get(uid);
  const file = [...translation.parsed.values()].find((one) => one.role === 'controller' && one.uid === uid);
  const node = file?.shape.object?.properties.find((one) => one.name && propertyName(one.name) === action);
  if (!module || !node) return undefined;
  return { module, name: action, node, isWrapping: callsSuper(node, action) };
}

function lookupIn(translation: Translation): Lookup {
  const { types } = translation.context;
  return {
    action: (handler, api) => actionIn(translation, handler, api),
    guard: (kind, name, api) => translation.guard(kind, name, api),
    type: (uid) => types.get(uid),
    isTaken: (method, path) => isTaken(translation, method.toLowerCase(), path),
    typeOfApi: (api) =>
      types.get(`api::${api}.${api}`) ?? [...types.values()].find(({ uid }) => uid.startsWith(`api::${api}.`)),
  };
}

function importGuards(translation: Translation, guards: string, context: FileContext, routes: RoutesPrinter): void {
  if (guards.includes('policyWith')) translation.wiring.used.add('policyWith');
  for (const line of routes.imports.keys()) {
    const path = /from '([^']+)'/u.exec(line)?.[1] ?? '';
    const target = posix.join(posix.dirname(context.target), path);
    translation.wiring.imports.add(line.replace(`'${path}'`, `'./${target}'`));
  }
}

/** Policies and middleware of generated routes. */
function wrapGenerated(
  translation: Translation,
  action: string,
  guards: string,
  context: FileContext,
  routes: RoutesPrinter,
): void {
  const [type = '', name = ''] = action.split('.');
  const replaced = translation.wiring.replaced.get(action);
  if (replaced) {
    translation.wiring.replaced.set(action, {
      ...replaced,
      work: `${replaced.work}${guards.replaceAll('call: Call', 'call')}`,
    });
  }
  const own = translation.wiring.actions.get(type) ?? new Map<string, string>();
  const work = own.get(name) ?? 'unchanged';
  if (replaced) return importGuards(translation, guards, context, routes);
  if (work === 'unchanged') translation.wiring.used.add('unchanged');
  importGuards(translation, guards, context, routes);
  own.set(name, `${work}${guards.replaceAll('call: Call', 'call')}`);
  translation.wiring.actions.set(type, own);
}

function translateCoreRouter(
  translation: Translation,
  file: Parsed,
  { core, only }: RoutesFile,
  context: FileContext,
): void {
  const type = context.uid === undefined ? undefined : translation.context.types.get(context.uid);
  const printer = new ModulePrinter(file.source, context);
  const routes = new RoutesPrinter(context, printer.rewriter, lookupIn(translation));
  for (const [action, config] of core ?? []) {
    const guards = routes.guards(config);
    if (guards !== '' && type) routes.guarded.set(`${type.name}.${action}`, guards);
    if (config.isPublic) {
      translation.decisions.push(`${type?.name}.${action} was open to everybody: grant it to \`public\``);
    }
  }
  for (const [action, guards] of routes.guarded) wrapGenerated(translation, action, guards, context, routes);
  if (only) {
    translation.decisions.push(`${type?.name} only had the routes ${only.join(', ')}: grant no other permissions`);
  }
  const { marks } = printer.rewriter;
  translation.reports.push({
    file: file.path,
    module: undefined,
    outcome: marks.length > 0 ? 'left' : routes.guarded.size > 0 ? 'translated' : 'generated',
    marks,
    notes: [],
  });
}

export function translateRoutes(translation: Translation, file: Parsed): void {
  const read: RoutesFile = readRoutes(file.shape);
  const context = translation.fileContext(file);
  if (read.core) return translateCoreRouter(translation, file, read, context);
  const printer = new ModulePrinter(file.source, context);
  const routes = new RoutesPrinter(context, printer.rewriter, lookupIn(translation));
  for (const route of read.routes) routes.add(route);
  const unknown = read.unknown.map((node) => `${printer.rewriter.mark(node, 'write these routes one by one')};\n`);
  const text = printer.finish(`${routes.text()}${unknown.join('')}`);
  for (const [action, guards] of routes.guarded) wrapGenerated(translation, action, guards, context, routes);
  if (routes.endpoints.length + routes.routes.length + unknown.length === 0) {
    translation.reports.push({
      file: file.path,
      module: undefined,
      outcome: routes.guarded.size > 0 ? 'translated' : 'generated',
      marks: printer.rewriter.marks,
      notes: [],
    });
    return;
  }
  translation.files.set(context.target, text);
  const notes = routes.decisions.length > 0 ? [`who may call: ${routes.decisions.join(', ')}`] : [];
  translation.report(file.path, context.target, printer.rewriter.marks, notes);
  if (routes.endpoints.length > 0) {
    translation.wiring.endpoints.push(`${translation.importAll(context.target, 'Routes')}.endpoints`);
  }
  if (routes.routes.length > 0) {
    translation.wiring.routes.push(`${translation.importAll(context.target, 'Routes')}.routes`);
  }
}
