/** `npm run data -- export|import` of a generated server. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../base/command-errors.ts';
import { type Command, type CommandDefinition, runCommand } from './command.ts';
import { openStorage } from '../../features/upload/context.ts';
import { openTempFolder } from '../../storage/temp-folder.ts';
import type { Moved, TransferContext } from '../../features/transfer/context.ts';
import { exportData } from '../../features/transfer/export-data.ts';
import { importData } from '../../features/transfer/import-data.ts';
import { createProgress } from '../../features/transfer/progress.ts';
import { readImport, STANDARD_STREAM, writeExport } from '../../features/transfer/streams.ts';

const USAGE = `Usage: npm run data -- <command>

  export FILE  writes all content, files, users, roles and API tokens to a new file, compressed if its name ends in .gz
  import FILE  reads such a file into a database of any engine that is at the same migration and has no content yet;
               missing migrations are applied first, as at a start

FILE may be -, for stdout or stdin: npm run --silent data -- export -
Stop the server while you import. The file has the hashes of passwords and API tokens: keep it as secret as the database.

Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 refused; but for 0, no content was changed.
`;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** The conventional exit code after SIGINT. */
const INTERRUPTED = 130;
/** Maximum number of names in a message. */
const MAX_NAMES = 10;

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Runs work that the first signal aborts gracefully, and a second one at once. */
async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<number> {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    await work(controller.signal);
    return 0;
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    warn('Interrupted: nothing was kept.');
    return INTERRUPTED;
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

async function contextOf(
  { definition, database, settings }: Parameters<Command>[0],
  signal: AbortSignal,
): Promise<TransferContext> {
  const hasFiles = Object.hasOwn(definition.contentTypes.types, 'file');
  return {
    database,
    name: definition.name,
    contentTypes: definition.contentTypes,
    roles: definition.roles,
    migrations: fileURLToPath(definition.migrations),
    storage: hasFiles ? await openStorage(settings.uploads) : undefined,
    progress: createProgress(process.stderr),
    signal,
  };
}

function describe(verb: string, { rows, tables, files, bytes, sha256 }: Moved): string {
  return `${verb} ${rows} rows of ${tables} tables and ${files} files of ${bytes} bytes.\nsha256 of the file, uncompressed: ${sha256}`;
}

function exportTo(file: string): Command {
  return (command) =>
    interruptible(async (signal) => {
      const context = await contextOf(command, signal);
      const exported = await exportData(context, (text) => writeExport(file, text, signal)).finally(() =>
        context.progress.clear(),
      );
      const { missing } = exported;
      if (missing.length > 0) {
        const names = missing.slice(0, MAX_NAMES).join(', ') + (missing.length > MAX_NAMES ? ', …' : '');
        warn(`The storage lacks ${missing.length} files, which are not in the export: ${names}`);
      }
      const print = file === STANDARD_STREAM ? warn : command.print;
      print(describe('Exported', exported));
    });
}

function importFrom(file: string): Command {
  return (command) =>
    interruptible(async (signal) => {
      const context = await contextOf(command, signal);
      const temp = context.storage && (await openTempFolder(join(command.settings.uploads.directory, '.incoming')));
      const imported = await importData(context, readImport(file, signal), temp).finally(() =>
        context.progress.clear(),
      );
      command.print(describe('Imported', imported));
    });
}

function parse([command, file, ...rest]: readonly string[]): Command {
  if (command !== 'export' && command !== 'import') {
    throw new UsageError(command === undefined ? 'A command is missing' : `There is no command ${command}`);
  }
  if (file === undefined || file === '') throw new UsageError('The name of a file is missing');
  if (rest.length > 0) throw new UsageError(`There is one file, but also ${rest.join(' ')}`);
  return command === 'export' ? exportTo(file) : importFrom(file);
}

/** Runs `npm run data -- …` with the settings of the environment. Returns the exit code. An export never migrates. */
export function runData(definition: CommandDefinition, args: readonly string[]): Promise<number> {
  return runCommand(definition, () => parse(args), USAGE, args[0] !== 'export');
}
