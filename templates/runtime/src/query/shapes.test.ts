/** Queries of one shape must be compiled once, and give the same answers as if each were compiled by itself. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  asked,
  type Library,
  librarySettings,
  libraryTypes,
  openLibrary,
  visitor,
} from '../../test-support/query-library.ts';
import { testedEngines } from '../../test-support/runtime-database.ts';
import { HttpError } from '../contract/errors.ts';
import { parseQuery } from './parse-query-string.ts';
import { queryOf } from './query-of.ts';
import type { EntryRequest } from './entry-request.ts';
import { createReader, type Reader } from './reader.ts';

/** Values of each type, valid and invalid, and injection attempts. */
const VALUES = [
  ...[
    '',
    ' ',
    'null',
    'undefined',
    'true',
    'false',
    '0',
    '1',
    '-1',
    '2',
    '200',
    '9.99',
    '1e3',
    '4.5',
    'NaN',
    'Infinity',
  ],
  ...['9007199254740993', '99999999999999999999', '2001-01-01', '2001-02-30', '2020-01-01T00:00:00.000Z', '12:00:00'],
  ...[
    'Alpha',
    'alpha',
    'ALPHA two',
    'Ann',
    'ÉMILE',
    'ß',
    '100% x_y\\',
    'red',
    'l1',
    'mt1',
    'inner',
    "'; --",
    '"',
    '\\',
  ],
  ...['a&b=c', 'a]=b', '[0]', '%', '%00', '%41', '+', 'a+b', '$1', '?', '\u{1F600}', '\ud800', 'x'.repeat(1200)],
];
const value = fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: 'binary', maxLength: 5 }));

const OPERATORS = [
  ...['$eq', '$ne', '$lt', '$lte', '$gt', '$gte', '$eqi', '$nei', '$contains', '$notContains', '$containsi'],
  ...['$startsWith', '$startsWithi', '$endsWith', '$endsWithi', '$null', '$notNull', '$nope'],
];
const NAMES = [
  'id',
  'title',
  'pages',
  'price',
  'rating',
  'available',
  'isbn',
  'released',
  'extra',
  'createdAt',
  'nope',
];
const PATHS = [
  ...NAMES,
  ...[
    'author',
    'author.name',
    'tags',
    'tags.name',
    'author.books.title',
    'vault',
    'seo.metaTitle',
    'seo',
    'links.label',
  ],
];

/** One or more keys, each of which takes a value. */
const keys = fc
  .tuple(fc.constantFrom(...PATHS), fc.constantFrom('', '$not', '$or', '$and'), fc.constantFrom(...OPERATORS, ''))
  .chain(([path, logic, operator]) => {
    const steps = path.split('.').map((step) => `[${step}]`);
    const before = logic === '$or' || logic === '$and' ? `[${logic}][0]` : '';
    const inner = `filters${before}${steps.join('')}${logic === '$not' ? '[$not]' : ''}`;
    return fc.constantFrom(
      [`${inner}${operator === '' ? '' : `[${operator}]`}`],
      [`${inner}[$in][0]`, `${inner}[$in][1]`],
      [`${inner}[$notIn][]`, `${inner}[$notIn][]`],
      [`${inner}[$between][0]`, `${inner}[$between][1]`],
      // A repeated key makes a list.
      [inner, inner],
    );
  });

/** Parameters that all queries of a shape share. */
const REST = [
  '',
  '&populate=author',
  '&sort=title:desc',
  '&populate[tags][filters][name]=red',
  '&pagination[pageSize]=2',
];

interface Shape {
  readonly names: readonly string[];
  readonly rest: string;
}

const shapes: fc.Arbitrary<Shape> = fc.record({
  names: fc
    .tuple(fc.array(keys, { minLength: 1, maxLength: 3 }), fc.constantFrom([], ['_q']))
    .map(([all, search]) => [...all.flat(), ...search]),
  rest: fc.constantFrom(...REST),
});

/** The ways in which clients encode a part of a query string. */
const encodings: readonly ((part: string) => string)[] = [
  encodeURIComponent,
  (part) => encodeURIComponent(part).replaceAll('%20', '+'),
  (part) => encodeURIComponent(part).replaceAll(/%5b/giu, '[').replaceAll(/%5d/giu, ']').replaceAll('%24', '$'),
];

