/** `content-gen explain`. */
import { printMessages } from './build-command.ts';
import { EXIT } from './exit-codes.ts';
import { colorsOf, type Io } from './io.ts';

/** Explains `name`, and returns the exit code. */
export async function explainCommand(name: string, schema: readonly string[], io: Io): Promise<number> {
  const [{ loadSources }, { readModels }, { explain }, { renderSections }] = await Promise.all([
    import('../schema/load-sources.ts'),
    import('../read-models.ts'),
    import('../explain/explain.ts'),
    import('../explain/section.ts'),
  ]);
  const { models, ...messages } = readModels(await loadSources(schema, io.cwd));
  if (models === undefined) {
    printMessages(messages, {}, io);
    return EXIT.input;
  }
  const explanation = explain(models, name);
  if (explanation.sections === undefined) {
    const help = explanation.hint === undefined ? '' : `  help: ${explanation.hint}\n`;
    io.stderr.write(`error: the schema has no content type or attribute named ${name}\n${help}`);
    return EXIT.input;
  }
  io.stdout.write(renderSections(explanation.sections, colorsOf(io.stdout, io).bold));
  return EXIT.done;
}
