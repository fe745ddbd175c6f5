/** Creates, reads, updates and deletes files, bytes and entry together. Results are flat, as in Strapi. */
import type { Executor } from '../../database/executor.ts';
import type { LaterSteps, Planner, Step, Subject, Transaction, WritePlan } from '../../database/write-plan.ts';
import { sql } from '../../database/sql.ts';
import { NotFoundError, ServiceUnavailableError } from '../../contract/errors.ts';
import { entryHooks } from '../../entries/after-hook.ts';
import { hasHook } from '../../entries/hooks.ts';
import { listToJson } from '../../http/long-lists.ts';
import { removeThrough } from '../../entries/door.ts';
import { findEntries } from '../../entries/stored-entry.ts';
import { requireVisible } from '../../entries/visible-entry.ts';
import { entryAnswer } from '../../query/answer.ts';
import { EMPTY_QUERY } from '../../query/entry-query.ts';
import type { CallContext, EntryRequest } from '../../query/entry-request.ts';
import { flatFormat } from '../../query/format.ts';
import type { UploadContext } from './context.ts';
import { type FileInfo, infoOf } from './file-info.ts';
import { flatFile, type FlatFile } from './flat-file.ts';
import { deleteFile, type FileWrite, insertFile, isReferenced, lockFile, updateFile } from './file-rows.ts';
import { releaseFiles, settleFiles } from './pending-files.ts';
import { removeAnnounced, removeReleased } from './remove-bytes.ts';
import { beforeChange, beforeFiles, shownFiles } from './file-hooks.ts';
import type { ArrivedFile } from './inspect-files.ts';
import { type StoredFile, storeFiles, type StoreOptions } from './store-files.ts';

async function readFile(tx: Executor, context: UploadContext, call: CallContext, id: number): Promise<FlatFile> {
  const { reader, fileType } = context;
  const request = { ...call, query: EMPTY_QUERY, format: flatFormat(fileType) };
  return flatFile(entryAnswer(await reader.entry(tx, await reader.check(fileType, request), id)).entry());
}

/** The stored names of an entry's file and of its formats. */
function storedNames({ storage }: UploadContext, file: FlatFile): string[] {
  if (file['provider'] !== storage.provider) return [];
  const formats = Object.values((file['formats'] ?? {}) as Record<string, { hash: string; ext: string }>);
  return [...formats.map(({ hash, ext }) => `${hash}${ext}`), `${String(file['hash'])}${String(file['ext'])}`];
}

/** Lists files, by the query's filters, sort and pagination. Returns the response body, as JSON text. */
export async function listFiles(context: UploadContext, request: EntryRequest): Promise<string> {
  const answer = await context.reader.flatList(context.fileType, request);
  if (!hasHook(context.hooked.hooks, 'transform')) return listToJson(answer, flatFile, request.client);
  return JSON.stringify(await shownFiles(context, request, answer.entries().map(flatFile)));
}

/** Throws NotFoundError if there is no such file, or the query's filters exclude it. */
export async function getFile(context: UploadContext, id: number, request: EntryRequest): Promise<FlatFile> {
  const { reader, fileType } = context;
  const answer = await reader.one(fileType, request, id);
  if (answer === undefined) throw new NotFoundError();
  return flatFile(answer.entry());
}

async function hasFile(executor: Executor, { fileType }: UploadContext, id: number): Promise<boolean> {
  return (
    (await executor.get(sql`SELECT id FROM ${executor.dialect.id(fileType.table)} WHERE id = ${id}`)) !== undefined
  );
}

/** Throws NotFoundError for a file that is not there, as far as the caller may know. */
export async function requireFile(context: UploadContext, id: number, call: CallContext): Promise<void> {
  if (!(await hasFile(context.database, context, id))) throw new NotFoundError();
  await requireVisible(context.hooked, id, call);
}

/**
 * Executes a plan that creates entries for stored files. If it fails, removes their bytes, unless the outcome is unknown: a commit
 * whose response was lost may have succeeded, and then the entries exist. Those files are left to the sweeper.
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

/** Deletes the entry of a file, and its bytes after the commit. Does nothing, and resolves to undefined, if `find` does. */
async function withoutBytes(
  context: UploadContext,
  id: number,
  call: CallContext,
  find: (tx: Executor) => Promise<FlatFile | undefined>,
): Promise<FlatFile | undefined> {
  const { database, storage } = context;
  const hooks = entryHooks(context.hooked, 'afterDelete', call);
  const removed = await database.write(async (tx): Promise<WritePlan<FlatFile | undefined>> => {
    await lockFile(tx, context, id);
    const file = await find(tx);
    if (!file) return { subjects: [], steps: [], answer: () => undefined };
    const { subject, row, before } = deleteFile(tx.dialect, context, id);
    const release = releaseFiles(storage.provider, storedNames(context, file));
    const steps = [...hooks.deleted.before(id), ...before, row, ...release, ...hooks.deleted.after()];
    return { subjects: [subject], steps, answer: () => file };
  });
  if (!removed) return undefined;
  await removeReleased(context, storedNames(context, removed));
  await hooks.committed();
  return removed;
}

/** Further writes in the transaction that creates the entries of files. */
export interface FollowUpWrites {
  readonly subject: Subject;
  steps(tx: Transaction, ids: readonly number[]): Promise<readonly Step[]>;
  /** The error to throw if the transaction fails with `error`. */
  explained(error: unknown): unknown;
  /** Must be called after the commit. */
  committed(): Promise<void>;
}

