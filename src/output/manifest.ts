/** `content-gen.manifest.json`, committed with the project: the owner of each file, and hashes of what was written. */
import type { Ownership } from '../files/generated-file.ts';
import { normalizeLineEnds } from '../files/hash.ts';
import { byCodePoint, isProjectPath } from './project-path.ts';

/** The record of a file. Files owned by the team (`once`) have no hashes, since their content doesn't matter. */
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

const FORMAT = 1;
const HASH = /^[0-9a-f]{64}$/;
const OWNERS: ReadonlySet<unknown> = new Set<Ownership>(['managed', 'once', 'history']);

/** The text of a manifest: one line per file, sorted by code points, so that branches rarely conflict. */
export function printManifest({ generator, records }: Manifest): string {
  const lines = [...records]
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([path, record]) => `    ${JSON.stringify(path)}: ${printRecord(record)}`);
  const files = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
  return `{\n  "format": ${FORMAT},\n  "generator": ${JSON.stringify(generator)},\n  "files": ${files}\n}\n`;
}

function printRecord(record: FileRecord): string {
  if (record.owner === 'once') return '{ "owner": "once" }';
  const shape = record.shape === undefined ? '' : `, "shape": "${record.shape}"`;
  return `{ "owner": "${record.owner}", "source": "${record.source}", "content": "${record.content}"${shape} }`;
}

/** Parses a manifest that anybody may have edited. Unsafe paths or malformed records make it unreadable as a whole. */
export function parseManifest(text: string | undefined): ManifestState {
  if (text === undefined) return { kind: 'absent' };
  if (/^<{7} /m.test(text)) return parseMerged(normalizeLineEnds(text));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'unreadable' };
  }
  if (!isObject(value)) return { kind: 'unreadable' };
  if (typeof value.format === 'number' && value.format > FORMAT) return { kind: 'newer' };
  if (value.format !== FORMAT || typeof value.generator !== 'string' || !isObject(value.files)) {
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

/**
 * Reads both sides of an unresolved merge, which one line per file makes possible: a file may have the content of
 * either side.
 */
function parseMerged(text: string): ManifestState {
  const records = new Map<string, FileRecord>();
  for (const [, key, entry] of text.matchAll(/^ {4}("(?:[^"\\]|\\.)*"): (\{.*\}),?$/gm)) {
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
  if (!isProjectPath(path) || !isObject(value) || !OWNERS.has(value.owner)) return undefined;
  if (value.owner === 'once') return { owner: 'once' };
  const { source, content, shape } = value;
  if (typeof source !== 'string' || typeof content !== 'string' || !HASH.test(source) || !HASH.test(content)) {
    return undefined;
  }
  return {
    owner: value.owner === 'history' ? 'history' : 'managed',
    source,
    content,
    ...(typeof shape === 'string' && HASH.test(shape) ? { shape } : {}),
  };
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
  return record.content === content || (record.otherContents?.includes(content) ?? false);
}

/** Whether this shape is that of what the generator wrote, so that only the formatting differs. */
export function isShapeOf(record: FileRecord | undefined, shape: string): boolean {
  if (record?.owner !== 'managed') return false;
  return record.shape === shape || (record.otherShapes?.includes(shape) ?? false);
}
