/** Moves received files into the storage. All files of a request are checked before any is stored. */
import { randomBytes } from 'node:crypto';
import { CROP_ATTRIBUTE } from '../../contract/crop.ts';
import { FOCAL_POINT_ATTRIBUTE } from '../../contract/focal-point.ts';
import type { Client } from '../../base/client.ts';
import type { UploadContext } from './context.ts';
import { cleanName } from './file-info.ts';
import { type ImageCopy, makeVersions, type Versions } from './image-formats.ts';
import { type ArrivedFile, inspectFiles, kilobytes, type KnownFile } from './inspect-files.ts';
import { announceFiles } from './pending-files.ts';
import { removeAnnounced } from './remove-bytes.ts';
import { discard } from '../../storage/temp-folder.ts';

/** A resized version in `formats` of an entry, with the keys of Strapi. */
export interface FormatValues {
  readonly name: string;
  readonly hash: string;
  readonly ext: string;
  readonly mime: string;
  readonly path: null;
  readonly width: number;
  readonly height: number;
  /** In kilobytes. */
  readonly size: number;
  readonly url: string;
}

/** The values of an entry of the type `file` that the server sets. */
export interface FileValues {
  readonly name: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly formats: Readonly<Record<string, FormatValues>> | null;
  readonly hash: string;
  readonly ext: string;
  readonly mime: string;
  /** In kilobytes. */
  readonly size: number;
  readonly url: string;
  readonly provider: string;
  /** Null for a new image, if images have them. */
  readonly focalPoint?: null;
  readonly crop?: null;
  /** If images have placeholders. */
  readonly placeholder?: string | null;
}

/** A file whose bytes are stored, but which has no entry yet. */
export interface StoredFile {
  readonly values: FileValues;
  /** The stored names of the file and its formats. */
  readonly storedNames: readonly string[];
}

/** What a version is named after. */
interface VersionOf extends Pick<FileValues, 'name' | 'hash'> {
  /** The end of the stored name of a version; none by default. Stored names with one end like imported ones. */
  readonly endOf?: (size: string) => string;
}

export function formatValues(
  { storage }: Pick<UploadContext, 'storage'>,
  copy: ImageCopy,
  of: VersionOf,
): FormatValues {
  const hash = `${copy.name}_${of.hash}${of.endOf?.(copy.name) ?? ''}`;
  return {
    name: `${copy.name}_${of.name}`,
    hash,
    ext: copy.ext,
    mime: copy.mime,
    path: null,
    width: copy.width,
    height: copy.height,
    size: kilobytes(copy.file.size),
    url: storage.urlOf(`${hash}${copy.ext}`),
  };
}

async function versionsOf(
  context: UploadContext,
  { file, mime, ext, dimensions }: KnownFile,
  client: Client | undefined,
): Promise<Versions> {
  const { sharp, settings } = context;
  if (!sharp || !dimensions) return { copies: [], placeholder: null };
  const source = { path: file.temp.path, mime, ext, dimensions };
  return makeVersions(source, { ...context, sharp, maxPixels: settings.maxPixels, client });
}

/** A file that is ready to be stored, with its formats. */
interface PreparedFile {
  readonly values: FileValues;
  readonly puts: readonly (readonly [name: string, file: ImageCopy['file']])[];
  /** The temporary files of the formats. */
  readonly copies: readonly string[];
}

/** Whether images have focal points. */
export function hasFocalPoint({ fileType }: Pick<UploadContext, 'fileType'>): boolean {
  return fileType.attributes[FOCAL_POINT_ATTRIBUTE] !== undefined;
}

/** Whether images have crops. */
export function hasCrop({ fileType }: Pick<UploadContext, 'fileType'>): boolean {
  return fileType.attributes[CROP_ATTRIBUTE] !== undefined;
}

/** Generates the stored name of a file, and its formats. */
async function prepare(context: UploadContext, known: KnownFile, client: Client | undefined): Promise<PreparedFile> {
  const { storage } = context;
  const { file, mime, ext, dimensions } = known;
  const base = { name: cleanName(file.filename) || `file${ext}`, hash: randomBytes(16).toString('hex'), ext, mime };
  const { copies, placeholder } = await versionsOf(context, known, client);
  const formats = copies.map((copy) => [copy.key, formatValues(context, copy, base)] as const);
  const name = `${base.hash}${ext}`;
  return {
    values: {
      ...base,
      width: dimensions?.width ?? null,
      height: dimensions?.height ?? null,
      formats: copies.length > 0 ? Object.fromEntries(formats) : null,
      size: kilobytes(file.temp.size),
      url: storage.urlOf(name),
      provider: storage.provider,
      // What of a new image is to be seen, nobody has said yet.
      ...(hasFocalPoint(context) && { focalPoint: null }),
      ...(hasCrop(context) && { crop: null }),
      ...(context.placeholderOf && { placeholder }),
    },
    puts: [...copies.map((copy) => [`${copy.name}_${base.hash}${copy.ext}`, copy.file] as const), [name, file.temp]],
    copies: copies.map((copy) => copy.file.path),
  };
}

/** Stores the bytes of files, after adding their names to the journal. */
async function putAll(context: UploadContext, prepared: readonly PreparedFile[]): Promise<StoredFile[]> {
  const { storage, database } = context;
  const puts = prepared.flatMap((file) => file.puts);
  const names = puts.map(([name]) => name);
  await announceFiles(database, storage.provider, names);
  try {
    for (const [name, file] of puts) await storage.put(name, file);
  } catch (error) {
    await removeAnnounced(context, names);
    throw error;
  }
  return prepared.map((file) => ({ values: file.values, storedNames: file.puts.map(([name]) => name) }));
}

export interface StoreOptions {
  /** The client that sends the files. If it disconnects before they are stored, none is. */
  readonly client?: Client | undefined;
  // Callbacks that may reject files, by throwing, before they are stored:
  /** Called before formats are generated. */
  readonly known?: (files: readonly KnownFile[]) => Promise<void>;
  readonly prepared?: ((files: readonly FileValues[]) => void) | undefined;
}

/**
 * Stores the files of a request and adds their names to the journal; the transaction that creates their entries has to settle them.
 * Throws a ValidationError that lists all rejected files, and ClientGoneError. After an error, nothing is left behind.
 */
export async function storeFiles(
  context: UploadContext,
  files: readonly ArrivedFile[],
  { client, known: onKnown, prepared: onPrepared }: StoreOptions = {},
): Promise<StoredFile[]> {
  const known = await inspectFiles(context, files);
  await onKnown?.(known);
  const prepared: PreparedFile[] = [];
  try {
    for (const file of known) prepared.push(await prepare(context, file, client));
    onPrepared?.(prepared.map(({ values }) => values));
    return await putAll(context, prepared);
  } finally {
    await discard(prepared.flatMap(({ copies }) => copies));
  }
}
