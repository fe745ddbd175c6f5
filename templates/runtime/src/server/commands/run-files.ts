/** `npm run server -- files check|sweep|resize` of a generated server. */
import { parseArgs } from 'node:util';
import { CommandRefused, UsageError } from '../../base/command-errors.ts';
import { serverCaller } from '../../contract/policy/server-caller.ts';
import { resizeAll } from '../../features/upload/resize-files.ts';
import { openCommandUploads } from './command-uploads.ts';
import { type Command, type CommandDefinition, runCommand } from './command.ts';
import { type CheckContext, checkFiles, type FileReport } from '../../features/upload/check-files.ts';
import { openStorage } from '../../features/upload/context.ts';
import { sweepPending } from '../../features/upload/sweeper.ts';
import { unknownCommand } from './wrong-arguments.ts';

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- files <command>

  check            compares the entries of files with the storage: finds missing files, files without an entry, and wrong sizes
  sweep            removes stored files without an entry that are more than a day old; entries stay unchanged
  sweep --force    the same, even if that removes most of the stored files
  resize           makes the smaller versions and the placeholders of all images again, as the schema says now

A server may be running; once a day, it removes what its own failed uploads left behind. Don't sweep a storage that other servers
use too: their files have no entry in this database.

Exit codes: 0 no problems, 1 failed, 2 invalid arguments, 3 refused, 4 there are missing files, wrong sizes, or (check) files without
an entry.
`;

type FilesDefinition = CommandDefinition & Parameters<typeof openCommandUploads>[0];

/** The exit code if files or entries have problems. */
const PROBLEMS_FOUND = 4;
const STDERR = { warn: (_: object, message: string): void => void process.stderr.write(`${message}\n`) };

type CommandContext = Parameters<Command>[0];
type Print = CommandContext['print'];

async function contextOf({ definition, database, settings }: CommandContext, now: number): Promise<CheckContext> {
  const fileType = definition.contentTypes.types['file'];
  if (!fileType) throw new Error('nothing in the schema refers to files');
  return { database, fileType, storage: await openStorage(settings.uploads), now };
}

function printEntries(print: Print, { missing, wrongSizes, elsewhere }: FileReport): void {
  for (const { id, title, name } of missing) print(`missing: ${name}, of the entry ${id} (${title})`);
  for (const { id, title, name, expected, found } of wrongSizes) {
    print(`wrong size: ${name}, of the entry ${id} (${title}): ${found} kB instead of ${expected} kB`);
  }
  if (elsewhere > 0) {
    print(`${elsewhere} entries belong to a different storage than the configured one; they were not checked.`);
  }
}

function printSummary(print: Print, { entries, stored, missing, wrongSizes, pending }: FileReport): void {
  print(
    `${entries} entries and ${stored} stored files: ${missing.length} files missing, ${wrongSizes.length} of a wrong size, ` +
      `${pending} files pending.`,
  );
}

const hasBadEntries = ({ missing, wrongSizes }: FileReport): boolean => missing.length + wrongSizes.length > 0;

const check =
  (now: number): Command =>
  async (command) => {
    const { print } = command;
    const context = await contextOf(command, now);
    const report = await checkFiles(context);
    printEntries(print, report);
    for (const { name, size } of report.orphaned) print(`no entry: ${name}, ${size} bytes`);
    printSummary(print, report);
    if (report.orphaned.length > 0) {
      print(`${report.orphaned.length} files have no entry. To remove them: npm run server -- files sweep`);
    }
    return hasBadEntries(report) || report.orphaned.length > 0 ? PROBLEMS_FOUND : 0;
  };

/** Throws CommandRefused if most files look orphaned, as they do with a wrong DATABASE_URL or UPLOAD_DIR. */
function refuseMost({ orphaned, stored }: FileReport): void {
  if (orphaned.length * 2 <= stored) return;
  throw new CommandRefused(
    `${orphaned.length} of ${stored} stored files have no entry in this database. Do DATABASE_URL and the storage belong to the same ` +
      'server? Nothing was removed. If they do: npm run server -- files sweep --force',
  );
}

const sweep =
  (now: number, force: boolean): Command =>
  async (command) => {
    const { print } = command;
    const context = await contextOf(command, now);
    const settled = await sweepPending({ ...context, logger: STDERR }, now);
    const report = await checkFiles(context);
    if (!force) refuseMost(report);
    for (const { name, size } of report.orphaned) {
      await context.storage.remove(name);
      print(`removed: ${name}, ${size} bytes`);
    }
    printEntries(print, report);
    print(`Removed ${settled.removed + report.orphaned.length} files without an entry.`);
    printSummary(print, { ...report, stored: report.stored - report.orphaned.length });
    return hasBadEntries(report) ? PROBLEMS_FOUND : 0;
  };

const resize =
  (definition: FilesDefinition): Command =>
  async (command) => {
    const { print } = command;
    const context = await openCommandUploads(definition, command);
    const counts = { made: 0, missing: 0, changed: 0 };
    for await (const { id, result } of resizeAll(context, { caller: serverCaller(definition.contentTypes) })) {
      counts[result] += 1;
      if (result === 'missing') print(`missing: the file of the entry ${id}`);
    }
    print(`${counts.made} images have the sizes of the schema; ${counts.changed} were changed meanwhile.`);
    return counts.missing > 0 ? PROBLEMS_FOUND : 0;
  };

function parse(definition: FilesDefinition, args: readonly string[], now: number): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { force: { type: 'boolean', default: false } },
  });
  const [command, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`Expected one command; unexpected: ${rest.join(' ')}`);
  if (command === 'check' && !values.force) return check(now);
  if (command === 'sweep') return sweep(now, values.force);
  if (command === 'resize' && !values.force) return resize(definition);
  if (command === 'check' || command === 'resize') throw new UsageError('--force is only for sweep');
  throw unknownCommand(command, ['check', 'sweep', 'resize']);
}

/**
 * Runs `npm run server -- files …` of a server with media, with settings from the environment. Returns the exit code. Never applies
 * migrations. `now` is in milliseconds since 1970.
 */
export function runFiles(definition: FilesDefinition, args: readonly string[], now = Date.now()): Promise<number> {
  return runCommand(definition, () => parse(definition, args, now), USAGE, false);
}
