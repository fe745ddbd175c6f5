/** From files that have arrived to bytes in the storage: what they are is checked first, for all of them together. */
import { randomBytes } from 'node:crypto';
import { ValidationError, type ErrorPath, type Issue } from '../../contract/errors.ts';
import type { UploadContext } from './context.ts';
import { detectType } from './detect-type.ts';
import { cleanName } from './file-info.ts';
import { extensionOf, isTaken } from '../../contract/file-kinds.ts';
import { makeCopies, type ImageCopy } from './image-formats.ts';
import { dimensionsOf, type Dimensions } from './image-size.ts';
import type { FormFile } from './multipart.ts';
import { announceFiles } from './pending-files.ts';
import { removeAnnounced } from './remove-bytes.ts';
import { discard } from '../../storage/temp-folder.ts';

/** A file of a request, and where the client finds it in its request. */
export interface ArrivedFile {
  readonly file: FormFile;
  readonly path: ErrorPath;
}

/** A smaller copy as the entry of its file describes it: Strapi's names. */
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

/** The values of an entry of the type `file` that we know. */
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
}

/** A file whose bytes are in the storage, not in the database yet. */
export interface StoredFile {
  readonly values: FileValues;
  /** All names under which the storage holds something of it. */
  readonly storedNames: readonly string[];
}

interface KnownFile {
  readonly file: FormFile;
  readonly mime: string;
  readonly ext: string;
  readonly dimensions: Dimensions | undefined;
}

/** Of a number of bytes, as entries say it. */
export function kilobytes(bytes: number): number {
  return Math.round(bytes / 10) / 100;
}

const SAFE_EXTENSION = /^[a-z0-9]{1,10}$/u;

function extensionFor(mime: string, detected: string | undefined): string {
  const known = extensionOf(mime);
  if (known !== undefined) return known;
  return detected !== undefined && SAFE_EXTENSION.test(detected) ? `.${detected}` : '.bin';
}

/** What a file is, or why it is refused. */
async function inspect({ settings }: UploadContext, { file, path }: ArrivedFile): Promise<KnownFile | Issue> {
  const { temp } = file;
  const name = cleanName(file.filename) || 'a file';
  if (temp.size === 0) return { path, message: `${name} is empty` };
  const type = await detectType(file);
  if (!type || !isTaken(type.mime, settings.allowedTypes)) {
    return {
      path,
      message: `${name} can't be uploaded: its type, ${type?.mime ?? 'which is unknown'}, is not allowed`,
    };
  }
  const dimensions = await dimensionsOf(type.mime, temp.head);
  if (dimensions && dimensions.width * dimensions.height > settings.maxPixels) {
    return { path, message: `${name} has more than ${settings.maxPixels} pixels` };
  }
  return { file, mime: type.mime, ext: extensionFor(type.mime, type.extension), dimensions };
}

async function inspectAll(context: UploadContext, files: readonly ArrivedFile[]): Promise<KnownFile[]> {
  const known: KnownFile[] = [];
  const issues: Issue[] = [];
  for (const file of files) {
    const found = await inspect(context, file);
    if ('message' in found) issues.push(found);
    else known.push(found);
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return known;
}

function formatValues(
  { storage }: UploadContext,
  copy: ImageCopy,
  of: Pick<FileValues, 'name' | 'hash' | 'ext' | 'mime'>,
): FormatValues {
  const hash = `${copy.format}_${of.hash}`;
  return {
    name: `${copy.format}_${of.name}`,
    hash,
    ext: of.ext,
    mime: of.mime,
    path: null,
    width: copy.width,
    height: copy.height,
    size: kilobytes(copy.file.size),
    url: storage.urlOf(`${hash}${of.ext}`),
  };
}

async function copiesOf(context: UploadContext, { file, mime, dimensions }: KnownFile): Promise<ImageCopy[]> {
  const { sharp, temp, settings } = context;
  if (!sharp || !dimensions) return [];
  return makeCopies(file.temp.path, { mime, size: dimensions }, { sharp, temp, maxPixels: settings.maxPixels });
}

/** A file whose bytes are to be put into the storage: it, and its copies, by their names there. */
interface PreparedFile {
  readonly values: FileValues;
  readonly puts: readonly (readonly [name: string, file: ImageCopy['file']])[];
  /** Temporary files of the copies. */
  readonly copies: readonly string[];
}

/** Gives a file its random name, and makes its copies. */
async function prepare(context: UploadContext, known: KnownFile): Promise<PreparedFile> {
  const { storage } = context;
  const { file, mime, ext, dimensions } = known;
  const base = { name: cleanName(file.filename) || `file${ext}`, hash: randomBytes(16).toString('hex'), ext, mime };
  const copies = await copiesOf(context, known);
  const formats = copies.map((copy) => [copy.format, formatValues(context, copy, base)] as const);
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
    },
    puts: [...copies.map((copy) => [`${copy.format}_${name}`, copy.file] as const), [name, file.temp]],
    copies: copies.map((copy) => copy.file.path),
  };
}

/** Puts the bytes of files into the storage, under names that are in the journal by then. */
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

/** Refuses files by what they are, before anything of them is stored: throws. */
export type CheckFiles = (files: readonly FileValues[]) => void;

/**
 * Stores the files of a request; their names are announced, and the transaction that makes entries of them has to settle them.
 * Throws ValidationError with all that are refused; then, as after any error, nothing stays.
 */
export async function storeFiles(
  context: UploadContext,
  files: readonly ArrivedFile[],
  check?: CheckFiles,
): Promise<StoredFile[]> {
  const known = await inspectAll(context, files);
  const prepared: PreparedFile[] = [];
  try {
    for (const file of known) prepared.push(await prepare(context, file));
    check?.(prepared.map(({ values }) => values));
    return await putAll(context, prepared);
  } finally {
    await discard(prepared.flatMap(({ copies }) => copies));
  }
}
