/** Lifecycles of a type, as hooks. */
import { HOOKS } from './lifecycles-rule.ts';
import { exportedNames } from './module-syntax.ts';
import type { Parsed } from './parsed-file.ts';
import { printMethods } from './print-bodies.ts';
import { exportNames } from './print-module.ts';
import { propertyName } from './syntax.ts';
import type { Translation } from './translation.ts';

function insteadOf(name: string): string {
  if (/^before(?:Find|Count)/u.test(name)) return 'beforeFind, which returns filters';
  if (/^after(?:Find)/u.test(name)) return 'transform, which changes what clients get';
  return 'the hook for one entry, which bulk operations call, too';
}

export function translateLifecycles(translation: Translation, file: Parsed): void {
  const type = translation.context.types.get(file.uid ?? '');
  // `module.exports = {…}`, or functions that are exported by their names.
  const names = file.shape.object ? [...exportNames(file.source, file.shape).keys()] : exportedNames(file.source);
  const context = translation.fileContext(file);
  translation.print(file, (printer) => {
    const unknown = names.filter((name) => HOOKS[name] === undefined && /^(?:before|after)/u.test(name));
    for (const name of unknown) {
      const member = file.shape.object?.properties.find((one) => one.name && propertyName(one.name) === name);
      printer.rewriter.markAt(member ?? file.source, `${name} has no hook: use ${insteadOf(name)}`);
    }
    const text = file.shape.object ? printMethods(printer, file) : printer.statements();
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
    translation.hook(type.name, single ?? hook, `${translation.importAll(context.target, 'Hooks')}.${name}`);
  }
}
