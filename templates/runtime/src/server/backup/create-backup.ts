/** Backs up a SQLite database and its uploads while a server is using them. */
import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { explainMissingModule } from '../../base/missing-module.ts';
import { isStoredName } from '../../storage/storage.ts';
import { addBackup, DATABASE, listBackups, rotateBackups, UPLOADS } from './backup-folder.ts';
import type { BackupSettings } from './backup-settings.ts';

/** Absolute paths of what is backed up. */
export interface BackupSource {
  /** The file of the database. */
  readonly file: string;
  /** The folder of uploads; undefined if they are in a bucket, or if there are none. */
  readonly uploads: string | undefined;
}

/** What a backup contains, and what has changed. */
export interface BackupReport {
  readonly name: string;
  /** Size of the database in bytes. */
  readonly bytes: number;
  readonly files: number;
  /** Number of files that were copied, since the previous backup didn't contain them. */
  readonly added: number;
  /** Names of old backups that were removed. */
  readonly removed: readonly string[];
}

async function storedFiles(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter(isStoredName);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Creates a hard link; false if that fails: not every file system supports them. */
async function linked(from: string, to: string): Promise<boolean> {
  return link(from, to).then(
    () => true,
    () => false,
  );
}

/** Adds the files that a backup lacks. Stored files never change, so those in the previous backup are hard-linked to save space. */
async function addFiles(uploads: string, before: string | undefined, target: string): Promise<number> {
  const known = new Set(await storedFiles(target));
  let added = 0;
  for (const name of await storedFiles(uploads)) {
    const to = join(target, name);
    if (known.has(name) || (before !== undefined && (await linked(join(before, name), to)))) continue;
    try {
      await copyFile(join(uploads, name), to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
      added += 1;
    } catch (error) {
      // The file was deleted in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return added;
}

/**
 * Creates a backup. Files are stored before their entries are written and removed after these are deleted, so copying files both
 * before and after the database captures every file that it refers to. A crash leaves no backup behind. Throws errors with a
 * message for users.
 */
export async function createBackup(
  source: BackupSource,
  { directory, keep }: BackupSettings,
  { now = Date.now(), signal }: { readonly now?: number; readonly signal?: AbortSignal } = {},
): Promise<BackupReport> {
  const { copySqlite } = await import('../../database/sqlite-copy.ts').catch(
    explainMissingModule('`databases: [sqlite]`'),
  );
  const latest = (await listBackups(directory)).at(-1);
  const before = latest === undefined ? undefined : join(directory, latest, UPLOADS);
  let added = 0;
  const name = await addBackup(directory, now, async (folder) => {
    const uploads = join(folder, UPLOADS);
    await mkdir(uploads);
    if (source.uploads !== undefined) added += await addFiles(source.uploads, before, uploads);
    await copySqlite(source.file, join(folder, DATABASE), signal);
    if (source.uploads !== undefined) added += await addFiles(source.uploads, before, uploads);
  });
  const { size: bytes } = await stat(join(directory, name, DATABASE));
  const files = (await storedFiles(join(directory, name, UPLOADS))).length;
  return { name, bytes, files, added, removed: await rotateBackups(directory, keep, now) };
}
