/** Iterates over the entries of an archive, a tar file or a folder. */
import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { extract } from 'tar-stream';
import { ArchiveError } from './archive-error.ts';
import { normalName } from './entry-name.ts';
import { faultOf, type Layers, tarBytes } from './layers.ts';
import type { ArchiveLimits } from './limits.ts';

/** A file in an archive. Its bytes can be read once, before the iteration continues. */
export interface ArchiveEntry {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** The location of an archive. */
export type ArchiveSource =
  { readonly kind: 'folder'; readonly path: string } | { readonly kind: 'tar'; readonly layers: Layers };

const FILES: ReadonlySet<string> = new Set(['file', 'contiguous-file']);

/**
 * Returns a check for each entry, which counts entries and bytes, and throws an ArchiveError for those that are not allowed. It returns
 * the normal path of a file; undefined for a folder.
 */
function createGuard(limits: ArchiveLimits) {
  let entries = 0;
  let total = 0;
  return (name: string, type: string, size: number): string | undefined => {
    if ((entries += 1) > limits.entries) {
      throw new ArchiveError('too-many-entries', `The archive has more than ${limits.entries} entries.`);
    }
    const path = normalName(name);
    if (type === 'directory') return undefined;
    if (!FILES.has(type)) {
      throw new ArchiveError(
        'unsafe-entry',
        `The archive has ${JSON.stringify(path)}, which is not a file but a ${type}. Strapi writes files only: don't trust this archive.`,
      );
    }
    if ((total += size) > limits.total) {
      throw new ArchiveError('too-large', `The archive unpacks to more than ${limits.total} bytes.`);
    }
    return path;
  };
}

/** The bytes of an entry. Throws an ArchiveError. */
async function* bytesOf(entry: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* entry;
  } catch (error) {
    throw faultOf(error, path);
  }
}

async function* tarEntries(layers: Layers, limits: ArchiveLimits): AsyncGenerator<ArchiveEntry> {
  const guard = createGuard(limits);
  const tar = extract();
  const bytes = tarBytes(layers, limits);
  bytes.on('error', (error) => tar.destroy(error));
  bytes.pipe(tar);
  try {
    for await (const entry of tar) {
      const { name, type, size = 0 } = entry.header;
      const path = guard(name, type ?? 'file', size);
      if (path !== undefined) {
        yield { path, size, read: () => bytesOf(entry as AsyncIterable<Uint8Array>, layers.path) };
      }
      entry.resume();
    }
  } catch (error) {
    throw faultOf(error, layers.path);
  } finally {
    bytes.destroy();
    tar.destroy();
  }
}

function typeOf(found: Awaited<ReturnType<typeof lstat>>): string {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'directory';
  return found.isSymbolicLink() ? 'symlink' : 'device';
}

/** In the order of an exported tar. */
const STAGES = ['schemas', 'entities', 'assets', 'links', 'configuration', 'metadata.json'];

async function* folderEntries(root: string, limits: ArchiveLimits): AsyncGenerator<ArchiveEntry> {
  const guard = createGuard(limits);
  async function* visit(name: string): AsyncGenerator<ArchiveEntry> {
    const file = join(root, name);
    const found = await lstat(file).catch(() => undefined);
    if (!found) return;
    const path = guard(name, typeOf(found), found.size);
    if (path === undefined) {
      for (const inner of (await readdir(file)).sort()) yield* visit(`${name}/${inner}`);
    } else {
      yield { path, size: found.size, read: () => createReadStream(file) };
    }
  }
  for (const stage of STAGES) yield* visit(stage);
}

/** Reads an archive from the beginning. Throws an ArchiveError. */
export function entriesOf(source: ArchiveSource, limits: ArchiveLimits): AsyncGenerator<ArchiveEntry> {
  return source.kind === 'folder' ? folderEntries(source.path, limits) : tarEntries(source.layers, limits);
}
