/** Checks the free disk space. */
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { sqlitePath } from '../../database/open-database.ts';
import type { Settings } from '../settings.ts';
import { type Finding, findingsAbout, messageOf } from './finding.ts';

const GIB = 1024 ** 3;
/** Free bytes below which a disk counts as nearly full, and as full. */
const LITTLE = GIB;
const NONE = GIB / 10;

const of = findingsAbout('disk');

/** The free bytes at the path, or at its nearest existing parent folder. */
async function freeAt(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    return freeAt(dirname(path));
  }
}

async function checkFolder(name: string, path: string): Promise<Finding> {
  try {
    const free = await freeAt(path);
    const text = `${(free / GIB).toFixed(1)} GiB free for ${name} (${path})`;
    if (free < NONE) return of.bad(`${text}: free some space`);
    return free < LITTLE ? of.warning(`${text}: almost full`) : of.good(text);
  } catch (error) {
    return of.bad(`${path} can't be read: ${messageOf(error)}`);
  }
}

/** Checks the disks of the database, uploads (`hasFiles`) and backups. */
export function checkDisk({ databaseUrl, uploads, backup }: Settings, hasFiles: boolean): Promise<readonly Finding[]> {
  const file = sqlitePath(databaseUrl);
  const folders: [string, string][] = [];
  if (file !== undefined) folders.push(['the database', dirname(resolve(file))]);
  // Uploads arrive here, even those for a bucket.
  if (hasFiles) folders.push(['uploads', resolve(uploads.directory)]);
  if (file !== undefined) folders.push(['backups', resolve(backup.directory)]);
  return Promise.all(folders.map(([name, path]) => checkFolder(name, path)));
}
