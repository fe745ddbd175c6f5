/** `content-gen init`. */
import { resolve } from 'node:path';
import type { Dialect } from '../model/content-model.ts';
import { nextSteps, printMessages } from './build-command.ts';
import { exitCodeOf } from './exit-codes.ts';
import { installedFrom, outsideNote } from './installed-from.ts';
import { colorsOf, type Io } from './io.ts';
import { renderReport } from './render-report.ts';

export interface InitFlags {
  readonly name?: string;
  readonly database: Dialect;
}

/** Starts a project, prints the next steps, and returns the exit code. */
export async function initCommand(folder: string, { name, database }: InitFlags, io: Io): Promise<number> {
  const { init } = await import('../init.ts');
  const contentGen = installedFrom(resolve(io.cwd, folder));
  const report = await init({
    cwd: io.cwd,
    folder,
    name,
    database,
    contentGen,
    onWait: (id) => io.stderr.write(`waiting for another build of this project (process ${id}) …\n`),
  });
  printMessages(report, {}, io);
  io.stdout.write(renderReport(report, colorsOf(io.stdout, io)));
  if (report.added.length > 0) io.stdout.write(`package.json: added ${report.added.join(', ')}.\n`);
  if (report.outcome === 'written') {
    io.stderr.write(nextSteps(report, io) || '\nNext: npm install && npm run dev\n');
    io.stderr.write('Then change schema.yaml; the server is rebuilt and restarted.\n');
    io.stderr.write(outsideNote(contentGen));
  }
  return exitCodeOf(report);
}
