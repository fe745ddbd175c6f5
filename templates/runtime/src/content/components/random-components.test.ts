import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LEAVES, openPages, type Page, type Pages } from '../../../test-support/component-database.ts';
import { testedEngines } from '../../../test-support/runtime-database.ts';
import { changedList } from '../../../test-support/list-model.ts';
import { raw } from '../../database/sql.ts';
import { ValidationError } from '../../contract/errors.ts';

/** An item in a response or a request. */
type Item = Readonly<Record<string, any>>;

interface Shape {
  /** Scalar attributes, with their values in new items. */
  readonly scalars: Item;
  readonly one?: readonly string[];
  readonly many?: readonly string[];
  /** Nested components, single or lists. */
  readonly items?: Readonly<Record<string, { readonly uid: string; readonly list: boolean }>>;
}

const SHAPES: Record<string, Shape> = {
  'shared.seo': { scalars: { metaTitle: null, note: null }, one: ['image'] },
  'shared.link': {
    scalars: { label: null, weight: 1 },
    one: ['leaf', 'about'],
    many: ['leaves', 'files', 'mentions'],
  },
  'shared.card': {
    scalars: { heading: null },
    items: { seo: { uid: 'shared.seo', list: false }, links: { uid: 'shared.link', list: true } },
  },
  'shared.deck': { scalars: { title: null }, items: { cards: { uid: 'shared.card', list: true } } },
  'blocks.quote': { scalars: { text: null } },
  'blocks.hero': { scalars: { title: null }, items: { seo: { uid: 'shared.seo', list: false } } },
  'blocks.gallery': { scalars: { caption: null }, many: ['leaves', 'pics'] },
};
function shapeOf(uid: string): Shape {
  const shape = SHAPES[uid];
  if (!shape) throw new Error(uid);
  return shape;
}

const ATTRIBUTES = { mainSeo: { list: false }, links: { list: true }, decks: { list: true }, zone: { list: true } };
const NEW = 0;

/** What a request should do with an item: update the existing one numbered `pick`, or create one. */
interface Wish {
  readonly uid: string;
  readonly pick: number | undefined;
  readonly sent: Item;
}

const leafId = fc.integer({ min: 1, max: LEAVES });
const someFiles = fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 3 });
const position = fc.oneof(
  fc.constantFrom({ start: true }, { end: true }),
  leafId.map((before) => ({ before })),
  leafId.map((after) => ({ after })),
);
const element = fc.record({ id: leafId, position }, { requiredKeys: ['id'] });
const listChange = fc.oneof(
  fc.constant(null),
  fc.uniqueArray(leafId, { maxLength: 4 }),
  fc.record({
    connect: fc.uniqueArray(element, { selector: ({ id }) => id, maxLength: 4 }),
    disconnect: fc.array(leafId, { maxLength: 3 }),
  }),
);
const oneChange = fc.oneof(fc.constant(null), leafId, fc.record({ disconnect: fc.array(leafId, { maxLength: 4 }) }));
const someText = fc.option(fc.string({ maxLength: 5, unit: fc.constantFrom('a', 'é', '"', '\\', '😀', "'") }));
const typed = leafId.map((id) => ({ id, type: 'leaf' }));
const mentions = fc.uniqueArray(typed, { selector: ({ id }) => id, maxLength: 3 });

