import { expect, test } from 'vitest';
import { BadRequestError } from '../errors.ts';
import { castJson, MAX_JSON_DEPTH } from './json.ts';
import { parseJson } from './parse-json.ts';

function nestedArray(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

test('parses JSON like JSON.parse', () => {
  const text = '{"data":{"a":[1,"é",null,{"constructor":{"name":"x"},"prototype":1}]},"a":1,"a":2}';
  expect(parseJson(text)).toEqual(JSON.parse(text));
  expect(parseJson('5')).toBe(5);
  expect(parseJson('null')).toBeNull();
});

test.each([
  ['', 'nothing'],
  ['{"a":', 'half of it'],
  ["{'a':1}", 'other quotes'],
  ['{"data":{"__proto__":{"x":1}}}', 'a prototype'],
  ['{"data":[[{"\\u005f_proto__":1}]]}', 'an escaped prototype'],
  ['{"constructor":{"prototype":{"x":1}}}', "a constructor's prototype"],
  [nestedArray(MAX_JSON_DEPTH + 1), 'one level too many'],
  [nestedArray(100_000), 'far too many levels'],
  [`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'far too many objects'],
])('refuses %.30s: %s', (text) => {
  expect(() => parseJson(text)).toThrow(BadRequestError);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});

test('bodies and values have the same maximum depth', () => {
  const deepest = parseJson(nestedArray(MAX_JSON_DEPTH));
  expect(castJson(deepest).ok).toBe(true);
  expect(castJson([deepest]).ok).toBe(false);
  expect(castJson(JSON.parse(nestedArray(100_000))).ok).toBe(false);
  const circle: unknown[] = [];
  circle.push(circle);
  expect(castJson(circle).ok).toBe(false);
});

test('a body with many keys is cheap', () => {
  const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, index]));
  const text = JSON.stringify({ many, escaped: '\\u005f', list: Array.from({ length: 100_000 }, () => 1) });
  const started = performance.now();
  expect(castJson(parseJson(text)).ok).toBe(true);
  expect(performance.now() - started).toBeLessThan(2000);
});

test('brackets in texts are not levels', () => {
  const texts = { a: '['.repeat(1000), [`${'{'.repeat(100)}`]: '"[\\"{'.repeat(100), b: '\\' };
  expect(parseJson(JSON.stringify(texts))).toEqual(texts);
  expect(() => parseJson(`{"a":"\\\\","b":${nestedArray(MAX_JSON_DEPTH)}}`)).toThrow(/nested deeper/u);
});
