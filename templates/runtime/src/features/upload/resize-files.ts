/** Makes the smaller versions of stored images anew, as the schema says now. */
import type { Client } from '../../base/client.ts';
import { NotFoundError } from '../../contract/errors.ts';
import { type Reached, saveThrough } from '../../entries/door.ts';
import type { CallContext } from '../../query/entry-request.ts';
import { sql } from '../../database/sql.ts';
import { discard } from '../../storage/temp-folder.ts';
import type { UploadContext } from './context.ts';
import { changePlan, readFile, storedNames, withBytes } from './files-service.ts';
import type { View } from './focus/cut-image.ts';
import { lockFile, updateFile } from './file-rows.ts';
import type { FlatFile } from './flat-file.ts';
import { type ImageCopy, makeVersions, type Versions } from './image-formats.ts';
import { announceFiles, releaseFiles } from './pending-files.ts';
import { removeAnnounced, removeReleased } from './remove-bytes.ts';
import { formatValues, type FormatValues } from './store-files.ts';

/** Rows read at once. */
const PAGE = 100;

/** `missing`: the bytes of the image are not in this storage. `changed`: it was replaced or deleted meanwhile. */
export type Resized = 'made' | 'missing' | 'changed';

export type Formats = Readonly<Record<string, FormatValues>>;

export interface Made {
  readonly formats: Formats | null;
  /** Names of files that were not there before. */
  readonly added: readonly string[];
}

export function nameOf({ hash, ext }: Pick<FormatValues, 'hash' | 'ext'>): string {
  return `${hash}${ext}`;
}

function viewOf({ focalPoint, crop }: FlatFile): View {
  return { focalPoint: focalPoint ?? undefined, crop: crop ?? undefined } as View;
}

/** Whether the sizes of two files show the same part of the image. */
export function hasSameCrop(one: FlatFile, other: FlatFile): boolean {
  const [a, b] = [viewOf(one).crop, viewOf(other).crop];
  return a?.x === b?.x && a?.y === b?.y && a?.width === b?.width && a?.height === b?.height;
}

/** Whether versions that were made of a file are still those that it should have. */
export function isSameImage(now: FlatFile, before: FlatFile): boolean {
  const [one, other] = [viewOf(now).focalPoint, viewOf(before).focalPoint];
  return now['hash'] === before['hash'] && one?.x === other?.x && one?.y === other?.y && hasSameCrop(now, before);
}

/** The end of the stored name that a version has now. */
function presentEnd(file: FlatFile, size: string): string {
  const hash = (file['formats'] as Formats | null)?.[size]?.hash ?? '';
  const start = `${size}_${String(file['hash'])}`;
  return hash.startsWith(start) ? hash.slice(start.length) : '';
}

/** Stores copies: those that replace one by the same name keep its address. `endOf` gives them other names. */
export async function putCopies(
  context: UploadContext,
  file: FlatFile,
  copies: readonly ImageCopy[],
  endOf = (size: string): string => presentEnd(file, size),
): Promise<Made> {
  const { storage, database } = context;
  const of = { name: String(file['name']), hash: String(file['hash']), endOf };
  const values = copies.map((copy) => ({ copy, format: formatValues(context, copy, of) }));
  const known = new Set(storedNames(context, file));
  const added = values.map(({ format }) => nameOf(format)).filter((name) => !known.has(name));
  await announceFiles(database, storage.provider, added);
  try {
    for (const { copy, format } of values) await storage.put(nameOf(format), copy.file);
  } catch (error) {
    await removeAnnounced(context, added);
    throw error;
  }
  const formats = Object.fromEntries(values.map(({ copy, format }) => [copy.key, format] as const));
  return { formats: values.length > 0 ? formats : null, added };
}

