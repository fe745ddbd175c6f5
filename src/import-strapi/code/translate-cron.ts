/** Cron tasks, as a schedule. */
import { targetOf } from './classify.ts';
import type { Parsed } from './parsed-file.ts';
import { compiler, type Node, propertyName } from './syntax.ts';
import { translateHelper } from './translate-helpers.ts';
import type { Translation } from './translation.ts';

function ruleIn(node: Node | undefined): string | undefined {
  const text = node?.getText() ?? '';
  return /(?:rule\s*:\s*|options\s*:\s*)["'`]([^"'`]+)["'`]/u.exec(text)?.[1];
}

export function translateCron(translation: Translation, file: Parsed): void {
  const ts = compiler();
  const { object } = file.shape;
  if (!object) return translateHelper(translation, file);
  translation.print(file, (printer) => {
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
  const module = translation.importAll(targetOf(file.path), '');
  translation.wiring.imports.add("import { schedule } from './schedule.ts';");
  translation.wiring.used.add('within');
  translation.wiring.onStart.push(
    `if (services.runsJobs) {\nfor (const { name, rule, task } of ${module}.tasks) {\nschedule(rule, () => within(services, () => task()), (error) => services.log.error({ err: error, task: name }, 'a scheduled task failed'));\n}\n}`,
  );
}
