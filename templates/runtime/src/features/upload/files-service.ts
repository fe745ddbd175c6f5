/** Creates, reads, updates and deletes files, bytes and entry together. Results are flat, as in Strapi. */
import type { Executor } from '../../database/executor.ts';
import type { LaterSteps, Step, Subject, Transaction, WritePlan } from '../../database/write-plan.ts';
import { sql } from '../../database/sql.ts';
import { NotFoundError, ServiceUnavailableError } from '../../contract/errors.ts';
import { hasHook } from '../../entries/hooks.ts';
import type { EntryHooks } from '../../entries/after-hook.ts';
import { listToJson } from '../../http/long-lists.ts';
import { type Reached, removeThrough, saveThrough } from '../../entries/door.ts';
import { type Execution, runWrite, type WriteRun } from '../../entries/run-write.ts';
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
import { keepFiles, releaseFiles, settleFiles } from './pending-files.ts';
import { removeAnnounced, removeReleased } from './remove-bytes.ts';
import { beforeChange, beforeFiles, shownFiles } from './file-hooks.ts';
import type { ArrivedFile } from './inspect-files.ts';
import { DAY_MS } from './sweeper.ts';
import { type FileValues, type StoredFile, storeFiles, type StoreOptions } from './store-files.ts';

export async function readFile(tx: Executor, context: UploadContext, call: CallContext, id: number): Promise<FlatFile> {
  const { reader, fileType } = context;
  const request = { ...call, query: EMPTY_QUERY, format: flatFormat(fileType) };
  return flatFile(entryAnswer(await reader.entry(tx, await reader.check(fileType, request), id)).entry());
}

