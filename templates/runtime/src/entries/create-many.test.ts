/** Many entries in one write are what the same entries are when they are created one by one, on each engine. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, openSite, relationsOf, type Site } from '../../test-support/entry-services.ts';
import { testedEngines } from '../../test-support/runtime-database.ts';
import { raw } from '../database/sql.ts';
import { parseQuery } from '../query/parse-query-string.ts';
import { serverCaller } from '../contract/policy/server-caller.ts';
import { entryTypes } from '../../test-support/entry-types.ts';

const LEAVES = 6;
const FILES = 3;

const leaf = fc.integer({ min: 1, max: LEAVES });
const file = fc.integer({ min: 1, max: FILES });
const leaves = fc.uniqueArray(leaf, { maxLength: 4 });

const product = fc.record(
  {
    name: fc.constantFrom('Lamp', 'lamp', 'Chair'),
    home: fc.option(leaf),
    leaves: fc.oneof(
      leaves,
      leaves.map((connect) => ({ connect })),
    ),
    similar: fc.constant([]),
    cover: file,
    pictures: fc.uniqueArray(file),
    info: fc.record({ metaTitle: fc.constant('A title') }),
    specs: fc.array(fc.record({ label: fc.constant('of a spec'), leaf: fc.option(leaf) }), { maxLength: 3 }),
    locale: fc.constantFrom('en', 'fr'),
  },
  { requiredKeys: ['name'] },
);

const products = fc.array(product, { minLength: 1, maxLength: 12 });

/** The first entry has a uid that others would get; the last ones have a partner each. */
function batchesOf(before: readonly Json[], all: readonly Json[]): readonly (readonly Json[])[] {
  const withUid = before.map((data, index) => (index === 0 ? { ...data, slug: 'lamp-1' } : data));
  return [withUid, all.map((data, index) => (index < LEAVES ? { ...data, partner: index + 1 } : data))];
}

const call = { caller: serverCaller(entryTypes), query: parseQuery('') };

/** Everything that does not depend on how entries are created. */
async function stored({ database, get }: Site, ids: readonly number[]): Promise<Json> {
  const order = (all: readonly Json[]) => all.map(({ id }) => ids.indexOf(Number(id)));
  const sides: Json[] = [];
  for (let id = 1; id <= LEAVES; id += 1) {
    sides.push([
      order(await database.all(raw(`SELECT id FROM products WHERE home_id = ${id} ORDER BY home_position, id`))),
      order(await database.all(raw(`SELECT a AS id FROM products_leaves WHERE b = ${id} ORDER BY b_pos, a`))),
    ]);
  }
  const entries: Json[] = [];
  for (const id of ids) {
    const { attributes } = await get('product', id, 'populate[0]=info&populate[1]=specs.leaf&locale=all');
    const { createdAt: _created, updatedAt: _updated, specs, info, ...values } = attributes;
    const items = (specs ?? []).map(({ id: item, leaf: related, ...rest }: Json) => [item > 0, related.data?.id, rest]);
    entries.push({ ...values, items, title: info?.metaTitle, relations: await relationsOf({ database } as Site, id) });
  }
  return { sides, entries };
}

test.each(await testedEngines())('on %s', { timeout: 120_000 }, async (engine) => {
  const site = await openSite({}, engine);
  try {
    const service = site.services.collection('product');
    await fc.assert(
      fc.asyncProperty(products, products, async (before, all) => {
        const ways: Json[] = [];
        for (const isTogether of [false, true]) {
          await site.reset(LEAVES, FILES);
          const ids: number[] = [];
          for (const batch of batchesOf(before, all)) {
            if (isTogether) ids.push(...(await service.createMany(batch, call)));
            else for (const data of batch) ids.push(((await service.create(data, call)).entry() as Json).id);
          }
          expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
          ways.push(await stored(site, ids));
        }
        expect(ways[1]).toEqual(ways[0]);
      }),
      { numRuns: Number(process.env['MANY_RUNS'] ?? 6), interruptAfterTimeLimit: 60_000 },
    );
  } finally {
    await site.close();
  }
});
