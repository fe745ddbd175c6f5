/** The project's hooks around every operation, on a real database. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { editor, openSite, refused, type Site } from '../../test-support/entry-services.ts';
import { ForbiddenError } from '../contract/errors.ts';
import type { TypeHooks } from './hooks.ts';
import { EMPTY_QUERY } from '../query/entry-query.ts';
import { V5 } from '../query/format.ts';
import { queryOf } from '../query/query-of.ts';

let site: Site;
/** The names and events of the calls. */
const calls: [string, any][] = [];

function after(name: string) {
  return (event: any) => void calls.push([name, event]);
}

/** Hooks that record their calls; `beforeCreate` and `beforeUpdate` mark the name, `transform` the answer. */
function noting(key: string): TypeHooks {
  const before = (name: string) => (event: any) => {
    calls.push([name, event]);
    if (event.data?.[key] === 'refused') throw new ForbiddenError();
    return event.data?.[key] === undefined ? undefined : { ...event.data, [key]: `${event.data[key]}!` };
  };
  return {
    beforeCreate: before('beforeCreate'),
    afterCreate: after('afterCreate'),
    beforeUpdate: before('beforeUpdate'),
    afterUpdate: after('afterUpdate'),
    beforeDelete: (event: any) => {
      calls.push(['beforeDelete', event]);
      if (event.id === 1) throw new ForbiddenError();
    },
    afterDelete: after('afterDelete'),
    transform: ({ entry }: any) => ({ ...entry, attributes: { ...entry.attributes, seen: true } }),
  };
}

beforeAll(async () => {
  site = await openSite({ product: noting('name'), home: noting('heading') });
});
beforeEach(async () => {
  await site.reset(0, 0);
  calls.length = 0;
});
afterAll(() => site.close());

const names = () => calls.map(([name]) => name);

test('are called in order, see what they should, and change what is stored and answered', async () => {
  const created = await site.create('product', { name: 'a' });
  expect(created.attributes).toMatchObject({ name: 'a!', slug: 'a', seen: true });
  expect(names()).toEqual(['beforeCreate', 'afterCreate']);
  expect(calls[0]?.[1]).toMatchObject({ data: { name: 'a' }, caller: editor });
  expect(calls[1]?.[1].entry.attributes).not.toHaveProperty('seen');
  calls.length = 0;

  const other = await site.localize('product', created.id, { locale: 'fr', name: 'b' });
  expect(other).toMatchObject({ name: 'b!', seen: true, localizations: [{ name: 'a!' }] });
  expect(names()).toEqual(['beforeCreate', 'afterCreate']);
  calls.length = 0;

  await site.update('product', other.id, { price: 2 });
  expect((await site.list('product', 'locale=all')).data.map((entry: any) => entry.attributes.seen)).toEqual([
    true,
    true,
  ]);
  await site.remove('product', other.id);
  expect(names()).toEqual(['beforeUpdate', 'afterUpdate', 'beforeDelete', 'afterDelete']);
  expect(calls[0]?.[1]).toMatchObject({ id: other.id, data: { price: 2 } });
  expect(calls[3]?.[1].entry).toMatchObject({ id: other.id, attributes: { price: 2 } });
});

test('transform sees nested entries, and answers are flat in the v5 format', async () => {
  const { id } = await site.create('product', { name: 'a' });
  await site.localize('product', id, { locale: 'fr', name: 'b' });
  const request = { caller: editor, query: queryOf({ populate: '*' }), format: V5 };
  const [entry] = (await site.services.collection('product').find(request)).entries();
  expect(entry).toMatchObject({ id, name: 'a!', leaves: [], seen: true, localizations: [{ name: 'b!' }] });
  await site.save('home', { heading: 'a', count: 1 });
  const home = await site.services.single('home').find({ ...request, query: EMPTY_QUERY });
  expect(home.entry()).toMatchObject({ heading: 'a!', seen: true });
});

test('of a single type are those of updates', async () => {
  const { data } = await site.save('home', { heading: 'a', count: 1 });
  await site.save('home', { heading: 'b' });
  await site.services
    .single('home')
    .delete({ caller: editor, query: EMPTY_QUERY })
    .catch(() => undefined);
  expect(data.attributes).toMatchObject({ heading: 'a!', seen: true });
  expect(names()).toEqual(['beforeUpdate', 'afterUpdate', 'beforeUpdate', 'afterUpdate', 'beforeDelete']);
  expect(calls.map(([, { id }]) => id)).toEqual([undefined, undefined, data.id, undefined, data.id]);
});

test('that throw refuse the request, and nothing is called or stored after them', async () => {
  const { id } = await site.create('product', { name: 'a' });
  for (const act of [
    () => site.create('product', { name: 'refused' }),
    () => site.update('product', id, { name: 'refused' }),
    () => site.localize('product', id, { locale: 'fr', name: 'refused' }),
    () => site.remove('product', id),
    () => site.save('home', { heading: 'refused', count: 1 }),
  ]) {
    calls.length = 0;
    expect(await refused(site, act)).toBeInstanceOf(ForbiddenError);
    expect(calls).toHaveLength(1);
  }
  calls.length = 0;
  await refused(site, () => site.update('product', 99, {}));
  await refused(site, () => site.remove('product', 99));
  await refused(site, () => site.localize('product', 99, { locale: 'fr' }));
  expect(calls).toEqual([]);
});
