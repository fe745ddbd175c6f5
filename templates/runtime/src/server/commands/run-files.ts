/** `npm run files -- check|sweep` of a generated server. */
import { parseArgs } from 'node:util';
import { Refused, UsageError } from '../../base/command-errors.ts';
import { type Command, type CommandDefinition, runCommand } from './command.ts';
import { type CheckContext, checkFiles, type FileReport } from '../../features/upload/check-files.ts';
import { openStorage } from '../../features/upload/context.ts';
import { sweepPending } from '../../features/upload/sweeper.ts';

const USAGE = `Usage: npm run files -- <command>

  check            compares the entries of files with the storage: entries without their bytes, bytes that no entry has, and sizes
  sweep            removes the bytes that no entry has and that were stored more than a day ago; entries stay as they are
  sweep --force    the same where that is most of what the storage has

A server may run meanwhile; it sweeps what its own uploads left by itself, once a day. A storage that other servers use too must
not be swept: what they have no entry of this database has.

Exit codes: 0 all is well, 1 failed, 2 wrong arguments, 3 refused, 4 there are entries without bytes, wrong sizes, or (check) bytes
that no entry has.
`;

const FOUND = 4;
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
    print(`${elsewhere} entries are of another storage than the one that is set; they were not checked.`);
  }
}

function printSum(print: Print, { entries, stored, missing, wrongSizes, pending }: FileReport): void {
  print(
    `${entries} entries and ${stored} stored files: ${missing.length} without their bytes, ${wrongSizes.length} of a wrong size, ` +
      `${pending} not settled yet.`,
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
    printSum(print, report);
    if (report.orphaned.length > 0) {
      print(`${report.orphaned.length} files have no entry. To remove them: npm run files -- sweep`);
    }
    return hasBadEntries(report) || report.orphaned.length > 0 ? FOUND : 0;
  };

/** Throws Refused if most files look orphaned, as they do with a wrong DATABASE_URL or UPLOAD_DIR. */
function refuseMost({ orphaned, stored }: FileReport): void {
  if (orphaned.length * 2 <= stored) return;
  throw new Refused(
    `${orphaned.length} of ${stored} stored files have no entry in this database. Are DATABASE_URL and the storage those of one ` +
      'server? Nothing was removed. If they are: npm run files -- sweep --force',
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
    print(`Removed ${settled.removed + report.orphaned.length} files that no entry has.`);
    printSum(print, { ...report, stored: report.stored - report.orphaned.length });
    return hasBadEntries(report) ? FOUND : 0;
  };

function parse(args: readonly string[], now: number): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { force: { type: 'boolean', default: false } },
  });
  const [command, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`There is one command, but also ${rest.join(' ')}`);
  if (command === 'check' && !values.force) return check(now);
  if (command === 'sweep') return sweep(now, values.force);
  if (command === 'check') throw new UsageError('--force belongs to sweep');
  throw new UsageError(command === undefined ? 'A command is missing' : `There is no command ${command}`);
}

/**
 * Runs `npm run files -- …` of a server with media, with settings from the environment. Returns the exit code. Never applies
 * migrations. `now` is in milliseconds since 1970.
 */
export function runFiles(definition: CommandDefinition, args: readonly string[], now = Date.now()): Promise<number> {
  return runCommand(definition, () => parse(args, now), USAGE, false);
}
