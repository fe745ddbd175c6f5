import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asked, type Library, librarySettings, libraryTypes, openLibrary } from '../../test-support/query-library.ts';
import type { Scan } from '../database/statement-runner.ts';
import { createReader, type Reader } from './reader.ts';

describe('what a list is estimated to look at', () => {
  let library: Library;
  let reader: Reader;
  let scans: readonly Scan[] = [];
  beforeAll(async () => {
    library = await openLibrary();
    const noted = (read: (...given: any[]) => unknown) =>
      ((statement: unknown, options: { readonly scans?: readonly Scan[] }) => {
        scans = [...scans, ...(options?.scans ?? [])];
        return read(statement, options);
      }) as any;
    const { database } = library;
    const watched = { ...database, all: noted(database.all), get: noted(database.get) };
    reader = createReader({ database: watched, types: libraryTypes, api: librarySettings });
  });
  afterAll(() => library?.close());

  /** By table, for each of its rows. */
  async function weightOf(uid: string, query: string, table: string): Promise<number> {
    scans = [];
    await reader.list(library.type(uid), asked(`pagination[withCount]=false&${query}`));
    return scans
      .filter((scan) => scan.table === table && scan.most === undefined)
      .reduce((sum, { weight }) => sum + weight, 0);
  }

  test('are the rows of the lists by which it is sorted, however few entries it has itself', async () => {
    expect(await weightOf('tag', 'sort=name', 'books_tags')).toBe(0);
    expect(await weightOf('tag', 'sort=books.title', 'books_tags')).toBeGreaterThan(0.3);
    expect(await weightOf('tag', 'sort=books.title', 'books')).toBeGreaterThan(0.3);
    expect(await weightOf('author', 'sort=books.title', 'books')).toBeGreaterThan(0.3);
    expect(await weightOf('author', 'populate[books][sort]=tags.name', 'books_tags')).toBeGreaterThan(0.3);
  });

  test('are the rows that are counted, and more where each is looked at', async () => {
    const all = await weightOf('author', 'populate[books][count]=true', 'books');
    const some = await weightOf('author', 'populate[books][count]=true&populate[books][filters][pages]=1', 'books');
    expect(all).toBeGreaterThan(0.2);
    expect(some).toBeGreaterThan(all);
  });

  test('are compared and sorted where a page by key goes on', async () => {
    const query = 'sort=pages,title&pagination[pageSize]=1&pagination[after]=';
    const first = await weightOf('book', query, 'books');
    const { pagination } = await reader.list(library.type('book'), asked(query));
    expect(await weightOf('book', `${query}${String(pagination['next'])}`, 'books')).toBeGreaterThan(2 * first);
  });
});
