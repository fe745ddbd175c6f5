/** `content-gen.manifest.json`, committed with the project: the owner of each file, and hashes of what was written. */
import type { Ownership } from '../files/generated-file.ts';
import { normalizeLineEnds } from '../files/hash.ts';
import { byCodePoint, isProjectPath } from './project-path.ts';

/**
 * The record of a file. Files owned by the team (`once`) have no hashes, since their content doesn't matter. Only the first digits of
 * hashes are compared and printed: see `shortHash`.
 */
export type FileRecord =
  | { readonly owner: 'once' }
  | {
      readonly owner: 'managed' | 'history';
      /** Hash of the input that the content was printed from. */
      readonly source: string;
      /** Hash of the content as written. */
      readonly content: string;
      /**
       * Hash of the content regardless of formatting, see `shapeHash`. Absent for files without a shape, and in older
       * manifests.
       */
      readonly shape?: string;
      /**
       * Hashes of other contents written by a generator: the other side of a merge that left conflict markers in the
       * manifest.
       */
      readonly otherContents?: readonly string[];
      /** The shapes of `otherContents`. */
      readonly otherShapes?: readonly string[];
    };

export interface Manifest {
  /**
   * Version and fingerprint of the generator that wrote the files. Another one may print different content from the
   * same source.
   */
  readonly generator: string;
  readonly records: ReadonlyMap<string, FileRecord>;
}

/** The result of reading a manifest. `merged`: it has conflict markers, and both sides were read. */
export type ManifestState =
  | { readonly kind: 'absent' | 'unreadable' | 'newer' }
  | { readonly kind: 'read'; readonly manifest: Manifest }
  /** `generators`: the generators that wrote the two sides. */
  | { readonly kind: 'merged'; readonly manifest: Manifest; readonly generators: readonly string[] };

const FORMAT = 2;

/** Digits of a hash in the manifest: enough to tell versions of one file apart. */
const DIGITS = 16;

/** In manifests of format 1, hashes have all of their 64 digits. */
const HASH = /^[0-9a-f]{16}(?:[0-9a-f]{48})?$/;
const OWNERS: ReadonlySet<unknown> = new Set<Ownership>(['managed', 'once', 'history']);

/** What the manifest keeps of a hash. */
function shortHash(hash: string): string {
  return hash.slice(0, DIGITS);
}

/**
 * The text of a manifest: one line per file, sorted by code points. `.gitattributes` makes git keep the lines of both sides of a
 * merge, which `parseManifest` reads.
 */
export function printManifest({ generator, records }: Manifest): string {
  const lines = [...records]
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([path, record]) => `    ${JSON.stringify(path)}: ${printRecord(record)}`);
  const files = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
  return `{\n  "format": ${FORMAT},\n  "generator": ${JSON.stringify(generator)},\n  "files": ${files}\n}\n`;
}

function printRecord(record: FileRecord): string {
  if (record.owner === 'once') return '"once"';
  const { owner, source, content, shape } = record;
  // Migrations are their own input.
  const hashes = [...(owner === 'history' ? [] : [source]), content, ...(shape === undefined ? [] : [shape])];
  return JSON.stringify([owner, ...hashes.map(shortHash)].join(' '));
}

/** Parses a manifest that anybody may have edited. Unsafe paths or malformed records make it unreadable as a whole. */
export function parseManifest(text: string | undefined): ManifestState {
  if (text === undefined) return { kind: 'absent' };
  const lines = normalizeLineEnds(text);
  if (isMerged(lines)) return parseMerged(lines);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'unreadable' };
  }
  if (!isObject(value)) return { kind: 'unreadable' };
  if (typeof value.format === 'number' && value.format > FORMAT) return { kind: 'newer' };
  if (
    (value.format !== FORMAT && value.format !== 1) ||
    typeof value.generator !== 'string' ||
    !isObject(value.files)
  ) {
    return { kind: 'unreadable' };
  }
  const records = new Map<string, FileRecord>();
  for (const [path, entry] of Object.entries(value.files)) {
    const record = parseRecord(path, entry);
    if (!record) return { kind: 'unreadable' };
    records.set(path, record);
  }
  return { kind: 'read', manifest: { generator: value.generator, records } };
}

