/** `content-gen.manifest.json`, committed with the project: who owns each file, and what it was when it was written. */
import type { Ownership } from '../files/generated-file.ts';
import { normalizeLineEnds } from '../files/hash.ts';
import { byCodePoint, isProjectPath } from './project-path.ts';

/** What is known of a file. Files that are the team's (`once`) have no hashes: their content is nobody's business. */
export type FileRecord =
  | { readonly owner: 'once' }
  | {
      readonly owner: 'managed' | 'history';
      /** Of the input that the content was printed from. */
      readonly source: string;
      /** Of the content as written. */
      readonly content: string;
      /** Of the content whatever its formatting, see `shapeHash`. Not of files that have no shape, nor in older manifests. */
      readonly shape?: string;
      /** Further contents that are the generator's: the other sides of a merge that left its markers in the manifest. */
      readonly otherContents?: readonly string[];
      /** Their shapes. */
      readonly otherShapes?: readonly string[];
    };

export interface Manifest {
  /** Version and fingerprint of the generator that wrote the files: another one may print other content from the same source. */
  readonly generator: string;
  readonly records: ReadonlyMap<string, FileRecord>;
}

/** How a manifest was found. `merged`: it holds conflict markers, both sides were read. */
export type ManifestState =
  | { readonly kind: 'absent' | 'unreadable' | 'newer' }
  | { readonly kind: 'read'; readonly manifest: Manifest }
  /** `generators`: which wrote the sides of the merge. */
  | { readonly kind: 'merged'; readonly manifest: Manifest; readonly generators: readonly string[] };

const FORMAT = 1;
const HASH = /^[0-9a-f]{64}$/;
const OWNERS: ReadonlySet<unknown> = new Set<Ownership>(['managed', 'once', 'history']);

/** The manifest's text: one line per file in the order of code points, so that two branches rarely conflict. */
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

/** Reads a manifest that anybody may have edited. Unsafe paths or unknown shapes make it unreadable as a whole. */
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

/** Both sides of an unresolved merge. One line per file makes that possible: a file may have the content of either side. */
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

/** What the manifest records: nothing if it can't be read. */
export function recordsOf(manifest: ManifestState): ReadonlyMap<string, FileRecord> {
  return 'manifest' in manifest ? manifest.manifest.records : NO_RECORDS;
}

/** Whether a file with this content is as the generator wrote it. */
export function isContentOf(record: FileRecord | undefined, content: string): boolean {
  if (!record || record.owner === 'once') return false;
  return record.content === content || (record.otherContents?.includes(content) ?? false);
}

/** Whether a file with this shape is as the generator wrote it, but for its formatting. */
export function isShapeOf(record: FileRecord | undefined, shape: string): boolean {
  if (record?.owner !== 'managed') return false;
  return record.shape === shape || (record.otherShapes?.includes(shape) ?? false);
}
