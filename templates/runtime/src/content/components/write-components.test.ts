import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPages, type Page, type Pages } from '../../../test-support/component-database.ts';
import { testedEngines } from '../../../test-support/runtime-database.ts';
import { raw, sql } from '../../database/sql.ts';
import { ValidationError } from '../../contract/errors.ts';
import { verifyPassword } from '../../base/password.ts';

describe.each(await testedEngines())('on %s', (engine) => {
  let pages: Pages;
  beforeAll(async () => {
    pages = await openPages(engine);
  });
  beforeEach(() => pages.database.run(raw('DELETE FROM pages')));
  afterAll(() => pages.drop());

  /** The invalid paths of a write, which must leave the database unchanged. */
  async function failing(write: () => Promise<unknown>): Promise<string[]> {
    const before = await pages.dump();
    const error: unknown = await write().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ValidationError);
    expect(await pages.dump()).toStrictEqual(before);
    return (error as ValidationError).issues.map(({ path }) => path.join('.'));
  }

  const links = () =>
    pages.database.all(raw('SELECT * FROM pages_component_links ORDER BY owner_id, item_id, position'));

  function idsIn(value: unknown): number[] {
    if (Array.isArray(value)) return value.flatMap(idsIn);
    if (typeof value !== 'object' || value === null) return [];
    const own = 'id' in value ? [Number(value.id)] : [];
    return [...own, ...Object.entries(value).flatMap(([name, inner]) => (name === 'extra' ? [] : idsIn(inner)))];
  }

  /** The leaves of a link that had the leaves `before`, after a change. */
  const changedLeaves = async (before: unknown, change: unknown): Promise<unknown> => {
    const page = await pages.create({ card: { links: [{ leaves: before }] } });
    const { card } = page;
    const changed = await pages.update(page.id, {
      card: { id: card.id, links: [{ id: card.links[0].id, leaves: change }] },
    });
    return changed['card'].links[0].leaves;
  };

  const slugs = async (named: object[]) =>
    (await pages.create({ named }))['named'].map(({ slug }: Page) => slug) as unknown;

  /** Decks with a card and two links each. */
  const manyDecks = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      title: 'd',
      cards: [
        {
          seo: { metaTitle: 's', image: 1 },
          links: [{ leaves: [1, 2], about: { id: 3, type: 'leaf' } }, { weight: index }],
        },
      ],
    }));

  const NO_LINKS = { leaf: null, leaves: [], files: [], about: null, mentions: [] };

  describe('new components', () => {
    test('are stored completely, at three levels, each with its own id', async () => {
      const page = await pages.create({
        mainSeo: { id: 5, metaTitle: 't', __component: 'shared.seo' },
        card: { heading: 'h', seo: { metaTitle: 's' } },
        decks: [
          { title: 'd', cards: [{ links: [{ label: 'x', leaves: [3, 1], files: [2] }, {}] }, { heading: 'y' }] },
          {},
        ],
      });
      const [one, two] = [
        { id: expect.any(Number), metaTitle: 't' },
        { id: expect.any(Number), metaTitle: 's' },
      ];
      const rest = { note: null, image: null };
      expect(page).toStrictEqual({
        id: page.id,
        title: null,
        mainSeo: { ...one, ...rest },
        links: [],
        card: { id: expect.any(Number), heading: 'h', seo: { ...two, ...rest }, links: [] },
        decks: [
          {
            id: expect.any(Number),
            title: 'd',
            cards: [
              {
                id: expect.any(Number),
                heading: null,
                seo: null,
                links: [
                  { id: expect.any(Number), label: 'x', weight: 1, ...NO_LINKS, leaves: [3, 1], files: [2] },
                  { id: expect.any(Number), label: null, weight: 1, ...NO_LINKS },
                ],
              },
              { id: expect.any(Number), heading: 'y', seo: null, links: [] },
            ],
          },
          { id: expect.any(Number), title: null, cards: [] },
        ],
        facts: null,
        named: [],
        zone: [],
      });
      const ids = idsIn(page).slice(1);
      expect(new Set(ids).size).toBe(9);
      expect(ids).toStrictEqual(ids.toSorted((a, b) => a - b));
      expect(await pages.read(page.id)).toStrictEqual(page);
    });

    test('keep values of every type exactly, even when another attribute is updated', async () => {
      const facts = {
        big: '9223372036854775807',
        ratio: 0.1 + 0.2,
        price: 12.1,
        flag: false,
        at: '2024-02-29T12:00:00.000Z',
        day: '2024-02-29',
        extra: { a: [1, null, { id: 7 }], constructor: 'c' },
        constructor: 'own',
      };
      const page = await pages.create({ facts });
      expect(page['facts']).toStrictEqual({ id: expect.any(Number), ...facts });
      const changed = await pages.update(page.id, { facts: { id: page['facts'].id, price: '0.10', flag: null } });
      expect(changed['facts']).toStrictEqual({ ...page['facts'], price: 0.1, flag: null });
      const row = await pages.database.get(sql`SELECT facts FROM pages WHERE id = ${page.id}`);
      expect(JSON.parse(String(row?.['facts']))).toMatchObject({ big: facts.big, price: '0.1' });
      expect(String(row?.['facts'])).not.toContain('flag');
    });

    test('store passwords only as hashes, at every level', async () => {
      const { id } = await pages.create({
        card: { seo: { metaTitle: 't', pass: 'one' } },
        zone: [{ __component: 'blocks.hero', seo: { metaTitle: 't', pass: 'two' } }],
      });
      const row = await pages.database.get(sql`SELECT card, zone FROM pages WHERE id = ${id}`);
      const [one, two] = [JSON.parse(String(row?.['card'])).seo.pass, JSON.parse(String(row?.['zone']))[0].seo.pass];
      expect(await Promise.all([verifyPassword('one', one), verifyPassword('two', two)])).toStrictEqual([true, true]);
      expect(JSON.stringify(await pages.read(id))).not.toContain('pass');
    });
  });

  describe('an update', () => {
    let page: Page;
    beforeEach(async () => {
      page = await pages.create({
        mainSeo: { metaTitle: 't', note: 'n', image: 2 },
        links: [
          { label: 'a', weight: 3, leaves: [1, 2] },
          { label: 'b', leaf: 4 },
          { label: 'c', files: [3, 1] },
        ],
        decks: [
          {
            title: 'one',
            cards: [{ heading: 'x', seo: { metaTitle: 's' }, links: [{ label: 'l', leaves: [5] }, {}] }],
          },
          { title: 'two', cards: [{ heading: 'y' }, { heading: 'z', links: [{ leaf: 6 }] }] },
        ],
        zone: [
          { __component: 'blocks.quote', text: 'q' },
          { __component: 'blocks.hero', title: 'h', seo: { metaTitle: 'z' } },
          { __component: 'blocks.gallery', caption: 'g', leaves: [2, 1], pics: [1] },
        ],
      });
    });

    test('without components keeps them, with their ids and links', async () => {
      expect(await pages.update(page.id, { title: 'new' })).toStrictEqual({ ...page, title: 'new' });
    });

    test('reorders, changes, adds and removes items of a list, and keeps attributes that are not sent', async () => {
      const [a, b, c] = page['links'];
      const { links: changed, ...rest } = await pages.update(page.id, {
        links: [{ id: String(c.id) }, { label: 'new' }, { id: a.id, label: 'A' }],
      });
      const added = { id: expect.any(Number), label: 'new', weight: 1, ...NO_LINKS };
      expect(changed).toStrictEqual([c, added, { ...a, label: 'A' }]);
      expect(changed[1].id).toBeGreaterThan(Math.max(...idsIn(page)));
      const { links: _, ...before } = page;
      expect(rest).toStrictEqual(before);
      expect((await links()).filter(({ item_id: item }) => item === b.id)).toStrictEqual([]);
    });

    test('reaches three levels deep', async () => {
      const [one, two] = page['decks'];
      const [card] = one.cards;
      const { decks } = await pages.update(page.id, {
        decks: [
          { id: two.id, title: null },
          { id: one.id, cards: [{ id: card.id, links: [{ id: card.links[0].id, leaves: { connect: [6] } }] }] },
        ],
      });
      expect(decks).toStrictEqual([
        { ...two, title: null },
        { ...one, cards: [{ ...card, links: [{ ...card.links[0], leaves: [5, 6] }] }] },
      ]);
    });

    test('changes the items of a zone, each by its component', async () => {
      const [quote, hero, gallery] = page['zone'];
      const { zone } = await pages.update(page.id, {
        zone: [
          { __component: 'blocks.gallery', id: gallery.id, leaves: { connect: [{ id: 3, position: { before: 1 } }] } },
          { __component: 'blocks.quote', text: 'new' },
          { __component: 'blocks.hero', id: hero.id, seo: { id: hero.seo.id, note: 'm' } },
        ],
      });
      expect(zone).toStrictEqual([
        { ...gallery, leaves: [2, 3, 1] },
        { id: expect.any(Number), __component: 'blocks.quote', text: 'new' },
        { ...hero, seo: { ...hero.seo, note: 'm' } },
      ]);
      expect(zone[1].id).not.toBe(quote.id);
    });

    test('replaces or clears a single component with its links, and empties lists', async () => {
      const replaced = await pages.update(page.id, { mainSeo: { metaTitle: 'u' } });
      expect(replaced['mainSeo']).toStrictEqual({ id: expect.any(Number), metaTitle: 'u', note: null, image: null });
      expect(replaced['mainSeo'].id).not.toBe(page['mainSeo'].id);
      const emptied = await pages.update(page.id, { mainSeo: null, links: [], decks: [], zone: [] });
      expect(emptied).toMatchObject({ mainSeo: null, links: [], decks: [], zone: [] });
      expect(await links()).toStrictEqual([]);
    });

    test('never reuses an id', async () => {
      const last = Math.max(...idsIn(await pages.create({ links: [{}, {}] })));
      await pages.database.run(raw('DELETE FROM pages'));
      const { links: fresh } = await pages.create({ links: [{}] });
      expect(fresh[0].id).toBeGreaterThan(last);
    });

    test('refuses ids that the entry does not have at that place, and reports all of them', async () => {
      const other = await pages.create({ mainSeo: { metaTitle: 'o' }, links: [{}] });
      const [one, two] = page['decks'];
      const [quote] = page['zone'];
      expect(
        await failing(() =>
          pages.update(page.id, {
            mainSeo: { id: other['mainSeo'].id, metaTitle: 'stolen' },
            links: [{ id: page['links'][0].id }, { id: other['links'][0].id }, { id: 999_999 }],
            card: { id: page['mainSeo'].id },
            decks: [
              { id: one.id, cards: [{ id: two.cards[0].id }] },
              { title: 'new', cards: [{ id: one.cards[0].id }] },
            ],
            zone: [{ __component: 'blocks.gallery', id: quote.id }],
          }),
        ),
      ).toStrictEqual([
        'mainSeo.id',
        'links.1.id',
        'links.2.id',
        'card.id',
        'decks.0.cards.0.id',
        'decks.1.cards.0.id',
        'zone.0.id',
      ]);
      expect(
        await failing(() => pages.update(page.id, { links: [{ id: 'x' }], mainSeo: { note: 'lacks a title' } })),
      ).toStrictEqual(['mainSeo.metaTitle', 'links.0.id']);
    });

    test('of an entry that no longer exists finds nothing', async () => {
      await pages.delete(page.id);
      await expect(pages.update(page.id, { mainSeo: { id: 1 } })).rejects.toThrow('Not Found');
      expect(await links()).toStrictEqual([]);
    });
  });

  describe('relations and media inside', () => {
    test.each([
      [
        [3, 1],
        [3, 1],
      ],
      [2, [2]],
      [{ id: '2', type: 'leaf' }, [2]],
      [{ set: [{ id: 4 }, 2, 1] }, [4, 2, 1]],
      [null, []],
      [{ connect: [] }, [1, 2, 3]],
      [{ connect: [4, { id: 5, position: { start: true } }] }, [5, 1, 2, 3, 4]],
      [{ connect: [1], disconnect: [2, 6] }, [3, 1]],
      [
        {
          connect: [
            { id: 4, position: { after: 5 } },
            { id: 5, position: { before: 2 } },
          ],
        },
        [1, 5, 4, 2, 3],
      ],
      [{ disconnect: [1, 2, 3] }, []],
    ])('%j of [1, 2, 3] makes %j', async (change, expected) => {
      expect(await changedLeaves([1, 2, 3], change)).toStrictEqual(expected);
    });

    test('keep their order however often an entry is inserted between the same two', async () => {
      let page = await pages.create({ links: [{ leaves: [1, 2, 3, 4, 5, 6] }] });
      const [{ id }] = page['links'];
      for (let turn = 0; turn < 40; turn += 1) {
        const connect = [{ id: 3 + (turn % 4), position: { after: 1 } }];
        page = await pages.update(page.id, { links: [{ id, leaves: { connect } }] });
      }
      expect(page['links'][0].leaves).toStrictEqual([1, 6, 5, 4, 3, 2]);
      const positions = (await links()).map(({ position }) => position);
      expect(new Set(positions).size).toBe(6);
    });

    test('of to-one attributes are the last one named, of single media the first', async () => {
      const page = await pages.create({
        mainSeo: { metaTitle: 't', image: [3, 1] },
        links: [{ leaf: [1, 2], about: { id: 3, type: 'leaf' }, mentions: [{ id: 3, type: 'leaf' }] }],
      });
      const [link] = page['links'];
      expect([page['mainSeo'].image, link.leaf, link.about, link.mentions]).toStrictEqual([3, 2, 'leaf:3', ['leaf:3']]);
      const about = { id: page.id, type: 'api::page.page' };
      const mentions = { connect: [{ ...about, position: { start: true } }] };
      const update = (change: object) => pages.update(page.id, { links: [{ id: link.id, ...change }] });
      const changed = (await update({ leaf: { disconnect: [1] }, about, mentions }))['links'][0];
      expect([changed.leaf, changed.about, changed.mentions]).toStrictEqual([
        2,
        `page:${page.id}`,
        [`page:${page.id}`, 'leaf:3'],
      ]);
      expect((await update({ leaf: { disconnect: [2] }, about: null }))['links'][0]).toMatchObject({
        leaf: null,
        about: null,
      });
    });

    test('are removed with their target', async () => {
      const page = await pages.create({ links: [{ leaves: [1, 2] }] });
      await pages.database.run(raw(`INSERT INTO leaves (name) VALUES ('extra')`));
      const extra = await pages.database.get(raw(`SELECT MAX(id) AS id FROM leaves`));
      const [{ id }] = page['links'];
      await pages.update(page.id, { links: [{ id, leaves: { connect: [Number(extra?.['id'])] } }] });
      await pages.database.run(sql`DELETE FROM leaves WHERE id = ${Number(extra?.['id'])}`);
      expect(await pages.read(page.id)).toStrictEqual(page);
    });

    test('cannot use an entry as an anchor that the caller may not find, whether it is in the list or not', async () => {
      const { id, links: items } = await pages.create({ links: [{ label: 'a', mentions: [{ id: 3, type: 'leaf' }] }] });
      const [{ id: item }] = items;
      const placed = (anchor: object, mention: object = { id: 2, type: 'leaf' }) =>
        pages.update(id, {
          links: [{ id: item, mentions: { connect: [{ ...mention, position: { before: anchor } }] } }],
        });
      await pages.database.run(
        sql`UPDATE pages_component_links SET leaf_id = NULL, vault_id = 1 WHERE owner_id = ${id} AND attribute = 'mentions'`,
      );
      for (const vault of [1, 2]) {
        await expect(placed({ id: vault, __type: 'vault' })).rejects.toThrow(/is not in the list/u);
      }
    });

    test('are refused with the path that is invalid, and nothing is written', async () => {
      const page = await pages.create({ links: [{ label: 'a', leaves: [1] }], zone: [] });
      const [{ id }] = page['links'];
      const data = {
        title: 'changed',
        leaf: 99,
        mainSeo: { metaTitle: 't', image: 77 },
        links: [
          { id, leaves: { connect: [{ id: 2, position: { after: 5 } }] } },
          { leaves: [3, 88], vault: 1 },
          { leaves: { connect: [{ id: 4, position: { before: 1 } }] } },
        ],
        zone: [{ __component: 'blocks.gallery', leaves: { set: [88, 1] } }],
      };
      expect(await failing(() => pages.update(page.id, data))).toStrictEqual([
        'leaf',
        'mainSeo.image',
        'links.1.leaves.1',
        'links.1.vault',
        'zone.0.leaves.set.0',
        'links.0.leaves.connect.0',
        'links.2.leaves.connect.0',
      ]);
      expect(
        await failing(() => pages.create({ zone: [{ __component: 'blocks.gallery', pics: [1, 4] }] })),
      ).toStrictEqual(['zone.0.pics.1']);
      expect(await failing(() => pages.create({ mainSeo: { metaTitle: 't', image: { connect: [1] } } }))).toStrictEqual(
        ['mainSeo.image'],
      );
    });
  });

  describe('unique values inside', () => {
    test('may not occur in another item of the component in the type', async () => {
      const page = await pages.create({ named: [{ slug: 'a', code: 1 }, { slug: 'b' }, { slug: 'c' }] });
      const [a, b] = page['named'];
      await pages.create({
        zone: [
          { __component: 'shared.named', slug: 'z', code: 7 },
          { __component: 'blocks.quote', text: 'c' },
        ],
      });
      expect(
        await failing(() => pages.create({ named: [{ slug: 'a' }, { slug: 'x', code: 7 }, { slug: 'x' }] })),
      ).toStrictEqual(['named.0.slug', 'named.2.slug', 'named.1.code']);
      expect(
        await failing(() => pages.update(page.id, { zone: [{ __component: 'shared.named', slug: 'c' }] })),
      ).toStrictEqual(['zone.0.slug']);
      const swapped = await pages.update(page.id, {
        named: [{ id: a.id, slug: 'b' }, { id: b.id, slug: 'a' }, { slug: 'c' }],
      });
      expect(swapped['named'].map(({ slug }: Page) => slug)).toStrictEqual(['b', 'a', 'c']);
    });

    test('are generated where one is required', async () => {
      expect(await slugs([{ title: 'A Title' }, { title: 'A title' }, { slug: 'a-title-2' }, {}])).toStrictEqual([
        'a-title',
        'a-title-1',
        'a-title-2',
        'shared-named',
      ]);
      expect(await slugs(Array.from({ length: 12 }, () => ({ title: 'a title' })))).toStrictEqual(
        Array.from({ length: 12 }, (_, index) => `a-title-${index + 3}`),
      );
    });
  });

  /** The number of statements that create a page with `count` decks, and that update all of them. */
  async function statementsFor(count: number): Promise<number[]> {
    pages.statements.length = 0;
    const page = await pages.create({ leaf: 1, decks: manyDecks(count) });
    const created = pages.statements.length;
    const decks = page['decks']
      .slice(1)
      .reverse()
      .map(({ id, cards: [card] }: Page) => ({
        id,
        cards: [
          {
            id: card.id,
            links: [
              { id: card.links[0].id, leaves: { connect: [{ id: 2, position: { before: 1 } }, 3], disconnect: [1] } },
              {},
            ],
          },
        ],
      }));
    pages.statements.length = 0;
    const changed = await pages.update(page.id, { decks });
    expect(changed['decks'].map(({ cards }: Page) => cards[0].links[0].leaves)).toStrictEqual(decks.map(() => [2, 3]));
    return [created, pages.statements.length];
  }

  test.runIf(engine === 'sqlite')('the number of statements hardly depends on the number of items', async () => {
    // Targets, ids, row, links, response; then targets, stored items and lists, ids, row, two removals, a move, links, response.
    // The response takes two per kind of list, and more if there are many items, since it is then read in parts.
    expect(await statementsFor(2)).toStrictEqual([9, 14]);
    expect(await statementsFor(60)).toStrictEqual([12, 17]);
  });
});
