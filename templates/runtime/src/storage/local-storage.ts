/** Files on a local disk. */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isStoredName, type ListedFile, type OpenFile, SERVED_AT, type Storage } from './storage.ts';
import { storageFault } from './storage-faults.ts';

/** Never follows a planted symbolic link, nor blocks on a named pipe. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const ABSENT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO', 'EMLINK']);

function openFile(handle: FileHandle, size: number): OpenFile {
  return {
    size,
    // The stream closes the file when it ends or is destroyed.
    read: (range) => Promise.resolve(handle.createReadStream(range ?? {})),
    close: () => handle.close(),
  };
}

async function openRegular(path: string): Promise<OpenFile | undefined> {
  const handle = await open(path, OPEN_FLAGS);
  try {
    const found = await handle.stat();
    if (found.isFile()) return openFile(handle, found.size);
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

async function* listFiles(directory: string): AsyncGenerator<ListedFile> {
  for await (const entry of await opendir(directory)) {
    if (!entry.isFile() || !isStoredName(entry.name)) continue;
    const found = await stat(join(directory, entry.name)).catch(() => undefined);
    // A moved or copied file keeps its mtime; its ctime then says when it was stored.
    if (found) yield { name: entry.name, size: found.size, storedAt: Math.max(found.mtimeMs, found.ctimeMs) };
  }
}

/**
 * A storage in one folder, which is created if missing. Temporary files must be on the same file system, so that they
 * can be renamed.
 */
export async function localStorage(directory: string): Promise<Storage> {
  await mkdir(directory, { recursive: true });
  return {
    provider: 'local',
    urlOf: (name) => `${SERVED_AT}${name}`,
    async put(name, file) {
      try {
        await rename(file.path, join(directory, name));
      } catch (error) {
        throw storageFault(error);
      }
    },
    remove: (name) => rm(join(directory, name), { force: true }),
    async open(name) {
      try {
        return await openRegular(join(directory, name));
      } catch (error) {
        if (ABSENT.has((error as NodeJS.ErrnoException).code)) return undefined;
        throw error;
      }
    },
    list: () => listFiles(directory),
  };
}
