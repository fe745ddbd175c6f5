/** Names of entries in an archive. */
import { ArchiveError } from './archive-error.ts';

const MAX_LENGTH = 1024;

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/u;

/**
 * The path of an entry, with `/` and without `./`: exports made on Windows have backslashes. Throws an ArchiveError
 * for a name that leaves the folder.
 */
export function normalName(name: string): string {
  const unsafe = (why: string): ArchiveError =>
    new ArchiveError(
      'unsafe-name',
      `The archive has an entry named ${JSON.stringify(name.slice(0, 100))}, which ${why}. Strapi does not write such names: don't trust this file.`,
    );
  if (name.length > MAX_LENGTH) throw unsafe(`is longer than ${MAX_LENGTH} characters`);
  if (CONTROL.test(name)) throw unsafe('has control characters');
  const path = name.replaceAll('\\', '/');
  if (path.startsWith('/') || /^[a-z]:/iu.test(path)) throw unsafe('is an absolute path');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw unsafe('leaves the folder of the archive');
  return parts.join('/');
}

/** The kind of content that an entry has, according to its name. */
export type EntryRole =
  | { readonly role: 'metadata' }
  | { readonly role: 'schemas' | 'entities' | 'links' | 'configuration' }
  | { readonly role: 'bytes' | 'about'; readonly name: string }
  | { readonly role: 'other' };

const LINES = /^(?<stage>schemas|entities|links|configuration)\/[^/]+\.jsonl$/u;
const ASSET = /^assets\/(?<folder>uploads|metadata)\/(?<name>[^/]+)$/u;

export function roleOf(path: string): EntryRole {
  if (path === 'metadata.json') return { role: 'metadata' };
  const stage = LINES.exec(path)?.groups?.['stage'];
  if (stage !== undefined) return { role: stage as 'schemas' };
  const { folder, name } = ASSET.exec(path)?.groups ?? {};
  if (folder === undefined || name === undefined) return { role: 'other' };
  return folder === 'uploads' ? { role: 'bytes', name } : { role: 'about', name: name.replace(/\.json$/u, '') };
}
