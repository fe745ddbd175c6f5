/** Entries built from rows must equal the JSON that the engine would build. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asked, type Library, librarySettings, libraryTypes, openLibrary } from '../../test-support/query-library.ts';
import { openEngine, testedEngines } from '../../test-support/runtime-database.ts';
import { columnTypeOf } from '../contract/attribute-types/scalar-type.ts';
import type { ContentType, ContentTypes, ScalarType } from '../contract/content-type.ts';
import type { Database } from '../database/database.ts';
import { join, sql } from '../database/sql.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { createReader, type Reader } from './reader.ts';

/** Everything a string may contain: quotes, characters that JSON escapes, UTF-8 sequences of all lengths. */
const CONTROLS = Array.from({ length: 32 }, (_, code) => String.fromCodePoint(code === 0 ? 32 : code)).join('');
const TEXTS = [
  '',
  ' spaces ',
  `"it's" \\ \\" / </script> \u007f \u0080 \u2028\u2029 \ufeff \uffff`,
  'ä ß € 😀 𐐀 a\u0301',
  'null',
  '12',
  CONTROLS,
  'ä😀"'.repeat(5000),
];

interface Kind {
  readonly column: string;
  readonly values: readonly unknown[];
  /** The value in an answer, if it differs. */
  readonly shown?: (value: unknown) => unknown;
}

const text = (column: string): Kind => ({ column, values: TEXTS });
const short = { column: 'string', values: TEXTS.filter((value) => value.length < 200) };
const instants = {
  column: 'datetime',
  values: [
    '0001-01-01T00:00:00.000Z',
    '1970-01-01T00:00:00.000Z',
    '2024-02-29T12:00:00.500Z',
    '2024-03-31T01:30:00.001Z',
    '2024-12-31T10:20:30.120Z',
    '9999-12-31T23:59:59.999Z',
  ],
};
const json = { column: 'json', values: [0, -1.5, '', 'x "y" \n', [], {}, [[1, null]], { b: '😀', a: { c: true } }] };

const KINDS: Readonly<Record<Exclude<ScalarType, 'password'>, Kind>> = {
  string: short,
  email: short,
  uid: short,
  enumeration: short,
  text: text('text'),
  richtext: text('text'),
  integer: { column: 'integer', values: [0, 1, -1, 2_147_483_647, -2_147_483_648] },
  biginteger: {
    column: 'biginteger',
    values: ['0', '-1', '9007199254740991', '9007199254740993', '9223372036854775807', '-9223372036854775808'],
  },
  float: {
    column: 'float',
    values: [
      0,
      1,
      -1.5,
      0.1,
      0.1 + 0.2,
      1e-7,
      123_456_789_012_345_680,
      1e20,
      1e21,
      1e22,
      5e-324,
      1.7976931348623157e308,
    ],
  },
  decimal: {
    column: 'decimal',
    values: [
      '0',
      '10',
      '-100',
      '0.1',
      '-0.5',
      '3.1',
      '12345678901234567890.123456789',
      '0.000000000000000000000000000001',
    ],
    shown: Number,
  },
  boolean: { column: 'boolean', values: [true, false] },
  date: { column: 'date', values: ['0001-01-01', '1999-12-31', '2024-02-29', '9999-12-31'] },
  time: {
    column: 'time',
    values: ['00:00:00.000', '00:00:00.001', '00:00:00.010', '12:30:00.500', '12:30:05.120', '23:59:59.999'],
  },
  datetime: instants,
  timestamp: instants,
  json,
  blocks: { column: 'json', values: [[{ type: 'paragraph', children: [{ type: 'text', text: 'ä "x"' }] }]] },
};
const NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[];
const COUNT = Math.max(...NAMES.map((name) => KINDS[name].values.length));

const PLAIN: ContentType = {
  uid: 'plain',
  kind: 'collectionType',
  singularName: 'plain',
  pluralName: 'plains',
  table: 'plains',
  draftAndPublish: false,
  localized: false,
  attributes: Object.fromEntries(NAMES.map((type) => [`a "${type}"`, { type, column: `c_${type}` }])),
};
const TYPES: ContentTypes = { types: { plain: PLAIN }, components: {}, locales: ['en'] };
const TABLES = `CREATE TABLE plains (id {id}, ${NAMES.map((type) => `c_${type} {${KINDS[type].column}}`).join(', ')},
  created_at {datetime} NOT NULL DEFAULT '2020-01-01T00:00:00.000Z', updated_at {datetime}, _version {integer} NOT NULL DEFAULT 1);`;
const CALLER: Caller = { kind: 'public', role: 'public', permissions: new Set(['plain.find', 'plain.preview']) };

/** The value of a type in the row with this index; the last row has none. */
const valueAt = (type: keyof typeof KINDS, index: number): unknown => KINDS[type].values[index] ?? null;

/**
 * A reader that has the engine build whole answers. It patches the dialect while a query is compiled, which happens before the
 * first await. The dialect can't be copied, because engines are looked up by its identity.
 */
function jsonReader(database: Database, types: ContentTypes): Reader {
  const { dialect } = database;
  const reader = createReader({ database, types, api: librarySettings });
  const { rowScalar } = dialect;
  const compiling = <T>(read: () => T): T => {
    Object.assign(dialect, { rowScalar: undefined });
    try {
      return read();
    } finally {
      Object.assign(dialect, { rowScalar });
    }
  };
  return {
    ...reader,
    list: (...query) => compiling(() => reader.list(...query)),
    one: (...query) => compiling(() => reader.one(...query)),
    single: (...query) => compiling(() => reader.single(...query)),
    check: (...query) => compiling(() => reader.check(...query)),
  };
}