export interface NewFiles {
  readonly files: readonly ArrivedFile[];
  readonly infos: readonly FileInfo[];
  readonly call: CallContext;
  readonly client?: StoreOptions['client'];
  readonly check?: StoreOptions['prepared'];
  readonly followUp?: FollowUpWrites;
}

/** Stores files and creates their entries, atomically. */
export async function createFiles(
  context: UploadContext,
  { files, infos: given, call, client, check, followUp }: NewFiles,
): Promise<FlatFile[]> {
  let infos = given;
  const stored = await storeFiles(context, files, {
    client,
    known: async (known) => {
      infos = await beforeFiles(context, call, known, given);
    },
    prepared: check,
  });
  const hooks = stored.map(() => entryHooks(context.hooked, 'afterCreate', call));
  const made = await withEntries(context, stored, ({ dialect }) => {
    const writes = stored.map(({ values }, index) => insertFile(dialect, context, values, infoOf(infos, index)));
    const ids = (): number[] => writes.map(({ id }) => id.value);
    const answers: FlatFile[] = [];
    const read: LaterSteps = async (tx) => {
      for (const id of ids()) answers.push(await readFile(tx, context, call, id));
      return [];
    };
    const further: LaterSteps[] = followUp ? [(tx) => followUp.steps(tx, ids())] : [];
    const after = hooks.flatMap((each, index) => each.steps(writes[index]?.id ?? 0));
    return Promise.resolve({
      subjects: [...writes.map(({ subject }) => subject), ...(followUp ? [followUp.subject] : [])],
      steps: [...writes.map(({ row }) => row), ...further, ...after, read],
      answer: () => answers,
    });
  }).catch((error: unknown) => {
    throw followUp ? followUp.explained(error) : error;
  });
  for (const each of hooks) await each.committed();
  await followUp?.committed();
  return made;
}

/** Plans an update of an entry; the result is the updated file. */
function changePlan(
  context: UploadContext,
  { subject, id, row }: FileWrite,
  { call, further }: { readonly call: CallContext; readonly further: readonly Step[] },
): WritePlan<FlatFile> {
  let after: FlatFile | undefined;
  const read: LaterSteps = async (tx) => {
    after = await readFile(tx, context, call, id);
    return [];
  };
  const answer = (): FlatFile => {
    if (!after) throw new NotFoundError();
    return after;
  };
  return { subjects: [subject], steps: [row, ...further, read], answer };
}

/** Updates name, alternative text and caption of a file. Throws NotFoundError. */
export async function changeInfo(
  context: UploadContext,
  id: number,
  given: FileInfo,
  call: CallContext,
): Promise<FlatFile> {
  const info = await beforeChange(context, call, { id, info: given });
  const hooks = entryHooks(context.hooked, 'afterUpdate', call);
  const after = await context.database.write(({ dialect }) => {
    const row = updateFile(dialect, context, id, info);
    return Promise.resolve(changePlan(context, row, { call, further: hooks.steps(id) }));
  });
  await hooks.committed();
  return after;
}

interface Replacement extends Pick<NewFiles, 'call' | 'client'> {
  readonly file: ArrivedFile;
  readonly info: FileInfo;
}

/** Replaces the bytes of a file, with the same checks as an upload. The stored name changes, too. Throws NotFoundError. */
export async function replaceFile(
  context: UploadContext,
  id: number,
  { file, info: given, call, client }: Replacement,
): Promise<FlatFile> {
  let info = given;
  const stored = await storeFiles(context, [file], {
    client,
    known: async ([known]) => {
      info = await beforeChange(context, call, { id, info: given, known });
    },
  });
  const values = stored[0]?.values;
  const hooks = entryHooks(context.hooked, 'afterUpdate', call);
  let before: string[] = [];
  const after = await withEntries(context, stored, async (tx) => {
    await lockFile(tx, context, id);
    const old = await readFile(tx, context, call, id);
    before = storedNames(context, old);
    const change = { ...values, ...info, name: info.name ?? String(old['name']) };
    const further = [...releaseFiles(context.storage.provider, before), ...hooks.steps(id)];
    return changePlan(context, updateFile(tx.dialect, context, id, change), { call, further });
  });
  await removeReleased(context, before);
  await hooks.committed();
  return after;
}

/** Deletes a file: first its entry, then its bytes. Returns the deleted file. Throws NotFoundError. */
export async function removeFile(context: UploadContext, id: number, call: CallContext): Promise<FlatFile> {
  const { database, fileType, hooked } = context;
  const [removed] = await removeThrough<undefined, FlatFile>(hooked, call, {
    read: () => Promise.resolve(undefined),
    find: () => findEntries(database, fileType, sql`t.id = ${id}`),
    isSilent: false,
    async remove() {
      const file = await withoutBytes(context, id, call, (tx) => readFile(tx, context, call, id));
      if (!file) throw new NotFoundError();
      return [file];
    },
  });
  if (!removed) throw new NotFoundError();
  return removed;
}

/** Removes the files of a failed request, unless other entries refer to them by now. */
export async function removeUploaded(
  context: UploadContext,
  files: readonly FlatFile[],
  call: CallContext,
): Promise<void> {
  for (const file of files) {
    await withoutBytes(context, file.id, call, async (tx) => {
      const stays = !(await hasFile(tx, context, file.id)) || (await isReferenced(tx, context, file.id));
      return stays ? undefined : file;
    });
  }
}
