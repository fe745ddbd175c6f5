import { expect, it } from 'vitest';
import { differingParts } from './text-difference.ts';

it.each([
  ['the old title', 'the new title', 'old', 'new'],
  ['the title', 'the long title', '', 'long '],
  ['a a', 'a a a', '', ' a'],
  ['', 'all', '', 'all'],
  ['all', '', 'all', ''],
  ['colour', 'color', 'colour', 'color'],
  ['one 😀 two', 'one 😁 two', '😀', '😁'],
  ['x 😀', 'x 😀😀', '😀', '😀😀'],
])('%j became %j', (before, after, gone, come) => {
  const [one, other] = differingParts(before, after);
  expect([one.part, other.part]).toEqual([gone, come]);
  expect(one.start + one.part + one.end).toBe(before);
  expect(other.start + other.part + other.end).toBe(after);
});

it('shows little of what is equal', () => {
  const [one] = differingParts(
    `${'a '.repeat(500)}old${' z'.repeat(500)}`,
    `${'a '.repeat(500)}new${' z'.repeat(500)}`,
  );
  expect(one.part).toBe('old');
  expect(one.start).toMatch(/^….{60}$/u);
  expect(one.end).toMatch(/^.{60}…$/u);
});