/** A line of the manifest: the path and the record of a file. */
const FILE_LINE = /^ {4}("(?:[^"\\]|\\.)*"): (\{.*\}|"[^"]*"),?$/gm;

/** Whether a text has the lines of both sides of a merge: with conflict markers, or as git's `merge=union` leaves them. */
function isMerged(text: string): boolean {
  if (/^<{7} /m.test(text)) return true;
  const paths = [...text.matchAll(FILE_LINE)].map(([, path]) => path);
  const commas = /[^,{]\n {4}"/.test(text);
  return /^ {2}"format": \d+,$/m.test(text) && (commas || new Set(paths).size < paths.length);
}

/**
 * Reads both sides of a merge, which one line per file makes possible: a file may have the content of either side.
 */
function parseMerged(text: string): ManifestState {
  const records = new Map<string, FileRecord>();
  for (const [, key, entry] of text.matchAll(FILE_LINE)) {
    let path: unknown;
    let value: unknown;
    try {
      path = JSON.parse(key ?? '');
      value = JSON.parse(entry ?? '');
    } catch {
      return { kind: 'unreadable' };
    }
    const record = typeof path === 'string' ? parseRecord(path, value) : undefined;
    if (typeof path !== 'string' || !record) return { kind: 'unreadable' };
    records.set(path, joinRecords(records.get(path), record));
  }
  const generators = [...text.matchAll(/^ {2}"generator": "([^"\\]*)",$/gm)].map(([, generator]) => generator ?? '');
  return { kind: 'merged', manifest: { generator: '', records }, generators };
}

function joinRecords(first: FileRecord | undefined, second: FileRecord): FileRecord {
  if (!first || first.owner === 'once' || second.owner === 'once') return second;
  const otherShapes = [...(first.otherShapes ?? []), ...(first.shape === undefined ? [] : [first.shape])];
  return { ...second, otherContents: [...(first.otherContents ?? []), first.content], otherShapes };
}

function parseRecord(path: string, value: unknown): FileRecord | undefined {
  const fields = typeof value === 'string' ? fieldsOf(value) : value;
  if (!isProjectPath(path) || !isObject(fields) || !OWNERS.has(fields.owner)) return undefined;
  if (fields.owner === 'once') return { owner: 'once' };
  const { source, content, shape } = fields;
  if (typeof source !== 'string' || typeof content !== 'string' || !HASH.test(source) || !HASH.test(content)) {
    return undefined;
  }
  return {
    owner: fields.owner === 'history' ? 'history' : 'managed',
    source: shortHash(source),
    content: shortHash(content),
    ...(typeof shape === 'string' && HASH.test(shape) ? { shape: shortHash(shape) } : {}),
  };
}

/** The parts of a record, which manifests of format 1 have as an object. */
function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  const [owner, source, content = source, shape] = text.split(' ');
  return { owner, source, content, shape };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NO_RECORDS: ReadonlyMap<string, FileRecord> = new Map();

/** The records of the manifest; empty if it can't be read. */
export function recordsOf(manifest: ManifestState): ReadonlyMap<string, FileRecord> {
  return 'manifest' in manifest ? manifest.manifest.records : NO_RECORDS;
}

/** Whether this content is what the generator wrote. */
export function isContentOf(record: FileRecord | undefined, content: string): boolean {
  if (!record || record.owner === 'once') return false;
  return [record.content, ...(record.otherContents ?? [])].some((other) => shortHash(other) === shortHash(content));
}

/** Whether a file was printed from an input with this hash. */
export function isSourceOf(record: FileRecord | undefined, source: string): boolean {
  return record !== undefined && record.owner !== 'once' && shortHash(record.source) === shortHash(source);
}

/** Whether this shape is that of what the generator wrote, so that only the formatting differs. */
export function isShapeOf(record: FileRecord | undefined, shape: string): boolean {
  if (record?.owner !== 'managed') return false;
  return [record.shape, ...(record.otherShapes ?? [])].some(
    (other) => other !== undefined && shortHash(other) === shortHash(shape),
  );
}
