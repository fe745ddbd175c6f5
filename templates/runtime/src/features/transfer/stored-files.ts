/**
 * The rows of the type `file`. Where a server keeps its files, and at which address, is its own affair: in an export such a row
 * has the name of its file for an address, and an import puts in the address and the storage of its own server.
 */
import type { ContentTypes } from '../../contract/content-type.ts';
import { isStoredName, type Storage } from '../../storage/storage.ts';
import type { Cell } from './cells.ts';
import type { ChangeRow } from './read-section.ts';
import type { Section } from './sections.ts';

/** What `provider` says in an export of a file that comes with it. */
const ANY_STORAGE = 'storage';

interface Format {
  readonly hash?: unknown;
  readonly ext?: unknown;
  readonly url?: unknown;
}

/** How the rows of one section are changed. */
export interface StoredFiles {
  /** From a row of the database to one of a file. */
  readonly toExport: ChangeRow;
  /** And back. */
  readonly toDatabase: ChangeRow;
  /** The names under which a storage has what belongs to an exported row. */
  readonly names: (cells: readonly Cell[]) => readonly string[];
}

function nameOf({ hash, ext }: Format): string | undefined {
  const name = `${String(hash)}${typeof ext === 'string' ? ext : ''}`;
  return isStoredName(name) ? name : undefined;
}

/** Whether an address is that of a file of ours, at whatever place. */
function isAddress(url: unknown, name: string): boolean {
  return url === name || (typeof url === 'string' && url.endsWith(`/${name}`));
}

/** The smaller copies of an image; none where the text is not what we write. */
function formatsOf(text: Cell | undefined): Readonly<Record<string, Format>> | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const formats = JSON.parse(text) as unknown;
    return typeof formats === 'object' && formats !== null ? (formats as Record<string, Format>) : undefined;
  } catch {
    return undefined;
  }
}

function changeFormats(text: Cell | undefined, urlOf: (name: string) => string): Cell {
  const formats = formatsOf(text);
  if (!formats) return text ?? null;
  const changed = Object.entries(formats).map(([key, format]) => {
    const name = nameOf(format);
    return [key, name !== undefined && isAddress(format.url, name) ? { ...format, url: urlOf(name) } : format];
  });
  return JSON.stringify(Object.fromEntries(changed));
}

/** The way of the rows of `section`; undefined if they are not those of files. */
export function storedFilesOf({ types }: ContentTypes, section: Section, storage: Storage): StoredFiles | undefined {
  const type = Object.hasOwn(types, 'file') ? types['file'] : undefined;
  if (type?.table !== section.table) return undefined;
  const at = (column: string): number => section.columns.findIndex(({ name }) => name === column);
  const [hash, ext, url, provider, formats] = [at('hash'), at('ext'), at('url'), at('provider'), at('formats')];

  /** The name of the file of a row, if it is one of ours. */
  const nameIn = (cells: readonly Cell[]): string | undefined => {
    const name = nameOf({ hash: cells[hash], ext: cells[ext] });
    return name !== undefined && isAddress(cells[url], name) ? name : undefined;
  };
  const change =
    (place: string, urlOf: (name: string) => string): ChangeRow =>
    (cells) => {
      const name = nameIn(cells);
      if (name === undefined) return cells;
      const changed = [...cells];
      changed[url] = urlOf(name);
      changed[provider] = place;
      changed[formats] = changeFormats(cells[formats], urlOf);
      return changed;
    };
  return {
    toExport: change(ANY_STORAGE, (name) => name),
    toDatabase: change(storage.provider, (name) => storage.urlOf(name)),
    names: (cells) => {
      const name = nameIn(cells);
      if (name === undefined) return [];
      const copies = Object.values(formatsOf(cells[formats]) ?? {}).flatMap((format) => nameOf(format) ?? []);
      return [...copies, name];
    },
  };
}
