/** The entries found in the text of an answer are those that parsing it finds: random queries and answers. `SHOWN_SEED` makes others. */
import { expect, it } from 'vitest';
import { randomOf } from '../../../test-support/cached-content.ts';
import type { EntrySelection, ItemSelection, Population } from '../../query/read-query.ts';
import { shownBy } from './shown-entries.ts';

const SEED = Number(process.env['SHOWN_SEED'] ?? 3);
const ANSWERS = 3000;

type Values = Record<string, any>;

const random = randomOf(SEED);
const isOne = (of: number) => random(of) === 0;
const listOf = <T>(most: number, make: (index: number) => T): T[] =>
  Array.from({ length: random(most + 1) }, (_, index) => make(index));

const TEXTS = [
  '',
  'plain',
  '{"id":7,"name":"x"}',
  '\\',
  '\\"',
  'ends with \\\\',
  '"id":',
  '},{"id":3,"a":"',
  ']}',
  '“é” 😀 \n\t',
  'null',
  '__component',
];
const textOf = () => listOf(3, () => TEXTS[random(TEXTS.length)]).join('');

function jsonOf(depth: number): unknown {
  const kind = random(depth > 0 ? 7 : 4);
  if (kind === 0) return textOf();
  if (kind === 1) return null;
  if (kind === 2) return random(1000) / 8 - 20;
  if (kind === 3) return isOne(2);
  if (kind === 4) return listOf(3, () => jsonOf(depth - 1));
  const names = ['id', 'data', 'r0', 'r1', 'attributes', '__component', 'documentId', textOf()];
  return { ...(isOne(2) && { id: random(99) }), ...Object.fromEntries(names.map((name) => [name, jsonOf(depth - 1)])) };
}

/** What of a query says how its answer is read. */
const TYPES = ['article', 'tag', 'author', 'file'];
const STORAGES = [
  { kind: 'foreignKey', column: 'one_id' },
  { kind: 'inverseForeignKey', column: 'back_id' },
  { kind: 'link', table: 'links', isInverse: true },
  { kind: 'link', table: 'others' },
];
const typeOf = () => ({ uid: TYPES[random(TYPES.length)], table: `rows_${random(3)}` });

function populationOf(index: number, depth: number): Population {
  const name = `r${index}`;
  const kind = random(depth > 0 ? 4 : 1);
  const relation = { kind: 'relation', name, storage: STORAGES[random(STORAGES.length)], target: typeOf() };
  if (kind === 0) return { kind: 'count', relation } as unknown as Population;
  if (kind === 1) {
    return { kind: 'component', component: { name }, item: itemOf(0, depth - 1) } as unknown as Population;
  }
  if (kind === 2) {
    return { kind: 'zone', zone: { name }, items: listOf(3, (at) => itemOf(at, depth - 1)) } as unknown as Population;
  }
  return { kind: 'relation', relation, entry: selectionOf(depth - 1) } as unknown as Population;
}
const populateOf = (depth: number) => listOf(3, (index) => populationOf(index, depth));
const itemOf = (index: number, depth: number): ItemSelection => ({
  uid: `shared.item-${index}`,
  fields: [],
  populate: populateOf(depth),
});
const selectionOf = (depth: number) => ({ type: typeOf(), populate: populateOf(depth) }) as unknown as EntrySelection;

const nameOf = (one: Population) =>
  one.kind === 'component' ? one.component.name : one.kind === 'zone' ? one.zone.name : one.relation.name;

/** One, none, or a list. */
const related = (make: () => unknown) => (isOne(4) ? null : isOne(3) ? make() : listOf(3, make));

function attributesOf(populate: readonly Population[], wrapped: boolean): Values {
  const fields = listOf(4, (index) => [`f${index}`, isOne(3) ? jsonOf(2) : isOne(3) ? random(50) : textOf()]);
  const shown = populate.map((one) => [nameOf(one), populatedOf(one, wrapped)]);
  return Object.fromEntries([...fields, ...shown]);
}

function populatedOf(one: Population, wrapped: boolean): unknown {
  if (one.kind === 'count') return { count: random(9) };
  if (one.kind === 'relation') {
    const data = related(() => entryOf(one.entry, wrapped));
    return wrapped ? { data } : data;
  }
  if (one.kind === 'morph') throw new Error('not in this test');
  const items = one.kind === 'zone' ? one.items : [one.item];
  return related(() => {
    const item = items[random(items.length)];
    const uid = one.kind === 'zone' && { __component: item?.uid ?? 'shared.other' };
    return { id: random(99), ...uid, ...attributesOf(item?.populate ?? [], wrapped) };
  });
}