/** MariaDB writes escapes in upper case: `\u001F`. */
function withSmallEscapes(answer: string): string {
  return answer.replaceAll(/\\u00[01][\dA-F]/gu, (escape) => escape.toLowerCase());
}

/** List queries whose entries must be byte-identical. */
const LISTS: readonly (readonly [string, string])[] = [
  ['book', ''],
  ['book', 'fields=id'],
  ['book', 'fields=title&populate=author'],
  ['book', 'populate=*'],
  [
    'book',
    'populate[links][populate]=tags&populate[tags][sort]=name:desc&populate[tags][limit]=1&sort=rating:desc,title',
  ],
  ['book', 'filters[author][name]=Ann&sort=title:desc'],
  ['book', 'filters[author][name]=Ann&populate=tags,author.books&sort=price'],
  [
    'book',
    'filters[$or][0][tags][name]=red&filters[$or][1][pages][$lt]=0&populate=author&sort=author.name:desc,tags.name',
  ],
  ['book', 'filters[links][label]=l1&populate=links&sort=links.rank:desc'],
  ['book', 'filters[pages][$gt]=60&populate=zone&sort=pages:desc&pagination[start]=1&pagination[limit]=2'],
  ['book', 'pagination[page]=2&pagination[pageSize]=4'],
  ['book', 'pagination[start]=5&pagination[limit]=1&pagination[withCount]=false'],
  ['book', 'pagination[start]=1000&populate=tags'],
  ['book', 'filters[title]=none'],
  ['article', ''],
  ['article', 'locale=all&publicationState=preview&populate=localizations,next,see'],
  ['article', 'locale=fr&fields=title'],
  ['article', 'locale=all&filters[book][title]=Alpha&fields=title'],
];

describe.each(await testedEngines())('on %s', (engine) => {
  let database: Database;
  let drop: () => Promise<void>;
  let readers: readonly Reader[] = [];
  beforeAll(async () => {
    ({ database, drop } = await openEngine(engine, 'row_answers', TABLES));
    const { bind, id } = database.dialect;
    for (let index = 0; index <= COUNT; index += 1) {
      const columns = NAMES.map((type) => id(`c_${type}`));
      const values = NAMES.map((type) => sql`${bind(columnTypeOf(type), valueAt(type, index))}`);
      await database.run(sql`INSERT INTO plains (${join(columns, ', ')}) VALUES (${join(values, ', ')})`);
    }
    readers = [createReader({ database, types: TYPES, api: librarySettings }), jsonReader(database, TYPES)];
  });
  afterAll(() => drop());

  const texts = async (query: string): Promise<readonly string[]> => {
    const lists = readers.map(async (reader) => String((await reader.list(PLAIN, asked(query, CALLER))).body));
    return Promise.all(lists);
  };

  it.each(NAMES)('values of type %s', async (type) => {
    const [one = '', other = ''] = await texts(`fields=${encodeURIComponent(`a "${type}"`)}`);
    // Floating-point numbers may be written differently in JavaScript, but must be equal.
    if (type !== 'float') expect(one).toBe(withSmallEscapes(other));
    expect(JSON.parse(one)).toStrictEqual(JSON.parse(other));
    const { shown = (value: unknown) => value } = KINDS[type];
    const expected = Array.from({ length: COUNT + 1 }, (_, index) => {
      const value = valueAt(type, index);
      return value === null ? null : shown(value);
    });
    const { data } = JSON.parse(one) as { data: { attributes: Record<string, unknown> }[] };
    expect(data.map(({ attributes }) => Object.values(attributes))).toStrictEqual(expected.map((value) => [value]));
  });
});

describe.each(await testedEngines())('the library on %s', (engine) => {
  let library: Library;
  let other: Reader;
  beforeAll(async () => {
    library = await openLibrary({}, engine);
    other = jsonReader(library.database, libraryTypes);
    // More rows than a list skips without selecting by id first (`MAX_SKIPPED`).
    for (let index = 0; index < 250; index += 1) {
      await library.database.run(sql`INSERT INTO tags (id, name) VALUES (${10 + index}, ${`tag ${index}`})`);
    }
  });
  afterAll(() => library.close());

  const readers = (): readonly Reader[] => [library.reader, other];

  it.each([...LISTS, ['tag', 'sort=name:desc&pagination[start]=240&populate=books'] as const])(
    'a list of %s: %s',
    async (uid, query) => {
      const [ours, theirs] = await Promise.all(
        readers().map(async (reader) => String((await reader.list(library.type(uid), asked(query))).body)),
      );
      expect(ours).toBe(theirs);
    },
  );

  it.each([
    ['book', 1, 'populate=*'],
    ['book', 6, 'fields=id'],
    ['book', 99, ''],
    ['article', 1, 'populate=book,localizations'],
    ['article', 4, 'fields=title'],
  ] as const)('an entry of %s: %i, %s', async (uid, id, query) => {
    const [ours, theirs] = await Promise.all(
      readers().map(async (reader) => (await reader.one(library.type(uid), asked(query), id))?.body),
    );
    expect(ours).toBe(theirs);
    const [written, built] = await Promise.all(
      readers().map(async (reader) => {
        const checked = await reader.check(library.type(uid), asked(query));
        return reader.findEntry(library.database, checked, id);
      }),
    );
    expect(String(written?.text)).toBe(String(built?.text));
  });

  it.each(['', 'locale=fr&publicationState=preview', 'locale=all&populate=localizations', 'filters[siteName]=none'])(
    'the entry of a single type: %s',
    async (query) => {
      const [ours, theirs] = await Promise.all(
        readers().map(async (reader) => (await reader.single(library.type('setting'), asked(query)))?.body),
      );
      expect(ours).toBe(theirs);
    },
  );
});
