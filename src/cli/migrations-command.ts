/** `content-gen migrations status|new|seal|rebase|drop`. */
import { renderText } from '../diagnostics/render-text.ts';
import type { MigrationsTask } from '../migrate.ts';
import { EXIT } from './exit-codes.ts';
import { colorsOf, type Io } from './io.ts';

/** Runs the task, prints the result, and returns the exit code. */
export async function migrationsCommand(
  task: MigrationsTask,
  flags: { readonly out?: string },
  io: Io,
): Promise<number> {
  const { runMigrationsTask } = await import('../migrate.ts');
  const { lines, diagnostics } = await runMigrationsTask(task, {
    cwd: io.cwd,
    out: flags.out ?? '.',
    onWait: (id) => io.stderr.write(`waiting for a build of this project (process ${id}) …\n`),
  });
  io.stderr.write(renderText(diagnostics, { sourceOf: () => undefined, colors: colorsOf(io.stderr, io) }));
  io.stdout.write(lines.map((line) => `${line}\n`).join(''));
  return diagnostics.some(({ severity }) => severity === 'error') ? EXIT.refused : EXIT.done;
}
