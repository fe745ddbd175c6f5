/** Controllers and services. */
import { functionIn } from './module-shape.ts';
import type { Parsed } from './parsed-file.ts';
import { printMethods, printWhole } from './print-bodies.ts';
import { callsSuper } from './print-module.ts';
import { CORE, generatedRoute } from './project-types.ts';
import { propertyName } from './syntax.ts';
import { translateHelper } from './translate-helpers.ts';
import type { Translation } from './translation.ts';

/** Methods of core controllers: as actions around the generated ones, or in place of them if they don't call them. */
function wireActions(translation: Translation, file: Parsed): void {
  const context = translation.fileContext(file);
  const type = context.uid === undefined ? undefined : translation.context.types.get(context.uid);
  if (type === undefined || context.uid?.startsWith('plugin::')) return;
  for (const one of file.shape.object?.properties ?? []) {
    const key = one.name && propertyName(one.name);
    if (key === undefined || !CORE.has(key)) continue;
    const name = translation.importAll(context.target, 'Controller');
    if (callsSuper(one, key)) {
      const own = translation.wiring.actions.get(type.name) ?? new Map<string, string>();
      own.set(key, `${name}.${key}`);
      translation.wiring.actions.set(type.name, own);
      if (key === 'findOne' && /slug/iu.test(one.getText())) {
        translation.decisions.push(`${type.name}.findOne reads by slug: set \`key\` of the type in the schema`);
      }
    } else {
      translation.wiring.replaced.set(`${type.name}.${key}`, {
        work: `${name}.${key}`,
        route: generatedRoute(type, key),
      });
    }
  }
}

/** A controller or service that is not an object of functions: it stays as it is, marked. */
function translateUnknown(translation: Translation, file: Parsed): void {
  // A factory without own code beside classes or functions.
  if (file.shape.factory !== undefined && file.shape.value === undefined) {
    return translation.print(file, (printer) => printer.statements());
  }
  if (functionIn(file.shape.value) === undefined) return translateHelper(translation, file);
  translation.print(file, (printer) => {
    const reason = `write this ${file.role} as functions`;
    printer.rewriter.markAt(file.shape.statement ?? file.source, reason);
    return `untranslated(${JSON.stringify(reason)});\n${printWhole(printer)}`;
  });
}

/** Functions of a controller or a service, one by one. */
export function translateMethods(translation: Translation, file: Parsed): void {
  if (!file.shape.object) return translateUnknown(translation, file);
  translation.print(file, (printer) => printMethods(printer, file));
  if (file.role === 'controller') wireActions(translation, file);
}
