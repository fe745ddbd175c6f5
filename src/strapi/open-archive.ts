/**
 * Opens a Strapi export: a folder, or a tar that may be compressed and encrypted. Opening reads it to the end, because the version
 * comes last. `read` then reads it again, and yields what is too large to keep in memory.
 */
import { stat } from 'node:fs/promises';
import { ArchiveError } from './archive-error.ts';
import { type ArchiveEntry, type ArchiveSource, entriesOf } from './entries.ts';
import { roleOf } from './entry-name.ts';
import { recognize } from './layers.ts';
import { type ArchiveLimits, DEFAULT_LIMITS } from './limits.ts';
import { type LineLocation, parseJson, splitLines } from './lines.ts';
import {
  readConfiguration,
  readEntity,
  readLink,
  readMetadata,
  readSchema,
  type StrapiConfiguration,
  type StrapiEntity,
  type StrapiLink,
  type StrapiMetadata,
  type StrapiSchema,
} from './records.ts';

/** What `read` yields, in the order of the archive. */
export type ArchiveItem =
  | { readonly kind: 'entity'; readonly entity: StrapiEntity; readonly at: LineLocation }
  | { readonly kind: 'link'; readonly link: StrapiLink; readonly at: LineLocation }
  /** A file, whose bytes can be read once, before the next item. `name` is its stored name: hash and extension. */
  | {
      readonly kind: 'asset';
      readonly name: string;
      readonly size: number;
      readonly read: () => AsyncIterable<Uint8Array>;
    };

/** Numbers of lines and files; `bytes` is the total size of the files. */
export interface ArchiveCounts {
  readonly entities: number;
  readonly links: number;
  readonly assets: number;
  readonly bytes: number;
}

export interface StrapiArchive {
  readonly kind: ArchiveSource['kind'];
  readonly metadata: StrapiMetadata;
  readonly schemas: readonly StrapiSchema[];
  readonly configuration: readonly StrapiConfiguration[];
  readonly counts: ArchiveCounts;
  /** Name of a file → size in bytes. */
  readonly assets: ReadonlyMap<string, number>;
  /**
   * Reads from the beginning. Yields only items of the `wanted` kinds, and only lines that contain the text `containing`. Throws an
   * ArchiveError.
   */
  read(wanted: readonly ArchiveItem['kind'][], containing?: string): AsyncGenerator<ArchiveItem>;
}

export interface OpenOptions {
  /** The passphrase of an encrypted archive. */
  readonly key?: string | undefined;
  readonly limits?: Partial<ArchiveLimits>;
}

async function sourceOf(path: string, key: string | undefined): Promise<ArchiveSource> {
  const found = await stat(path).catch((error: unknown) => {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : String(error);
    throw new ArchiveError('missing-file', `${path} can't be read: ${reason}.`);
  });
  if (found.isDirectory()) return { kind: 'folder', path };
  if (!found.isFile()) throw new ArchiveError('not-an-archive', `${path} is neither a file nor a folder.`);
  return { kind: 'tar', layers: await recognize(path, key) };
}

