/** `npm run data -- import-strapi` of a generated server. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandRefused } from '../../base/command-errors.ts';
import type { TransferContext } from '../../features/transfer/context.ts';
import { readDecisions } from '../../features/transfer/strapi/decisions.ts';
import { type ImportReport, reportText } from '../../features/transfer/strapi/import-report.ts';
import { importStrapi } from '../../features/transfer/strapi/import-strapi.ts';
import { openTempFolder } from '../../storage/temp-folder.ts';
import { ArchiveError } from '../../strapi/archive-error.ts';
import { archiveKey } from '../../strapi/archive-key.ts';
import { openArchive } from '../../strapi/open-archive.ts';
import type { StrapiArguments } from './strapi-arguments.ts';

/** The exit code if data was left behind without `--allow-drops`. */
const LEFT_BEHIND = 4;

async function writeReport(file: string | undefined, report: ImportReport): Promise<void> {
  if (file !== undefined) await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600 });
}

async function open({ archive, keyFile }: StrapiArguments) {
  try {
    const key = await archiveKey(keyFile, process.env);
    return await openArchive(archive, { key });
  } catch (error) {
    throw refused(error);
  }
}

/** Turns an ArchiveError into a CommandRefused, since a bad archive isn't a failure of the server. */
function refused(error: unknown): unknown {
  return error instanceof ArchiveError
    ? new CommandRefused(`${error.message} Nothing was imported.`, { cause: error })
    : error;
}

/** The printed summary of a report, and the exit code. */
function conclusion(report: ImportReport, { isDryRun, allowDrops }: StrapiArguments): { text: string; code: number } {
  const left = report.findings.some(({ kind }) => kind === 'left');
  const what = isDryRun ? 'Nothing was kept: this was a dry run.' : 'Imported.';
  const drops =
    left && !allowDrops ? ' Something was left behind: see above. With --allow-drops, this is not an error.' : '';
  return { text: `${reportText(report)}\n\n${what}${drops}`, code: left && !allowDrops ? LEFT_BEHIND : 0 };
}

/** Imports an archive. Returns the exit code. `uploads` is the folder of stored files. */
export async function importStrapiArchive(
  context: TransferContext,
  args: StrapiArguments,
  { uploads, print }: { readonly uploads: string; readonly print: (text: string) => void },
): Promise<number> {
  const decisions = await readDecisions(args.decisions);
  const archive = await open(args);
  const temp = context.storage && (await openTempFolder(join(uploads, '.incoming')));
  const { prefer, strict, isDryRun } = args;
  const options = { prefer, strict, isDryRun, decisions, decisionsFile: args.decisions, temp };
  const report = await importStrapi(context, archive, options, (made) => writeReport(args.report, made))
    .catch((error: unknown) => {
      throw refused(error);
    })
    .finally(() => context.progress.clear());
  const { text, code } = conclusion(report, args);
  print(text);
  return code;
}
