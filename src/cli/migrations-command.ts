/** `content-gen migrations status|new|seal|rebase|drop`. */
import { resolve } from 'node:path';
import { renderText } from '../diagnostics/render-text.ts';
import type { MigrationsTask } from '../migrate.ts';
import { appliedMigrations } from './applied-migrations.ts';
import { EXIT } from './exit-codes.ts';
import { colorsOf, type Io } from './io.ts';

/** What the database of the project has applied; says so if it can't be asked. */
async function appliedIn(
  { out = '.' }: { readonly out?: string },
  { cwd, stderr }: Io,
): Promise<ReadonlySet<string> | undefined> {
  const applied = await appliedMigrations(resolve(cwd, out));
  if (!applied) stderr.write('The database of this project could not be asked whether it has applied the migration.\n');
  return applied;
}

/** Runs the task, prints the result, and returns the exit code. */
export async function migrationsCommand(
  task: MigrationsTask,
  flags: { readonly out?: string },
  io: Io,
): Promise<number> {
  const { runMigrationsTask } = await import('../migrate.ts');
  const asked = task.kind === 'drop' ? { ...task, applied: await appliedIn(flags, io) } : task;
  const { lines, diagnostics } = await runMigrationsTask(asked, {
    cwd: io.cwd,
    out: flags.out ?? '.',
    onWait: (id) => io.stderr.write(`waiting for a build of this project (process ${id}) …\n`),
  });
  io.stderr.write(renderText(diagnostics, { sourceOf: () => undefined, colors: colorsOf(io.stderr, io) }));
  io.stdout.write(lines.map((line) => `${line}\n`).join(''));
  return diagnostics.some(({ severity }) => severity === 'error') ? EXIT.refused : EXIT.done;
}