function entryOf({ populate }: EntrySelection, wrapped: boolean): Values {
  const start = { id: random(100_000), ...(isOne(2) && { documentId: textOf() }) };
  const attributes = attributesOf(populate, wrapped);
  if (!wrapped) return { ...start, ...attributes };
  const availableLocales = listOf(2, () => ({ id: random(99), locale: 'de' }));
  return { ...start, attributes, ...(isOne(2) && { meta: { availableLocales } }) };
}

/** What is noted, by parsing. */
function reference(body: string, selection: EntrySelection, wrapped: boolean): string[] {
  const found: string[] = [];
  const each = (value: any, work: (one: Values) => void) => {
    if (value !== null) [value].flat().forEach(work);
  };
  const attributes = (values: Values, populate: readonly Population[]): void => {
    for (const one of populate) {
      const value = values[nameOf(one)];
      if (one.kind === 'relation') each(wrapped ? value.data : value, (inner) => entry(inner, one.entry));
      if (one.kind === 'component') each(value, (item) => attributes(item, one.item.populate));
      if (one.kind !== 'zone') continue;
      each(value, (item) => {
        for (const { uid, populate: own } of one.items) if (item['__component'] === uid) attributes(item, own);
      });
    }
  };
  const entry = (value: Values, { type, populate }: EntrySelection): void => {
    const id: number = value['id'];
    found.push(`${type.uid} ${id}`);
    for (const one of populate) {
      if ((one.kind !== 'relation' && one.kind !== 'count') || one.relation.kind !== 'relation') continue;
      const { storage, target } = one.relation;
      if (storage.kind === 'inverseForeignKey') found.push(`${target.uid} ${target.table}.${storage.column} ${id}`);
      if (storage.kind === 'link' && storage.isInverse) found.push(`${target.uid} ${storage.table} ${id}`);
    }
    attributes(wrapped ? value['attributes'] : value, populate);
  };
  each(JSON.parse(body).data, (one) => entry(one, selection));
  return found;
}

/** As some engines write it. */
const spaced = (value: any): string =>
  Array.isArray(value)
    ? `[${value.map(spaced).join(', ')}]`
    : typeof value === 'object' && value !== null
      ? `{${Object.entries(value)
          .map(([name, inner]) => `${JSON.stringify(name)}: ${spaced(inner)}`)
          .join(', ')}}`
      : JSON.stringify(value);

function shownIn(body: Buffer | string, selection: EntrySelection, wrapped: boolean): string[] | undefined {
  const found: string[] = [];
  const isKnown = shownBy(selection, wrapped)(body, {
    entry: (uid, id) => void found.push(`${uid} ${id}`),
    related: (uid, key, id) => void found.push(`${uid} ${key} ${id}`),
  });
  return isKnown ? found : undefined;
}

it('finds in the text of an answer what parsing it finds', () => {
  let count = 0;
  for (let index = 0; index < ANSWERS; index += 1) {
    const selection = selectionOf(3);
    const wrapped = isOne(2);
    const data = isOne(3) ? entryOf(selection, wrapped) : listOf(4, () => entryOf(selection, wrapped));
    const answer = { data, meta: isOne(2) ? {} : { pagination: { page: 1, total: 9 } } };
    for (const body of [JSON.stringify(answer), spaced(answer)]) {
      const expected = reference(body, selection, wrapped).sort();
      count += expected.length;
      for (const sent of [body, Buffer.from(body)]) {
        expect(shownIn(sent, selection, wrapped)?.sort(), `${SEED}: ${body}`).toEqual(expected);
      }
    }
  }
  expect(count).toBeGreaterThan(ANSWERS);
});

it('knows nothing of answers that somebody else has made', () => {
  const author = { type: { uid: 'author' }, populate: [] };
  const relation = { kind: 'relation', name: 'author', storage: STORAGES[0], target: author.type };
  const selection = {
    type: { uid: 'article' },
    populate: [{ kind: 'relation', relation, entry: author }],
  } as unknown as EntrySelection;
  for (const body of [
    '',
    'null',
    '"text"',
    '{}',
    '{"data":1}',
    '{"data":{"id":1}}',
    '{"data":{"name":"x","id":1,"author":null}}',
    '{"data":{"id":"1","author":null}}',
    '{"data":[{"id":1,"author":{"id":2}',
    '{"data":{"id":1,"author":5}}',
    '{"data":{"id":1,"author":"unended',
    '{"data":[{"id":1,"author":null},',
  ]) {
    expect(shownIn(body, selection, false), body).toBeUndefined();
  }
  expect(shownIn('{"data":{"id":1,"author":{"id":2}}}', selection, false)).toEqual(['article 1', 'author 2']);
});
