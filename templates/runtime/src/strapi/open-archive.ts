/**
 * Opens an export of Strapi: a folder, or a tar that may be compressed and encrypted. It is read to its end once, because
 * the version comes last; `read` then reads it again, and hands out what is too large to keep.
 */
import { stat } from 'node:fs/promises';
import { ArchiveError } from './archive-error.ts';
import { type ArchiveEntry, type ArchiveSource, entriesOf } from './entries.ts';
import { roleOf } from './entry-name.ts';
import { recognise } from './layers.ts';
import { type ArchiveLimits, DEFAULT_LIMITS } from './limits.ts';
import { parseJson, type Place, splitLines } from './lines.ts';
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

/** What `read` hands out, in the order of the archive. */
export type ArchiveItem =
  | { readonly kind: 'entity'; readonly entity: StrapiEntity; readonly at: Place }
  | { readonly kind: 'link'; readonly link: StrapiLink; readonly at: Place }
  /** The bytes of a file, which can be read once, before the next item. `name` is that of the stored file: hash and extension. */
  | {
      readonly kind: 'asset';
      readonly name: string;
      readonly size: number;
      readonly read: () => AsyncIterable<Uint8Array>;
    };

/** Numbers of lines and files; `bytes` are those of the files. */
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
  /** Reads from the beginning; only what `wanted` names is parsed, and of lines those with the text `containing`. Throws an ArchiveError. */
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
  return { kind: 'tar', layers: await recognise(path, key) };
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
): AsyncGenerator<readonly [unknown, Place]> {
  for await (const { bytes, line } of splitLines(entry.read(), entry.path, limits)) {
    if (containing !== undefined && !bytes.includes(containing)) continue;
    const at = { file: entry.path, line };
    yield [parseJson(bytes, at, limits), at];
  }
}

/** What the first reading finds. */
interface Findings {
  metadata: StrapiMetadata | undefined;
  readonly schemas: Map<string, StrapiSchema>;
  readonly configuration: StrapiConfiguration[];
  readonly counts: { entities: number; links: number; assets: number; bytes: number };
  /** Paths of what may be there once only. */
  readonly paths: Set<string>;
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
  const { role } = roleOf(entry.path);
  if (role === 'other' || role === 'about') return;
  if (paths.has(entry.path)) {
    throw new ArchiveError('double-entry', `The archive has ${entry.path} twice: which one is meant can't be known.`);
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
  }
}

async function* readItems(
  source: ArchiveSource,
  limits: ArchiveLimits,
  wanted: readonly ArchiveItem['kind'][],
  containing: string | undefined,
): AsyncGenerator<ArchiveItem> {
  for await (const entry of entriesOf(source, limits)) {
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
  }
}

/** Opens an archive, and reads it to its end. Throws an ArchiveError. */
export async function openArchive(path: string, options: OpenOptions = {}): Promise<StrapiArchive> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const source = await sourceOf(path, options.key);
  const findings: Findings = {
    metadata: undefined,
    schemas: new Map(),
    configuration: [],
    counts: { entities: 0, links: 0, assets: 0, bytes: 0 },
    paths: new Set(),
    kept: 0,
  };
  for await (const entry of entriesOf(source, limits)) await take(findings, entry, limits);
  const { metadata, schemas, configuration, counts } = findings;
  if (!metadata) {
    throw new ArchiveError(
      'missing-metadata',
      `${path} has no metadata.json, which is the last file of an export: it is none, or it was cut off.`,
    );
  }
  if (schemas.size === 0) {
    throw new ArchiveError('missing-schemas', `${path} has no schemas: it is no complete export.`);
  }
  return {
    kind: source.kind,
    metadata,
    schemas: [...schemas.values()],
    configuration,
    counts,
    read: (wanted, containing) => readItems(source, limits, wanted, containing),
  };
}
