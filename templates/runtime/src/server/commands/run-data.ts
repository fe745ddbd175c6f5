/** `npm run server -- data …` of a generated server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandRefused, UsageError } from '../../base/command-errors.ts';
import { type Command, type CommandDefinition, runCommand } from './command.ts';
import { openTempFolder } from '../../storage/temp-folder.ts';
import type { TransferTotals } from '../../features/transfer/context.ts';
import { exportData } from '../../features/transfer/export-data.ts';
import { importData } from '../../features/transfer/import-data.ts';
import { createProgress } from '../../features/transfer/progress.ts';
import { readImport, STANDARD_STREAM, writeExport } from '../../features/transfer/streams.ts';
import { transferContext } from './transfer-context.ts';
import { unknownCommand } from './wrong-arguments.ts';

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- data <command>

  export FILE  writes all content, files, users, roles and API tokens to a new file, compressed if the name ends in .gz
  import FILE  reads such a file into a database of any engine that has the same migrations and no content yet;
               missing migrations are applied first, as when a server starts

FILE may be -, for stdout or stdin: npm run --silent server -- data export -
Stop the server while you import. The file contains the hashes of passwords and API tokens: keep it as secret as the database.

Exit codes: 0 done, 1 failed, 2 invalid arguments, 3 refused; 4 exported, but without the bytes of files that are missing.
With any other code than 0 and 4, no content was changed.
`;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** The conventional exit code after SIGINT. */
const INTERRUPTED = 130;
/** The exit code of an export that lacks bytes of files. */
const LEFT_BEHIND = 4;

const WHY_MISSING =
  'They may have been deleted while it was written, then another export is complete; npm run server -- files check lists those that the storage lacks:';

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs work that the first signal aborts gracefully and a second one immediately. Returns the exit code of the work, or 0 if it
 * has none.
 */
async function interruptible(work: (signal: AbortSignal) => Promise<number | void>): Promise<number> {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return (await work(controller.signal)) ?? 0;
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    warn('Interrupted: nothing was changed.');
    return INTERRUPTED;
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

function describe(verb: string, { rows, tables, files, bytes, sha256 }: TransferTotals): string {
  return `${verb} ${rows} rows of ${tables} tables and ${files} files of ${bytes} bytes.\nsha256 of the file, uncompressed: ${sha256}`;
}

function exportTo(file: string): Command {
  return (command) =>
    interruptible(async (signal) => {
      const context = await transferContext(command, createProgress(process.stderr), signal);
      const exported = await exportData(context, (text) => writeExport(file, text, signal)).finally(() =>
        context.progress.clear(),
      );
      const { missing } = exported;
      const print = file === STANDARD_STREAM ? warn : command.print;
      print(describe('Exported', exported));
      if (missing.length === 0) return;
      warn(`The export is incomplete: the bytes of ${missing.length} files are not in it. ${WHY_MISSING}`);
      for (const name of missing) warn(name);
      return LEFT_BEHIND;
    });
}

function importFrom(file: string): Command {
  return (command) =>
    interruptible(async (signal) => {
      if (file !== STANDARD_STREAM && !existsSync(file)) throw new CommandRefused(`There is no file ${file}`);
      const context = await transferContext(command, createProgress(process.stderr), signal);
      const temp = context.storage && (await openTempFolder(join(command.settings.uploads.directory, '.incoming')));
      const imported = await importData(context, readImport(file, signal), temp).finally(() =>
        context.progress.clear(),
      );
      command.print(describe('Imported', imported));
    });
}

function parse([command, file, ...rest]: readonly string[]): Command {
  if (command !== 'export' && command !== 'import') {
    throw unknownCommand(command, ['export', 'import']);
  }
  if (file === undefined || file === '') throw new UsageError('The name of the file is missing');
  if (rest.length > 0) throw new UsageError(`Expected one file; unexpected: ${rest.join(' ')}`);
  return command === 'export' ? exportTo(file) : importFrom(file);
}

/** Runs `npm run server -- data …` with settings from the environment. Returns the exit code. An export never applies migrations. */
export function runData(definition: CommandDefinition, args: readonly string[]): Promise<number> {
  return runCommand(definition, () => parse(args), USAGE, args[0] !== 'export');
}
