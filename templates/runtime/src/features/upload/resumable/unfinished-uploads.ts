/**
 * The folder of unfinished uploads: for each, a description and the bytes so far, of which no name is one that files are served by. How
 * much has arrived is the size on disk, so it is right whenever a process ends.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { tooManyRequests } from '../../../base/too-many-requests.ts';
import { ClientGoneError, ConflictError, HttpError, ServiceUnavailableError } from '../../../contract/errors.ts';
import { UNFINISHED } from '../../../contract/limits.ts';
import { storageFault } from '../../../storage/storage-faults.ts';
import type { FileInfo } from '../file-info.ts';
import type { Hold, Holds } from './upload-holds.ts';

/** What is said of an upload when it begins. */
export interface NewUpload {
  /** Who may continue it. */
  readonly owner: string;
  /** Whom it counts for. */
  readonly caller: string;
  /** In bytes. */
  readonly length: number;
  readonly filename: string;
  readonly claimedType: string;
  readonly info: FileInfo;
  /** `Upload-Metadata` as it was sent. */
  readonly metadata: string;
}

export interface UnfinishedUpload extends NewUpload {
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
}

export interface UnfinishedUploads {
  /** Throws HttpError 429 if the caller has too many, 503 if all together do. */
  create(upload: NewUpload): Promise<UnfinishedUpload>;
  /** Undefined if there is none, or if it has expired. */
  find(id: string): Promise<UnfinishedUpload | undefined>;
  /** How many bytes have arrived. */
  arrived(id: string): Promise<number>;
  /**
   * Adds bytes; resolves to how many have arrived by then. What arrives before a failure stays. Throws HttpError 409 for another offset,
   * 413 for more bytes than announced, ClientGoneError for a connection that is cut, and those of a full disk.
   */
  append(upload: UnfinishedUpload, offset: number, body: Readable, hold: Hold): Promise<number>;
  pathOf(id: string): string;
  remove(id: string): Promise<void>;
  removeExpired(): Promise<void>;
  expiryOf(upload: UnfinishedUpload): Date;
}

/** The id of an upload, which only who began it knows. */
const ID = /^[0-9a-f]{32}$/u;
const NAME = /^(?<id>[0-9a-f]{32})\.(?:json|bytes|lock|new)/u;
const CREATION = 'creation';
/** In seconds. */
const RETRY_AFTER = 60;

function conflict(arrived: number): HttpError {
  const error = new ConflictError(`The upload continues at ${arrived}: ask with HEAD how much has arrived`);
  return new HttpError(409, error.name, error.message, {}, { 'Upload-Offset': String(arrived) });
}

function tooMuch(length: number): HttpError {
  return new HttpError(413, 'PayloadTooLargeError', `The upload has ${length} bytes, as its Upload-Length said`);
}

interface Chunks {
  readonly at: number;
  readonly length: number;
  readonly hold: Hold;
}

async function writeChunks(path: string, body: Readable, { at: start, length, hold }: Chunks): Promise<number> {
  const handle = await open(path, 'r+');
  let at = start;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      hold.touch();
      if (at + chunk.length > length) throw tooMuch(length);
      for (let done = 0; done < chunk.length;) {
        const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, at);
        done += bytesWritten;
        at += bytesWritten;
      }
    }
  } finally {
    await handle.datasync();
    await handle.close();
  }
  return at;
}

/** Errors of a connection that is cut, and of the disk. */
function faultOf(error: unknown, body: Readable): unknown {
  if (error instanceof HttpError) return error;
  return body.destroyed && !body.readableEnded ? new ClientGoneError() : storageFault(error);
}

interface Options {
  readonly directory: string;
  /** In bytes. */
  readonly maxTotal: number;
  readonly holds: Holds;
  /** In milliseconds since 1970. */
  now(): number;
}

/** What the bounds need of an upload, which never changes. */
type Counted = Pick<UnfinishedUpload, 'caller' | 'length' | 'createdAt'>;

