import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asked, type Library, librarySettings, libraryTypes, openLibrary } from '../../test-support/query-library.ts';
import { testedEngines } from '../../test-support/runtime-database.ts';
import { watchReads } from '../../test-support/watched-database.ts';
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import { raw } from '../database/sql.ts';
import { listFingerprint } from './cursor.ts';
import { createReader, type Reader } from './reader.ts';

const ENTRIES = 260;

/** Pseudo-random numbers, the same in every run. */
function createRandom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % most;
  };
}

const TITLES = ['', 'a', 'A', 'ä', 'Zebra', 'zebra', '100%', "it's", 'é́', '😀', 'a b', 'a\\b'];
const KEYS = [
  ...['id', 'title', 'pages', 'price', 'rating', 'available', 'isbn', 'released', 'createdAt', 'updatedAt'],
  ...['author.name', 'tags.name', 'seo.weight', 'seo.metaTitle', 'links.rank', 'author.favourite.title'],
];

let lastId = 1000;

/** A row of `books`, with many equal and many null values. */
function bookRow(random: (most: number) => number): string {
  const maybe = (value: string): string => (random(4) === 0 ? 'NULL' : value);
  const title = (TITLES[random(TITLES.length)] ?? '').replaceAll("'", "''").replaceAll('\\', '');
  const day = `'200${random(3)}-01-0${1 + random(3)}'`;
  const seo = maybe(`'{"id":${1000 + random(9)},"metaTitle":"m${random(3)}","weight":"${random(3)}.5"}'`);
  lastId += 1;
  return `(${[
    String(lastId),
    maybe(`'${title}'`),
    maybe(String(random(5))),
    maybe(`'${random(3)}.${random(2)}000000001'`),
    maybe(['0.30000000000000004', '0.3', '1e-7', '123456789.25'][random(4)] ?? '0'),
    maybe(`'${random(2)}'`),
    maybe(`90071992547409${90 + random(9)}`),
    maybe(day),
    maybe(String(1 + random(3))),
    seo,
  ].join(', ')})`;
}

const COLUMNS = 'id, title, pages, price, rating, available, isbn, released, author_id, seo';

/** The same types with indexes, each of which serves a part of a page's statement. */
function indexedTypes(): ContentTypes {
  const { book } = libraryTypes.types;
  if (!book) throw new Error('there are no books');
  const names = ['title', 'pages', 'price', 'rating', 'available', 'isbn', 'released', 'createdAt'];
  const indexed: ContentType = { ...book, indexes: names.map((name) => [name]) };
  return { ...libraryTypes, types: { ...libraryTypes.types, book: indexed } };
}

