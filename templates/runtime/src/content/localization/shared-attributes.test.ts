/** Shared attributes stay equal in all locales: random operations on a real database. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSite, relationsOf, type Site } from '../../../test-support/entry-services.ts';
import { testedEngines } from '../../../test-support/runtime-database.ts';
import { raw } from '../../database/sql.ts';

describe.each(await testedEngines())('on %s', (engine) => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({}, engine);
  });
  afterAll(() => site.close());

  const leaf = fc.integer({ min: 1, max: 4 });
  const file = fc.integer({ min: 1, max: 3 });
  /** A number that selects one of the existing products. */
  const product = fc.nat({ max: 20 });
  const locale = fc.constantFrom('en', 'fr', 'it');

  function list(id: fc.Arbitrary<number>, max: number) {
    return fc.uniqueArray(id, { maxLength: max });
  }

  /** The value of a relation: a whole list, or `connect` and `disconnect`, with every second entry connected at the start. */
  function change(id: fc.Arbitrary<number>, max: number) {
    const connect = list(id, max).map((ids) =>
      ids.map((one, index) => (index % 2 === 0 ? { id: one, position: { start: true } } : one)),
    );
    return fc.oneof(list(id, max), fc.record({ connect, disconnect: list(id, max) }));
  }

  const spec = fc.record({ label: fc.constantFrom('x', 'y'), leaf }, { requiredKeys: [] });
  const data = fc.record(
    {
      name: fc.constantFrom('A', 'B'),
      sku: fc.constantFrom('s', 't', null),
      price: fc.integer({ min: 0, max: 9 }),
      tariff: fc.constantFrom(null, { a: 1 }, [2]),
      specs: fc.array(spec, { maxLength: 2 }),
      leaves: change(leaf, 4),
      home: fc.option(leaf),
      partner: fc.option(leaf),
      cover: fc.option(file),
      pictures: list(file, 3),
    },
    { requiredKeys: [] },
  );

  type Element = number | { readonly id: number };
  type Change = readonly Element[] | { readonly connect: readonly Element[]; readonly disconnect: readonly Element[] };

  /** Replaces numbers of products by their ids, without duplicates. */
  function named(value: Change, ids: readonly number[]): unknown {
    const elements = (given: readonly Element[]) => {
      const byId = new Map<number, unknown>();
      for (const one of given) {
        const id = ids[(typeof one === 'number' ? one : one.id) % ids.length] ?? 0;
        byId.set(id, typeof one === 'number' ? id : { ...one, id });
      }
      return [...byId.values()];
    };
    return 'connect' in value
      ? { connect: elements(value.connect), disconnect: elements(value.disconnect) }
      : elements(value);
  }

  /** An operation on the site. `ids` are those of the existing products. */
  interface Operation {
    readonly what: unknown;
    run(ids: readonly number[]): Promise<unknown>;
  }

  function pick(ids: readonly number[], number: number): number {
    return ids[number % ids.length] ?? 0;
  }

  /** Operations of one kind. `what` is shown if one of them fails. */
  function kind<T extends object>(
    name: string,
    weight: number,
    shape: { [Key in keyof T]: fc.Arbitrary<T[Key]> },
    run: (given: T, ids: readonly number[]) => Promise<unknown>,
  ): { weight: number; arbitrary: fc.Arbitrary<Operation> } {
    const arbitrary = fc.record(shape).map((given) => ({
      what: { name, ...given },
      run: (ids: readonly number[]) => run(given, ids),
    }));
    return { weight, arbitrary };
  }

  const operation = fc.oneof(
    kind('create', 1, { locale, data }, (given) =>
      site.create('product', { name: 'A', ...given.data, locale: given.locale }),
    ),
    kind('localize', 3, { product, locale, data }, (given, ids) =>
      site.localize('product', pick(ids, given.product), { name: 'A', ...given.data, locale: given.locale }),
    ),
    kind('update', 4, { product, data }, (given, ids) => site.update('product', pick(ids, given.product), given.data)),
    kind('remove', 1, { product }, (given, ids) => site.remove('product', pick(ids, given.product))),
    kind(
      'update from the other side',
      3,
      { leaf, side: fc.constantFrom('products', 'housed'), value: change(product, 3) },
      (given, ids) => site.update('leaf', given.leaf, { [given.side]: named(given.value, ids) }),
    ),
    kind('partner', 2, { leaf, product: fc.option(product), release: fc.boolean() }, (given, ids) => {
      const id = given.product === null ? null : pick(ids, given.product);
      return site.update('leaf', given.leaf, { partner: given.release && id !== null ? { disconnect: [id] } : id });
    }),
    kind(
      'relate',
      2,
      { product, side: fc.constantFrom('related', 'relatedBy'), value: change(product, 3) },
      (given, ids) => site.update('product', pick(ids, given.product), { [given.side]: named(given.value, ids) }),
    ),
  );

  /** The rows whose places in the lists of other sides count. */
  const FIRST_ROWS = 'SELECT MIN(id) FROM products GROUP BY document_id';

  async function checkDocuments(): Promise<void> {
    const columns = 'sku, price, tariff, specs';
    const rows = await site.database.all(raw(`SELECT id, document_id, ${columns} FROM products ORDER BY id`));
    const first = new Map<unknown, unknown>();
    for (const { id, document_id: document, ...own } of rows) {
      const shared = { ...own, ...(await relationsOf(site, Number(id))) };
      if (first.has(document)) expect(shared).toEqual(first.get(document));
      first.set(document, shared);
    }
    // Relations between entries refer to their first rows.
    expect(await site.database.all(raw(`SELECT b FROM products_related WHERE b NOT IN (${FIRST_ROWS})`))).toEqual([]);
    // A one-to-one partner belongs to one document, whatever its locales.
    const partners = await site.database.all(
      raw(
        'SELECT partner_id FROM products WHERE partner_id IS NOT NULL GROUP BY partner_id HAVING COUNT(DISTINCT document_id) > 1',
      ),
    );
    expect(partners).toEqual([]);
    for (const [own, position, table] of [
      ['a', 'a_pos', 'products_leaves'],
      ['b', 'b_pos', `(SELECT * FROM products_leaves WHERE a IN (${FIRST_ROWS}))`],
      ['a', 'a_pos', 'products_related'],
      ['b', 'b_pos', `(SELECT * FROM products_related WHERE a IN (${FIRST_ROWS}))`],
      ['home_id', 'home_position', `(SELECT * FROM products WHERE id IN (${FIRST_ROWS}))`],
    ]) {
      const twice = raw(
        `SELECT 1 FROM ${table} AS rows_of WHERE ${own} IS NOT NULL GROUP BY ${own}, ${position} HAVING COUNT(*) > 1`,
      );
      expect(await site.database.all(twice)).toEqual([]);
    }
  }

  test('shared attributes stay equal in all locales after random operations from either side', async () => {
    let done = 0;
    let refusals = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 14 }), async (operations) => {
        await site.reset(4, 3);
        await site.create('product', { name: 'A', locale: 'en' });
        for (const { run } of operations) {
          const before = JSON.stringify(await site.dump());
          const rows = await site.database.all(raw('SELECT id FROM products ORDER BY id'));
          try {
            await run(rows.map((row) => Number(row['id'])));
            done += 1;
          } catch (error) {
            refusals += 1;
            expect([400, 404]).toContain((error as { status?: number }).status);
            expect(JSON.stringify(await site.dump())).toBe(before);
          }
          await checkDocuments();
        }
      }),
      { numRuns: engine === 'sqlite' ? 150 : 20 },
    );
    expect(done).toBeGreaterThan(refusals);
  });
});
