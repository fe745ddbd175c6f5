import { expect, test } from 'vitest';
import { type Condition, CONDITIONS_FILTER, conditionsIn, conditionsQuery } from './conditions.ts';

test('conditions are alternatives of which each can have several', () => {
  const groups = conditionsIn({
    [CONDITIONS_FILTER]: [
      [
        { attribute: 'title', operator: 'contains', value: 'a' },
        { attribute: 'author', operator: 'isEmpty', isLink: true },
      ],
      [{ attribute: 'mood', operator: 'isNot', value: 'calm' }],
    ],
  });
  expect(conditionsQuery(groups)).toEqual({
    $or: [
      { $and: [{ title: { $containsi: 'a' } }, { author: { id: { $null: true } } }] },
      { $and: [{ $or: [{ mood: { $ne: 'calm' } }, { mood: { $null: true } }] }] },
    ],
  });
});

test('conditions on components lead into them; in lists, what is not so is so in none', () => {
  const filterOf = (condition: Condition) => conditionsQuery([[condition]])['$or'];
  expect(filterOf({ attribute: 'seo.title', operator: 'contains', value: 'a' })).toEqual([
    { $and: [{ seo: { title: { $containsi: 'a' } } }] },
  ]);
  expect(filterOf({ attribute: 'seo', operator: 'isEmpty', isLink: true })).toEqual([
    { $and: [{ seo: { id: { $null: true } } }] },
  ]);
  expect(filterOf({ attribute: 'links[].to', operator: 'is', value: 3, isLink: true })).toEqual([
    { $and: [{ links: { to: { id: { $eq: 3 } } } }] },
  ]);
  expect(filterOf({ attribute: 'seo.links[].label', operator: 'isNot', value: 'a' })).toEqual([
    { $and: [{ seo: { links: { $none: { label: { $eq: 'a' } } } } }] },
  ]);
  expect(filterOf({ attribute: 'links[].label', operator: 'isEmpty' })).toEqual([
    { $and: [{ links: { $none: { label: { $notNull: true } } } }] },
  ]);
});

test.each([
  undefined,
  {},
  { [CONDITIONS_FILTER]: 1 },
  { [CONDITIONS_FILTER]: [1, [2, { attribute: 'a', operator: 'x' }]] },
])('%j has no conditions', (filter) => {
  expect(conditionsIn(filter)).toEqual([]);
  expect(conditionsQuery([])).toEqual({});
});
