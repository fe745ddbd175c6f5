import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asked, type Library, openLibrary } from '../../test-support/query-library.ts';
import { testedEngines } from '../../test-support/runtime-database.ts';
import { NotFoundError } from '../contract/errors.ts';

const TIMES = { createdAt: '2020-01-01T00:00:00.000Z', updatedAt: '2020-01-02T00:00:00.000Z' };
const NO_LOCALES = { availableLocales: [] };
const FRENCH = { id: 3, locale: 'fr', ...TIMES, publishedAt: '2021-01-01T00:00:00.000Z' };

describe.each(await testedEngines())('on %s', (dialect) => {
  let library: Library;
  beforeAll(async () => {
    library = await openLibrary({}, dialect);
  });
  afterAll(() => library.close());

  async function one(uid: string, id: number, query: string): Promise<any> {
    return (await library.reader.one(library.type(uid), asked(query), id))?.entry();
  }

  async function attributes(uid: string, id: number, query: string): Promise<any> {
    return (await one(uid, id, query)).attributes;
  }

  async function list(uid: string, query: string): Promise<any> {
    return JSON.parse(String((await library.reader.list(library.type(uid), asked(query))).body));
  }

  /** Replaces every entry by its id, and every list of entries by their ids. */
  function ids(value: any): any {
    if (Array.isArray(value)) return value.map(ids);
    if (value === null || typeof value !== 'object') return value;
    return 'data' in value ? ids(value.data) : 'attributes' in value ? value.id : value;
  }

  async function populatedIds(uid: string, id: number, query: string): Promise<unknown> {
    const shown = await attributes(uid, id, `fields=id&${query}`);
    return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, ids(value)]));
  }

  async function linkLabels(query: string): Promise<string[]> {
    return (await attributes('book', 1, query)).links.map((item: any) => item.label);
  }

  async function shownZone(query: string): Promise<any[]> {
    return (await attributes('book', 1, query)).zone;
  }

  async function siteName(query: string): Promise<unknown> {
    const entry: any = (await library.reader.single(library.type('setting'), asked(query)))?.entry();
    return entry?.attributes.siteName;
  }

  async function bookPage(query: string): Promise<[unknown, Record<string, number>]> {
    const { data, meta } = await list('book', `fields=id&${query}`);
    return [ids(data), meta.pagination];
  }

  /** The SQL of the statements that a list executes. */
  async function statements(uid: string, query: string): Promise<string[]> {
    library.statements.length = 0;
    await list(uid, query);
    return library.statements.map(({ text }) => text);
  }

  function manyValues(text: string, name: string, price: string, rows: string): string {
    return (
      `filters[title][$containsi]=${text}&filters[tags][name][$in][]=${name}&filters[tags][name][$in][]=w&filters[price][$gt]=${price}` +
      `&populate[tags][limit]=${rows}&pagination[start]=${rows}&_q=${text}${text}`
    );
  }

  describe('an entry', () => {
    test('has its scalars in the order of the type, without private ones, as exact JSON', async () => {
      const answer = await library.reader.one(library.type('book'), asked(''), 1);
      expect(answer?.body).toBe(
        '{"data":{"id":1,"attributes":{"title":"Alpha","pages":100,"price":9.99,"rating":4.5,"available":true,' +
          '"isbn":"9007199254740993","released":"2001-01-01","extra":{"k":1},' +
          '"createdAt":"2020-01-01T00:00:00.000Z","updatedAt":"2020-01-02T00:00:00.000Z"},"meta":{"availableLocales":[]}},"meta":{}}',
      );
      expect(await attributes('author', 1, '')).toEqual({ name: 'Ann', ...TIMES });
    });

    test('has the fields asked for, in their order', async () => {
      expect(Object.keys(await attributes('book', 1, 'fields=pages,title&fields=pages'))).toEqual(['pages', 'title']);
      expect(await attributes('book', 1, 'fields=id')).toEqual({});
      expect(await attributes('book', 1, 'fields[0]=id&fields[1]=title')).toEqual({ title: 'Alpha' });
      expect(await attributes('author', 1, 'fields[]=')).toEqual(await attributes('author', 1, 'fields=*'));
    });

    test('is not there when it is a draft, does not exist or does not meet the filters', async () => {
      expect(await one('book', 99, '')).toBeUndefined();
      expect(await one('article', 2, '')).toBeUndefined();
      expect(await one('article', 2, 'publicationState=preview')).toMatchObject({ id: 2 });
      expect(await one('book', 1, 'filters[pages][$gt]=100')).toBeUndefined();
      expect(await one('book', 1, 'filters[pages][$gte]=100')).toMatchObject({ id: 1 });
    });

    test('of a localized type names its other locales, and is read whatever its locale', async () => {
      expect(await one('article', 1, 'fields=title&locale=it')).toEqual({
        id: 1,
        attributes: { title: 'one' },
        meta: { availableLocales: [FRENCH] },
      });
      expect(await attributes('article', 3, '')).toMatchObject({ locale: 'fr' });
    });
  });

  describe('populate', () => {
    test('follows every kind of storage, from both sides, in the stored order', async () => {
      expect(await populatedIds('book', 1, 'populate=author,tags,cover,gallery')).toEqual({
        author: 1,
        tags: [2, 1],
        cover: 1,
        gallery: [2, 1],
      });
      expect(await populatedIds('author', 1, 'populate=books,favourite')).toEqual({ books: [3, 1], favourite: 2 });
      expect(await populatedIds('tag', 1, 'populate=books')).toEqual({ books: [6, 4, 1] });
      expect(await populatedIds('article', 1, 'populate=previous,localizations')).toEqual({
        previous: 4,
        localizations: [3],
      });
      expect(await attributes('book', 5, 'fields=id&populate=author,tags,cover')).toEqual({
        author: { data: null },
        tags: { data: [] },
        cover: { data: null },
      });
    });

    test('shows what was named in its order, or all with *, but nothing that may not be found', async () => {
      const all = await attributes('book', 1, 'fields=id&populate=*');
      expect(Object.keys(all)).toEqual([
        'author',
        'tags',
        'cover',
        'gallery',
        'seo',
        'links',
        'zone',
        'mentions',
        'topic',
      ]);
      expect(Object.keys(await attributes('book', 1, 'fields=title&populate=tags,vault,author'))).toEqual([
        'title',
        'tags',
        'author',
      ]);
      expect(await attributes('book', 1, 'fields=title&populate[vault][fields]=name')).toEqual({ title: 'Alpha' });
      expect(await attributes('book', 1, 'fields=title&populate[author]=false&populate[tags]=')).toEqual({
        title: 'Alpha',
      });
    });

    test('nests by dots, arrays and objects alike', async () => {
      const spellings = [
        'populate=author.favourite.tags',
        'populate[author][populate][favourite][populate][tags]=true',
        'populate[author][populate][0]=favourite.tags',
        'populate[0]=author.favourite&populate[1]=author.favourite.tags',
      ];
      const answers = await Promise.all(spellings.map((query) => attributes('book', 1, query)));
      expect(answers[0].author.data.attributes.favourite.data.attributes.tags.data).toHaveLength(1);
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    });

    test('filters, sorts and cuts the rows of each parent', async () => {
      const tags = async (options: string) =>
        (await list('book', `fields=id&${options}&filters[id]=1`)).data.map((entry: any) => ids(entry.attributes.tags));
      expect(await tags('populate[tags][sort]=name:desc')).toEqual([[1, 2]]);
      expect(await tags('populate[tags][limit]=1')).toEqual([[2]]);
      expect(await tags('populate[tags][start]=1')).toEqual([[1]]);
      expect(await tags('populate[tags][pagination][page]=2&populate[tags][pagination][pageSize]=1')).toEqual([[1]]);
      expect(await tags('populate[tags][filters][name]=red')).toEqual([[1]]);
      const cut = await list('book', 'fields=id&populate[tags][limit]=1&populate[tags][sort]=name:desc');
      expect(cut.data.map((entry: any) => ids(entry.attributes.tags))).toEqual([[1], [2], [], [1], [], [1]]);
      expect(await populatedIds('book', 2, 'populate[author][filters][name]=Ann')).toEqual({ author: null });
    });

    test('hides drafts everywhere unless they are asked for', async () => {
      expect(await populatedIds('article', 1, 'populate=next,see')).toEqual({ next: null, see: [4] });
      expect(await populatedIds('article', 1, 'populate=next,see&publicationState=preview')).toEqual({
        next: 2,
        see: [2, 4],
      });
      expect(await populatedIds('article', 1, 'populate[see][publicationState]=live&publicationState=preview')).toEqual(
        {
          see: [4],
        },
      );
      expect(await populatedIds('book', 2, 'populate=topic')).toEqual({ topic: null });
    });

    test('shows relations to several types with the type of each entry, those only that may be found', async () => {
      const shown = await attributes('book', 1, 'populate[mentions]=true&populate[topic]=true');
      expect(shown.mentions.data.map((entry: any) => [entry.attributes.__type, entry.id])).toEqual([
        ['api::article.article', 1],
        ['api::author.author', 1],
      ]);
      expect(Object.keys(shown.topic.data.attributes)).toEqual(['__type', 'name', 'createdAt', 'updatedAt']);
      const some = await attributes('book', 1, 'populate[mentions][on][author][fields]=name');
      expect(some.mentions.data.map((entry: any) => entry.attributes)).toEqual([
        { __type: 'api::author.author', name: 'Ann' },
      ]);
      expect(await populatedIds('book', 1, 'populate[mentions][limit]=1&publicationState=preview')).toEqual({
        mentions: [1],
      });
    });
  });

  describe('components', () => {
    test('are plain objects without private members, one level at a time', async () => {
      const { seo, links } = await attributes('book', 1, 'populate=seo,links');
      expect(seo).toEqual({ id: 1, metaTitle: 'mt1', weight: 1.5, extra: { a: [1] } });
      expect(links).toEqual([
        { id: 2, label: 'l1', rank: 3 },
        { id: 3, label: 'l2', rank: 1 },
      ]);
      expect(await attributes('book', 3, 'fields=id&populate=seo,links,zone')).toEqual({
        seo: null,
        links: [],
        zone: [],
      });
      expect((await attributes('book', 2, 'populate=seo')).seo.extra).toBe('text');
    });

    test('show what is inside them when it is asked for', async () => {
      const shown = await attributes(
        'book',
        1,
        'populate[links][fields]=label&populate[links][populate][seo][fields]=metaTitle&populate[links][populate][tags][fields]=name',
      );
      expect(shown.links).toEqual([
        {
          id: 2,
          label: 'l1',
          seo: { id: 4, metaTitle: 'inner' },
          tags: {
            data: [
              { id: 3, attributes: { name: 'green' }, meta: NO_LOCALES },
              { id: 1, attributes: { name: 'red' }, meta: NO_LOCALES },
            ],
          },
        },
        { id: 3, label: 'l2', seo: null, tags: { data: [] } },
      ]);
      expect(ids((await attributes('book', 1, 'populate=seo.image')).seo.image)).toBe(2);
    });

    test('are filtered, sorted and cut when they are repeatable', async () => {
      expect(await linkLabels('populate[links][sort]=rank')).toEqual(['l2', 'l1']);
      expect(await linkLabels('populate[links][filters][label]=l2')).toEqual(['l2']);
      expect(await linkLabels('populate[links][start]=1')).toEqual(['l2']);
    });

    test('of a zone say what they are, and can be chosen by fragments', async () => {
      expect(await shownZone('populate=zone')).toEqual([
        { id: 5, __component: 'shared.link', label: 'z1', rank: 7 },
        { id: 6, __component: 'blocks.quote', text: 'q' },
      ]);
      expect((await shownZone('populate[zone][populate]=tags'))[0].tags.data[0].id).toBe(2);
      expect(await shownZone('populate[zone][on][blocks.quote][fields]=text')).toEqual([
        { id: 6, __component: 'blocks.quote', text: 'q' },
      ]);
      expect(await shownZone('populate[zone][on][shared.seo]=true')).toEqual([]);
    });
  });

  describe('a single type', () => {
    test('is read in the default locale or the one asked for', async () => {
      expect(await siteName('')).toBe('Site');
      expect(await siteName('locale=fr')).toBeUndefined();
      expect(await siteName('locale=fr&publicationState=preview')).toBe('Page');
      expect(await siteName('filters[siteName]=Other')).toBeUndefined();
    });
  });

  describe('a written entry', () => {
    test('is read back as it is: a draft, and whatever the filters say', async () => {
      const checked = await library.reader.check(
        library.type('article'),
        asked('fields=title&filters[title]=x&locale=fr'),
      );
      expect(checked.locale).toBe('fr');
      const read = await library.database.transaction((tx) => library.reader.entry(tx, checked, 2));
      expect(JSON.parse(String(read.text))).toEqual({ id: 2, attributes: { title: 'draft' }, meta: NO_LOCALES });
      expect(await library.reader.findEntry(library.database, checked, 99)).toBeUndefined();
      await expect(library.reader.entry(library.database, checked, 99)).rejects.toThrow(NotFoundError);
    });
  });

  describe('a list', () => {
    test('has pages, or parts by offset, with and without a total', async () => {
      const all = [1, 2, 3, 4, 5, 6];
      expect(await bookPage('')).toEqual([all, { page: 1, pageSize: 25, pageCount: 1, total: 6 }]);
      expect(await bookPage('pagination[page]=2&pagination[pageSize]=4')).toEqual([
        [5, 6],
        { page: 2, pageSize: 4, pageCount: 2, total: 6 },
      ]);
      expect(await bookPage('pagination[page]=9&pagination[pageSize]=2')).toEqual([
        [],
        { page: 9, pageSize: 2, pageCount: 3, total: 6 },
      ]);
      expect(await bookPage('pagination[start]=1&pagination[limit]=2')).toEqual([
        [2, 3],
        { start: 1, limit: 2, total: 6 },
      ]);
      expect(await bookPage('pagination[limit]=-1')).toEqual([all, { start: 0, limit: 100, total: 6 }]);
      expect(await bookPage('pagination[pageSize]=101&pagination[page]=-5')).toEqual([
        all,
        { page: 1, pageSize: 100, pageCount: 1, total: 6 },
      ]);
      expect(await bookPage('pagination[pageSize]=0&pagination[withCount]=false')).toEqual([
        [1],
        { page: 1, pageSize: 1 },
      ]);
      expect((await bookPage('pagination[page]=99999999999'))[1]).toMatchObject({ page: 99_999_999_999, total: 6 });
      expect(await bookPage('filters[title]=zzz')).toEqual([[], { page: 1, pageSize: 25, pageCount: 0, total: 0 }]);
    });

    test('that can not say that there is more is whole, or refused', async () => {
      const flat = async (maxAnswerEntries: number, query: string) => {
        const small = await openLibrary({ defaultPageSize: 2, maxPageSize: 3, maxCount: 2, maxAnswerEntries }, dialect);
        try {
          return (await small.reader.flatList(small.type('book'), asked(query))).entries().length;
        } finally {
          await small.close();
        }
      };
      expect(await flat(6, 'fields=id')).toBe(6);
      expect(await flat(5, 'pagination[page]=2')).toBe(2);
      await expect(flat(5, 'fields=id')).rejects.toThrow(
        'a response may have at most 5 entries. Request fewer entries with pagination[pageSize]',
      );
    });

    test('that would be too large is refused before it is read', async () => {
      const small = await openLibrary({ maxAnswerEntries: 5 }, dialect);
      small.statements.length = 0;
      await expect(small.reader.flatList(small.type('book'), asked('fields=id'))).rejects.toThrow('at most 5 entries');
      expect(small.statements.map(({ text }) => text)).toEqual([
        expect.stringMatching(/^SELECT COUNT\(\*\) AS total FROM \(SELECT 1 AS one .* LIMIT /su),
      ]);
      await small.close();
    });

    test('counts no further than it may', async () => {
      const bounded = await openLibrary({ maxCount: 3 }, dialect);
      const page = async (query: string) => {
        return (await bounded.reader.list(bounded.type('book'), asked(query))).pagination;
      };
      expect(await page('pagination[pageSize]=2')).toEqual({ page: 1, pageSize: 2, pageCount: 2, total: 3 });
      const filtered = 'filters[pages][$gt]=-100&pagination[limit]=1';
      expect((await page(filtered)).total).toBe(Math.min(3, (await list('book', filtered)).meta.pagination.total));
      expect((await page('filters[id][$lt]=3&pagination[limit]=1')).total).toBe(2);
      expect((await page('pagination[limit]=1&pagination[maxCount]=2')).total).toBe(2);
      expect((await page('pagination[limit]=1&pagination[maxCount]=100')).total).toBe(3);
      await bounded.close();
      expect((await list('book', 'pagination[limit]=1&pagination[maxCount]=5')).meta.pagination.total).toBe(5);
      expect((await list('book', 'pagination[limit]=1&pagination[maxCount]=0')).meta.pagination.total).toBe(1);
    });

    test('is of one locale, published unless asked otherwise', async () => {
      const articles = async (query: string) => ids((await list('article', `fields=id&${query}`)).data);
      expect(await articles('')).toEqual([1, 4]);
      expect(await articles('locale=fr')).toEqual([3]);
      expect(await articles('locale=all')).toEqual([1, 3, 4]);
      expect(await articles('locale=it')).toEqual([]);
      expect(await articles('publicationState=preview')).toEqual([1, 2, 4]);
      expect((await list('article', 'pagination[pageSize]=1')).meta.pagination.total).toBe(2);
    });

    test('is sorted with nulls first or last, by any path, and always by id at the end', async () => {
      const sorted = async (sort: string) => ids((await list('book', `fields=id&${sort}`)).data);
      expect(await sorted('sort=price')).toEqual([3, 6, 5, 1, 2, 4]);
      expect(await sorted('sort=price:DESC')).toEqual([4, 2, 1, 5, 3, 6]);
      expect(await sorted('sort=rating:desc, pages')).toEqual([4, 1, 2, 5, 3, 6]);
      expect(await sorted('sort[0]=pages:asc&sort[1][title]=desc')).toEqual([5, 4, 1, 2, 3, 6]);
      expect(await sorted('sort[author][name]=desc')).toEqual([6, 2, 1, 3, 4, 5]);
      expect(await sorted('sort=tags.name')).toEqual([3, 5, 1, 2, 6, 4]);
      expect(await sorted('sort=tags.name:desc')).toEqual([1, 4, 6, 2, 3, 5]);
      expect(await sorted('sort=author.favourite.title:desc')).toEqual([1, 3, 2, 4, 5, 6]);
      expect(await sorted('sort=seo.metaTitle:desc')).toEqual([2, 1, 3, 4, 5, 6]);
      expect(await sorted('sort=links.rank:desc')).toEqual([4, 1, 2, 3, 5, 6]);
      expect(await sorted('sort=')).toEqual([1, 2, 3, 4, 5, 6]);
      expect(ids((await list('article', 'fields=id&sort=next.title:desc')).data)).toEqual([4, 1]);
    });

    test('takes one statement, and a second only for a total that no page tells', async () => {
      expect(await statements('book', 'populate=*')).toHaveLength(1);
      expect(await statements('book', 'populate=author.books,tags&pagination[pageSize]=2')).toHaveLength(1);
      expect(await statements('book', 'populate=*&pagination[pageSize]=2&pagination[withCount]=false')).toHaveLength(1);
      const filtered = 'filters[pages][$gt]=-100&populate=tags';
      expect(await statements('book', filtered)).toHaveLength(1);
      expect(await statements('book', `${filtered}&pagination[pageSize]=2`)).toHaveLength(2);
      expect(await statements('book', `${filtered}&pagination[pageSize]=2&pagination[withCount]=false`)).toHaveLength(
        1,
      );
      const byKey = `${filtered}&pagination[after]=&pagination[withCount]=true`;
      expect(await statements('book', byKey)).toHaveLength(2);
      expect(await statements('book', `${byKey}&pagination[pageSize]=2`)).toHaveLength(3);
      library.statements.length = 0;
      await one('book', 1, 'populate=author.books,tags,seo.image,zone');
      expect(library.statements).toHaveLength(1);
    });

    test('has one text of SQL for one shape of query', async () => {
      const [first] = await statements('book', manyValues('a', 'x', '1', '1'));
      const [second] = await statements('book', manyValues("'; --", 'y&filters[tags][name][$in][]=z', '2.5', '7'));
      expect(second).toBe(first);
      expect(second).not.toContain('2.5');
    });

    test.each([
      'filters[tags][id][$in][]=A&filters[tags][id][$in][]=B',
      'filters[tags][$or][0][id]=A&filters[tags][$or][1][id]=B',
    ])('never repeats an entry, even after a query of the same shape with equal values: %s', async (shape) => {
      const found = async (first: number, second: number) =>
        ids((await list('book', `fields=id&${shape.replace('A', String(first)).replace('B', String(second))}`)).data);
      const pages = [await found(1, 1), await found(1, 2), await found(2, 1)];
      for (const page of pages) expect(new Set(page).size).toBe(page.length);
      expect(pages[1]).toEqual(pages[2]);
      expect(pages[1].length).toBeGreaterThanOrEqual(pages[0].length);
    });
  });
});
