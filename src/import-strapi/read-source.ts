/** Reads a Strapi project from a folder or an export, which are told apart by their content. */
import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readArchive } from './read-archive.ts';
import { isProjectFolder, readFolder } from './read-folder.ts';
import { SourceError, type StrapiProject } from './strapi-project.ts';

export interface SourceOptions {
  /** The passphrase of an encrypted export. */
  readonly key: string | undefined;
  /** The version of a project folder whose package.json does not specify it. */
  readonly major: 4 | 5 | undefined;
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** Reads a project folder or an export, packed or unpacked. Throws a SourceError or an ArchiveError. */
export async function readSource(path: string, { key, major }: SourceOptions): Promise<StrapiProject> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new SourceError(`${path}: no such file or folder.`);
  if (!found.isDirectory()) return readArchive(path, key);
  const isExport = (await isThere(join(path, 'metadata.json'))) || (await isThere(join(path, 'schemas')));
  if (isExport) return readArchive(path, key);
  if (await isProjectFolder(path)) return readFolder(path, major);
  throw new SourceError(
    `${path} is neither a Strapi project (a folder with src) nor an unpacked export (a folder with metadata.json).`,
  );
}
