/** Narrowed reads must give the same answers as a library without the hidden entries. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asked, type Library, openLibrary, visitor } from '../../test-support/query-library.ts';
import { engineSql, testedEngines } from '../../test-support/runtime-database.ts';
import { HttpError } from '../contract/errors.ts';
import { type Narrow, narrowed, narrowedReader } from './narrowing.ts';
import type { Reader } from './reader.ts';
import { parsedEntry } from './version-tag.ts';

const HIDING = {
  author: { name: { $ne: 'Bob' } },
  book: { $or: [{ pages: 100 }, { pages: { $gt: 250 } }, { title: 'beta' }] },
  tag: { $not: { name: ['red'] } },
  article: { title: { $ne: 'four' } },
};

const narrowing =
  (filters: () => Record<string, object>): Narrow =>
  (_, request) => ({ ...request, query: narrowed(request.query, filters()) });

const LACKING = `
UPDATE books SET author_id = NULL WHERE author_id = 2;
DELETE FROM authors WHERE id = 2;
DELETE FROM books_tags WHERE owner_id IN (3, 4, 5) OR target_id = 1;
DELETE FROM books WHERE id IN (3, 4, 5);
DELETE FROM books_component_links WHERE tag_id = 1;
DELETE FROM tags WHERE id = 1;
DELETE FROM articles_see WHERE owner_id = 4 OR target_id = 4;
DELETE FROM articles WHERE id = 4;
`;

const QUERIES: readonly (readonly [string, string])[] = [
  ['author', ''],
  ['author', 'populate=books,favourite&sort=books.title'],
  ['author', 'populate[books][count]=true'],
  ['author', 'filters[$not][books][title]=Gamma'],
  ['book', ''],
  ['book', 'pagination[pageSize]=2&pagination[page]=2'],
  ['book', 'populate=*&sort=title'],
  ['book', 'populate=author.books.tags.books&sort=author.name:desc,id'],
  ['book', 'populate[tags][filters][name][$startsWith]=r&populate[tags][limit]=1'],
  ['book', 'populate[tags][start]=1&populate[mentions]=*&populate[topic]=*'],
  ['book', 'populate[links][populate]=tags&populate[zone][populate]=*'],
  ['book', 'filters[author]=2'],
  ['book', 'filters[author][$null]=true'],
  ['book', 'filters[$not][author]=1'],
  ['book', 'filters[$not][author][name]=Ann'],
  ['book', 'filters[tags][id][$in]=1'],
  ['book', 'filters[tags][name][$contains]=re&_q=a'],
  ['book', 'filters[$not][tags][name]=blue'],
  ['book', 'filters[links][tags]=1'],
  ['book', 'filters[links][tags][$notNull]=true'],
  ['book', 'filters[$not][$or][0][tags]=1&filters[$not][$or][1][author][name]=Bob&sort=tags.name'],
  ['tag', 'populate=books&sort=books.title:desc'],
  ['tag', 'filters[books][pages][$lt]=60'],
  ['article', 'locale=all&publicationState=preview&populate=see,previous,next,localizations'],
  ['article', 'locale=all&filters[previous][title]=four'],
  ['article', 'filters[previous][$null]=true&locale=all&publicationState=preview'],
];

describe.each(await testedEngines())('on %s', (engine) => {
  let library: Library;
  let lacking: Library;
  let hiding: Reader;
  beforeAll(async () => {
    [library, lacking] = await Promise.all([openLibrary({}, engine), openLibrary({}, engine)]);
    await lacking.database.script(engineSql(engine, LACKING));
    hiding = narrowedReader(
      library.reader,
      narrowing(() => HIDING),
    );
  });
  afterAll(() => Promise.all([library?.close(), lacking?.close()]));

  test.each(QUERIES)('%s?%s', async (uid, query) => {
    const type = library.type(uid);
    const answers = [hiding, lacking.reader].map(async (reader) => {
      const entries = [1, 2, 3, 4].map(async (id) => (await reader.one(type, asked(query), id))?.entry());
      const list = await reader.list(type, asked(query));
      const flat = (await reader.flatList(type, asked(query))).entries();
      return [JSON.parse(String(list.body)), await reader.count(type, asked(query)), flat, await Promise.all(entries)];
    });
    const [ours, theirs] = await Promise.all(answers);
    expect(ours).toEqual(theirs);
  });

  test.each(QUERIES.filter(([, query]) => !query.includes('pagination')))('%s?%s, page by page', async (uid, query) => {
    const type = library.type(uid);
    const answers = [hiding, lacking.reader].map(async (reader) => {
      const pages: unknown[] = [];
      for (let after: string | null = ''; after !== null;) {
        const page = `pagination[pageSize]=2&pagination[withCount]=true&pagination[after]=${after}`;
        const { body } = await reader.list(type, asked(`${query}&${page}`));
        pages.push(JSON.parse(String(body)));
        after = JSON.parse(String(body)).meta.pagination.next;
      }
      return pages;
    });
    const [ours, theirs] = await Promise.all(answers);
    expect(ours).toEqual(theirs);
  });

  test('level by level', async () => {
    const [ours, theirs] = await Promise.all([openLibrary({ maxAnswerEntries: 12 }, engine), openLibrary({}, engine)]);
    await theirs.database.script(engineSql(engine, LACKING));
    const request = asked('populate=author.books,tags&sort=id');
    const { body } = await narrowedReader(
      ours.reader,
      narrowing(() => HIDING),
    ).list(ours.type('book'), request);
    expect(String(body)).toBe(String((await theirs.reader.list(theirs.type('book'), request)).body));
    await Promise.all([ours.close(), theirs.close()]);
  });

  test('the entry that was written is answered, its relations narrowed', async () => {
    const checked = await hiding.check(library.type('book'), asked('populate=tags&fields=title'));
    const entry = await library.database.transaction((tx) => hiding.entry(tx, checked, 4));
    const { attributes } = parsedEntry(entry) as any;
    expect(attributes).toMatchObject({ title: 'alpha two', tags: { data: [{ id: 3 }] } });
  });
});

describe('what narrows', () => {
  let library: Library;
  beforeAll(async () => {
    library = await openLibrary();
  });
  afterAll(() => library?.close());

  test('is that of each request, however alike they are', async () => {
    let name = '';
    const reader = narrowedReader(
      library.reader,
      narrowing(() => ({ tag: { name } })),
    );
    const found = async () => (await reader.list(library.type('tag'), asked('filters[id][$gt]=0'))).entries();
    for (name of ['red', 'blue', 'red', 'none']) {
      expect((await found()).map((tag: any) => tag.attributes.name)).toEqual(name === 'none' ? [] : [name]);
    }
  });

  test('may go where the caller may not, who still may not', async () => {
    const reader = narrowedReader(
      library.reader,
      narrowing(() => ({ book: { vault: { name: 'gold' } } })),
    );
    const list = await reader.list(library.type('book'), asked('fields=id'));
    expect(list.entries().map((book: any) => book.id)).toEqual([1]);
    await expect(reader.list(library.type('book'), asked('filters[vault][name]=gold'))).rejects.toThrow(HttpError);
  });

  test('is a defect, where it makes no sense, and none of the caller', async () => {
    for (const filters of [{ nope: 1 }, { pages: 'many' }, { title: { $like: 'x' } }]) {
      const reader = narrowedReader(
        library.reader,
        narrowing(() => ({ book: filters })),
      );
      const error: unknown = await reader.list(library.type('book'), { ...asked(''), caller: visitor }).catch((e) => e);
      expect(error).not.toBeInstanceOf(HttpError);
      expect(String(error)).toContain('beforeFind of book');
    }
  });
});