/** The stored names of an entry's file and of its formats. */
export function storedNames({ storage }: UploadContext, file: FlatFile): string[] {
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
 * Executes a plan that settles stored files. If it fails, removes their bytes, unless the outcome is unknown: a commit whose response
 * was lost may have succeeded, and then the entries exist. Those files are left to the sweeper.
 */
export async function withBytes<T>(
  context: UploadContext,
  stored: readonly Pick<StoredFile, 'storedNames'>[],
  execution: Execution,
  plan: (tx: Transaction, run: WriteRun) => Promise<WritePlan<T>>,
): Promise<T> {
  const names = stored.flatMap((file) => file.storedNames);
  try {
    return await runWrite(context.hooked, execution, async (tx, run) => {
      const planned = await plan(tx, run);
      return { ...planned, steps: [...settleFiles(names), ...planned.steps] };
    });
  } catch (error) {
    if (!(error instanceof ServiceUnavailableError)) await removeAnnounced(context, names);
    throw error;
  }
}

interface Removal {
  /** Whether the trash doesn't keep the file. */
  readonly isFinal?: true;
  /** Nothing is deleted if it finds nothing. */
  find(tx: Executor): Promise<FlatFile | undefined>;
}

/** Deletes the entry of a file, and its bytes after the commit, unless the trash keeps them. Resolves to undefined if none was found. */
async function withoutBytes(
  context: UploadContext,
  id: number,
  call: CallContext,
  { isFinal, find }: Removal,
): Promise<FlatFile | undefined> {
  const { storage, hooked, fileType } = context;
  const trash = isFinal ? undefined : fileType.trash;
  let names: string[] = [];
  const afterCommit = (): unknown => trash === undefined && names.length > 0 && removeReleased(context, names);
  return runWrite(hooked, { call, afterCommit }, async (tx, run): Promise<WritePlan<FlatFile | undefined>> => {
    names = [];
    await lockFile(tx, context, id);
    const file = await find(tx);
    if (!file) return { subjects: [], steps: [], answer: () => undefined };
    names = storedNames(context, file);
    const { subject, row, before } = deleteFile(tx.dialect, context, id);
    const hooks = run.hooks('afterDelete');
    const bytes =
      trash === undefined
        ? releaseFiles(storage.provider, names)
        : keepFiles(storage.provider, names, Date.now() + trash * DAY_MS);
    const steps = [...hooks.before(id), ...before, row, ...bytes, ...hooks.after(id)];
    return { subjects: [{ ...subject, ...(isFinal && { isFinal }) }], steps, answer: () => file };
  });
}

/** The update of an entry in the transaction that creates files for it. */
export interface AttachedUpdate {
  readonly subject: Subject;
  /** Refuses files before they are stored. */
  check(files: readonly FileValues[]): void;
  steps(tx: Transaction, run: WriteRun, ids: readonly number[]): Promise<readonly Step[]>;
  /** The error to throw if the transaction fails with `error`. */
  explained(error: unknown): unknown;
}

export interface NewFiles {
  readonly files: readonly ArrivedFile[];
  readonly infos: readonly FileInfo[];
  readonly call: CallContext;
  readonly client?: StoreOptions['client'];
  readonly attached?: AttachedUpdate;
}

/** Files whose bytes are stored, with their infos. */
interface StoredFiles {
  readonly stored: readonly StoredFile[];
  readonly infos: readonly FileInfo[];
}

/** Throws ForbiddenError for callers who may not know of folders, and ValidationError for folders that are not there. */
export async function requireFolders(
  tx: Executor,
  { folders }: UploadContext,
  infos: readonly FileInfo[],
  { caller }: CallContext,
): Promise<void> {
  const named = new Set(infos.flatMap(({ folder }) => folder ?? []));
  if (named.size > 0) folders?.permit(caller);
  // In the order of their ids, as all are locked when the tree changes.
  for (const id of [...named].toSorted((a, b) => a - b)) await folders?.require(tx, id);
}

function insertFiles(
  context: UploadContext,
  { stored, infos }: StoredFiles,
  { call, attached }: NewFiles,
): Promise<FlatFile[]> {
  return withBytes(context, stored, { call }, async (tx, run) => {
    const { dialect } = tx;
    await requireFolders(tx, context, infos, call);
    const writes = stored.map(({ values }, index) =>
      insertFile(dialect, context, values, { info: infoOf(infos, index), caller: call.caller }),
    );
    const ids = (): number[] => writes.map(({ id }) => id.value);
    const answers: FlatFile[] = [];
    const read: LaterSteps = async (inside) => {
      for (const id of ids()) answers.push(await readFile(inside, context, call, id));
      return [];
    };
    const attach: LaterSteps[] = attached ? [(inside) => attached.steps(inside, run, ids())] : [];
    const after = writes.flatMap(({ id }) => run.hooks('afterCreate').after(id));
    return {
      subjects: [...writes.map(({ subject }) => subject), ...(attached ? [attached.subject] : [])],
      steps: [...writes.map(({ row }) => row), ...attach, ...after, read],
      answer: () => answers,
    };
  }).catch((error: unknown) => {
    throw attached ? attached.explained(error) : error;
  });
}

/** Stores files and creates their entries, atomically. */
export async function createFiles(context: UploadContext, request: NewFiles): Promise<FlatFile[]> {
  const { files, call, client, attached } = request;
  const { entry } = await saveThrough<undefined, Reached, StoredFiles, FlatFile[]>(context.hooked, call, {
    read: () => Promise.resolve(undefined),
    resolve: () => Promise.resolve({ row: undefined }),
    async prepare() {
      let { infos } = request;
      const stored = await storeFiles(context, files, {
        client,
        known: async (known) => {
          infos = await beforeFiles(context, call, known, infos);
        },
        prepared: attached && ((values) => attached.check(values)),
      });
      return { stored, infos };
    },
    write: (_, stored) => insertFiles(context, stored, request),
  });
  return entry;
}

/** Plans an update of an entry; the result is the updated file. */
export function changePlan(
  context: UploadContext,
  { subject, id, row }: FileWrite,
  {
    call,
    further = [],
    hooks,
  }: { readonly call: CallContext; readonly further?: readonly Step[]; readonly hooks: EntryHooks },
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
  const steps = [...hooks.before(id), row, ...further, ...hooks.after(id), read];
  return { subjects: [subject], steps, answer };
}

/** Writes to an existing file through the door. The write throws NotFoundError if it does not exist. */
export async function saveFile<Input>(
  context: UploadContext,
  id: number,
  call: CallContext,
  door: { prepare(): Promise<Input>; write(input: Input): Promise<FlatFile> },
): Promise<FlatFile> {
  const { entry } = await saveThrough<undefined, Reached, Input, FlatFile>(context.hooked, call, {
    read: () => Promise.resolve(undefined),
    resolve: () => Promise.resolve({ row: id }),
    prepare: () => door.prepare(),
    write: (_, input) => door.write(input),
  });
  return entry;
}

/** Updates name, alternative text and caption of a file. Throws NotFoundError. */
export function changeInfo(context: UploadContext, id: number, sent: FileInfo, call: CallContext): Promise<FlatFile> {
  return saveFile(context, id, call, {
    prepare: () => beforeChange(context, call, { id, info: sent }),
    write: (info) =>
      runWrite(context.hooked, { call }, async (tx, run) => {
        await requireFolders(tx, context, [info], call);
        const row = updateFile(tx.dialect, context, id, info);
        return changePlan(context, row, { call, hooks: run.hooks('afterUpdate') });
      }),
  });
}

interface Replacement extends Pick<NewFiles, 'call' | 'client'> {
  readonly file: ArrivedFile;
  readonly info: FileInfo;
}

function replaceBytes(
  context: UploadContext,
  id: number,
  { stored, infos }: StoredFiles,
  call: CallContext,
): Promise<FlatFile> {
  const values = stored[0]?.values;
  const info = infoOf(infos, 0);
  let before: string[] = [];
  const afterCommit = (): unknown => removeReleased(context, before);
  return withBytes(context, stored, { call, afterCommit }, async (tx, run) => {
    await requireFolders(tx, context, infos, call);
    await lockFile(tx, context, id);
    const old = await readFile(tx, context, call, id);
    before = storedNames(context, old);
    const change = { ...values, ...info, name: info.name ?? String(old['name']) };
    const further = releaseFiles(context.storage.provider, before);
    const hooks = run.hooks('afterUpdate');
    return changePlan(context, updateFile(tx.dialect, context, id, change), { call, further, hooks });
  });
}

/** Replaces the bytes of a file, with the same checks as an upload. The stored name changes, too. Throws NotFoundError. */
export function replaceFile(
  context: UploadContext,
  id: number,
  { file, info: sent, call, client }: Replacement,
): Promise<FlatFile> {
  return saveFile<StoredFiles>(context, id, call, {
    async prepare() {
      let info = sent;
      const stored = await storeFiles(context, [file], {
        client,
        known: async ([known]) => {
          info = await beforeChange(context, call, { id, info: sent, known });
        },
      });
      return { stored, infos: [info] };
    },
    write: (stored) => replaceBytes(context, id, stored, call),
  });
}

/** Deletes a file: first its entry, then its bytes. Returns the deleted file. Throws NotFoundError. */
export async function removeFile(context: UploadContext, id: number, call: CallContext): Promise<FlatFile> {
  const { database, fileType, hooked } = context;
  const [removed] = await removeThrough<undefined, FlatFile>(hooked, call, {
    read: () => Promise.resolve(undefined),
    find: () => findEntries(database, fileType, sql`t.id = ${id}`),
    isSilent: false,
    async remove() {
      const file = await withoutBytes(context, id, call, { find: (tx) => readFile(tx, context, call, id) });
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
    const find = async (tx: Executor): Promise<FlatFile | undefined> => {
      const stays = !(await hasFile(tx, context, file.id)) || (await isReferenced(tx, context, file.id));
      return stays ? undefined : file;
    };
    await withoutBytes(context, file.id, call, { isFinal: true, find });
  }
}
