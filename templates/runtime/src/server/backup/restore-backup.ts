/** Replaces a database that isn't in use by a backup. */
import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandRefused } from '../../base/command-errors.ts';
import { explainMissingModule } from '../../base/missing-module.ts';
import { backupName, DATABASE, UPLOADS } from './backup-folder.ts';
import type { BackupSource } from './create-backup.ts';

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Copies missing files, and returns their number. Existing files are kept: file names are never reused. */
async function addFiles(from: string, to: string): Promise<number> {
  await mkdir(to, { recursive: true });
  const there = new Set(await readdir(to));
  const missing = (await readdir(from)).filter((name) => !there.has(name));
  for (const name of missing) {
    const partial = join(to, `${name}.restoring`);
    await copyFile(join(from, name), partial);
    await rename(partial, join(to, name));
  }
  return missing.length;
}

/** Removes what SQLite leaves beside a file that was only read, and contains nothing. */
async function removeSideFiles(file: string): Promise<void> {
  for (const suffix of ['-wal', '-shm']) await rm(`${file}${suffix}`, { force: true });
}

/** What was restored. */
export interface RestoreReport {
  /** Number of files that were missing and have been copied. */
  readonly files: number;
  /** Path of the previous database, if there was one. */
  readonly before: string | undefined;
}

/**
 * Restores the database of a backup, and missing files. The previous database is kept beside it. A crash leaves either the old or
 * the new database in place. Throws CommandRefused if a server is using the database, or if the backup is damaged.
 */
export async function restoreBackup(backup: string, target: BackupSource, now = Date.now()): Promise<RestoreReport> {
  const { file, uploads } = target;
  const { checkSqlite, isUnused } = await import('../../database/sqlite-copy.ts').catch(
    explainMissingModule('`databases: [sqlite]`'),
  );
  const isThere = existsSync(file);
  if (isThere && !isUnused(file)) {
    throw new CommandRefused(`${file} is in use. Stop the server, then restore.`);
  }
  const copy = `${file}.restoring`;
  await mkdir(dirname(file), { recursive: true });
  await copyFile(join(backup, DATABASE), copy);
  try {
    await checkSqlite(copy).catch((error: unknown) => {
      throw new CommandRefused(`The database of this backup can't be used: ${(error as Error).message}`);
    });
    await removeSideFiles(copy);
    await sync(copy);
    const files = uploads === undefined ? 0 : await addFiles(join(backup, UPLOADS), uploads);
    const before = isThere ? `${file}.before-${backupName(now)}` : undefined;
    if (before !== undefined) await link(file, before);
    await rename(copy, file);
    await sync(dirname(file));
    return { files, before };
  } catch (error) {
    await rm(copy, { force: true });
    await removeSideFiles(copy);
    throw error;
  }
}
