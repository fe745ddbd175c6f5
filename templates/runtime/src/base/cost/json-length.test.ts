import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLength } from './json-length.ts';

test('is the length of the JSON, also of what stands in several places', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const shared = { value, list: [value, null, [value]], 'a "key"': value, none: undefined };
      for (const one of [value, shared, [shared, shared]]) expect(jsonLength(one)).toBe(JSON.stringify(one).length);
    }),
  );
});

test('does not take the time of building it', () => {
  let value: unknown = 'x'.repeat(1000);
  for (let depth = 0; depth < 30; depth += 1) value = [value, value, value, value];
  expect(jsonLength(value)).toBeGreaterThan(1e20);
});
