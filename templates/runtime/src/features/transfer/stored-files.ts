/**
 * Converts rows of the type `file`. Storage and URLs differ between servers: an export has the stored name in place of the URL, and an
 * import sets the URL and the provider of the importing server.
 */
import type { Cell, Section } from '../../contract/content-transfer.ts';
import type { ContentTypes } from '../../contract/content-type.ts';
import { isStoredName, type Storage } from '../../storage/storage.ts';
import type { ChangeRow } from './read-section.ts';

/** The value of `provider` in an export, for files that are part of it. */
const ANY_STORAGE = 'storage';

interface Format {
  readonly hash?: unknown;
  readonly ext?: unknown;
  readonly url?: unknown;
}

/** The transformations of the rows of files. */
export interface StoredFiles {
  /** Converts a row of the database to a row of the export. */
  readonly toExport: ChangeRow;
  /** Converts a row of the export to a row of the database. */
  readonly toDatabase: ChangeRow;
  /** The stored names of the formats and of the file itself, from an exported row. */
  readonly names: (cells: readonly Cell[]) => readonly string[];
}

function nameOf({ hash, ext }: Format): string | undefined {
  const name = `${String(hash)}${typeof ext === 'string' ? ext : ''}`;
  return isStoredName(name) ? name : undefined;
}

/** Whether a URL points to this stored file, under any prefix. */
function isUrlOf(url: unknown, name: string): boolean {
  return url === name || (typeof url === 'string' && url.endsWith(`/${name}`));
}

/** The formats of an image; undefined if the JSON is not of the expected shape. */
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
    return [key, name !== undefined && isUrlOf(format.url, name) ? { ...format, url: urlOf(name) } : format];
  });
  return JSON.stringify(Object.fromEntries(changed));
}

/** The transformations for `section`; undefined if its rows are not those of files. */
export function storedFilesOf({ types }: ContentTypes, section: Section, storage: Storage): StoredFiles | undefined {
  const type = Object.hasOwn(types, 'file') ? types['file'] : undefined;
  if (type?.table !== section.table) return undefined;
  const at = (column: string): number => section.columns.findIndex(({ name }) => name === column);
  const [hash, ext, url, provider, formats] = [at('hash'), at('ext'), at('url'), at('provider'), at('formats')];

  /** The stored name of a row's file; undefined if the file is external. */
  const nameIn = (cells: readonly Cell[]): string | undefined => {
    const name = nameOf({ hash: cells[hash], ext: cells[ext] });
    return name !== undefined && isUrlOf(cells[url], name) ? name : undefined;
  };
  const change =
    (target: string, urlOf: (name: string) => string): ChangeRow =>
    (cells) => {
      const name = nameIn(cells);
      if (name === undefined) return cells;
      const changed = [...cells];
      changed[url] = urlOf(name);
      changed[provider] = target;
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