/** Makes the versions of a stored image; undefined if its bytes are not in this storage. Throws ClientGoneError. */
export async function versionsOf(
  context: UploadContext,
  file: FlatFile,
  client?: Client,
): Promise<Versions | undefined> {
  const { sharp, storage, temp, settings } = context;
  if (!sharp) throw new Error('Resizing needs the package sharp. Run npm install sharp, and then try again.');
  const { hash, ext, mime, width, height } = file as Readonly<Record<string, unknown>>;
  const opened = await storage.open(`${String(hash)}${String(ext)}`);
  if (!opened) return undefined;
  const source = await temp.write(await opened.read(undefined));
  try {
    const dimensions = { width: Number(width), height: Number(height) };
    const image = {
      path: source.path,
      mime: String(mime),
      ext: String(ext),
      dimensions,
      ...viewOf(file),
    };
    return await makeVersions(image, { ...context, sharp, maxPixels: settings.maxPixels, client });
  } finally {
    await discard([source.path]);
  }
}

interface Remade extends Made {
  readonly placeholder: string | null;
}

/** Puts the versions of a file in place of the former ones, whose bytes are removed after the commit. */
async function replaceVersions(context: UploadContext, file: FlatFile, made: Remade, call: CallContext): Promise<void> {
  const { provider } = context.storage;
  const stays = new Set([
    `${String(file['hash'])}${String(file['ext'])}`,
    ...Object.values(made.formats ?? {}).map(nameOf),
  ]);
  let gone: string[] = [];
  const stored = [{ storedNames: made.added }];
  const afterCommit = (): unknown => removeReleased(context, gone);
  await saveThrough<undefined, Reached, Remade, FlatFile>(context.hooked, call, {
    read: () => Promise.resolve(undefined),
    resolve: () => Promise.resolve({ row: file.id }),
    prepare: () => Promise.resolve(made),
    write: (_, { formats, placeholder }) =>
      withBytes(context, stored, { call, afterCommit }, async (tx, run) => {
        await lockFile(tx, context, file.id);
        const now = await readFile(tx, context, call, file.id);
        if (!isSameImage(now, file)) throw new NotFoundError();
        gone = storedNames(context, now).filter((name) => !stays.has(name));
        const hooks = run.hooks('afterUpdate');
        const values = { formats, ...(context.placeholderOf && { placeholder }) };
        const row = updateFile(tx.dialect, context, file.id, values);
        return changePlan(context, row, { call, further: releaseFiles(provider, gone), hooks });
      }),
  });
}

async function resizeFile(context: UploadContext, id: number, call: CallContext): Promise<Resized> {
  const file = await readFile(context.database, context, call, id);
  const versions = await versionsOf(context, file);
  if (!versions) return 'missing';
  const { copies, placeholder } = versions;
  try {
    await replaceVersions(context, file, { ...(await putCopies(context, file, copies)), placeholder }, call);
    return 'made';
  } catch (error) {
    if (error instanceof NotFoundError) return 'changed';
    throw error;
  } finally {
    await discard(copies.map((copy) => copy.file.path));
  }
}

/** The ids of images in this storage, after `after`. */
async function imagesAfter({ database, fileType, storage }: UploadContext, after: number): Promise<readonly number[]> {
  const { id: quote } = database.dialect;
  const rows = await database.all(
    sql`SELECT id FROM ${quote(fileType.table)} WHERE id > ${after} AND width IS NOT NULL AND provider = ${storage.provider} ORDER BY id LIMIT ${PAGE}`,
  );
  return rows.map(({ id }) => Number(id));
}

/** Resizes all images, one after the other. A server may be running. */
export async function* resizeAll(
  context: UploadContext,
  call: CallContext,
): AsyncGenerator<{ readonly id: number; readonly result: Resized }> {
  let ids = await imagesAfter(context, 0);
  while (ids.length > 0) {
    for (const id of ids) yield { id, result: await resizeFile(context, id, call) };
    ids = await imagesAfter(context, ids.at(-1) ?? 0);
  }
}