const some = (uid: string, required: Item, optional: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .record({ pick: fc.option(fc.nat(5), { nil: undefined }), sent: fc.record(optional, { requiredKeys: [] }) })
    .map(({ pick, sent }): Wish => ({ uid, pick, sent: { ...required, ...sent } }));
const seo = some(
  'shared.seo',
  { metaTitle: 't' },
  { note: someText, image: fc.option(fc.integer({ min: 1, max: 3 })) },
);
const link = some(
  'shared.link',
  {},
  {
    label: someText,
    weight: fc.option(fc.integer()),
    leaf: oneChange,
    about: fc.option(typed),
    leaves: listChange,
    files: someFiles,
    mentions,
  },
);
const card = some(
  'shared.card',
  {},
  { heading: someText, seo: fc.option(seo), links: fc.array(link, { maxLength: 3 }) },
);
const deck = some('shared.deck', {}, { title: someText, cards: fc.array(card, { maxLength: 3 }) });
const block = fc.oneof(
  some('blocks.quote', { text: 'q' }, {}),
  some('blocks.hero', {}, { title: someText, seo: fc.option(seo) }),
  some('blocks.gallery', {}, { caption: someText, leaves: listChange, pics: someFiles }),
);
const request = fc.record(
  {
    mainSeo: fc.option(seo),
    links: fc.array(link, { maxLength: 4 }),
    decks: fc.array(deck, { maxLength: 3 }),
    zone: fc.array(block, { maxLength: 4 }),
  },
  { requiredKeys: [] },
);

/** The list after a change; undefined if the request must be refused. */
function changedMany(before: readonly any[], value: any): readonly any[] | undefined {
  if (value === null) return [];
  if (Array.isArray(value)) return value.map((target) => (typeof target === 'object' ? `leaf:${target.id}` : target));
  const steps = value.connect.map(({ id, position: at = { end: true } }: any) => {
    const [[kind, anchor]] = Object.entries(at) as [[string, unknown]];
    return {
      key: String(id),
      position: kind === 'before' || kind === 'after' ? { kind, anchor: String(anchor) } : { kind },
    };
  });
  return changedList(before.map(String), steps, value.disconnect.map(String))?.map(Number);
}

function changedOne(before: any, value: any): any {
  if (value === null || typeof value === 'number') return value;
  if ('id' in value) return `leaf:${value.id}`;
  return value.disconnect.includes(before) ? null : before;
}

/** A request and its expected result. */
interface Outcome<T = Item> {
  readonly request: T;
  readonly expected: T;
  /** Whether it must be refused instead. */
  readonly refused: boolean;
}

function emptyItem(uid: string, isZone: boolean): Item {
  const { scalars, one = [], many = [], items = {} } = shapeOf(uid);
  return {
    id: NEW,
    ...(isZone && { __component: uid }),
    ...scalars,
    ...Object.fromEntries(one.map((name) => [name, null])),
    ...Object.fromEntries(many.map((name) => [name, []])),
    ...Object.fromEntries(Object.entries(items).map(([name, { list }]) => [name, list ? [] : null])),
  };
}

function changeItem({ uid, sent }: Wish, before: Item | undefined, isZone: boolean): Outcome {
  const { one = [], many = [], items = {} } = shapeOf(uid);
  const asked: Record<string, unknown> = { ...(before && { id: before['id'] }), ...(isZone && { __component: uid }) };
  const expected: Record<string, any> = { ...(before ?? emptyItem(uid, isZone)) };
  let refused = false;
  for (const [name, value] of Object.entries(sent)) {
    const inner = items[name];
    asked[name] = value;
    if (inner) {
      const outcome = changeItems(value, expected[name], inner.list, false);
      [asked[name], expected[name]] = [outcome.request, outcome.expected];
      refused ||= outcome.refused;
    } else if (one.includes(name)) {
      expected[name] = changedOne(expected[name], value);
    } else {
      expected[name] = many.includes(name) ? changedMany(expected[name], value) : value;
      refused ||= expected[name] === undefined;
    }
  }
  return { request: asked, expected, refused };
}

/** The request and expected result for one attribute. */
function changeItems(wishes: any, before: any, list: boolean, isZone: boolean): Outcome<unknown> {
  const left = new Set<Item>(list ? before : before === null ? [] : [before]);
  const outcomes = (list ? (wishes as Wish[]) : wishes === null ? [] : [wishes as Wish]).map((wish) => {
    const fitting = [...left].filter((item) => !isZone || item['__component'] === wish.uid);
    const picked = wish.pick === undefined ? undefined : fitting[wish.pick % (fitting.length || 1)];
    if (picked) left.delete(picked);
    return changeItem(wish, picked, isZone);
  });
  const [asked, expected] = [outcomes.map((one) => one.request), outcomes.map((one) => one.expected)];
  const refused = outcomes.some((one) => one.refused);
  return list
    ? { request: asked, expected, refused }
    : { request: asked[0] ?? null, expected: expected[0] ?? null, refused };
}

function changePage(wish: Item, before: Item): Outcome {
  const asked: Record<string, unknown> = {};
  const expected: Record<string, unknown> = { ...before };
  let refused = false;
  for (const [name, { list }] of Object.entries(ATTRIBUTES)) {
    if (wish[name] === undefined) continue;
    const outcome = changeItems(wish[name], before[name], list, name === 'zone');
    [asked[name], expected[name]] = [outcome.request, outcome.expected];
    refused ||= outcome.refused;
  }
  return { request: asked, expected, refused };
}

/** The expected value with the ids that new items were assigned, which are added to `found`. */
function withNewIds(expected: any, actual: any, found: number[]): any {
  if (Array.isArray(expected)) return expected.map((item, index) => withNewIds(item, actual?.[index], found));
  if (typeof expected !== 'object' || expected === null) return expected;
  const named = Object.entries(expected).map(([name, value]) => {
    if (name !== 'id' || value !== NEW) return [name, withNewIds(value, actual?.[name], found)];
    found.push(actual?.id);
    return [name, actual?.id];
  });
  return Object.fromEntries(named);
}

function itemIds(value: any): number[] {
  if (Array.isArray(value)) return value.flatMap(itemIds);
  if (typeof value !== 'object' || value === null) return [];
  return [Number(value.id), ...Object.values(value).flatMap(itemIds)];
}

describe.each(await testedEngines())('on %s', (engine) => {
  let pages: Pages;
  beforeAll(async () => {
    pages = await openPages(engine);
  });
  afterAll(() => pages.drop());

  const EMPTY: Item = {
    title: null,
    mainSeo: null,
    links: [],
    card: null,
    decks: [],
    facts: null,
    named: [],
    zone: [],
  };
  let lastId = 0;

  /** Sends the request of a wish, checks the outcome, and returns the page afterwards. */
  async function write(wish: Item, before: Page | undefined): Promise<Page | undefined> {
    const { request: data, expected: wanted, refused } = changePage(wish, before ?? EMPTY);
    const written = () => (before ? pages.update(before.id, data) : pages.create(data));
    if (refused) {
      const dump = await pages.dump();
      await expect(written()).rejects.toThrow(ValidationError);
      expect(await pages.dump()).toStrictEqual(dump);
      return before;
    }
    const page = await written();
    const found: number[] = [];
    const expected = withNewIds({ ...wanted, id: page.id }, page, found);
    expect(page).toStrictEqual(expected);
    expect(Math.min(...found, Infinity)).toBeGreaterThan(lastId);
    expect(new Set(found).size).toBe(found.length);
    lastId = Math.max(lastId, ...found);
    return page;
  }

  test('random requests in random order are stored and read back as expected', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 6 }), request, async (requests, bystander) => {
        await pages.database.run(raw('DELETE FROM pages'));
        const other = await write(bystander, undefined);
        let page: Page | undefined;
        for (const wish of requests) page = await write(wish, page);
        if (other) expect(await pages.read(other.id)).toStrictEqual(other);
        if (page) expect(await pages.read(page.id)).toStrictEqual(page);

        const alive = new Set([page, other].flatMap((one) => itemIds(one ?? {})));
        const links = await pages.database.all(raw('SELECT * FROM pages_component_links'));
        expect(links.filter(({ item_id: item }) => !alive.has(Number(item)))).toStrictEqual([]);
        const places = links.map((row) => `${row['item_id']} ${row['attribute']} ${row['position']}`);
        expect(new Set(places).size).toBe(places.length);
      }),
      { numRuns: engine === 'sqlite' ? 120 : 25 },
    );
  });
});
