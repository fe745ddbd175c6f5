import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../runtime/src/query/parse-query-string.ts';
import { queryOf } from '../../runtime/src/query/query-of.ts';
import { serializeQuery } from './serialize-query.ts';

/** A query as parsed by the server, as JSON. */
function treeOf(query: { tree(): object }): unknown {
  return JSON.parse(JSON.stringify(query.tree()));
}

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => !value.includes('\0'));
const leaf = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
);
const name = fc.oneof(
  fc.constantFrom('title', '$eq', '$in', '$or', 'populate', 'on', 'fields', 'blocks.hero', 'é'),
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/u).filter((value) => value !== '__proto__'),
);

const { tree } = fc.letrec<{ tree: unknown; object: object }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.array(leaf, { maxLength: 4 }),
    tie('object'),
    fc.array(tie('object'), { minLength: 1, maxLength: 3 }),
  ),
  object: fc.dictionary(name, tie('tree'), { minKeys: 1, maxKeys: 4 }),
}));

describe('the query string of a query', () => {
  it('is parsed as the same query', () => {
    fc.assert(
      fc.property(fc.dictionary(name, tree, { maxKeys: 4 }), (query) => {
        expect(treeOf(parseQuery(serializeQuery(query)))).toEqual(treeOf(queryOf(query)));
      }),
      { numRuns: 500 },
    );
  });

  it('populates by an empty object, as by true', () => {
    const query = {
      populate: { author: {}, blocks: { on: { 'blocks.hero': {}, 'blocks.text': { populate: { a: {} } } } } },
    };
    expect(treeOf(parseQuery(serializeQuery(query)))).toEqual({
      populate: {
        author: 'true',
        blocks: { on: { 'blocks.hero': 'true', 'blocks.text': { populate: { a: 'true' } } } },
      },
    });
    expect(serializeQuery({ filters: {}, populate: { author: { filters: {} } } })).toBe('populate[author]=true');
  });

  it('omits undefined values, and refuses values that it can not express', () => {
    expect(serializeQuery({ locale: undefined, filters: { title: { $in: [undefined, 'a'] } } })).toBe(
      'filters[title][$in][0]=a',
    );
    expect(() => serializeQuery({ filters: { $or: [{}] } })).toThrow('filters[$or][0] is an empty object');
  });
});
