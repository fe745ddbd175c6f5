/** Stores the files of an export, and removes them again if the import fails. */
import { Readable } from 'node:stream';
import { isStoredName, type Storage } from '../../storage/storage.ts';
import { discard, type TempFolder } from '../../storage/temp-folder.ts';
import { ImportFileError } from './import-file-error.ts';
import { CHUNK_SIZE, fileEndLine, type fileLine } from './format.ts';
import { expectLine, type Source } from './source.ts';
import { createStoredFiles } from './stored-file-target.ts';
import type * as z from 'zod';

export interface FileTarget {
  /**
   * Reads one file from the source, whose first line was just read, and stores it. Throws an ImportFileError if it is damaged.
   */
  receive(source: Source, begin: z.output<typeof fileLine>): Promise<void>;
  /**
   * Removes the files that were stored, except those that existed before. Returns the names of files that could not be removed.
   */
  removeStored(): Promise<readonly string[]>;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/u;

function decodeChunk(source: Source, value: unknown, most: number): Buffer {
  const isText = typeof value === 'string' && BASE64.test(value);
  const chunk = isText ? Buffer.from(value, 'base64') : Buffer.alloc(0);
  if (chunk.length === 0 || chunk.length > most) {
    throw new ImportFileError(source.line, 'it must contain bytes of a file.');
  }
  return chunk;
}

async function* chunksOf(source: Source, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0;) {
    const chunk = decodeChunk(source, await source.next(), Math.min(left, CHUNK_SIZE));
    left -= chunk.length;
    yield chunk;
  }
}

/** `temp` must be on the same file system as a local storage. */
export function createFileTarget(storage: Storage, temp: TempFolder): FileTarget {
  const target = createStoredFiles(storage);
  return {
    async receive(source, { file: name, size }) {
      const from = source.line;
      if (!isStoredName(name)) {
        throw new ImportFileError(from, `${JSON.stringify(name)} is not a name of a stored file.`);
      }
      const arrived = await temp.write(Readable.from(chunksOf(source, size)));
      try {
        const { sha256 } = expectLine(source, await source.next(), fileEndLine, 'the hash of the file before it');
        if (sha256 !== arrived.sha256) {
          throw new ImportFileError([from, source.line], `the bytes of ${name} do not match their hash.`);
        }
        await target.store(name, arrived);
      } finally {
        await discard([arrived.path]);
      }
    },
    removeStored: () => target.removeStored(),
  };
}