function encoded(encode: (part: string) => string, part: string): string {
  return part.isWellFormed() ? encode(part) : '%ED%A0%80';
}

/** Some queries of one shape. */
const families = shapes.chain(({ names, rest }) =>
  fc.tuple(
    fc.constant(names),
    fc.constant(rest),
    fc.constantFrom(...encodings),
    fc.array(fc.array(value, { minLength: names.length, maxLength: names.length }), { minLength: 2, maxLength: 4 }),
  ),
);

type Ask = (reader: Reader, request: EntryRequest) => Promise<string>;

async function outcome(work: Promise<string>): Promise<string> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof HttpError) return `${error.status} ${error.message}`;
    throw error;
  }
}

/** The same query without a shape: it is compiled together with its values, and not cached. */
function alone(query: string): EntryRequest {
  return { caller: visitor, query: { ...parseQuery(query), shape: undefined } };
}

describe.each(await testedEngines())('on %s', (engine) => {
  let library: Library;
  beforeAll(async () => {
    library = await openLibrary({}, engine);
  });
  afterAll(() => library?.close());

  const asks: Readonly<Record<string, Ask>> = {
    list: async (reader, request) => String((await reader.list(library.type('book'), request)).body),
    one: async (reader, request) => String((await reader.one(library.type('book'), request, 1))?.body),
    count: async (reader, request) => String(await reader.count(library.type('book'), request)),
  };

  it.each(Object.entries(asks))('answers queries of one shape as it answers each alone: %s', async (_, ask) => {
    const property = fc.asyncProperty(families, async ([names, rest, encode, rows]) => {
      for (const row of rows) {
        const text = names
          .map((name, index) => `${encoded(encode, name)}=${encoded(encode, row[index] ?? '')}`)
          .join('&');
        const shared = await outcome(ask(library.reader, asked(text + rest)));
        const expected = await outcome(ask(library.reader, alone(text + rest)));
        expect([text, shared]).toStrictEqual([text, expected]);
      }
    });
    await fc.assert(property, { numRuns: 150 });
  });

  it('takes a query that is an object for the same as its query string', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...NAMES),
      fc.constantFrom('$eq', '$ne', '$contains', '$eqi', '$null'),
      fc.array(fc.oneof(value, fc.integer(), fc.boolean(), fc.constant(null)), { minLength: 2, maxLength: 4 }),
      async (name, operator, values) => {
        for (const each of values) {
          const spelt = each === null ? '' : String(each);
          if (!spelt.isWellFormed()) continue;
          const object = async () => {
            const query = queryOf({ filters: { [name]: { [operator]: each } }, fields: ['title'] });
            return asks['list']!(library.reader, { caller: visitor, query });
          };
          const text = `filters[${name}][${operator}]=${encodeURIComponent(spelt)}&fields[0]=title`;
          const written = await outcome(asks['list']!(library.reader, asked(text)));
          expect(await outcome(object())).toBe(written.replace('The query string', 'The query'));
        }
      },
    );
    await fc.assert(property, { numRuns: 100 });
  });

  it('parses a shape once, however many values it is asked with', async () => {
    let compiled = 0;
    const types = { ...libraryTypes };
    const reader = createReader({ database: library.database, types, api: librarySettings });
    const watched = (text: string): EntryRequest => {
      const query = parseQuery(text);
      return {
        caller: visitor,
        query: {
          ...query,
          tree() {
            compiled += 1;
            return query.tree();
          },
        },
      };
    };
    for (let index = 0; index < 20; index += 1) {
      await reader.list(library.type('book'), watched(`filters[title][$eq]=t${index}&filters[pages][$gt]=${index}`));
      await reader.list(
        library.type('book'),
        watched(`filters[id][$in][0]=${index}&filters[id][$in][1]=7&_q=a${index}`),
      );
      await reader.one(library.type('book'), watched(`filters[tags][name]=t${index}`), 1);
    }
    expect(compiled).toBe(3);
    // A value that affects the SQL is part of the shape.
    await reader.list(library.type('book'), watched('filters[title][$null]=true'));
    await reader.list(library.type('book'), watched('filters[title][$null]=false'));
    expect(compiled).toBe(5);
    await expect(
      reader.list(library.type('book'), watched('filters[title][$eq]=x&filters[pages][$gt]=many')),
    ).rejects.toThrow('Invalid parameter filters.pages.$gt: must be a number');
  });
});
