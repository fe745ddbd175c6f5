import { afterEach, describe, expect, test } from 'vitest';
import { attributeType, castScalar, type ScalarType, scalarTypes } from './scalar-type.ts';

const timeZone = process.env['TZ'];

afterEach(() => {
  if (timeZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = timeZone;
});

type Row = readonly [given: unknown, canonical: unknown];

const ACCEPTED: Readonly<Partial<Record<ScalarType, readonly Row[]>>> = {
  string: [
    ['', ''],
    [' padded ', ' padded '],
    ['a\nb', 'a\nb'],
    ['😀', '😀'],
  ],
  email: [['anything', 'anything']],
  integer: [
    [5, 5],
    [' 5 ', 5],
    ['5.0', 5],
    ['1e3', 1000],
    ['-0', 0],
    [-2_147_483_648, -2_147_483_648],
    ['2147483647', 2_147_483_647],
  ],
  biginteger: [
    [5, '5'],
    ['007', '7'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['9007199254740993', '9007199254740993'],
  ],
  float: [
    [1.123456789012345, 1.123456789012345],
    ['1.10', 1.1],
    ['.5', 0.5],
    [-0, 0],
    ['1e-200', 1e-200],
  ],
  decimal: [
    [1.5, '1.5'],
    ['1.10', '1.1'],
    ['-0.00', '0'],
    ['+007.50', '7.5'],
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    [0.1 + 0.2, '0.30000000000000004'],
    ['12.5e-3', '0.0125'],
    ['0.1234567890123456789012345678900', '0.12345678901234567890123456789'],
    ['9'.repeat(35), '9'.repeat(35)],
  ],
  date: [
    ['2020-02-29', '2020-02-29'],
    ['0001-01-01', '0001-01-01'],
    ['2020-01-02T23:30:00.000-05:00', '2020-01-02'],
  ],
  time: [
    ['10:00:00', '10:00:00.000'],
    ['10:00:00.1', '10:00:00.100'],
    ['23:59:59.999', '23:59:59.999'],
  ],
  datetime: [
    ['2020-01-02T03:04:05.678Z', '2020-01-02T03:04:05.678Z'],
    ['2020-01-02T03:04:05.678901Z', '2020-01-02T03:04:05.678Z'],
    ['2020-01-02T03:04:05+02:00', '2020-01-02T01:04:05.000Z'],
    ['2020-01-02T03:04:05-0000', '2020-01-02T03:04:05.000Z'],
    ['2020-01-02 03:04', '2020-01-02T03:04:00.000Z'],
    ['2020-01-02', '2020-01-02T00:00:00.000Z'],
    ['2020-01', '2020-01-01T00:00:00.000Z'],
    ['2020', '2020-01-01T00:00:00.000Z'],
    ['20200102', '2020-01-02T00:00:00.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    ['-1', '1969-12-31T23:59:59.999Z'],
    ['1577934245678', '2020-01-02T03:04:05.678Z'],
    ['0050-01-01', '0050-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ],
  timestamp: [['2020-01-02T03:04:05.678Z', '2020-01-02T03:04:05.678Z']],
  boolean: [
    [true, true],
    ['TRUE', true],
    [1, true],
    ['1', true],
    ['false', false],
    [0, false],
    ['0', false],
  ],
  json: [
    ['{"a":1}', '{"a":1}'],
    ['[1', '[1'],
    [false, false],
    [
      { constructor: 'x', a: [null] },
      { constructor: 'x', a: [null] },
    ],
  ],
  blocks: [[[], []]],
};

const REFUSED: Readonly<Partial<Record<ScalarType, readonly unknown[]>>> = {
  string: [1.5, true, ['a'], { a: 1 }, 'a\0b', '\uD800', 'x\uDC00', new String('a')],
  integer: [
    '',
    ' ',
    'x',
    true,
    [1],
    { a: 1 },
    1.5,
    '1.5',
    2_147_483_648,
    -2_147_483_649,
    1e20,
    '0x10',
    '1 000',
    '1e',
    'Infinity',
  ],
  biginteger: ['x', true, 1.5, 2 ** 53, 1e20, '9223372036854775808', '-9223372036854775809', '1e30', ''],
  float: ['', 'x', true, [1], NaN, Infinity, '1e999', '1_000', `${'1'.repeat(100_000)}x`],
  decimal: [
    '',
    'x',
    true,
    '1.2.3',
    '1e99999',
    '-',
    '.',
    NaN,
    Infinity,
    '1'.repeat(36),
    `0.${'1'.repeat(31)}`,
    '1'.repeat(1e6),
  ],
  date: [
    '',
    '2020-1-2',
    '2020-02-30',
    '2021-02-29',
    '1900-02-29',
    '0000-01-01',
    '2020',
    '12020-01-01',
    '+275761-01-01',
    20_200_102,
    true,
    '2020-01-02x',
    '2020-01-02T25:00',
  ],
  time: ['', '10:00', '24:00:00', '23:59:60', '10:00:00.1234', '10:00Z', '10:00:00Z', 1000],
  datetime: [
    '',
    'x',
    'Thu, 02 Jan 2020 03:04:05 GMT',
    '2020-02-30T00:00:00Z',
    '2020-01-02T24:00:01Z',
    '2016-12-31T23:59:60Z',
    '2020-01-02T03:04:05+24:00',
    '0000-12-31',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+275761-01-01',
    8.64e15,
    1.5,
    NaN,
    true,
    { a: 1 },
    [0],
    `2020-01-02T03:04:05.${'1'.repeat(1000)}Z`,
  ],
  boolean: ['t', 'yes', 2, '', 'x', [true], { a: 1 }, ' true '],
  json: [
    { a: ['\0'] },
    { '\0': 1 },
    '\uDFFF',
    JSON.parse('{"__proto__":{"x":1}}'),
    { constructor: { prototype: {} } },
    NaN,
    new Date(),
    1n,
    { a: undefined },
  ],
  blocks: ['x', {}, 5, [1], [{ type: 'nope', children: [] }]],
};

describe.each(Object.keys({ ...ACCEPTED, ...REFUSED }) as ScalarType[])('%s', (type) => {
  test.each((ACCEPTED[type] ?? []).map(([given, canonical]) => ({ given, canonical })))(
    'takes $given as $canonical',
    ({ given, canonical }) => {
      for (const zone of ['America/Sao_Paulo', 'Pacific/Apia', 'UTC']) {
        process.env['TZ'] = zone;
        const result = castScalar(type, given);
        expect(result).toEqual({ ok: true, value: canonical });
        expect(castScalar(type, canonical)).toEqual(result);
      }
    },
  );

  test('refuses values that can not be converted exactly', () => {
    for (const given of REFUSED[type] ?? []) {
      const result = castScalar(type, given);
      expect(result, String(given).slice(0, 80)).toEqual({ ok: false, message: expect.stringMatching(/^(must|is) /) });
    }
  });
});

test('hostile spellings take no time', () => {
  const long = '1'.repeat(500_000);
  const texts = [
    `${long}x`,
    ` ${' '.repeat(500_000)}x`,
    `${long}.${long}e`,
    `2020-01-01T00:00:00.${long}`,
    `${'a.'.repeat(200_000)}@b`,
  ];
  const started = performance.now();
  for (const type of Object.keys({ ...ACCEPTED, ...REFUSED }) as ScalarType[]) {
    for (const text of texts) castScalar(type, text);
  }
  expect(performance.now() - started).toBeLessThan(1000);
});

test.each(scalarTypes)('the sample of %s is canonical', (name) => {
  const { sample, formatProblem } = attributeType(name);
  expect(castScalar(name, sample)).toEqual({ ok: true, value: sample });
  expect(typeof sample === 'string' ? formatProblem?.(sample) : undefined).toBeUndefined();
});
