/** Locales of entries and their shared attributes, on a real database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Json,
  openSite,
  refused,
  refusedPaths,
  relationsOf,
  type Site,
} from '../../../test-support/entry-services.ts';
import { entryTypes } from '../../../test-support/entry-types.ts';
import { testedEngines } from '../../../test-support/runtime-database.ts';
import { raw, sql } from '../../database/sql.ts';
import { listLocales } from '../../features/locales/locale-routes.ts';
import { parseQuery } from '../../query/parse-query-string.ts';

describe.each(await testedEngines())('on %s', (engine) => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({}, engine);
  });
  beforeEach(() => site.reset(4, 3));
  afterAll(() => site.close());

  const create = (data: object, query?: string) => site.create('product', { name: 'A', ...data }, query);
  const names = (list: any) => list.data.map(({ attributes }: any) => attributes.name);

  const count = async (table: string) =>
    (await site.database.get(sql`SELECT COUNT(*) AS total FROM ${raw(table)}`))?.['total'];
  const single = (uid: string) => site.services.single(uid);

  describe('the locale of a new entry', () => {
    test('is that of the data, else of the query, else the first', async () => {
      expect((await create({})).attributes.locale).toBe('en');
      expect((await create({}, 'locale=it')).attributes.locale).toBe('it');
      expect((await create({ locale: 'fr' }, 'locale=it')).attributes.locale).toBe('fr');
      expect((await create({ locale: null })).attributes.locale).toBe('en');
      expect(names(await site.list('product', 'locale=all'))).toHaveLength(4);
      expect(await refusedPaths(site, () => create({ locale: 'xx', price: 'x' }))).toEqual(['price', 'locale']);
      expect(await refusedPaths(site, () => create({ locale: 5 }))).toEqual(['locale']);
      expect(await refusedPaths(site, () => create({ locale: '' }))).toEqual(['locale']);
      expect(await refused(site, () => create({}, 'locale=xx'))).toMatchObject({ status: 400 });
    });

    test('can never be changed: another one in the data of an update is refused, with what to do, and its own is ignored', async () => {
      const { id } = await create({});
      for (const locale of ['en', null]) {
        const { attributes } = await site.update('product', id, { locale, name: 'B' });
        expect(attributes).toMatchObject({ locale: 'en', name: 'B' });
      }
      const { message } = await refused(site, () => site.update('product', id, { locale: 'fr', name: 'C' }));
      expect(message).toMatch(/^locale is not that of .* en: .*\?locale=fr/u);
      for (const locale of ['fr', 'xx', '', 5, ['en']]) {
        const paths = await refusedPaths(site, () => site.update('product', id, { locale, price: 'x' }, 'locale=fr'));
        expect(paths).toEqual(['price', 'locale']);
      }
    });

    test('bounds unique values and uids', async () => {
      await create({ code: 'c', sku: 's' });
      // A shared value has no locale.
      expect(await refusedPaths(site, () => create({ code: 'c', sku: 's', locale: 'fr' }))).toEqual(['sku']);
      const { id } = await create({ code: 'c', locale: 'fr' });
      expect((await site.get('product', id)).attributes.slug).toBe('a');
      expect((await create({})).attributes.slug).toBe('a-1');
      expect(await refusedPaths(site, () => create({ code: 'c', sku: 's', slug: 'a' }))).toEqual([
        'code',
        'slug',
        'sku',
      ]);
    });
  });

  describe('a further locale', () => {
    test('shares what is not localized, is answered flat, and is linked both ways', async () => {
      const { id } = await create({
        sku: 's',
        price: 5,
        code: 'c',
        tariff: { a: [1] },
        leaves: [2, 1],
        home: 3,
        partner: 4,
        cover: 1,
        pictures: [3, 2],
        specs: [{ label: 'one', leaf: 2 }, { label: 'two' }],
        info: { metaTitle: 'm' },
      });
      const answer = await site.localize('product', id, { locale: 'fr', name: 'Un', id: 7 });
      const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
      const shared = { sku: 's', price: 5, tariff: { a: [1] } };
      expect(answer).toEqual({
        id: expect.any(Number),
        name: 'Un',
        code: null,
        slug: 'un',
        ...shared,
        ...times,
        locale: 'fr',
        localizations: [{ id, name: 'A', code: 'c', slug: 'a', ...shared, ...times, locale: 'en' }],
      });
      const [one, two] = await Promise.all([id, answer.id].map((of) => relationsOf(site, of)));
      expect(two).toEqual(one);
      expect(two).toEqual({
        leaves: [2, 1],
        related: [],
        home: 3,
        partner: 4,
        cover: 1,
        pictures: [3, 2],
        links: [2],
      });
      const { attributes } = await site.get('product', answer.id, 'populate=info,specs,localizations');
      expect(attributes).toMatchObject({ info: null, specs: [{ label: 'one' }, { label: 'two' }] });
      expect(attributes.localizations.data.map((other: any) => other.id)).toEqual([id]);
      const housed = async (query: string) => {
        const leaf = await site.get('leaf', 3, `populate=housed${query}`);
        return leaf.attributes.housed.data.map((product: any) => product.id);
      };
      expect([await housed(''), await housed('&locale=fr'), await housed('&locale=it')]).toEqual([
        [id],
        [answer.id],
        [id],
      ]);
    });

    test('may bring new shared values, which all locales get', async () => {
      const { id } = await create({ price: 5, sku: 's' });
      const { updatedAt } = (await site.get('product', id)).attributes;
      await new Promise((resolve) => setTimeout(resolve, 5));
      await site.localize('product', id, { locale: 'fr', name: 'Un', price: 7, leaves: [1] });
      await site.localize('product', id, { locale: 'it', name: 'Uno', leaves: { connect: [3] } });
      expect((await site.get('product', id)).attributes).toMatchObject({ price: 7, sku: 's', name: 'A' });
      expect((await site.get('product', id)).attributes.updatedAt > updatedAt).toBe(true);
      expect((await relationsOf(site, id)).leaves).toEqual([1, 3]);
    });

    test('is refused as clients know it', async () => {
      const { id } = await create({ sku: 's' });
      const error = async (of: number, body: object) => {
        const { status, message } = await refused(site, () => site.localize('product', of, body));
        return [status, message];
      };
      expect(await error(id, { data: { locale: 'fr' } })).toEqual([400, 'locale is missing']);
      expect(await error(id, { locale: 'xx', name: 'x' })).toEqual([400, 'locale is invalid']);
      expect(await error(id, { locale: ['it'], name: 'x' })).toEqual([400, 'locale is invalid']);
      expect(await error(id, { locale: 'en', name: 'x' })).toEqual([400, 'locale is already used']);
      expect(await error(999, { locale: 'it', name: 'x' })).toEqual([404, 'Entity not found']);
      expect(await refusedPaths(site, () => site.localize('product', id, { locale: 'it', nope: 1 }))).toEqual([
        'name',
        'nope',
      ]);
      // Another entry has the value.
      await create({ sku: 't', locale: 'fr' });
      expect(
        await refusedPaths(site, () => site.localize('product', id, { locale: 'fr', name: 'x', sku: 't' })),
      ).toEqual(['sku']);
    });

    test('that two requests add at once is added once', async () => {
      const { id } = await create({});
      const results = await Promise.allSettled(
        ['x', 'y', 'z'].map((name) => site.localize('product', id, { locale: 'fr', name })),
      );
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason.message).toBe('locale is already used');
      }
    });

    test('is a draft until it is published, and what it shares must be good enough for those that are', async () => {
      const story = await site.create('story', { title: 'A', level: 1 });
      const { id, publishedAt } = await site.localize('story', story.id, { locale: 'fr' });
      expect(publishedAt).toBeNull();
      expect((await site.get('story', story.id, 'populate=localizations')).attributes.localizations.data).toEqual([]);
      const time = '2020-01-01T00:00:00.000Z';
      expect(await refusedPaths(site, () => site.update('story', id, { publishedAt: time }))).toEqual(['title']);
      expect(await refusedPaths(site, () => site.update('story', id, { level: null }))).toEqual(['level']);
      expect(await refusedPaths(site, () => site.localize('story', story.id, { locale: 'it', level: null }))).toEqual([
        'level',
      ]);
      await site.update('story', id, { title: 'Un', publishedAt: time });
      const other = await site.create('story', { publishedAt: null });
      const lacking = { locale: 'fr', title: 'x', publishedAt: time };
      expect(await refusedPaths(site, () => site.localize('story', other.id, lacking))).toEqual(['level']);
      expect(await refusedPaths(site, () => site.localize('story', other.id, { ...lacking, title: 5 }))).toEqual([
        'title',
        'level',
      ]);
      await site.update('story', other.id, { level: null });
    });

    test('that is deleted leaves the others as they are', async () => {
      const { id } = await create({ leaves: [1], specs: [{ leaf: 1 }] });
      const { id: other } = await site.localize('product', id, { locale: 'fr', name: 'Un' });
      await site.remove('product', id);
      expect(await relationsOf(site, other)).toMatchObject({ leaves: [1], links: [1] });
      expect((await site.get('product', other, 'populate=localizations')).attributes.localizations.data).toEqual([]);
      expect((await site.localize('product', other, { locale: 'en', name: 'A' })).localizations[0].id).toBe(other);
    });
  });

  describe('single types', () => {
    beforeEach(() => site.reset(0, 0));
    const caller = { kind: 'user' as const, role: '', permissions: new Set<string>(['home.find']) };
    const ask = (query = '') => ({ caller, query: parseQuery(query) });

    test('are there from the first save on, and after a deletion again', async () => {
      await expect(single('setting').find(ask())).rejects.toThrow('Not Found');
      await expect(single('setting').delete(ask())).rejects.toThrow('Not Found');
      expect(await refusedPaths(site, () => site.save('setting', { tagline: 't' }))).toEqual(['siteName']);
      const { created, data } = await site.save('setting', { siteName: 'a', tagline: 't' });
      expect(created).toBe(true);
      const again = await site.save('setting', { siteName: 'b' });
      expect(again).toMatchObject({
        created: false,
        data: { id: data.id, attributes: { siteName: 'b', tagline: 't' } },
      });
      await single('setting').delete(ask());
      const { created: anew, data: next } = await site.save('setting', { siteName: 'c' });
      expect([anew, next.attributes.tagline, next.id > data.id]).toEqual([true, null, true]);
    });

    test('are hidden until they are published, and can be deleted anyway', async () => {
      const { data } = await site.save('notice', { publishedAt: null });
      expect(data.attributes).toMatchObject({ text: null, publishedAt: null });
      await expect(single('notice').find(ask())).rejects.toThrow('Not Found');
      expect(await refusedPaths(site, () => site.save('notice', { publishedAt: '2020-01-01T00:00:00Z' }))).toEqual([
        'text',
      ]);
      expect((await site.save('notice', { text: 'a' })).data.attributes.publishedAt).toBeNull();
      await site.save('notice', { publishedAt: '2020-01-01T00:00:00Z' });
      expect(((await single('notice').find(ask())).entry() as Json).attributes.text).toBe('a');
      await site.save('notice', { publishedAt: null });
      await single('notice').delete(ask());
      expect(await count('notices')).toBe(0);
      expect((await site.save('notice', { text: 'a' })).data.attributes.publishedAt).not.toBeNull();
    });

    test('that are saved for the first time by several requests at once become one entry', async () => {
      for (let round = 0; round < 10; round += 1) {
        await site.reset(0, 0);
        const saved = await Promise.all(['a', 'b', 'c', 'd'].map((siteName) => site.save('setting', { siteName })));
        expect(saved.filter(({ created }) => created)).toHaveLength(1);
        expect(new Set(saved.map(({ data }) => data.id)).size).toBe(1);
        expect(await count('settings')).toBe(1);
        const homes = await Promise.all(
          ['en', 'fr', 'it', 'fr'].map((locale, index) => site.save('home', { count: index }, `locale=${locale}`)),
        );
        expect(homes.filter(({ created }) => created)).toHaveLength(3);
        expect(await count('homes')).toBe(3);
        const same = await site.database.all(raw('SELECT DISTINCT document_id, count FROM homes'));
        expect(same).toHaveLength(1);
      }
    });

    test('have an entry in each locale, of one document', async () => {
      const { data: en } = await site.save('home', { heading: 'a', count: 1 });
      await expect(single('home').find(ask('locale=fr'))).rejects.toThrow('Not Found');
      for (const query of [undefined, 'locale=fr']) {
        const { message } = await refused(site, () => site.save('home', { heading: 'un', locale: 'it' }, query));
        expect(message).toMatch(/\?locale=it$/u);
      }
      const { data: fr, created } = await site.save('home', { heading: 'un', locale: 'fr' }, 'locale=fr');
      expect([created, fr.attributes.locale, fr.attributes.count]).toEqual([true, 'fr', 1]);
      expect(fr.meta.availableLocales.map(({ id }: any) => id)).toEqual([en.id]);
      await site.save('home', { count: 2 }, 'locale=fr');
      expect(((await single('home').find(ask())).entry() as Json).attributes).toMatchObject({ heading: 'a', count: 2 });
      expect(await refused(site, () => site.save('home', {}, 'locale=xx'))).toMatchObject({ status: 400 });
      const it = (await single('home').createLocalization({ locale: 'it', heading: 'uno' }, ask())).entry() as Json;
      expect(it).toMatchObject({
        heading: 'uno',
        count: 2,
        locale: 'it',
        localizations: [{ locale: 'en' }, { locale: 'fr' }],
      });
      await single('home').delete(ask('locale=fr'));
      await expect(single('home').delete(ask('locale=fr'))).rejects.toThrow('Not Found');
      expect(await count('homes')).toBe(2);
      await site.reset(0, 0);
      expect(await refusedPaths(site, () => site.save('home', { count: 1, locale: 'fr' }, 'locale=it'))).toEqual([
        'locale',
      ]);
      expect(await refusedPaths(site, () => site.save('home', { count: 1, locale: 'xx' }))).toEqual(['locale']);
      expect((await site.save('home', { count: 1, locale: 'fr' })).data.attributes.locale).toBe('fr');
      expect((await site.save('home', { locale: 'fr' }, 'locale=fr')).created).toBe(false);
      expect(await refusedPaths(site, () => site.save('home', { locale: 'fr' }))).toEqual(['locale']);
      await site.reset(0, 0);
      await expect(single('home').createLocalization({ locale: 'it' }, ask())).rejects.toThrow('Entity not found');
      await expect(single('setting').createLocalization({ locale: 'it' }, ask())).rejects.toThrow('Not Found');
    });
  });

  test('the locales of a server are listed as clients expect', () => {
    const since = '2020-01-01T00:00:00.000Z';
    expect(listLocales({ ...entryTypes, locales: ['fr', 'pt-BR', 'x'] }, since)).toEqual([
      { id: 1, name: 'French (fr)', code: 'fr', isDefault: true, createdAt: since, updatedAt: since },
      {
        id: 2,
        name: 'Brazilian Portuguese (pt-BR)',
        code: 'pt-BR',
        isDefault: false,
        createdAt: since,
        updatedAt: since,
      },
      { id: 3, name: 'x', code: 'x', isDefault: false, createdAt: since, updatedAt: since },
    ]);
    const [fr, it] = listLocales({ ...entryTypes, locales: ['fr', 'it'] }, since, 'v5');
    expect(fr).toMatchObject({ documentId: expect.stringMatching(/^[a-z][a-z0-9]{23}$/u), publishedAt: since });
    expect(it?.documentId).not.toBe(fr?.documentId);
  });
});
