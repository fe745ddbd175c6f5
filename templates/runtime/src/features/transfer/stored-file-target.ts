/** Stores the files of an import, and removes them again if it fails. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { CommandRefused } from '../../base/command-errors.ts';
import { removeFiles } from '../../storage/remove-files.ts';
import type { Storage } from '../../storage/storage.ts';
import type { TempFile } from '../../storage/temp-folder.ts';

export interface StoredFileTarget {
  /** Stores a file, unless the storage already has it. Throws CommandRefused if a different file has its name. */
  store(name: string, file: TempFile): Promise<void>;
  /**
   * Removes the files that were stored, except those that existed before. Returns the names of files that could not be removed.
   */
  removeStored(): Promise<readonly string[]>;
}

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of stream as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest('hex');
}

/** Whether the storage already has an identical file. Throws CommandRefused if a different file has its name. */
async function isStored(storage: Storage, name: string, { size, sha256 }: TempFile): Promise<boolean> {
  const found = await storage.open(name);
  if (!found) return false;
  if (found.size === size) {
    if ((await hashOf(await found.read(undefined))) === sha256) return true;
  } else {
    await found.close();
  }
  throw new CommandRefused(`The storage has another file under the name ${name}. Move it away, and import again.`);
}

/** For a local storage, the files to store must be on its file system, since they are renamed into place. */
export function createStoredFiles(storage: Storage): StoredFileTarget {
  const stored: string[] = [];
  return {
    async store(name, file) {
      if (await isStored(storage, name, file)) return;
      stored.push(name);
      await storage.put(name, file);
    },
    async removeStored() {
      const names = stored.splice(0);
      const gone = new Set(await removeFiles(storage, names));
      return names.filter((name) => !gone.has(name));
    },
  };
}
