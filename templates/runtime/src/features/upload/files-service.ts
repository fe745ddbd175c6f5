/** Creates, reads, updates and deletes files: bytes and entry together. Results are flat, as in Strapi. */
import type { Executor } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { NotFoundError, ServiceUnavailableError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import type { UploadContext } from './context.ts';
import { infoOf, type FileInfo } from './file-info.ts';
import { deleteFile, deleteUnreferencedFile, insertFile, lockFile, updateFile } from './file-rows.ts';
import { releaseFiles, settleFiles } from './pending-files.ts';
import { removeAnnounced, removeReleased } from './remove-bytes.ts';
import { storeFiles, type ArrivedFile, type CheckFiles, type StoredFile } from './store-files.ts';

/** A file in a response: `id` and attributes on one level. */
export type FlatFile = { readonly id: number } & Readonly<Record<string, unknown>>;

/** One request: the caller and the raw query string. */
export interface FileRequest {
  readonly caller: Caller;
  readonly query: string;
}

interface FileEntry {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

function flat({ id, attributes }: FileEntry): FlatFile {
  return { id, ...attributes };
}

async function readFile(tx: Executor, context: UploadContext, caller: Caller, id: number): Promise<FlatFile> {
  const { reader, fileType } = context;
  return flat(JSON.parse(await reader.entry(tx, reader.check(fileType, caller, ''), id)) as FileEntry);
}

/** The stored names of an entry's file and of its formats. */
function storedNames({ storage }: UploadContext, file: FlatFile): string[] {
  if (file['provider'] !== storage.provider) return [];
  const formats = Object.values((file['formats'] ?? {}) as Record<string, { hash: string; ext: string }>);
  return [...formats.map(({ hash, ext }) => `${hash}${ext}`), `${String(file['hash'])}${String(file['ext'])}`];
}

/** Lists files, by the query's filters, sort and pagination. */
export async function listFiles(context: UploadContext, request: FileRequest): Promise<FlatFile[]> {
  const body = await context.reader.list(context.fileType, request);
  const { data } = JSON.parse(body.toString()) as { data: FileEntry[] };
  return data.map(flat);
}

/** Throws NotFoundError if there is no such file, or the query's filters exclude it. */
export async function getFile(context: UploadContext, id: number, request: FileRequest): Promise<FlatFile> {
  const { reader, fileType } = context;
  const text = await reader.one(fileType, request, id);
  if (text === undefined) throw new NotFoundError();
  return flat(JSON.parse(text) as FileEntry);
}

export async function hasFile({ database, fileType }: UploadContext, id: number): Promise<boolean> {
  return (
    (await database.get(sql`SELECT id FROM ${database.dialect.id(fileType.table)} WHERE id = ${id}`)) !== undefined
  );
}

/**
 * Runs a transaction that creates entries of stored files. If it fails, their bytes are removed, unless the outcome is
 * unknown: the connection may have been lost after the commit. The sweeper settles that case.
 */
async function creatingEntries<T>(
  context: UploadContext,
  stored: readonly StoredFile[],
  work: (tx: Executor) => Promise<T>,
): Promise<T> {
  const names = stored.flatMap((file) => file.storedNames);
  try {
    return await context.database.transaction(async (tx) => {
      await settleFiles(tx, names);
      return work(tx);
    });
  } catch (error) {
    if (!(error instanceof ServiceUnavailableError)) await removeAnnounced(context, names);
    throw error;
  }
}

/**
 * Runs a transaction that deletes entries of files. The bytes of those for which `work` calls `release` are removed
 * after the commit.
 */
async function deletingEntries<T>(
  context: UploadContext,
  work: (tx: Executor, release: (file: FlatFile) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { database, storage } = context;
  let released: string[] = [];
  const result = await database.transaction((tx) => {
    released = [];
    return work(tx, async (file) => {
      const names = storedNames(context, file);
      released.push(...names);
      await releaseFiles(tx, storage.provider, names);
    });
  });
  await removeReleased(context, released);
  return result;
}

export interface NewFiles {
  readonly files: readonly ArrivedFile[];
  readonly infos: readonly FileInfo[];
  readonly caller: Caller;
  readonly check?: CheckFiles;
  /** Runs in the transaction that creates their entries. */
  readonly use?: (tx: Executor, ids: readonly number[]) => Promise<void>;
}

/** Stores files and creates their entries, atomically. */
export async function createFiles(
  context: UploadContext,
  { files, infos, caller, check, use }: NewFiles,
): Promise<FlatFile[]> {
  const stored = await storeFiles(context, files, check);
  return creatingEntries(context, stored, async (tx) => {
    const ids: number[] = [];
    for (const [index, { values }] of stored.entries()) {
      ids.push(await insertFile(tx, context, values, infoOf(infos, index)));
    }
    await use?.(tx, ids);
    const answers: FlatFile[] = [];
    for (const id of ids) answers.push(await readFile(tx, context, caller, id));
    return answers;
  });
}

/** Updates the name and the descriptions of a file. Throws NotFoundError. */
export function changeInfo(context: UploadContext, id: number, info: FileInfo, caller: Caller): Promise<FlatFile> {
  return context.database.transaction(async (tx) => {
    if (!(await updateFile(tx, context, id, info))) throw new NotFoundError();
    return readFile(tx, context, caller, id);
  });
}

/** Replaces the bytes of a file, with the checks of an upload, and under a new stored name. Throws NotFoundError. */
export async function replaceFile(
  context: UploadContext,
  id: number,
  { file, info, caller }: { readonly file: ArrivedFile; readonly info: FileInfo; readonly caller: Caller },
): Promise<FlatFile> {
  const stored = await storeFiles(context, [file]);
  const values = stored[0]?.values;
  let before: string[] = [];
  const after = await creatingEntries(context, stored, async (tx) => {
    await lockFile(tx, context, id);
    const old = await readFile(tx, context, caller, id);
    before = storedNames(context, old);
    await updateFile(tx, context, id, { ...values, ...info, name: info.name ?? String(old['name']) });
    await releaseFiles(tx, context.storage.provider, before);
    return readFile(tx, context, caller, id);
  });
  await removeReleased(context, before);
  return after;
}

/** Deletes a file: first its entry, then its bytes. Returns the deleted file. Throws NotFoundError. */
export function removeFile(context: UploadContext, id: number, caller: Caller): Promise<FlatFile> {
  return deletingEntries(context, async (tx, release) => {
    await lockFile(tx, context, id);
    const file = await readFile(tx, context, caller, id);
    await deleteFile(tx, context, id);
    await release(file);
    return file;
  });
}

/** Removes the files of a failed request, unless other entries refer to them by now. */
export async function removeUploaded(context: UploadContext, files: readonly FlatFile[]): Promise<void> {
  for (const file of files) {
    await deletingEntries(context, async (tx, release) => {
      if (await deleteUnreferencedFile(tx, context, file.id)) await release(file);
    });
  }
}
