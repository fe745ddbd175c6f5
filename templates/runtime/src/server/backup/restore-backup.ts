/** Puts a backup in the place of a database that nobody uses. */
import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Refused } from '../../base/command-errors.ts';
import { leftOut } from '../../base/left-out.ts';
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

/** Adds the files that are not there. Those that are stay: their names are never given twice. */
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

export interface RestoreReport {
  readonly files: number;
  /** Where the database is that was there before. */
  readonly before: string | undefined;
}

/**
 * Takes the database of a backup, and the files that are missing. The database before it is kept beside it. A process that dies leaves
 * either the one or the other. Throws Refused where a server uses the database, or the backup is damaged.
 */
export async function restoreBackup(backup: string, target: BackupSource, now = Date.now()): Promise<RestoreReport> {
  const { file, uploads } = target;
  const { checkSqlite, isUnused } = await import('../../database/sqlite-copy.ts').catch(
    leftOut('`databases: [sqlite]`'),
  );
  const isThere = existsSync(file);
  if (isThere && !isUnused(file)) {
    throw new Refused(`${file} is in use. Stop the server, then restore.`);
  }
  const copy = `${file}.restoring`;
  await mkdir(dirname(file), { recursive: true });
  await copyFile(join(backup, DATABASE), copy);
  try {
    await checkSqlite(copy).catch((error: unknown) => {
      throw new Refused(`The database of this backup can't be used: ${(error as Error).message}`);
    });
    await sync(copy);
    const files = uploads === undefined ? 0 : await addFiles(join(backup, UPLOADS), uploads);
    const before = isThere ? `${file}.before-${backupName(now)}` : undefined;
    if (before !== undefined) await link(file, before);
    await rename(copy, file);
    await sync(dirname(file));
    return { files, before };
  } catch (error) {
    await rm(copy, { force: true });
    throw error;
  }
}
