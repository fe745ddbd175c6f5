/** Removes the bytes of files that have no entry. */
import type { Database } from '../../database/database.ts';
import { claimFiles, forgetFiles } from './pending-files.ts';
import { removeFiles } from '../../storage/remove-files.ts';
import type { Storage } from '../../storage/storage.ts';

export interface RemovalContext {
  readonly database: Database;
  readonly storage: Storage;
  readonly logger: { warn(details: object, message: string): void };
}

/**
 * Removes the bytes of released or claimed files, and their names from the journal. If removal fails, the name stays in the journal and
 * the sweeper retries. Returns the number of removed files. Never throws.
 */
export async function removeReleased(context: RemovalContext, names: readonly string[]): Promise<number> {
  const { database, storage, logger } = context;
  const gone = await removeFiles(storage, names, (file, err) => {
    logger.warn({ err, file }, 'a file could not be removed from the storage: the sweeper will try again');
  });
  try {
    await forgetFiles(database, gone);
  } catch (error) {
    logger.warn({ err: error }, 'removed files could not be deleted from pending_files: the sweeper will do it');
  }
  return gone.length;
}

/**
 * Removes the bytes of announced files whose entries were not created. Never throws: on failure they are left to the
 * sweeper.
 */
export async function removeAnnounced(context: RemovalContext, names: readonly string[]): Promise<number> {
  try {
    return await removeReleased(context, await claimFiles(context.database, names));
  } catch (error) {
    context.logger.warn({ err: error }, 'stored files of a failed upload are left to the sweeper');
    return 0;
  }
}