async function allOf(entry: ArchiveEntry, limits: ArchiveLimits): Promise<Buffer> {
  if (entry.size > limits.kept) {
    throw new ArchiveError('too-large', `${entry.path} has more than ${limits.kept} bytes.`);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* parsedLines(
  entry: ArchiveEntry,
  limits: ArchiveLimits,
  containing?: string,
): AsyncGenerator<readonly [unknown, LineLocation]> {
  for await (const { bytes, line } of splitLines(entry.read(), entry.path, limits)) {
    if (containing !== undefined && !bytes.includes(containing)) continue;
    const at = { file: entry.path, line };
    yield [parseJson(bytes, at, limits), at];
  }
}

/** The result of the first pass. */
interface Findings {
  metadata: StrapiMetadata | undefined;
  readonly schemas: Map<string, StrapiSchema>;
  readonly configuration: StrapiConfiguration[];
  readonly counts: { entities: number; links: number; assets: number; bytes: number };
  readonly assets: Map<string, number>;
  /** To detect duplicates. */
  readonly paths: Set<string>;
  /** Role → index of its last entry: `read` can stop there. */
  readonly last: Map<string, number>;
  kept: number;
}

function countKept(findings: Findings, { path, size }: ArchiveEntry, limits: ArchiveLimits): void {
  findings.kept += size;
  if (findings.kept <= limits.kept) return;
  throw new ArchiveError(
    'too-large',
    `The schemas and the configuration, up to ${path}, have more than ${limits.kept} bytes.`,
  );
}

async function countLines(entry: ArchiveEntry, limits: ArchiveLimits): Promise<number> {
  let count = 0;
  for await (const _ of splitLines(entry.read(), entry.path, limits)) count += 1;
  return count;
}

async function take(findings: Findings, entry: ArchiveEntry, limits: ArchiveLimits): Promise<void> {
  const { counts, paths } = findings;
  const named = roleOf(entry.path);
  const { role } = named;
  if (role === 'other' || role === 'about') return;
  if (paths.has(entry.path)) {
    throw new ArchiveError('double-entry', `The archive has ${entry.path} twice: it is unclear which one is meant.`);
  }
  paths.add(entry.path);
  switch (role) {
    case 'metadata':
      findings.metadata = readMetadata(parseJson(await allOf(entry, limits), { file: entry.path, line: 1 }, limits));
      return;
    case 'schemas':
      countKept(findings, entry, limits);
      for await (const [value, at] of parsedLines(entry, limits)) {
        const schema = readSchema(value, at);
        findings.schemas.set(schema.uid, schema);
      }
      return;
    case 'configuration':
      countKept(findings, entry, limits);
      for await (const [value, at] of parsedLines(entry, limits)) {
        findings.configuration.push(readConfiguration(value, at));
      }
      return;
    case 'entities':
    case 'links':
      counts[role] += await countLines(entry, limits);
      return;
    case 'bytes':
      counts.assets += 1;
      counts.bytes += entry.size;
      findings.assets.set(named.name, entry.size);
  }
}

const ROLES = { entity: 'entities', link: 'links', asset: 'bytes' } as const;

async function* readItems(
  { source, limits, last }: { source: ArchiveSource; limits: ArchiveLimits; last: ReadonlyMap<string, number> },
  wanted: readonly ArchiveItem['kind'][],
  containing: string | undefined,
): AsyncGenerator<ArchiveItem> {
  const end = Math.max(-1, ...wanted.map((kind) => last.get(ROLES[kind]) ?? -1));
  let place = -1;
  if (end < 0) return;
  for await (const entry of entriesOf(source, limits)) {
    place += 1;
    const role = roleOf(entry.path);
    if (role.role === 'entities' && wanted.includes('entity')) {
      for await (const [value, at] of parsedLines(entry, limits, containing)) {
        yield { kind: 'entity', entity: readEntity(value, at), at };
      }
    } else if (role.role === 'links' && wanted.includes('link')) {
      for await (const [value, at] of parsedLines(entry, limits, containing)) {
        yield { kind: 'link', link: readLink(value, at), at };
      }
    } else if (role.role === 'bytes' && wanted.includes('asset')) {
      yield { kind: 'asset', name: role.name, size: entry.size, read: () => entry.read() };
    }
    if (place === end) return;
  }
}

/** Opens an archive, and reads it to the end. Throws an ArchiveError. */
export async function openArchive(path: string, options: OpenOptions = {}): Promise<StrapiArchive> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const source = await sourceOf(path, options.key);
  const findings: Findings = {
    metadata: undefined,
    schemas: new Map(),
    configuration: [],
    counts: { entities: 0, links: 0, assets: 0, bytes: 0 },
    assets: new Map(),
    paths: new Set(),
    last: new Map(),
    kept: 0,
  };
  let place = 0;
  for await (const entry of entriesOf(source, limits)) {
    await take(findings, entry, limits);
    findings.last.set(roleOf(entry.path).role, place);
    place += 1;
  }
  const { metadata, schemas, configuration, counts, assets, last } = findings;
  if (!metadata) {
    throw new ArchiveError(
      'missing-metadata',
      `${path} has no metadata.json, which is the last file of an export: it is not an export, or is truncated.`,
    );
  }
  if (schemas.size === 0) {
    throw new ArchiveError('missing-schemas', `${path} has no schemas: it is not a complete export.`);
  }
  return {
    kind: source.kind,
    metadata,
    schemas: [...schemas.values()],
    configuration,
    counts,
    assets,
    read: (wanted, containing) => readItems({ source, limits, last }, wanted, containing),
  };
}
