/** Valid and invalid names and values for requests. */
import fc from 'fast-check';
import type { SchemaText } from './whole-entries.ts';

const HOSTILE_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  ' ',
  '*',
  '$eq',
  '0',
  'nope',
  'é',
  "'",
];
const SYSTEM_NAMES = [
  'id',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  'localizations',
  '__component',
  '__type',
];

/** All attribute names of a schema, those that the server adds, and invalid names. */
export function namesOf(schema: SchemaText): fc.Arbitrary<string> {
  const owners = [...Object.values(schema.contentTypes), ...Object.values(schema.components ?? {})];
  const known = [...new Set(owners.flatMap(({ attributes }) => Object.keys(attributes)))];
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...known) },
    { weight: 4, arbitrary: fc.constantFrom(...SYSTEM_NAMES) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_NAMES) },
    { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
  );
}

/** Text that is valid for some attribute. */
export const ordinaryText = fc.constantFrom(
  '1',
  '2',
  '0',
  '-1',
  '2.25',
  'true',
  'false',
  'Text 1',
  'calm',
  'en',
  'fr',
  'all',
  '2024-02-29',
  'primary',
  '5',
  '2024-02-29T08:30:00.000Z',
  '9007199254740993',
  '%',
  '_',
  '\\',
  'é',
  '',
  'live',
  'preview',
  '/',
  '08:30:00.000',
);

/** Text that is invalid, or an edge case. */
export const strangeText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    "' OR 1=1 --",
    '";DROP TABLE articles;',
    '1e309',
    'NaN',
    '-0',
    '99999999999999999999',
    '0x10',
    '1;',
    '\0',
    '\ud800',
    'null',
    '[object Object]',
    'undefined',
    '%00',
    '*',
    '**',
    '[a-z',
    '?',
    'x'.repeat(300),
    '{}',
    '[]',
    '٣',
    '1_000',
    ' 1 ',
    '+1',
    '2024-02-30',
    '9'.repeat(400),
    '0.1e-400',
    '\u2028',
    'İ',
    'ß',
  ),
);

export const anyText = fc.oneof({ weight: 5, arbitrary: ordinaryText }, { weight: 2, arbitrary: strangeText });

/** Corrupts a text at a few positions. */
export function damaged(text: fc.Arbitrary<string>, pieces: readonly string[]): fc.Arbitrary<string> {
  const damage = fc.array(fc.tuple(fc.nat(200), fc.constantFrom(...pieces), fc.nat(3)), { minLength: 1, maxLength: 3 });
  return fc.tuple(text, damage).map(([whole, places]) =>
    places.reduce((now, [at, piece, cut]) => {
      const place = now.length === 0 ? 0 : at % (now.length + 1);
      return now.slice(0, place) + piece + now.slice(place + cut);
    }, whole),
  );
}
