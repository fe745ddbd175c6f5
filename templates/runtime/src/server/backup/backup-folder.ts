/** The folder of backups. Each backup is a subfolder named by its time, created atomically: incomplete ones are never listed. */
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Names inside a backup: the database file, and the folder of uploads. */
export const DATABASE = 'data.db';
export const UPLOADS = 'uploads';

const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/u;
const PARTIAL = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.\d+\.partial$/u;
/** Age, in milliseconds, after which a partial backup is considered abandoned. */
const ABANDONED = 24 * 3_600_000;

/** The name of a backup: `2026-11-22T18-50-00Z`. Sorting by name sorts by time. */
export function backupName(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}

/** The time of a backup, in milliseconds since 1970. */
export function backupTime(name: string): number {
  return Date.parse(name.replace(/T(\d\d)-(\d\d)-(\d\d)Z$/u, 'T$1:$2:$3Z'));
}

/** The names of the complete backups, oldest first. */
export async function listBackups(directory: string): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).filter((name) => NAME.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Creates a backup whose contents `fill` writes; it becomes visible once it is complete. Returns its name. Throws if there is one
 * from the same second.
 */
export async function addBackup(
  directory: string,
  now: number,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const name = backupName(now);
  const partial = join(directory, `${name}.${process.pid}.partial`);
  await mkdir(directory, { recursive: true });
  // As confidential as the database itself.
  await mkdir(partial, { mode: 0o700 });
  try {
    await fill(partial);
    await rename(partial, join(directory, name));
    return name;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Removes the oldest backups beyond `keep`, whose names it returns, and partial backups of killed processes. */
export async function rotateBackups(directory: string, keep: number, now: number): Promise<readonly string[]> {
  for (const name of (await readdir(directory)).filter((one) => PARTIAL.test(one))) {
    const { mtimeMs } = await stat(join(directory, name));
    if (now - mtimeMs > ABANDONED) await rm(join(directory, name), { recursive: true, force: true });
  }
  const old = (await listBackups(directory)).slice(0, -keep);
  for (const name of old) await rm(join(directory, name), { recursive: true, force: true });
  return old;
}
