import { expect, test } from 'vitest';
import { CONDITIONS_FILTER, conditionsIn, conditionsQuery } from './conditions.ts';

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

test.each([
  undefined,
  {},
  { [CONDITIONS_FILTER]: 1 },
  { [CONDITIONS_FILTER]: [1, [2, { attribute: 'a', operator: 'x' }]] },
])('%j has no conditions', (filter) => {
  expect(conditionsIn(filter)).toEqual([]);
  expect(conditionsQuery([])).toEqual({});
});
