/** Creates, reads, updates and deletes files: bytes and entry together. Results are flat, as in Strapi. */
import type { Executor, Transaction } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import type { LaterSteps, Planner, Statement, Step, Subject, WritePlan } from '../../database/write-plan.ts';
import { NotFoundError, ServiceUnavailableError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { entryAnswer } from '../../query/answer.ts';
import { EMPTY_QUERY } from '../../query/entry-query.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { flatFormat } from '../../query/format.ts';
import type { UploadContext } from './context.ts';
import { type FileInfo, infoOf } from './file-info.ts';
import { deleteFile, type FileWrite, insertFile, isReferenced, lockFile, updateFile } from './file-rows.ts';
import { releaseFiles, settleFiles } from './pending-files.ts';
import { removeAnnounced, removeReleased } from './remove-bytes.ts';
import { type ArrivedFile, type CheckFiles, type StoredFile, storeFiles } from './store-files.ts';

/** A file in a response: `id` and attributes on one level. */
export type FlatFile = { readonly id: number } & Readonly<Record<string, unknown>>;

interface FileEntry {
  readonly id: number;
  /** Undefined where the format is flat already. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

function flat(entry: unknown): FlatFile {
  const { id, attributes } = entry as FileEntry;
  return attributes ? { id, ...attributes } : (entry as FlatFile);
}

async function readFile(tx: Executor, context: UploadContext, caller: Caller, id: number): Promise<FlatFile> {
  const { reader, fileType } = context;
  const text = await reader.entry(
    tx,
    reader.check(fileType, { caller, query: EMPTY_QUERY, format: flatFormat(fileType) }),
    id,
  );
  return flat(entryAnswer(text).entry());
}

/** The stored names of an entry's file and of its formats. */
function storedNames({ storage }: UploadContext, file: FlatFile): string[] {
  if (file['provider'] !== storage.provider) return [];
  const formats = Object.values((file['formats'] ?? {}) as Record<string, { hash: string; ext: string }>);
  return [...formats.map(({ hash, ext }) => `${hash}${ext}`), `${String(file['hash'])}${String(file['ext'])}`];
}

/** Lists files, by the query's filters, sort and pagination. */
export async function listFiles(context: UploadContext, request: EntryRequest): Promise<FlatFile[]> {
  const answer = await context.reader.list(context.fileType, request);
  return answer.entries().map(flat);
}

/** Throws NotFoundError if there is no such file, or the query's filters exclude it. */
export async function getFile(context: UploadContext, id: number, request: EntryRequest): Promise<FlatFile> {
  const { reader, fileType } = context;
  const answer = await reader.one(fileType, request, id);
  if (answer === undefined) throw new NotFoundError();
  return flat(answer.entry());
}

export async function hasFile(executor: Executor, { fileType }: UploadContext, id: number): Promise<boolean> {
  return (
    (await executor.get(sql`SELECT id FROM ${executor.dialect.id(fileType.table)} WHERE id = ${id}`)) !== undefined
  );
}

/**
 * Executes a plan that makes entries of stored files. If it fails, their bytes go, unless it is not certain that it failed:
 * a commit whose answer is lost may have been done, and then the entries are there. What is uncertain the sweeper settles.
 */
async function withEntries<T>(context: UploadContext, stored: readonly StoredFile[], planner: Planner<T>): Promise<T> {
  const names = stored.flatMap((file) => file.storedNames);
  try {
    return await context.database.write(async (tx) => {
      const plan = await planner(tx);
      return { ...plan, steps: [...settleFiles(names), ...plan.steps] };
    });
  } catch (error) {
    if (!(error instanceof ServiceUnavailableError)) await removeAnnounced(context, names);
    throw error;
  }
}

/** Executes a plan that removes the entry of a file, whose bytes go when it is committed; undefined where it stays. */
async function withoutBytes(
  context: UploadContext,
  id: number,
  find: (tx: Executor) => Promise<FlatFile | undefined>,
): Promise<FlatFile | undefined> {
  const { database, storage } = context;
  const removed = await database.write(async (tx): Promise<WritePlan<FlatFile | undefined>> => {
    await lockFile(tx, context, id);
    const file = await find(tx);
    if (!file) return { about: [], steps: [], answer: () => undefined };
    const { about, row } = deleteFile(tx.dialect, context, id);
    const release = releaseFiles(storage.provider, storedNames(context, file));
    return { about: [about], steps: [row, ...release], answer: () => file };
  });
  if (removed) await removeReleased(context, storedNames(context, removed));
  return removed;
}

/** What else is done in the transaction that makes the entries of files. */
export interface FilesUse {
  readonly about: Subject;
  steps(tx: Transaction, ids: readonly number[]): Promise<readonly Step[]>;
}

export interface NewFiles {
  readonly files: readonly ArrivedFile[];
  readonly infos: readonly FileInfo[];
  readonly caller: Caller;
  readonly check?: CheckFiles;
  readonly use?: FilesUse;
}

/** Stores files and creates their entries, atomically. */
export async function createFiles(
  context: UploadContext,
  { files, infos, caller, check, use }: NewFiles,
): Promise<FlatFile[]> {
  const stored = await storeFiles(context, files, check);
  return withEntries(context, stored, ({ dialect }) => {
    const writes = stored.map(({ values }, index) => insertFile(dialect, context, values, infoOf(infos, index)));
    const ids = (): number[] => writes.map(({ id }) => id.value);
    const answers: FlatFile[] = [];
    const read: LaterSteps = async (tx) => {
      for (const id of ids()) answers.push(await readFile(tx, context, caller, id));
      return [];
    };
    const further: LaterSteps[] = use ? [(tx) => use.steps(tx, ids())] : [];
    return Promise.resolve({
      about: [...writes.map(({ about }) => about), ...(use ? [use.about] : [])],
      steps: [...writes.map(({ row }) => row), ...further, read],
      answer: () => answers,
    });
  });
}

/** The plan of a change of an entry, which is answered as it is then. */
function changePlan(
  context: UploadContext,
  { about, id, row }: FileWrite,
  { caller, further = [] }: { readonly caller: Caller; readonly further?: readonly Statement[] },
): WritePlan<FlatFile> {
  let after: FlatFile | undefined;
  const read: LaterSteps = async (tx) => {
    after = await readFile(tx, context, caller, id);
    return [];
  };
  const answer = (): FlatFile => {
    if (!after) throw new NotFoundError();
    return after;
  };
  return { about: [about], steps: [row, ...further, read], answer };
}

/** Updates the name and the descriptions of a file. Throws NotFoundError. */
export function changeInfo(context: UploadContext, id: number, info: FileInfo, caller: Caller): Promise<FlatFile> {
  return context.database.write(({ dialect }) =>
    Promise.resolve(changePlan(context, updateFile(dialect, context, id, info), { caller })),
  );
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
  const after = await withEntries(context, stored, async (tx) => {
    await lockFile(tx, context, id);
    const old = await readFile(tx, context, caller, id);
    before = storedNames(context, old);
    const change = { ...values, ...info, name: info.name ?? String(old['name']) };
    const further = releaseFiles(context.storage.provider, before);
    return changePlan(context, updateFile(tx.dialect, context, id, change), { caller, further });
  });
  await removeReleased(context, before);
  return after;
}

/** Deletes a file: first its entry, then its bytes. Returns the deleted file. Throws NotFoundError. */
export async function removeFile(context: UploadContext, id: number, caller: Caller): Promise<FlatFile> {
  const file = await withoutBytes(context, id, (tx) => readFile(tx, context, caller, id));
  if (!file) throw new NotFoundError();
  return file;
}

/** Removes the files of a failed request, unless other entries refer to them by now. */
export async function removeUploaded(context: UploadContext, files: readonly FlatFile[]): Promise<void> {
  for (const file of files) {
    await withoutBytes(context, file.id, async (tx) => {
      const stays = !(await hasFile(tx, context, file.id)) || (await isReferenced(tx, context, file.id));
      return stays ? undefined : file;
    });
  }
}
