import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asked, type Library, librarySettings, libraryTypes, openLibrary } from '../../test-support/query-library.ts';
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import { MAX_COST_ON_THREAD } from '../contract/limits.ts';
import type { Scan } from '../database/statement-runner.ts';
import { narrowed, narrowedReader } from './narrowing.ts';
import { createReader, type Reader } from './reader.ts';

/** The same types, with long titles of books. */
function longTitles(): ContentTypes {
  const { book } = libraryTypes.types;
  if (!book) throw new Error('there are no books');
  const long: ContentType = { ...book, attributes: { ...book.attributes, title: { type: 'text', column: 'title' } } };
  return { ...libraryTypes, types: { ...libraryTypes.types, book: long } };
}

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
    reader = createReader({ database: watched, types: longTitles(), api: librarySettings });
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

  test('are more than is looked at on the thread of all, where a search is within long texts', async () => {
    const cost = async (uid: string, query: string): Promise<number> => {
      scans = [];
      await reader.list(uid === 'book' ? book : library.type(uid), asked(query));
      return scans.reduce((sum, { weight, most = 2 }) => sum + weight * Math.min(2, most), 0);
    };
    const book = longTitles().types['book'] ?? library.type('book');
    const long = 'filters[title][$containsi]=x';
    for (const query of [
      long,
      'filters[title][$endsWith]=x',
      `${long}&filters[id]=1`,
      `filters[$or][0][title][$contains]=x`,
    ]) {
      expect(await cost('book', query), query).toBeGreaterThan(MAX_COST_ON_THREAD);
    }
    expect(await cost('author', 'filters[books][title][$containsi]=x&filters[books][id]=1')).toBeGreaterThan(
      MAX_COST_ON_THREAD,
    );
    expect(await cost('author', 'populate[books][filters][title][$containsi]=x')).toBeGreaterThan(MAX_COST_ON_THREAD);
    for (const query of ['filters[title][$startsWith]=x', 'filters[title]=x', 'filters[author][name][$containsi]=x']) {
      expect(await cost('book', query), query).toBeLessThan(MAX_COST_ON_THREAD);
    }
    scans = [];
    await reader.one(book, asked(long), 1);
    expect(scans).toEqual([expect.objectContaining({ most: 1, weight: MAX_COST_ON_THREAD + 1 })]);
  });

  test('is nothing within long texts where a write is answered, unless the server itself narrows what is shown', async () => {
    const author = library.type('author');
    const search = (operator: string) => asked(`populate[books][filters][title][${operator}]=x`);
    for (const operator of ['$contains', '$notContainsi', '$endsWithi']) {
      await expect(reader.check(author, search(operator))).rejects.toThrow(/a text can't be searched in the response/u);
    }
    await reader.check(author, search('$startsWithi'));
    await reader.check(author, asked('populate[books][filters][author][name][$contains]=x'));
    const narrowing = narrowedReader(reader, (_, request) => ({
      ...request,
      query: narrowed(request.query, { book: { title: { $notContains: 'x' } } }),
    }));
    await narrowing.check(author, asked('populate=books'));
  });

  test('are compared and sorted where a keyset page goes on', async () => {
    const query = 'sort=pages,title&pagination[pageSize]=1&pagination[after]=';
    const first = await weightOf('book', query, 'books');
    const { pagination } = await reader.list(library.type('book'), asked(query));
    expect(await weightOf('book', `${query}${String(pagination['next'])}`, 'books')).toBeGreaterThan(2 * first);
  });
});
