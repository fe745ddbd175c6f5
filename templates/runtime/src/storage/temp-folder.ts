/** The folder for incoming files. What a crash leaves there is removed at the next start. */
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { isOfEarlierProcess, PROCESS_IDENTITY, processIdentity } from '../base/process-identity.ts';
import { storageFault } from './storage-faults.ts';

/** A completely received file. */
export interface TempFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** The first HEAD_SIZE bytes, for type detection. */
  readonly head: Uint8Array;
}

export interface TempFolder {
  /** A new, unused path. */
  newPath(): string;
  /**
   * Writes a stream to a new file and syncs it to disk. `take` gets the size of each chunk before it is written, and
   * may throw. Removes the file if it fails; throws HttpError 507 if the disk is full, 503 if it can't be written.
   */
  write(stream: Readable, take?: (bytes: number) => void): Promise<TempFile>;
  /** Throws if nothing can be written. */
  probe(): Promise<void>;
  /** Removes files that are too old to be in use, such as those of other hosts. */
  removeStale(): Promise<void>;
}

/** How many bytes of a file its type is detected by. */
export const HEAD_SIZE = 256 * 1024;
/** An upload may be slow, and its first file is kept until its last one has arrived. */
const STALE_AFTER_MS = 24 * 3_600_000;
const PROBE_SIZE = 4096;
const NAME = new RegExp(`^${PROCESS_IDENTITY.source}-[0-9a-f]{32}\\.part$`, 'u');

/** Whether a file is too old to be still in use. */
function isOld(_name: string, modifiedMs: number): boolean {
  return Date.now() - modifiedMs > STALE_AFTER_MS;
}

/**
 * Whether a file was abandoned: it is too old, or of a process of this host that has ended. Only to be called before this process
 * has files of its own.
 */
function isAbandoned(name: string, modifiedMs: number): boolean {
  const identity = NAME.exec(name)?.groups?.['identity'];
  return isOld(name, modifiedMs) || (identity !== undefined && isOfEarlierProcess(identity));
}

async function removeStale(directory: string, isStale: (name: string, modifiedMs: number) => boolean): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!NAME.test(name)) continue;
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() && isStale(name, found.mtimeMs)) await rm(path, { force: true });
  }
}

async function copyTo(
  handle: FileHandle,
  stream: Readable,
  take: (bytes: number) => void,
): Promise<Omit<TempFile, 'path'>> {
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    take(chunk.length);
    if (size < HEAD_SIZE) head.push(chunk.subarray(0, HEAD_SIZE - size));
    size += chunk.length;
    hash.update(chunk);
    await handle.writeFile(chunk);
  }
  await handle.sync();
  return { size, sha256: hash.digest('hex'), head: Buffer.concat(head) };
}

/** Creates a file, and removes it again if `write` fails. */
async function writeNew<T>(
  path: string,
  write: (handle: FileHandle) => Promise<T>,
): Promise<T & { readonly path: string }> {
  try {
    const handle = await open(path, 'wx', 0o640);
    try {
      return { path, ...(await write(handle)) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw storageFault(error);
  }
}

/** Opens the folder for incoming files, creating it if missing. Removes what earlier processes left behind. */
export async function openTempFolder(directory: string): Promise<TempFolder> {
  try {
    await mkdir(directory, { recursive: true });
  } catch (error) {
    throw new Error(`The folder for uploads, UPLOAD_DIR, can't be created: ${(error as Error).message}`, {
      cause: error,
    });
  }
  await removeStale(directory, isAbandoned);
  const prefix = processIdentity();
  const newPath = (): string => join(directory, `${prefix}-${randomBytes(16).toString('hex')}.part`);
  return {
    newPath,
    write: (stream, take = () => {}) => writeNew(newPath(), (handle) => copyTo(handle, stream, take)),
    async probe() {
      // One block: less than that may still fit on a full disk.
      const { path } = await writeNew(newPath(), (handle) => handle.writeFile(Buffer.alloc(PROBE_SIZE, 1)));
      await rm(path, { force: true });
    },
    removeStale: () => removeStale(directory, isOld),
  };
}

/** Removes temporary files. Ignores those that were moved away. */
export async function discard(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
}
