import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asked, type Library, librarySettings, libraryTypes, openLibrary } from '../../test-support/query-library.ts';
import { testedEngines } from '../../test-support/runtime-database.ts';
import { raw } from '../database/sql.ts';
import { V5 } from './format.ts';
import { createReader } from './reader.ts';

describe.each(await testedEngines())('on %s', (dialect) => {
  let library: Library;
  beforeAll(async () => {
    library = await openLibrary({}, dialect);
  });
  afterAll(() => library.close());

  /** The ids of the entries found; also checks that the total matches their number, and that offsets count each entry once. */
  async function found(uid: string, query: string): Promise<number[]> {
    const answer = await library.reader.list(library.type(uid), asked(`fields=id&${query}`));
    const beyond = asked(`${query}&pagination[start]=1000&pagination[limit]=1`);
    const counted = await library.reader.list(library.type(uid), beyond);
    const entries = answer.entries() as readonly { readonly id: number }[];
    const rest = await library.reader.list(
      library.type(uid),
      asked(`${query}&pagination[start]=1&pagination[limit]=50`),
    );
    expect(rest.entries().map((entry: any) => entry.id)).toEqual(entries.slice(1).map(({ id }) => id));
    expect(counted.pagination['total']).toBe(entries.length);
    expect(await library.reader.count(library.type(uid), asked(query))).toBe(entries.length);
    return entries.map(({ id }) => id);
  }

  /** Checks which books each query finds: `[query, ids]`. */
  async function expectBooks(cases: readonly (readonly [string, readonly number[]])[]): Promise<void> {
    for (const [query, ids] of cases) {
      expect([query, await found('book', query)]).toEqual([query, ids]);
    }
  }

  const encoded = encodeURIComponent;

  describe('operators', () => {
    test('compare by the type of the attribute', () =>
      expectBooks([
        ['filters[title]=Alpha', [1]],
        ['filters[title][$eq]=alpha', []],
        ['filters[title][$ne]=Alpha', [2, 3, 4, 5, 6]],
        ['filters[pages][$lt]=100', [4, 5]],
        ['filters[pages][$gt]=50&filters[pages][$lt]=300', [1, 2, 3]],
        ['filters[pages][$between][0]=100&filters[pages][$between][1]=200', [1, 2, 3]],
        ['filters[price][$gt]=9.98', [1, 2, 4]],
        ['filters[price][$lte]=19.50', [1, 2, 5]],
        ['filters[price]=9.990', [1]],
        ['filters[rating]=4.5', [1, 4]],
        ['filters[available]=true', [1, 4]],
        ['filters[available][$ne]=true', [2, 5]],
        ['filters[isbn]=9007199254740993', [1]],
        ['filters[isbn][$in][]=9007199254740992&filters[isbn][$in][]=300', [4]],
        ['filters[released][$gt]=2001-01-01', [2, 4]],
        ['filters[released]=2001-01-01T10:00:00.000Z', [1]],
        ['filters[id][$gt]=4', [5, 6]],
        ['filters[id]=99999999999', []],
        ['filters[createdAt][$lt]=2000-01-01', []],
        ['filters[pages]=', []],
      ]));

    test('take lists, which may be long or empty', async () => {
      await expectBooks([
        ['filters[title][$in][0]=Alpha&filters[title][$in][1]=Gamma', [1, 3]],
        ['filters[title][0]=Alpha&filters[title][1]=beta', [1, 2]],
        ['filters[title][$in]=Alpha', [1]],
        ['filters[title][$in]=', []],
        ['filters[title][$in][]', []],
        ['filters[rating][$in][]=4.5&filters[rating][$in][]=0', [1, 4, 5]],
        ['filters[price][$in][]=5&filters[price][$in][]=19.50', [2]],
        ['filters[available][$in][]=false', [2, 5]],
        ['filters[title][$notIn][0]=Alpha&filters[title][$notIn][1]=Gamma', [2, 4, 5, 6]],
        ['filters[price][$notIn][]=0', [1, 2, 4]],
      ]);
      const many = Array.from({ length: 1200 }, (_, index) => `filters[id][$in][${index}]=${index + 2}`).join('&');
      expect(await found('book', many)).toEqual([2, 3, 4, 5, 6]);
    });

    test('search text literally, case and all', () =>
      expectBooks([
        ['filters[title][$contains]=lpha', [1, 4]],
        ['filters[title][$contains]=LPHA', []],
        ['filters[title][$contains]=%25', [5]],
        ['filters[title][$contains]=_', [5]],
        ['filters[title][$contains]=%5C', [5]],
        ['filters[title][$startsWith]=alpha', [4]],
        ['filters[title][$endsWith]=a', [1, 2, 3]],
        ['filters[title][$endsWith]=xxxxxxxxxxxxxxxxxxxxxxxxa', []],
        ['filters[title][$startsWith]=&filters[title][$endsWith]=&filters[title][$contains]=', [1, 2, 3, 4, 5, 6]],
        ['filters[title][$notContains]=lpha', [2, 3, 5, 6]],
        [`filters[title]=${encoded(`' OR 1=1; --`)}`, []],
        ['filters[pages][$contains]=00', [1, 2, 3, 6]],
        ['filters[released][$startsWith]=2001', [1, 4]],
      ]));

    test('fold the case of Unicode in their `i` forms, still literally', () =>
      expectBooks([
        ['filters[title][$eqi]=ALPHA', [1]],
        ['filters[title][$nei]=ALPHA', [2, 3, 4, 5, 6]],
        [`filters[title][$eqi]=${encoded('émile ẞ Σ')}`, [6]],
        [`filters[title][$containsi]=${encoded('MILE SS')}`, []],
        ['filters[title][$containsi]=LPHA', [1, 4]],
        ['filters[title][$containsi]=*', []],
        ['filters[title][$containsi]=[a-z]', []],
        ['filters[title][$startsWithi]=100%25 X_', [5]],
        ['filters[title][$endsWithi]=A', [1, 2, 3]],
        ['filters[title][$notContainsi]=LPHA', [2, 3, 5, 6]],
      ]));

    test('leave out nulls, but for $null', () =>
      expectBooks([
        ['filters[price][$null]=true', [3, 6]],
        ['filters[price][$null]=false', [1, 2, 4, 5]],
        ['filters[price][$null]=1', [3, 6]],
        ['filters[price][$null]=abc', [3, 6]],
        ['filters[price][$null]=', [1, 2, 4, 5]],
        ['filters[price][$notNull]=true', [1, 2, 4, 5]],
        ['filters[price][$ne]=0', [1, 2, 4]],
        ['filters[price][$not][$gt]=9', [5]],
        ['filters[extra][$notNull]=true', [1, 2]],
      ]));

    test('combine', () =>
      expectBooks([
        ['filters[$and][0][title]=Alpha&filters[$and][1][pages]=100', [1]],
        ['filters[$or][0][title]=Alpha&filters[$or][1][pages]=200', [1, 2, 3]],
        ['filters[$or][0][title]=Alpha&filters[$or][1][pages]=200&filters[pages][$gt]=100', [2, 3]],
        ['filters[$not][title]=Alpha', [2, 3, 4, 5, 6]],
        ['filters[$not][0][title]=Alpha', [2, 3, 4, 5, 6]],
        ['filters[title][$not][$contains]=lpha', [2, 3, 5, 6]],
        ['filters[pages][$not][$in][0]=200&filters[pages][$not][$in][1]=100', [4, 5, 6]],
        ['filters[$not][$or][0][title]=Alpha&filters[$not][$or][1][pages]=200', [4, 5, 6]],
        ['filters[$not][$not][title]=Alpha', [1]],
        ['filters[$or][]', []],
      ]));
  });

  describe('relations', () => {
    test('are met by a related row, each entry once', () =>
      expectBooks([
        ['filters[author][name]=Ann', [1, 3]],
        ['filters[author]=1', [1, 3]],
        ['filters[author][id]=1', [1, 3]],
        ['filters[author][id][$in][]=2&filters[author][id][$in][]=3', [2, 6]],
        ['filters[author][0]=2&filters[author][1]=3', [2, 6]],
        ['filters[author][$ne]=1', [2, 6]],
        ['filters[author][$not][id]=1', [2, 6]],
        ['filters[$not][author]=1', [2, 6]],
        ['filters[author][name][$ne]=Ann', [2, 6]],
        ['filters[author][books][title]=Gamma', [1, 3]],
        ['filters[author][favourite][tags][name]=blue', [1, 3]],
        ['filters[tags]=1', [1, 4, 6]],
        ['filters[tags][name][$in][]=red&filters[tags][name][$in][]=blue', [1, 2, 4, 6]],
        ['filters[tags][name][$ne]=red', [1, 2, 4, 6]],
        ['filters[cover][name]=a.png', [1]],
        ['filters[gallery][name][$startsWith]=b', [1]],
      ]));

    test('one object is about one row, `$and` may be about several', () =>
      expectBooks([
        ['filters[tags][name]=red&filters[tags][id]=2', []],
        ['filters[tags][name]=red&filters[tags][id]=1', [1, 4, 6]],
        ['filters[tags][name][$eq]=red&filters[tags][name][$startsWith]=b', []],
        ['filters[$and][0][tags][name]=red&filters[$and][1][tags][name]=blue', [1, 6]],
        ['filters[tags][$or][0][name]=green&filters[tags][$or][1][id]=2', [1, 2, 4, 6]],
      ]));

    test('of a list are met by some, none or each of its rows; $not means none', () =>
      expectBooks([
        ['filters[tags][$some][name]=red', [1, 4, 6]],
        ['filters[tags][$none][name]=red', [2, 3, 5]],
        ['filters[tags][$none]=1', [2, 3, 5]],
        ['filters[tags][$none][0]=1&filters[tags][$none][1]=2', [3, 5]],
        ['filters[tags][$none][name][$in][]=red&filters[tags][$none][name][$in][]=blue', [3, 5]],
        ['filters[tags][$every][name]=red', [3, 5]],
        ['filters[tags][$every][name][$ne]=red', [2, 3, 5]],
        ['filters[tags][$some][name]=red&filters[tags][$some][id]=2', []],
        ['filters[tags][$some][name]=red&filters[tags][id]=2', [1, 6]],
        ['filters[tags][$some][name]=red&filters[tags][$none][name]=blue', [4]],
        ['filters[$not][tags][name]=red', [2, 3, 5]],
        ['filters[$not][tags][$none][name]=red', [1, 4, 6]],
        ['filters[$not][tags][$every][name]=red', [1, 2, 4, 6]],
        ['filters[$not][$not][tags][name]=red', [1, 4, 6]],
        ['filters[$not][$or][0][tags][name]=red&filters[$not][$or][1][tags][name]=blue', [3, 5]],
        ['filters[$or][0][tags][$none][name]=blue&filters[$or][1][title]=Alpha', [1, 3, 4, 5]],
        // Through an author, of whom there is at most one: the author must exist.
        ['filters[author][books][$none][title]=Gamma', [2, 6]],
        ['filters[$not][author][books][title]=Gamma', [2, 6]],
        ['filters[gallery][$none][name][$startsWith]=b', [2, 3, 4, 5, 6]],
        ['filters[$not][gallery][name][$startsWith]=b', [2, 3, 4, 5, 6]],
      ]));

    test('a row whose value is null does not meet a condition, nor its negation: not each row does', async () => {
      expect(await found('author', 'filters[books][$every][price][$gt]=0')).toEqual([2]);
      expect(await found('author', 'filters[books][$every][price][$not][$gt]=0')).toEqual([]);
      expect(await found('author', 'filters[books][$none][price][$gt]=0')).toEqual([3]);
    });

    test('quantifiers are for lists, and cost as much as another relation', async () => {
      await expect(found('book', 'filters[author][$none][name]=Ann')).rejects.toThrow(
        'filters.author.$none: $none is for lists',
      );
      await expect(found('book', 'filters[seo][$some][metaTitle]=x')).rejects.toThrow('is for lists');
      await expect(found('book', 'filters[$none][title]=x')).rejects.toThrow('$none');
      const many = Array.from({ length: 40 }, (_, index) => `filters[$and][${index}][tags][$none][id]=1`).join('&');
      await expect(found('book', many)).rejects.toThrow('weigh more than');
    });

    test('may be asked for their absence', () =>
      expectBooks([
        ['filters[author][$null]=true', [4, 5]],
        ['filters[author][id][$null]=true', [4, 5]],
        ['filters[author][id][$notNull]=true', [1, 2, 3, 6]],
        ['filters[author][$null]=false', [1, 2, 3, 6]],
        ['filters[author][name][$null]=true', [4, 5]],
        ['filters[author][name][$null]=true&filters[author][id][$gt]=0', []],
        ['filters[author][favourite][title][$notNull]=false&filters[author][$null]=true', [4, 5]],
        ['filters[tags][name][$null]=true', []],
        ['filters[author][name][$notNull]=true', [1, 2, 3, 6]],
        ['filters[$not][author][name][$notNull]=true', [4, 5]],
        ['filters[tags][$null]=true', [3, 5]],
        ['filters[tags][id][$null]=true', [3, 5]],
        ['filters[$not][tags][$null]=true', [1, 2, 4, 6]],
        ['filters[cover][$null]=true', [2, 3, 4, 5, 6]],
      ]));

    test('have no drafts, unless these are asked for', async () => {
      expect(await found('article', 'filters[see][title]=draft')).toEqual([]);
      expect(await found('article', 'filters[see]=2')).toEqual([]);
      // C08: the other locales of an entry.
      expect(await found('article', 'filters[localizations][title]=un')).toEqual([1]);
      expect(await found('article', 'filters[localizations][locale]=en&locale=fr')).toEqual([3]);
      expect(await found('article', 'filters[localizations][$null]=true')).toEqual([4]);
      expect(await found('article', 'filters[see][id]=2&publicationState=preview')).toEqual([1, 4]);
      expect(await found('article', 'filters[next][$null]=true')).toEqual([1]);
      expect(await found('article', 'filters[next][$null]=true&publicationState=preview')).toEqual([2]);
      expect(await found('article', 'filters[previous][title]=four')).toEqual([1]);
      expect(await found('article', 'filters[previous][$null]=true')).toEqual([4]);
      expect(await found('article', 'filters[publishedAt][$null]=true')).toEqual([]);
      expect(await found('article', 'filters[locale]=fr&locale=all')).toEqual([3]);
    });
  });

  test('where entries have document ids, absence may be asked for by these too', async () => {
    const article = { ...library.type('article'), documentIds: true as const };
    const types = { ...libraryTypes, types: { ...libraryTypes.types, article } };
    const reader = createReader({ database: library.database, types, api: librarySettings });
    const ids = async (query: string) => {
      const answer = await reader.flatList(article, { ...asked(query), format: V5 });
      return answer.entries().map((entry: any) => entry.id);
    };
    for (const key of ['', '[id]', '[documentId]']) {
      for (const [condition, found] of [
        ['[$null]=true', [4]],
        ['[$null]=false', [1]],
        ['[$notNull]=true', [1]],
        ['[$notNull]=true&filters[see][title]=none', []],
      ] as const) {
        const query = `filters[see]${key}${condition}&locale=en`;
        expect([query, await ids(query)]).toEqual([query, found]);
      }
    }
    expect(await ids('filters[see][documentId][$null]=false&filters[see][documentId][$ne]=none&locale=en')).toEqual([
      1,
    ]);
  });

  test('in the v5 format, a filter on the locale looks into all locales, and publishedAt is null in drafts', async () => {
    const article = { ...library.type('article'), documentIds: true as const };
    const idsOf = async (query: string) => {
      const answer = await library.reader.list(article, { ...asked(`fields=id&${query}`), format: V5 });
      const { total } = answer.pagination;
      return [answer.entries().map((entry: any) => entry.id), total];
    };
    const expectIds = async (query: string, ids: readonly number[]) =>
      expect([query, await idsOf(query)]).toEqual([query, [ids, ids.length]]);
    await expectIds('filters[locale]=fr', [3]);
    await expectIds('filters[$or][0][locale]=fr&filters[$or][1][$not][locale]=fr', [1, 3, 4]);
    await expectIds('filters[locale]=fr&locale=en', []);
    await expectIds('filters[see][locale]=en', [1]);
    await expectIds('filters[title]=un', []);
    const one = await library.reader.one(article, { ...asked('filters[locale]=fr'), format: V5 }, { documentId: 'd1' });
    expect(one?.entry()).toMatchObject({ id: 3 });

    await expectIds('filters[publishedAt][$null]=true', []);
    await expectIds('filters[publishedAt][$notNull]=true', [1, 4]);
    for (const [condition, ids] of [
      ['[$null]=true', [1, 2, 4]],
      ['[$notNull]=true', []],
      ['[$gt]=2000-01-01', []],
      ['[$ne]=2000-01-01', []],
      ['[$not][$gt]=2000-01-01', []],
      ['[$not][$null]=true', []],
    ] as const) {
      await expectIds(`status=draft&filters[publishedAt]${condition}`, ids);
      await expectIds(
        `status=draft&filters[see][publishedAt]${condition}&filters[see][id][$gt]=0`,
        ids.length > 0 ? [1, 4] : [],
      );
    }
    await expectIds('status=draft&filters[$not][publishedAt][$null]=true', []);
    await expectIds('status=draft&sort=publishedAt:desc', [1, 2, 4]);
  });

  test('components are met by an item, and by what is inside of it', () =>
    expectBooks([
      ['filters[seo][metaTitle]=mt1', [1]],
      ['filters[seo][metaTitle][$ne]=mt1', [2]],
      ['filters[seo][weight][$gt]=1', [1]],
      ['filters[seo][$null]=true', [3, 4, 5, 6]],
      ['filters[seo][id]=7', [2]],
      ['filters[seo][image][name]=b.png', [1]],
      ['filters[seo][weight][$null]=true', [2, 3, 4, 5, 6]],
      ['filters[seo][weight][$notNull]=true', [1]],
      ['filters[$not][seo][weight][$notNull]=true', [2, 3, 4, 5, 6]],
      ['filters[$not][seo][weight][$null]=true', [1]],
      ['filters[seo][weight][$null]=true&filters[seo][metaTitle][$notNull]=true', [2]],
      ['filters[seo][weight][$ne]=9', [1]],
      ['filters[$or][0][seo][weight][$null]=true&filters[$or][1][title]=Alpha', [1, 2, 3, 4, 5, 6]],
      ['filters[links][label]=l1', [1, 4]],
      ['filters[links][label]=l1&filters[links][rank]=1', []],
      ['filters[links][rank][$lt]=9', [1]],
      ['filters[links][tags][name]=green', [1]],
      ['filters[links][seo][metaTitle]=inner', [1]],
      ['filters[links][seo][$null]=true', [1, 4]],
      ['filters[links][id][$null]=true', [2, 3, 5, 6]],
      ['filters[links][$none][label]=l1', [2, 3, 5, 6]],
      ['filters[links][$some][rank][$lt]=9', [1]],
      ['filters[links][$every][rank][$lt]=9&filters[links][$notNull]=true', [1]],
      ['filters[links][$every][seo][metaTitle]=inner&filters[links][$notNull]=true', []],
      ['filters[$not][links][label]=l1', [2, 3, 5, 6]],
      ['filters[links][$some][tags][$none][name]=green', [1, 4]],
      // Several items, or several entries of an item's relation, meet the condition.
      ['filters[links][rank][$gt]=0', [1, 4]],
      ['filters[$or][0][links][tags][id][$gt]=0&filters[$or][1][title]=beta', [1, 2]],
      ['filters[links][tags][id][$gt]=0&filters[title][$notNull]=true', [1]],
    ]));

  test('an entry whose components or other locales match several times is one entry of a page', async () => {
    const { database } = library;
    try {
      await database.run(
        raw(
          `INSERT INTO articles (id, title, document_id, locale) VALUES (51, 'a', 'd5', 'en'), (52, 'b', 'd5', 'fr'), (53, 'c', 'd5', 'de'), (54, 'd', 'd6', 'en'), (55, 'e', 'd6', 'de')`,
        ),
      );
      const query = 'filters[localizations][id][$gt]=50&publicationState=preview';
      expect(await found('article', query)).toEqual([51, 54]);
    } finally {
      await database.run(raw('DELETE FROM articles WHERE id > 50'));
    }
  });

  test('tiny numbers are compared as numbers, in components too', async () => {
    const card = { uid: 'card', attributes: { x: { type: 'float', column: 'x' } } } as const;
    const { book } = libraryTypes.types;
    if (!book) throw new Error('there are no books');
    const seo = { type: 'component', column: 'seo', component: 'card', repeatable: false } as const;
    const type = { ...book, attributes: { ...book.attributes, seo } };
    const types = {
      ...libraryTypes,
      types: { ...libraryTypes.types, book: type },
      components: { ...libraryTypes.components, card },
    };
    const reader = createReader({ database: library.database, types, api: librarySettings });
    await library.database.run(
      raw(`INSERT INTO books (id, title, rating, seo) VALUES
        (91, 'tiny', 1e-20, '{"id":1,"x":1e-20}'), (92, 'tiny', 1e-18, '{"id":2,"x":1e-18}'), (93, 'tiny', -1, '{"id":3,"x":-1}')`),
    );
    const ids = async (query: string) => {
      const list = await reader.list(type, asked(`filters[title]=tiny&${query}`));
      return list.entries().map((entry: any) => entry.id);
    };
    try {
      for (const name of ['[rating]', '[seo][x]']) {
        expect(await ids(`filters${name}[$lt]=1e-19`)).toEqual([91, 93]);
        expect(await ids(`filters${name}[$gt]=1e-19`)).toEqual([92]);
        expect(await ids(`filters${name}=1e-20`)).toEqual([91]);
        expect(await ids(`filters${name}[$in][0]=1e-20`)).toEqual([91]);
        expect(await ids(`filters${name}[$ne]=1e-20`)).toEqual([92, 93]);
      }
      const first = await reader.list(
        type,
        asked('filters[title]=tiny&sort=seo.x&pagination[pageSize]=2&pagination[after]='),
      );
      const { next } = first.pagination;
      expect(await ids(`sort=seo.x&pagination[pageSize]=2&pagination[after]=${String(next)}`)).toEqual([92]);
    } finally {
      await library.database.run(raw("DELETE FROM books WHERE title = 'tiny'"));
    }
  });

  test('a search looks into readable text only', async () => {
    expect(await found('book', '_q=ALPHA')).toEqual([1, 4]);
    expect(await found('book', '_q=')).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await found('book', '_q=alpha&filters[pages]=50')).toEqual([4]);
    expect(await found('author', '_q=ann@x.co')).toEqual([]);
    expect(await found('author', '_q=pw')).toEqual([]);
    expect(await found('article', 'locale=all&_q=un')).toEqual([3]);
    expect(await found('article', 'locale=all&_q=fr')).toEqual([]);
    const type = { ...library.type('article'), documentIds: true as const };
    const documents = await library.reader.flatList(type, { ...asked('_q=d4'), format: V5 });
    expect(documents.entries()).toEqual([]);
  });
});
