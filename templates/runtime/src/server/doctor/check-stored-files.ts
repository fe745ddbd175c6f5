/** Checks that files can be stored, and that those of all entries exist. Loaded only by servers with media. */
import { join } from 'node:path';
import type { Database } from '../../database/database.ts';
import { checkFiles } from '../../features/upload/check-files.ts';
import { openStorage } from '../../features/upload/context.ts';
import { openTempFolder } from '../../storage/temp-folder.ts';
import type { CommandDefinition } from '../commands/command.ts';
import type { Settings } from '../settings.ts';
import { type Finding, findingsAbout, messageOf } from './finding.ts';

const of = findingsAbout('files');

/** Compares the storage with the entries of files. */
export async function checkStoredFiles(
  { contentTypes }: CommandDefinition,
  database: Database,
  { uploads }: Settings,
): Promise<readonly Finding[]> {
  const fileType = contentTypes.types['file'];
  if (!fileType) return [];
  try {
    await (await openTempFolder(join(uploads.directory, '.incoming'))).probe();
    const storage = await openStorage(uploads);
    const report = await checkFiles({ database, fileType, storage, now: Date.now() });
    const { missing, wrongSizes, orphaned, entries, stored } = report;
    const wrong = missing.length + wrongSizes.length;
    const sum = `${entries} entries, ${stored} stored files`;
    return [
      wrong > 0
        ? of.bad(`${sum}: ${wrong} entries have missing or different files: npm run server -- files check`)
        : of.good(`${sum}, which match`),
      ...(orphaned.length > 0 ? [of.warning(`${orphaned.length} have no entry: npm run server -- files sweep`)] : []),
    ];
  } catch (error) {
    return [of.bad(`files can't be stored or listed: ${messageOf((error as Error).cause ?? error)}`)];
  }
}
