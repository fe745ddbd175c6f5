/** `register`, `bootstrap` and `destroy`, with the lifecycles that they subscribe to. */
import { HOOKS } from './lifecycles-rule.ts';
import { isEmptyFunction, type Parsed } from './parsed-file.ts';
import { printMethods } from './print-bodies.ts';
import { compiler, type Node, propertyName, type SourceFile, visitAll } from './syntax.ts';
import type { Translation } from './translation.ts';

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

export function translateStart(translation: Translation, file: Parsed): void {
  const all = file.shape.object?.properties ?? [];
  const names = new Set(all.filter((one) => !isEmptyFunction(one)).map((one) => one.name && propertyName(one.name)));
  const subscriptions = subscriptionsIn(file.source);
  translation.print(file, (printer) => {
    const objects = subscriptions.map(
      ({ object }, index) => `export const lifecycles${index + 1}: any = ${printer.rewriter.print(object)};\n`,
    );
    for (const { statement } of subscriptions) printer.rewriter.replace(statement, '');
    return printMethods(printer, file) + objects.join('\n');
  });
  const module = translation.importAll('start.ts', '');
  for (const [index, { models, hooks }] of subscriptions.entries()) {
    for (const type of models.map((uid) => translation.context.types.get(uid)?.name ?? uid)) {
      for (const hook of hooks) translation.hook(type, hook, `${module}.lifecycles${index + 1}.${hook}`);
    }
  }
  const run = (name: string): string => `await within(services, () => ${module}.${name}());`;
  if (names.has('register') || names.has('bootstrap') || names.has('destroy')) translation.wiring.used.add('within');
  for (const name of ['register', 'bootstrap']) if (names.has(name)) translation.wiring.onStart.push(run(name));
  if (names.has('destroy')) translation.wiring.onStop.push(run('destroy'));
}
