/** Drafts and their publication, on a real database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSite, refused, refusedPaths, type Site } from '../../test-support/entry-services.ts';
import { testedEngines } from '../../test-support/runtime-database.ts';
import { sql } from '../database/sql.ts';

describe.each(await testedEngines())('on %s', (engine) => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({}, engine);
  });
  beforeEach(() => site.reset(3, 0));
  afterAll(() => site.close());

  const WHOLE = { title: 'Title', leaf: 1 };
  const draft = (data: object = {}) => site.create('article', { ...data, publishedAt: null });
  const titles = (list: any) => list.data.map(({ attributes }: any) => attributes.title);

  describe('drafts', () => {
    test('are published by POST unless it says otherwise, and a given time is kept', async () => {
      const { publishedAt, createdAt } = (await site.create('article', WHOLE)).attributes;
      expect(publishedAt).toBe(createdAt);
      const time = '2999-01-02T03:04:05.678Z';
      const { attributes } = await site.create('article', { ...WHOLE, publishedAt: time });
      expect(attributes.publishedAt).toBe(time);
      expect((await draft()).attributes).toMatchObject({ title: null, slug: null, publishedAt: null });
    });

    test('are hidden in lists, by id, in relations and totals, and shown to who asks for them', async () => {
      const { id: hidden } = await draft({ title: 'hidden' });
      const { id: shown } = await site.create('article', { ...WHOLE, title: 'shown' });
      const { id } = await site.create('article', { ...WHOLE, title: 'main', see: [hidden, shown] });
      const list = await site.list('article', 'fields=title&populate[see][fields]=title&sort=id');
      expect(titles(list)).toEqual(['shown', 'main']);
      expect(list.meta.pagination.total).toBe(2);
      expect(titles(list.data[1].attributes.see)).toEqual(['shown']);
      await expect(site.get('article', hidden)).rejects.toThrow('Not Found');
      expect(titles((await site.get('article', id, 'populate=see')).attributes.see)).toEqual(['shown']);
      const preview = await site.list('article', 'publicationState=preview&populate=see&sort=id');
      expect(titles(preview)).toEqual(['hidden', 'shown', 'main']);
      expect(titles(preview.data[2].attributes.see)).toEqual(['hidden', 'shown']);
      expect((await site.remove('article', hidden)).attributes.title).toBe('hidden');
    });

    test('may lack what is required and be short, but not repeat a unique value', async () => {
      const { id } = await draft({ body: 'x', code: 'c', seo: {}, specs: [{}] });
      expect((await site.update('article', id, { body: 'y', title: null })).attributes.body).toBe('y');
      expect(await refusedPaths(site, () => draft({ code: 'c', number: 'x' }))).toEqual(['number', 'code']);
    });

    test('stay what they are by a PUT without publishedAt, and change by one with it', async () => {
      const { id } = await draft(WHOLE);
      expect((await site.update('article', id, { body: 'long' })).attributes.publishedAt).toBeNull();
      const time = '2020-01-01T00:00:00.000Z';
      expect((await site.update('article', id, { publishedAt: time })).attributes.publishedAt).toBe(time);
      expect((await site.update('article', id, { title: 'new' })).attributes.publishedAt).toBe(time);
      expect(await refusedPaths(site, () => site.update('article', id, { title: null, body: 'x' }))).toEqual([
        'title',
        'body',
      ]);
      const unpublished = await site.update('article', id, { publishedAt: null, title: null });
      expect(unpublished.attributes).toMatchObject({ publishedAt: null, title: null });
    });
  });

  describe('publishing a draft', () => {
    const publishedAt = '2020-01-01T00:00:00.000Z';

    test('names all that is missing, stored or sent, and changes nothing', async () => {
      const { id } = await draft({ body: 'x', seo: { secret: null }, specs: [{ leaf: 1 }] });
      expect(await refusedPaths(site, () => site.update('article', id, { publishedAt }))).toEqual([
        'title',
        'body',
        'seo.metaTitle',
        'specs',
        'leaf',
      ]);
      const sent = { publishedAt, title: 't', number: 'x', body: 'y' };
      expect(await refusedPaths(site, () => site.update('article', id, sent))).toEqual([
        'body',
        'number',
        'seo.metaTitle',
        'specs',
        'leaf',
      ]);
    });

    test('takes stored and sent values together, whatever form they are stored in', async () => {
      const { id } = await draft({ seo: { secret: 'sec' }, leaf: 1, specs: [{}, {}] });
      const { seo } = (await site.get('article', id, 'populate=seo&publicationState=preview')).attributes;
      const rest = { title: 't', seo: { id: seo.id, metaTitle: 'm' } };
      const { attributes } = await site.update('article', id, { publishedAt, ...rest }, 'populate=seo');
      expect(attributes).toMatchObject({ publishedAt, title: 't', seo: { id: seo.id, metaTitle: 'm' } });
    });

    test('asks for a password, but not of which form the stored one is', async () => {
      const { id } = await site.create('safe', { publishedAt: null });
      expect(await refusedPaths(site, () => site.update('safe', id, { publishedAt }))).toEqual(['pass']);
      await site.update('safe', id, { pass: 'word' });
      expect((await site.update('safe', id, { publishedAt })).attributes.publishedAt).toBe(publishedAt);
    });

    test('a required uid of a draft waits for its target, and an empty one counts as absent', async () => {
      const { id } = await draft({ leaf: 1, slug: '' });
      const slugAfter = async (data: object) => (await site.update('article', id, data)).attributes.slug;
      expect(await slugAfter({ body: 'text', title: '' })).toBeNull();
      expect(await slugAfter({ title: 'First Title', slug: '' })).toBe('first-title');
      expect(await slugAfter({ title: 'Second Title', slug: '' })).toBe('first-title');
      expect(await slugAfter({ publishedAt, slug: '' })).toBe('first-title');
      expect(await slugAfter({ title: 'Third Title', slug: '' })).toBe('first-title');
      expect((await site.create('article', { ...WHOLE, title: 'First Title', slug: '' })).attributes.slug).toBe(
        'first-title-1',
      );
    });

    test('makes a required uid that the draft has lost', async () => {
      const { id } = await draft({ ...WHOLE, title: 'My Title' });
      await site.update('article', id, { slug: null });
      expect((await site.update('article', id, { publishedAt })).attributes.slug).toBe('my-title');
    });

    test('and emptying it at the same time never ends in a published entry that lacks something', async () => {
      for (let round = 0; round < 20; round += 1) {
        const { id } = await draft(WHOLE);
        await Promise.allSettled([
          site.update('article', id, { publishedAt }),
          site.update('article', id, { title: null, body: 'x' }),
          site.update('article', id, { publishedAt, body: 'long' }),
        ]);
        const row = await site.database.get(sql`SELECT title, published_at FROM articles WHERE id = ${id}`);
        expect(row?.['published_at'] === null || row?.['title'] !== null).toBe(true);
      }
    });
  });

  describe('entries', () => {
    test('name all unique values that are taken, also beside other errors', async () => {
      await site.create('article', { ...WHOLE, code: 'c', slug: 's', number: 1 });
      const { id } = await site.create('article', { ...WHOLE, code: 'd', number: 2 });
      const taken = { code: 'c', slug: 's', number: 1 };
      expect(await refusedPaths(site, () => site.create('article', { ...WHOLE, ...taken }))).toEqual([
        'slug',
        'code',
        'number',
      ]);
      expect(await refusedPaths(site, () => site.update('article', id, { ...taken, title: 5 }))).toEqual([
        'title',
        'slug',
        'code',
        'number',
      ]);
      expect((await site.update('article', id, { code: 'd', number: 2 })).attributes.code).toBe('d');
    });

    test('get free uids, also when several are created at once', async () => {
      const created = await Promise.all(Array.from({ length: 9 }, () => site.create('article', WHOLE)));
      const slugs = created.map(({ attributes }) => attributes.slug);
      expect(new Set(slugs).size).toBe(9);
      expect(slugs.every((slug) => /^title(-\d+)?$/.test(slug))).toBe(true);
      const given = await site.create('article', { ...WHOLE, title: '日本', slug: 'own' });
      expect(given.attributes.slug).toBe('own');
      expect((await site.create('article', { ...WHOLE, title: '日本' })).attributes.slug).toBe('article');
    });

    test('are refused whole: nothing of a bad request is stored', async () => {
      const { id } = await site.create('article', { ...WHOLE, specs: [{ leaf: 1 }, { leaf: 2 }], see: [] });
      const bad: [string, object][] = [
        ['see.0', { see: [99], title: 'new', specs: [{}, {}] }],
        ['specs.1.id', { specs: [{}, { id: 77 }] }],
        ['specs.0.leaf', { specs: [{ leaf: 99 }, {}], code: 'k' }],
        ['nope', { nope: 1, title: 'new' }],
        ['leaf', { leaf: null }],
      ];
      for (const [path, data] of bad) {
        expect(await refusedPaths(site, () => site.update('article', id, data))).toEqual([path]);
      }
      for (const [path, data] of bad.filter(([at]) => at !== 'specs.1.id')) {
        expect(await refusedPaths(site, () => site.create('article', { ...WHOLE, ...data }))).toEqual([path]);
      }
      for (const act of [
        () => site.update('article', 999, { title: 'x' }),
        () => site.remove('article', 999),
        () => site.update('article', id, { title: 'x' }, 'fields=nope'),
        () => site.remove('article', id, 'sort=nope'),
        () => site.create('article', WHOLE, 'populate[see][fields]=nope'),
        () => site.localize('article', id, { locale: 'fr' }),
      ]) {
        expect((await refused(site, act)).status).toBeGreaterThanOrEqual(400);
      }
    });

    test('cost an update one look-up, and the answer where the update does not tell it', async () => {
      const { id } = await site.create('article', { ...WHOLE, publishedAt: null });
      site.forget();
      await site.update('article', id, { title: 'x' });
      expect(site.statements.outside).toHaveLength(1);
      // Whether a uid waits for its title is read first.
      expect(site.statements.inside).toHaveLength(site.database.dialect.updateReturns ? 2 : 3);
      await site.update('article', id, { publishedAt: new Date().toISOString() });
      site.forget();
      await site.update('article', id, { title: 'y' });
      expect(site.statements.outside).toHaveLength(1);
      // The row, the links of the list and of components are copied over what was published, and read.
      expect(site.statements.inside).toHaveLength(8);
    });

    test('are never public without what they need, whichever of two updates comes first', async () => {
      for (let round = 0; round < 10; round += 1) {
        const { id } = await site.create('article', {
          ...WHOLE,
          slug: `round-${round}`,
          code: null,
          publishedAt: null,
        });
        const [published, updated] = await Promise.allSettled([
          site.update('article', id, { publishedAt: new Date().toISOString() }),
          site.update('article', id, { title: null }),
        ]);
        const { title, publishedAt } = await site.get('article', id, 'publicationState=preview');
        // The later one was refused.
        expect([published.status, updated.status].filter((status) => status === 'fulfilled')).toHaveLength(1);
        expect(publishedAt === null).toBe(title === null);
      }
    });
  });
});
