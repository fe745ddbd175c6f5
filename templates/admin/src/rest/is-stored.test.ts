import { expect, it } from 'vitest';
import { attributeType, scalarTypes } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import type { Attribute, Model, ScalarAttribute } from '../model/model.ts';
import { ModelIndex } from '../model/model-context.tsx';
import { listOf, remove } from '../relations/relation-list.ts';
import { isStored } from './is-stored.ts';

const link = {
  uid: 'link',
  displayName: 'Link',
  attributes: { label: { type: 'string' }, weight: { type: 'decimal' } },
};
const index = new ModelIndex({ types: [], components: [link] } as unknown as Model);

it.each([
  ['integer', '7', 7, 8],
  ['biginteger', '007', '7', '8'],
  ['decimal', '1.50', 1.5, 1.51],
  ['decimal', '0.1000000000000000055511151231', 0.1, 0.11],
  ['datetime', '2024-05-01T10:00:00+02:00', '2024-05-01T08:00:00.000Z', '2024-05-01T08:00:01.000Z'],
  ['time', '10:00:00', '10:00:00.000', '10:00:01.000'],
  ['email', 'Ada@Example.org', 'ada@example.org', 'bob@example.org'],
  ['string', 'Ada', 'Ada', 'ada'],
  ['json', { b: [{ d: 1, c: 2 }], a: 1 }, { a: 1, b: [{ c: 2, d: 1 }] }, { a: 1, b: [{ c: 2, d: 2 }] }],
  ['json', [1, 2], [1, 2], [2, 1]],
] as const)('%s %j is what the server has stored as %j, not as %j', (type, sent, stored, other) => {
  expect(isStored({ type }, sent, stored, index)).toBe(true);
  expect(isStored({ type }, sent, other, index)).toBe(false);
  expect(isStored({ type }, sent, null, index)).toBe(false);
});

it.each(scalarTypes)('a %s is equal to itself, as JSON', (type) => {
  const { sample } = attributeType(type);
  const attribute: ScalarAttribute = { type };
  expect(isStored(attribute, sample, JSON.parse(JSON.stringify(sample)), index)).toBe(true);
});

it('what responses omit counts as stored, and so does a default in place of null in a new entry', () => {
  expect(isStored({ type: 'password' }, 'secret', undefined, index)).toBe(true);
  expect(isStored({ type: 'string' }, null, 'default', index, true)).toBe(true);
  expect(isStored({ type: 'string' }, null, 'default', index)).toBe(false);
});

it('items are compared by their attributes, and stored ones by their ids', () => {
  const links: Attribute = { type: 'component', component: 'link', repeatable: true };
  const stored = [{ id: 1, label: 'a', weight: 0.5 }];
  expect(isStored(links, [{ label: 'a', weight: '0.50' }], stored, index)).toBe(true);
  expect(isStored(links, [{ label: 'a', weight: null }], stored, index)).toBe(true);
  expect(isStored(links, [{ id: 1, label: 'a', weight: null }], stored, index)).toBe(false);
  expect(isStored(links, [{ id: 2, label: 'a', weight: 0.5 }], stored, index)).toBe(false);
  expect(isStored(links, [], stored, index)).toBe(false);
});

it('lists are compared by their lengths, and by the entries that were read of both', () => {
  const tags: Attribute = { type: 'relation', relation: 'manyToMany', multiple: true, target: 'tag' };
  const [one, two, three] = [1, 2, 3].map((id) => ({ id, title: `${id}` })) as [
    { id: number; title: string },
    any,
    any,
  ];
  const sent = remove(listOf(3, [one, two, three]), 0, one);
  expect(isStored(tags, sent, listOf(2, [two, three]), index)).toBe(true);
  expect(isStored(tags, sent, listOf(2, [three, two]), index)).toBe(false);
  expect(isStored(tags, sent, listOf(3, [two, three]), index)).toBe(false);
});
