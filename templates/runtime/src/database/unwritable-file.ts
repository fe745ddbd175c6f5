/** Explains to operators why a SQLite file can't be opened or written, since SQLite's own messages give no reason. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './connection.ts';

const ADVICE = 'or name another file in DATABASE_URL (sqlite:./data/NAME.db)';

/** Explains a file system error about a path, and what to do; undefined for other errors. */
function faultOf(path: string, error: unknown): string | undefined {
  switch (codeOf(error)) {
    case 'EROFS':
      return `${path} is on a volume that is mounted read-only. Mount it with write access, ${ADVICE}.`;
    case 'EACCES':
    case 'EPERM': {
      const user = process.getuid ? ` (user id ${process.getuid()})` : '';
      return `this process${user} has no permission to write to ${path}. Grant it, ${ADVICE}.`;
    }
    case 'ENOTDIR':
    case 'EEXIST':
      return `a part of ${path} is a file, not a folder. Move it away, ${ADVICE}.`;
    case 'ENOENT':
      return `${path} does not exist. Create it, ${ADVICE}.`;
    case 'ENOSPC':
      return `the volume of ${path} has no space left. Free some, ${ADVICE}.`;
    default:
      return undefined;
  }
}

async function whenWriting(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return faultOf(path, error);
  }
}

async function kindFault(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory()) return `it is a folder. Name a file in it: sqlite:${path}/NAME.db.`;
  return stats && !stats.isFile() ? `it is not a regular file. Move it away, ${ADVICE}.` : undefined;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The folder itself, or its nearest existing ancestor. */
async function existing(folder: string): Promise<string> {
  const parent = dirname(folder);
  return parent === folder || (await isThere(folder)) ? folder : existing(parent);
}

async function diagnose(path: string, error: unknown): Promise<string | undefined> {
  const folder = dirname(path);
  return (
    (await kindFault(path)) ??
    // SQLite creates other files next to this one, such as the write-ahead log.
    (await whenWriting(await existing(folder))) ??
    ((await isThere(path)) ? await whenWriting(path) : undefined) ??
    faultOf(folder, error) ??
    notDatabase(error) ??
    unexplained(error)
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

function notDatabase(error: unknown): string | undefined {
  if (!messageOf(error).startsWith('file is not a database')) return undefined;
  return `it is not a SQLite database. Move it away, ${ADVICE}.`;
}

/** Other failures, such as a file system attribute that forbids changes, which `access` does not reveal. */
function unexplained(error: unknown): string | undefined {
  const message = messageOf(error);
  if (!/^(?:unable to open database|attempt to write a readonly database|disk I\/O error)/u.test(message)) {
    return undefined;
  }
  return `${message}. Make the file, the -wal and -shm files next to it and their folder writable, ${ADVICE}.`;
}

/** Runs what opens the SQLite file at an absolute path. If it can't be opened, the error says why and what to do. */
export async function explainingFile<T>(path: string, open: () => Promise<T> | T): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const fault = await diagnose(path, error);
    if (fault === undefined) throw error;
    throw new Error(`The database file ${path} can't be opened for writing: ${fault}`, { cause: error });
  }
}
