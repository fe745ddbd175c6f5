import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { camelCase, codeNames, kebabCase, pascalCase, pluralOf, shorten, snakeCase } from './naming.ts';

describe('conversion', () => {
  it.each([
    // name, snake, kebab, pascal, camel
    ['work-item', 'work_item', 'work-item', 'WorkItem', 'workItem'],
    ['firstName', 'first_name', 'first-name', 'FirstName', 'firstName'],
    ['snake_name', 'snake_name', 'snake-name', 'SnakeName', 'snakeName'],
    ['Weird_Case', 'weird_case', 'weird-case', 'WeirdCase', 'weirdCase'],
    ['URLPath', 'url_path', 'url-path', 'UrlPath', 'urlPath'],
    ['ID', 'id', 'id', 'Id', 'id'],
    ['address2', 'address2', 'address2', 'Address2', 'address2'],
    ['shared.link-item', 'shared_link_item', 'shared-link-item', 'SharedLinkItem', 'sharedLinkItem'],
  ])('%s', (name, snake, kebab, pascal, camel) => {
    expect([snakeCase(name), kebabCase(name), pascalCase(name), camelCase(name)]).toEqual([
      snake,
      kebab,
      pascal,
      camel,
    ]);
  });

  describe('in Turkish', () => {
    afterEach(() => void vi.restoreAllMocks());

    it('lowers I to i', () => {
      vi.spyOn(String.prototype, 'toLocaleLowerCase').mockImplementation(() => 'ı');
      vi.spyOn(String.prototype, 'toLocaleUpperCase').mockImplementation(() => 'İ');
      expect([snakeCase('ITEM'), pascalCase('item'), pluralOf('ITEM')]).toEqual(['item', 'Item', 'ITEMS']);
    });
  });
});

it.each([
  ['article', 'articles'],
  ['category', 'categories'],
  ['leaf', 'leaves'],
  ['work-item', 'work-items'],
  ['person', 'people'],
  ['news', 'news'],
])('the plural of %s is %s', (name, plural) => {
  expect(pluralOf(name)).toBe(plural);
});

describe('names in generated code', () => {
  it.each([
    ['article', 'Article', 'article'],
    ['class', 'Class', 'class_'],
    ['default', 'Default', 'default_'],
    ['await', 'Await', 'await_'],
    ['date', 'Date_', 'date'],
    ['record', 'Record_', 'record'],
    ['work-item', 'WorkItem', 'workItem'],
  ])('%s', (uid, pascal, camel) => {
    expect(codeNames(uid)).toEqual({ pascal, camel });
  });

  it('can be declared, whatever the type is called', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);
    fc.assert(
      fc.property(word, (uid) => {
        const { pascal, camel } = codeNames(uid);
        // As statements in strict mode, as in a module.
        expect(() => new Function(`"use strict"; class ${pascal} {} const ${camel} = 1;`)).not.toThrow(); // oxlint-disable-line no-new-func, no-implied-eval
      }),
      {
        numRuns: 300,
        examples: ['class', 'default', 'await', 'arguments', 'eval', 'let', 'static', 'yield', 'enum'].map((word) => [
          word,
        ]),
      },
    );
  });
});

const halfPair = /\p{Surrogate}/u;

describe('shorten', () => {
  it('keeps what fits and cuts what does not', () => {
    expect(shorten('a'.repeat(63), 63)).toBe('a'.repeat(63));
    expect(shorten('a'.repeat(64), 63)).toBe(`${'a'.repeat(54)}_ffe054fe`);
  });

  it('counts bytes, halves no character, and keeps names distinct', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 90 }).filter((text) => !halfPair.test(text));
    fc.assert(
      fc.property(name, name, (a, b) => {
        const short = shorten(a, 63);
        expect(Buffer.byteLength(short)).toBeLessThanOrEqual(63);
        expect(short).not.toMatch(halfPair);
        expect(shorten(`${'x'.repeat(63)}${a}`, 63) === shorten(`${'x'.repeat(63)}${b}`, 63)).toBe(a === b);
      }),
      { numRuns: 200 },
    );
  });
});