function refuseTooMany(all: readonly Counted[], { caller, length }: NewUpload, maxTotal: number): void {
  const { perCaller, total } = UNFINISHED;
  if (all.filter((one) => one.caller === caller).length >= perCaller) {
    const message = `You have ${perCaller} unfinished uploads: finish or end one of them. They end by themselves after a day`;
    throw tooManyRequests(RETRY_AFTER * 1000, message);
  }
  const announced = all.reduce((sum, one) => sum + one.length, length);
  if (all.length < total && announced <= maxTotal) return;
  const message = 'There are too many unfinished uploads: try again later';
  throw new ServiceUnavailableError(RETRY_AFTER, new Error(message), message);
}

/** Opens the folder, creating it if missing. */
export async function openUnfinished({ directory, maxTotal, holds, now }: Options): Promise<UnfinishedUploads> {
  await mkdir(directory, { recursive: true });
  const known = new Map<string, Counted>();
  const pathTo = (id: string, ext: string): string => join(directory, `${id}.${ext}`);
  const isExpired = ({ createdAt }: Counted): boolean => now() - createdAt >= UNFINISHED.lifetime;

  async function read(id: string): Promise<UnfinishedUpload | undefined> {
    try {
      return JSON.parse(await readFile(pathTo(id, 'json'), 'utf8')) as UnfinishedUpload;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw storageFault(error);
    }
  }
  async function remove(id: string): Promise<void> {
    known.delete(id);
    // The description last: what is left by a process that ends in between is found by it.
    for (const ext of ['bytes', 'json']) await rm(pathTo(id, ext), { force: true });
  }
  async function removeHeld(id: string): Promise<void> {
    const hold = await holds.take(id).catch(() => undefined);
    try {
      if (hold) await remove(id);
    } finally {
      await hold?.release();
    }
  }
  /** Whether a file that belongs to no description is too old to get one. */
  async function isLeftOver(name: string): Promise<boolean> {
    const found = await stat(join(directory, name)).catch(() => undefined);
    return found !== undefined && now() - found.mtimeMs > UNFINISHED.lifetime;
  }
  /** All that have not expired. Removes the others. */
  async function list(): Promise<readonly Counted[]> {
    const names = (await readdir(directory)).filter((name) => NAME.test(name));
    const ids = new Set(names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length)));
    for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    const live: Counted[] = [];
    for (const id of ids) {
      const upload = known.get(id) ?? (await read(id));
      if (!upload) continue;
      if (isExpired(upload)) {
        await removeHeld(id);
      } else {
        const { caller, length, createdAt } = upload;
        known.set(id, { caller, length, createdAt });
        live.push(upload);
      }
    }
    for (const name of names) {
      const id = NAME.exec(name)?.groups?.['id'] ?? '';
      if (!ids.has(id) && (await isLeftOver(name))) await rm(join(directory, name), { force: true });
    }
    return live;
  }

  return {
    pathOf: (id) => pathTo(id, 'bytes'),
    remove,
    removeExpired: async () => void (await list()),
    expiryOf: ({ createdAt }) => new Date(createdAt + UNFINISHED.lifetime),
    async create(upload) {
      // One at a time, so that the bounds are exact.
      const hold = await holds.take(CREATION);
      try {
        refuseTooMany(await list(), upload, maxTotal);
        const created = { ...upload, id: randomBytes(16).toString('hex'), createdAt: now() };
        const { id } = created;
        await writeFile(pathTo(id, 'bytes'), '', { flag: 'wx', mode: 0o640 });
        await writeFile(pathTo(id, 'new'), JSON.stringify(created), { flag: 'wx', mode: 0o640, flush: true });
        await rename(pathTo(id, 'new'), pathTo(id, 'json'));
        return created;
      } catch (error) {
        throw storageFault(error);
      } finally {
        await hold.release();
      }
    },
    async find(id) {
      const upload = ID.test(id) ? await read(id) : undefined;
      if (!upload || !isExpired(upload)) return upload;
      await removeHeld(id);
      return undefined;
    },
    async arrived(id) {
      return (await stat(pathTo(id, 'bytes')).catch(() => undefined))?.size ?? 0;
    },
    async append({ id, length }, offset, body, hold) {
      const path = pathTo(id, 'bytes');
      try {
        const { size } = await stat(path);
        if (size !== offset) throw conflict(size);
        return await writeChunks(path, body, { at: offset, length, hold });
      } catch (error) {
        throw faultOf(error, body);
      }
    },
  };
}
