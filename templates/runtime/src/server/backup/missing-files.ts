/** Checks that a backup is complete. Loaded only by servers with media. */
import { join } from 'node:path';
import type { ContentTypes } from '../../contract/content-type.ts';
import { openDatabase } from '../../database/open-database.ts';
import { type BadFile, checkFiles } from '../../features/upload/check-files.ts';
import { localStorage } from '../../storage/local-storage.ts';
import { DATABASE, UPLOADS } from './backup-folder.ts';

/** The files that entries in a backup refer to but that the backup doesn't contain. */
export async function missingFiles(folder: string, { types }: ContentTypes): Promise<readonly BadFile[]> {
  const fileType = types['file'];
  if (!fileType) return [];
  const database = await openDatabase(`sqlite:${join(folder, DATABASE)}`);
  try {
    const storage = await localStorage(join(folder, UPLOADS));
    return (await checkFiles({ database, fileType, storage, now: Date.now() })).missing;
  } finally {
    await database.close();
  }
}
