/** Matches the files of an archive with their rows. */
import type { ContentFiles } from '#contract/content-transfer.ts';
import { isMembers, member, type Members } from '../../strapi/records.ts';

export interface ArchiveFiles {
  /** The files of the project. */
  readonly stored: ContentFiles;
  /** Name → size in bytes of each file in the archive. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Name in the archive → name in the storage, for files that rows reference. */
  readonly wanted: Map<string, string>;
}

/** What the row of a file, or one of its formats, states about its bytes. */
interface Described {
  readonly hash: unknown;
  readonly ext: unknown;
  /** In units of 1000 bytes, rounded to two decimals. */
  readonly size: unknown;
}

/** Accepted difference between the size in a row and the actual size, in bytes. */
const TOLERANCE = 16;

/** The names of a file in the archive and in the storage; undefined if its bytes are missing, or its name is not a valid stored name. */
function nameIn(
  { sizes, stored: files }: ArchiveFiles,
  { hash, ext }: Described,
): { archive: string; stored: string } | undefined {
  const stored = `${String(hash)}${typeof ext === 'string' ? ext : ''}`;
  if (!files.isStoredName(stored)) return undefined;
  // Version 4 writes a missing extension as `null`.
  const archive = [stored, `${stored}null`].find((name) => sizes.has(name));
  return archive === undefined ? undefined : { archive, stored };
}

function describedBy(value: Members): Described {
  return { hash: member(value, 'hash'), ext: member(value, 'ext'), size: member(value, 'size') };
}

/** Whether a file's bytes are in the archive (`stored`), missing, or of another size than its row states. */
export type FileState = 'stored' | 'missing' | 'size';

function place(files: ArchiveFiles, described: Described): { url: string | undefined; state: FileState } {
  const name = nameIn(files, described);
  if (!name) return { url: undefined, state: 'missing' };
  files.wanted.set(name.archive, name.stored);
  const bytes = files.sizes.get(name.archive) ?? 0;
  const stated = Number(described.size) * 1000;
  const isSame =
    !Number.isFinite(stated) || Math.abs(stated - bytes) <= TOLERANCE || Math.abs(stated * 1.024 - bytes) <= TOLERANCE;
  return { url: files.stored.urlOf(name.stored), state: isSame ? 'stored' : 'size' };
}

/** The row of a file with its URLs in this storage. Files and formats whose bytes are missing keep their URL. */
export function withStorageUrls(
  files: ArchiveFiles,
  data: Members,
): { readonly data: Members; readonly states: ReadonlyMap<string, FileState> } {
  const states = new Map<string, FileState>();
  const own = place(files, describedBy(data));
  states.set('', own.state);
  const formats = member(data, 'formats');
  const placed = isMembers(formats)
    ? Object.fromEntries(
        Object.entries(formats).map(([key, format]) => {
          if (!isMembers(format)) return [key, format];
          const { url, state } = place(files, describedBy(format));
          states.set(key, state);
          return [key, url === undefined ? format : { ...format, url }];
        }),
      )
    : (formats ?? null);
  const address = own.url === undefined ? {} : { url: own.url, provider: files.stored.provider };
  return { data: { ...data, formats: placed, ...address }, states };
}
