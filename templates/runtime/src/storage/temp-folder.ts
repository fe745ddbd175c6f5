/** Where files are written while they arrive. What a crash leaves there is removed at the next start. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { storageFault } from './storage-faults.ts';

/** A file that has arrived. */
export interface TempFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** The first HEAD_SIZE bytes, to tell what it is. */
  readonly head: Uint8Array;
}

export interface TempFolder {
  /** A path that is not used yet. */
  newPath(): string;
  /**
   * Writes a stream to a new file, down to the disk. `take` is told the size of each piece before it is written, and may throw.
   * Leaves nothing if it fails; throws HttpError 507 or 503 where the disk can't take it.
   */
  write(stream: Readable, take?: (bytes: number) => void): Promise<TempFile>;
  /** Throws if nothing can be written. */
  probe(): Promise<void>;
  /** Removes what nobody writes to any more, and could not be told to be left at the start. */
  removeStale(): Promise<void>;
}

const HEAD_SIZE = 256 * 1024;
/** An upload may take long, and its first file waits for its last one. */
const STALE_AFTER_MS = 24 * 3_600_000;
const PROBE_SIZE = 4096;
const NAME = /^(?<host>[0-9a-f]{8})-(?<pid>\d{1,10})-[0-9a-f]{32}\.part$/u;

function hostMark(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a file is older than any that is still written to. */
function isOld(_name: string, modifiedMs: number): boolean {
  return Date.now() - modifiedMs > STALE_AFTER_MS;
}

/**
 * Whether nobody writes to a file any more, at the start of this process: another host's once it is old; one of ours as
 * soon as its process has ended. One of our own process id is an earlier process's, as in a container started again.
 */
function isLeft(name: string, modifiedMs: number): boolean {
  const groups = NAME.exec(name)?.groups;
  const pid = Number(groups?.['pid']);
  return isOld(name, modifiedMs) || (groups?.['host'] === hostMark() && (pid === process.pid || !isRunning(pid)));
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

/** Makes a file, which is removed again if `write` fails. */
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

/** Opens a folder for files that arrive, made where it is missing. Removes what earlier processes left. */
export async function openTempFolder(directory: string): Promise<TempFolder> {
  await mkdir(directory, { recursive: true });
  await removeStale(directory, isLeft);
  const prefix = `${hostMark()}-${process.pid}`;
  const newPath = (): string => join(directory, `${prefix}-${randomBytes(16).toString('hex')}.part`);
  return {
    newPath,
    write: (stream, take = () => {}) => writeNew(newPath(), (handle) => copyTo(handle, stream, take)),
    async probe() {
      // As much as a disk gives out at once: what is smaller may still find a place on a full one.
      const { path } = await writeNew(newPath(), (handle) => handle.writeFile(Buffer.alloc(PROBE_SIZE, 1)));
      await rm(path, { force: true });
    },
    removeStale: () => removeStale(directory, isOld),
  };
}

/** Removes files that were not moved away meanwhile. */
export async function discard(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
}
