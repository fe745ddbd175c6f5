/** Stores an upload whose bytes have all arrived, once, as any other upload is. */
import { constants } from 'node:fs';
import { createHash, hash } from 'node:crypto';
import { copyFile, link, open } from 'node:fs/promises';
import { HttpError } from '../../../contract/errors.ts';
import type { Client } from '../../../base/client.ts';
import { KeyedRequest } from '../../../http/idempotency/keyed-request.ts';
import { type KeyRow, keyRows } from '../../../http/idempotency/key-rows.ts';
import type { CallContext } from '../../../query/entry-request.ts';
import { KeyTakenError } from '../../../query/request-key.ts';
import { discard, HEAD_SIZE, type TempFile } from '../../../storage/temp-folder.ts';
import type { UploadContext } from '../context.ts';
import { createFiles } from '../files-service.ts';
import type { UnfinishedUpload, UnfinishedUploads } from './unfinished-uploads.ts';

/** An upload that has become a file. */
export interface Finished {
  /** In bytes. */
  readonly length: number;
  /** Undefined if the server ended at the moment that only the file was known to be stored. */
  readonly fileId?: number;
}

export interface Finishing {
  /** What became of an upload of the last day. */
  find(upload: Pick<UnfinishedUpload, 'id' | 'owner'>): Promise<Finished | undefined>;
  /** Throws what an ordinary upload does; an upload that is refused is removed. */
  finish(upload: UnfinishedUpload, call: CallContext, client: Client): Promise<Finished>;
}

/** In characters, as those of other keys. */
const KEY_LENGTH = 22;
/** Refusals of the file itself: it would be refused again. */
const FINAL: ReadonlySet<number> = new Set([400, 413, 415, 422]);

function keyOf({ id, owner }: Pick<UnfinishedUpload, 'id' | 'owner'>): string {
  return hash('sha256', JSON.stringify(['resumable', owner, id]), 'base64url').slice(0, KEY_LENGTH);
}

function finishedOf(row: KeyRow): Finished {
  // The payload is known even without an answer.
  return row.answer ? (JSON.parse(row.answer.body) as Finished) : { length: Number(row.payload) };
}

/** Reads what is to be known of a complete file. */
async function describeFile(path: string): Promise<Omit<TempFile, 'path'>> {
  const handle = await open(path);
  const digest = createHash('sha256');
  const head: Buffer[] = [];
  let size = 0;
  for await (const chunk of handle.createReadStream({ highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    if (size < HEAD_SIZE) head.push(chunk.subarray(0, HEAD_SIZE - size));
    size += chunk.length;
    digest.update(chunk);
  }
  return { size, sha256: digest.digest('hex'), head: Buffer.concat(head) };
}

/** The bytes under another name, which the storage may take: those of the upload stay until its file is known to be stored. */
async function secondName(path: string, other: string): Promise<void> {
  try {
    await link(path, other);
  } catch {
    // Not every file system has links.
    await copyFile(path, other, constants.COPYFILE_FICLONE);
  }
}

export function createFinishing(context: UploadContext, uploads: UnfinishedUploads): Finishing {
  // The row is part of the transaction that creates the entry, so a repetition finds out whether that was committed.
  const rows = keyRows(context.database);

  async function store(upload: UnfinishedUpload, call: CallContext, client: Client): Promise<Finished> {
    const key = new KeyedRequest(keyOf(upload), { text: String(upload.length) }, rows);
    const { filename, claimedType, info, length } = upload;
    const path = context.temp.newPath();
    try {
      await secondName(uploads.pathOf(upload.id), path);
      const temp = { path, ...(await describeFile(path)) };
      const files = [{ file: { field: 'files', filename, claimedType, temp }, path: ['files', '0'] }];
      const request = { files, infos: [info], call: { ...call, key }, client };
      const [file] = await createFiles(context, request);
      const finished = { length, ...(file && { fileId: file.id }) };
      await key.settle({ status: 204, etag: undefined, body: JSON.stringify(finished) });
      return finished;
    } catch (error) {
      await key.fail(error);
      throw error;
    } finally {
      await discard([path]);
    }
  }

  const find: Finishing['find'] = async (upload) => {
    const row = await rows.find(keyOf(upload));
    return row && finishedOf(row);
  };
  return {
    find,
    async finish(upload, call, client) {
      try {
        const finished = (await find(upload)) ?? (await store(upload, call, client));
        await uploads.remove(upload.id);
        return finished;
      } catch (error) {
        const before = error instanceof KeyTakenError ? await find(upload) : undefined;
        if (before || (error instanceof HttpError && FINAL.has(error.status))) await uploads.remove(upload.id);
        if (before) return before;
        throw error;
      }
    },
  };
}