describe.each(await testedEngines())('keyset pages on %s', (dialect) => {
  let library: Library;
  let readers: readonly Reader[];
  beforeAll(async () => {
    library = await openLibrary({}, dialect);
    const random = createRandom(7);
    const rows = Array.from({ length: ENTRIES }, () => bookRow(random));
    await library.database.run(raw(`INSERT INTO books (${COLUMNS}) VALUES ${rows.join(', ')}`));
    const first = lastId - ENTRIES + 1;
    const links = Array.from(
      { length: 90 },
      (_, index) => `(${first + index * 2}, ${1 + (index % 3)}, ${index}, ${index})`,
    );
    await library.database.run(
      raw(`INSERT INTO books_tags (owner_id, target_id, position, inverse_position) VALUES ${links.join(', ')}`),
    );
    const indexed = createReader({ database: library.database, types: indexedTypes(), api: librarySettings });
    readers = [library.reader, indexed];
  });
  afterAll(() => library.close());

  async function page(reader: Reader, query: string, uid = 'book'): Promise<{ ids: number[]; meta: any }> {
    const type = reader === library.reader ? library.type(uid) : (indexedTypes().types[uid] ?? library.type(uid));
    const answer = await reader.list(type, asked(`fields=id&${query}`));
    const { data, meta } = JSON.parse(String(answer.body));
    return { ids: data.map((entry: any) => entry.id), meta: meta.pagination };
  }

  async function walk(reader: Reader, query: string, size: number, between?: (page: number) => Promise<void>) {
    const found: number[] = [];
    let after: string | null = '';
    for (let count = 0; after !== null; count += 1) {
      const { ids, meta } = await page(reader, `${query}&pagination[pageSize]=${size}&pagination[after]=${after}`);
      expect(Object.keys(meta)).toStrictEqual(['pageSize', 'next']);
      expect(ids.length).toBe(meta.next === null ? ids.length : size);
      found.push(...ids);
      after = meta.next;
      expect(count, 'it ends').toBeLessThan(ENTRIES * 2);
      await between?.(count);
    }
    return found;
  }

  async function whole(query: string): Promise<number[]> {
    const found: number[] = [];
    for (let number = 1; ; number += 1) {
      const { ids } = await page(library.reader, `${query}&pagination[pageSize]=100&pagination[page]=${number}`);
      found.push(...ids);
      if (ids.length < 100) return found;
    }
  }

  test('are the whole list, whatever it is sorted by', async () => {
    const random = createRandom(dialect.length);
    const sorts = [...KEYS.flatMap((key) => [key, `${key}:desc`]), ''];
    for (let count = 0; count < 25; count += 1) {
      const keys = Array.from({ length: 2 + random(2) }, () => KEYS[random(KEYS.length)] ?? 'id');
      sorts.push([...new Set(keys)].map((key) => (random(2) === 0 ? key : `${key}:desc`)).join(','));
    }
    for (const sort of sorts) {
      const query = `sort=${sort}${random(3) === 0 ? '&filters[pages][$gt]=1' : ''}`;
      const expected = await whole(query);
      for (const reader of readers) {
        expect(await walk(reader, query, 17 + random(60)), query).toStrictEqual(expected);
      }
    }
  });

  test('go through the longest decimals, which round to one more digit as floating-point numbers', async () => {
    const nines = '9'.repeat(35);
    const prices = [`-${nines}`, '1', nines, `${nines}.5`, null];
    const rows = prices.map((price, index) => `(${950 + index}, 'LONG', ${price === null ? 'NULL' : `'${price}'`})`);
    await library.database.run(raw(`INSERT INTO books (id, title, price) VALUES ${rows.join(', ')}`));
    const sorts = { price: [954, 950, 951, 952, 953], 'price:desc,id:desc': [953, 952, 951, 950, 954] };
    for (const [sort, ids] of Object.entries(sorts)) {
      for (const reader of readers) {
        expect(await walk(reader, `filters[title]=LONG&sort=${sort}`, 1)).toStrictEqual(ids);
      }
    }
    await library.database.run(raw("DELETE FROM books WHERE title = 'LONG'"));
  });

  test('go through JSON by its text', async () => {
    const extras = [
      '"a"',
      '"b"',
      '"c"',
      '"b"',
      '1',
      '10',
      '2.5',
      'true',
      '{"k":"\\"é"}',
      '[1,"a"]',
      '[{"type":"paragraph"}]',
      '"it\'s"',
      null,
    ];
    const rows = extras.map((extra, index) => {
      const json = (text: string) =>
        `'${text.replaceAll('\\', dialect === 'mysql' ? '\\\\' : '\\').replaceAll("'", "''")}'`;
      const seo = json(`{"id":1,"metaTitle":"m"${extra === null ? '' : `,"extra":${extra}`}}`);
      return `(${900 + index}, 'JSON', ${index % 3}, ${extra === null ? 'NULL' : json(extra)}, ${seo})`;
    });
    await library.database.run(raw(`INSERT INTO books (id, title, pages, extra, seo) VALUES ${rows.join(', ')}`));
    const { book } = libraryTypes.types;
    if (!book) throw new Error('there are no books');
    const attributes = { ...book.attributes, extra: { type: 'blocks', column: 'extra' } as const };
    const types = { ...libraryTypes, types: { ...libraryTypes.types, book: { ...book, attributes } } };
    const blocks = createReader({ database: library.database, types, api: librarySettings });
    for (const key of ['extra', 'seo.extra']) {
      for (const sort of [`sort=${key}`, `sort=${key}:desc`, `sort[0]=pages&sort[1]=${key}`]) {
        const query = `filters[title]=JSON&${sort}`;
        const expected = await whole(query);
        expect(expected).toHaveLength(extras.length);
        for (const size of [1, 4]) expect(await walk(library.reader, query, size), sort).toStrictEqual(expected);
      }
    }
    const found: number[] = [];
    for (let next: unknown = ''; next !== null && found.length < 20;) {
      const query = `filters[title]=JSON&sort=extra:desc&fields=id&pagination[pageSize]=1&pagination[after]=${String(next)}`;
      const list = await blocks.list(types.types.book, asked(query));
      found.push(...list.entries().map((entry: any) => entry.id));
      ({ next } = list.pagination);
    }
    expect(found).toStrictEqual(await whole('filters[title]=JSON&sort=extra:desc'));
    const { next } = (await page(library.reader, 'sort=extra&pagination[pageSize]=1&pagination[after]=')).meta;
    for (const value of [1, {}, ['a'], 'a\u0000']) {
      const forged = next.slice(0, 12) + Buffer.from(JSON.stringify([value, 1])).toString('base64url');
      await expect(page(library.reader, `sort=extra&pagination[after]=${forged}`)).rejects.toThrow(
        /it is not a value/u,
      );
    }
    await library.database.run(raw("DELETE FROM books WHERE title = 'JSON'"));
  });

  test('end where the list ends, also where the last one is full, and show what is populated', async () => {
    const { meta } = await page(
      library.reader,
      `pagination[pageSize]=100&pagination[after]=&pagination[withCount]=true`,
    );
    const { total } = meta;
    expect(total).toBeGreaterThan(ENTRIES);
    expect(await walk(library.reader, 'filters[id][$lte]=6&sort=title', 3)).toHaveLength(6);
    expect(await walk(library.reader, 'filters[id]=0', 3)).toStrictEqual([]);
    expect(await walk(library.reader, '_q=zebra&populate=tags,author', 2)).toStrictEqual(await whole('_q=zebra'));
    const article = await page(
      library.reader,
      'pagination[after]=&pagination[pageSize]=1&locale=all&sort=locale',
      'article',
    );
    expect(article.ids).toStrictEqual([1]);
    const query = `locale=all&sort=locale&pagination[pageSize]=9&pagination[after]=${article.meta.next}`;
    expect((await page(library.reader, query, 'article')).ids).toStrictEqual([4, 3]);
  });

  test('neither repeat nor miss an entry while others come and go', async () => {
    const random = createRandom(3);
    for (const sort of ['title,pages:desc', 'price:desc', 'rating']) {
      const before = await whole(`sort=${sort}`);
      const gone = new Set<number>();
      const between = async (): Promise<void> => {
        const rows = Array.from({ length: 5 }, () => bookRow(random)).join(', ');
        await library.database.run(raw(`INSERT INTO books (${COLUMNS}) VALUES ${rows}`));
        const one = before[100 + random(before.length - 100)] ?? 0;
        if (one <= 6) return;
        gone.add(one);
        await library.database.run(raw(`DELETE FROM books WHERE id = ${one}`));
      };
      const found = await walk(readers[1]!, `sort=${sort}`, 40, between);
      expect(new Set(found).size).toBe(found.length);
      const old = new Set(before);
      const stayed = before.filter((id) => !gone.has(id));
      expect(found.filter((id) => old.has(id) && !gone.has(id))).toStrictEqual(stayed);
    }
  });

  test('behind another one looks a value up no more than a few times for each row, however many there are', async () => {
    const statements: string[] = [];
    const database = watchReads(library.database, ({ text }) => statements.push(text));
    const watched = createReader({ database, types: libraryTypes, api: librarySettings });
    const lookUps = async (sort: string, after: string): Promise<number> => {
      statements.length = 0;
      const { meta } = await page(watched, `sort=${sort}&pagination[pageSize]=5&pagination[after]=${after}`);
      next = meta.next;
      return statements[0]?.match(/FROM \W?books_tags/gu)?.length ?? 0;
    };
    let next = '';
    const names = ['name', 'id', 'name:desc', 'id:desc', 'name', 'id', 'name:desc', 'id:desc'];
    for (const first of ['', 'isbn,', 'id,']) {
      const sort = `${first}${names.map((name) => `tags.${name}`).join(',')}`;
      expect(await lookUps(sort, '')).toBe(2 * names.length);
      expect(await lookUps(sort, next), sort).toBeLessThanOrEqual((first === '' ? 5 : 11) * names.length);
    }
  });

  test.each(['filters', '_q', 'locale', 'publicationState', 'status', 'publicationFilter', 'hasPublishedVersion'])(
    'a cursor is for one value of %s',
    (name) => {
      const fingerprints = ['', 'true', 'draft'].map((value) =>
        listFingerprint({ uid: 'book', query: { [name]: value }, sort: [] }),
      );
      expect(new Set(fingerprints).size).toBe(3);
    },
  );

  test('a cursor is of its list alone, and refused where it was changed', async () => {
    const first = `sort=title,price&filters[pages][$gte]=0&pagination[pageSize]=5`;
    const { next } = (await page(library.reader, `${first}&pagination[after]=`)).meta;
    const ask = (query: string) => page(library.reader, query);
    const other = /belongs to a list with a different order or different filters/u;
    const sorted = `sort=title&filters[pages][$gte]=0&pagination[after]=${next}`;
    await expect(ask(sorted)).rejects.toThrow(other);
    await expect(ask(`sort=title,price&filters[pages][$gte]=1&pagination[after]=${next}`)).rejects.toThrow(other);
    await expect(ask(`sort=title,price&_q=a&filters[pages][$gte]=0&pagination[after]=${next}`)).rejects.toThrow(other);
    await expect(ask(`${first}&pagination[after]=${next}&pagination[page]=2`)).rejects.toThrow(
      /after\/pageSize or page/u,
    );
    const none = /it is not a value that this server has returned/u;
    await expect(ask(`${first}&pagination[after]=x`)).rejects.toThrow(none);
    const forged = (values: unknown) => next.slice(0, 12) + Buffer.from(JSON.stringify(values)).toString('base64url');
    for (const values of [
      ['a', 'x', 1],
      ['a', 1, '1'],
      ['a', 1, 1.5],
      [{}, 1, 1],
      ['a', 1, -1],
      ['a\u0000', 1, 1],
    ]) {
      await expect(ask(`${first}&pagination[after]=${forged(values)}`), JSON.stringify(values)).rejects.toThrow(none);
    }
    expect((await ask(`sort=title:asc,price&filters[pages][$gte]=0&pagination[after]=${next}`)).ids).toHaveLength(25);
    await expect(
      library.reader.one(library.type('author'), asked('populate[books][pagination][after]='), 1),
    ).rejects.toThrow(/can't be read with a cursor/u);
  });
});
