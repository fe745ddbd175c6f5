/** The project's hooks around writes in the v5 format, with document ids and locales, on a real database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { editor, openSite, refused, type Site } from '../../../test-support/entry-services.ts';
import { testedEngines } from '../../../test-support/runtime-database.ts';
import { ForbiddenError, NotFoundError } from '../../contract/errors.ts';
import { sql } from '../../database/sql.ts';
import { V5 } from '../../query/format.ts';
import { queryOf } from '../../query/query-of.ts';
import type { TypeHooks } from '../hooks.ts';

describe.each(await testedEngines())('on %s', (engine) => {
  let site: Site;
  const calls: [string, any][] = [];
  /** What a hook does besides recording its call. */
  let act: (name: string, event: any) => unknown;

  const noting = Object.fromEntries(
    [
      ...['beforeCreate', 'afterCreate', 'beforeUpdate', 'afterUpdate', 'beforeDelete', 'afterDelete', 'committed'],
      'beforeFind',
    ].map((name) => [
      name,
      (event: any) => {
        if (name !== 'beforeFind') calls.push([name, event]);
        return act(name, event);
      },
    ]),
  ) as TypeHooks;

  beforeAll(async () => {
    site = await openSite({ product: noting, home: noting }, engine);
  });
  beforeEach(async () => {
    act = () => undefined;
    await site.reset(0, 0);
    calls.length = 0;
  });
  afterAll(() => site.close());

  const request = (query: object = {}) => ({ caller: editor, query: queryOf({ ...query }), format: V5 });
  const products = () => site.services.collection('product');
  const stories = () => site.services.collection('story');
  const names = () => calls.map(([name]) => name);
  /** Locale → name. */
  const stored = async () => {
    const rows = await site.database.all(sql`SELECT locale, name FROM products ORDER BY locale`);
    return Object.fromEntries(rows.map(({ locale, name }) => [locale, name]));
  };

  async function create(name: string): Promise<{ readonly id: number; readonly documentId: string }> {
    const { id } = (await products().create({ name }, request())).entry() as { id: number };
    const row = await site.database.get(sql`SELECT document_id FROM products WHERE id = ${id}`);
    return { id, documentId: String(row?.['document_id']) };
  }

  test('a new entry, an update by document id, and a new locale call what v4 calls', async () => {
    act = (name, { data }) => (name.startsWith('before') && data ? { ...data, name: `${data.name}!` } : undefined);
    const { id, documentId } = await create('a');
    expect(names()).toEqual(['beforeCreate', 'afterCreate', 'committed']);
    expect(calls[1]?.[1].entry).toMatchObject({ id, attributes: { name: 'a!' } });
    calls.length = 0;

    await products().update({ documentId }, { name: 'b' }, request());
    expect(names()).toEqual(['beforeUpdate', 'afterUpdate', 'committed']);
    expect(calls[0]?.[1]).toMatchObject({ id, data: { name: 'b' } });
    calls.length = 0;

    await products().update({ documentId }, { name: 'c' }, request({ locale: 'fr' }));
    expect(names()).toEqual(['beforeCreate', 'afterCreate', 'committed']);
    expect(calls[0]?.[1]).toMatchObject({ localeOf: id, data: { name: 'c' } });
    expect(calls[1]?.[1].entry.attributes).toMatchObject({ name: 'c!', locale: 'fr' });
    expect(await stored()).toEqual({ en: 'b!', fr: 'c!' });
  });

  test('a throw before or after undoes the write of a locale', async () => {
    const { documentId } = await create('a');
    for (const refused of ['beforeUpdate', 'afterUpdate', 'beforeCreate', 'afterCreate']) {
      act = (name) => {
        if (name === refused) throw new ForbiddenError(refused);
      };
      const locale = refused.endsWith('Create') ? 'fr' : 'en';
      const update = products().update({ documentId }, { name: 'b' }, request({ locale }));
      await expect(update, refused).rejects.toThrow(ForbiddenError);
    }
    expect(await stored()).toEqual({ en: 'a' });
    expect(names().filter((name) => name === 'committed')).toHaveLength(1);
  });

  test('all locales are deleted, or none', async () => {
    const { documentId } = await create('a');
    await products().update({ documentId }, { name: 'c' }, request({ locale: 'fr' }));
    calls.length = 0;
    act = (name, { entry }) => {
      if (name === 'afterDelete' && entry.attributes.locale === 'fr') throw new ForbiddenError();
    };
    const all = request({ locale: '*' });
    await expect(products().delete({ documentId }, all)).rejects.toThrow(ForbiddenError);
    expect(await stored()).toEqual({ en: 'a', fr: 'c' });
    expect(names()).not.toContain('committed');
    // A NotFoundError thrown by a hook must not be mistaken for one about the entry to delete.
    act = (name) => {
      if (name === 'afterDelete') throw new NotFoundError();
    };
    await expect(products().delete({ documentId }, all)).rejects.toThrow(NotFoundError);
    expect(await stored()).toEqual({ en: 'a', fr: 'c' });

    act = () => undefined;
    calls.length = 0;
    await products().delete({ documentId }, all);
    expect(await stored()).toEqual({});
    expect(names()).toEqual([
      ...['beforeDelete', 'beforeDelete', 'afterDelete', 'afterDelete', 'committed', 'committed'],
    ]);
    expect(calls.slice(4).map(([, { entry }]) => entry.attributes.locale)).toEqual(['en', 'fr']);
  });

  test('a deletion is of the locale that it names, and of no row that the caller may not find', async () => {
    const { documentId } = await create('a');
    await products().update({ documentId }, { name: 'c' }, request({ locale: 'fr' }));
    act = (name) => (name === 'beforeFind' ? { name: 'c' } : undefined);
    calls.length = 0;
    await products().delete({ documentId }, request());
    expect([names(), await stored()]).toEqual([[], { en: 'a', fr: 'c' }]);
    await products().delete({ documentId }, request({ locale: '*' }));
    expect([names(), await stored()]).toEqual([['beforeDelete', 'afterDelete', 'committed'], { en: 'a' }]);
    act = () => undefined;
    await products().delete({ documentId }, request());
    expect(await stored()).toEqual({});
  });

  test('two requests that delete at once both succeed, and each row is deleted once', async () => {
    const { documentId } = await create('a');
    await products().update({ documentId }, { name: 'c' }, request({ locale: 'fr' }));
    calls.length = 0;
    await Promise.all(['*', '*', 'fr'].map((locale) => products().delete({ documentId }, request({ locale }))));
    expect(await stored()).toEqual({});
    expect(names().filter((name) => name === 'committed')).toHaveLength(2);
  });

  test('a locale or time in the data that contradicts the query is refused before any hook, with the parameter to use', async () => {
    const { documentId } = await create('a');
    calls.length = 0;
    const attempts: [() => Promise<unknown>, string][] = [
      [() => products().create({ name: 'b', locale: 'fr' }, request()), '?locale=fr'],
      [() => products().update({ documentId }, { name: 'b', locale: 'fr' }, request()), '?locale=fr'],
      [() => products().update({ documentId }, { name: 'b', locale: 'en' }, request({ locale: 'fr' })), '?locale=en'],
      [() => site.services.single('home').save({ count: 1, locale: 'fr' }, request()), '?locale=fr'],
      [() => stories().create({ title: 'a', level: 1, publishedAt: null }, request()), '?status=draft'],
      [
        () => stories().create({ title: 'a', publishedAt: new Date().toISOString() }, request({ status: 'draft' })),
        '?status=draft',
      ],
    ];
    for (const [attempt, parameter] of attempts) {
      const error = await refused(site, attempt);
      expect(error).toMatchObject({ status: 400, name: 'ValidationError' });
      expect(error.message).toContain(parameter);
    }
    expect([calls, await stored()]).toEqual([[], { en: 'a' }]);

    await products().update({ documentId }, { name: 'b', locale: 'en', publishedAt: null }, request());
    await products().update({ documentId }, { name: 'c', locale: 'fr' }, request({ locale: 'fr' }));
    expect(await stored()).toEqual({ en: 'b', fr: 'c' });
    await stories().create({ title: 'a', level: 1, publishedAt: '2020-01-01T00:00:00Z', locale: null }, request());
    await stories().create({ title: 'b', publishedAt: null }, request({ status: 'draft' }));
    const published = await site.database.all(sql`SELECT title FROM stories WHERE published_at > '2021-01-01'`);
    expect(published).toEqual([{ title: 'a' }]);
  });

  test('a single type calls the hooks of updates', async () => {
    const home = site.services.single('home');
    await home.save({ heading: 'a', count: 1 }, request());
    await home.save({ heading: 'b' }, request());
    await home.delete(request());
    expect(names().filter((name) => name !== 'committed')).toEqual([
      ...['beforeUpdate', 'afterUpdate', 'beforeUpdate', 'afterUpdate', 'beforeDelete', 'afterDelete'],
    ]);
  });
});
