import { expect, test } from 'vitest';
import { isEmail, isUid } from './formats.ts';
import { slugify } from './slugify.ts';

test.each(['a@b.co', 'a@b.c', 'é@b.co', "o'neil+tag@sub.example.org", 'a@bücher.example', 'a@xn--bcher-kva.example'])(
  '%s is an address',
  (text) => expect(isEmail(text)).toBe(true),
);

test.each([
  '',
  'a@b',
  '@b.co',
  'a@',
  'a@b.co.',
  ' a@b.co ',
  'a b@c.de',
  'a..b@c.de',
  'a@b..co',
  'a@-b.co',
  'a@b.1',
  'a@b.co\nBcc: x@y.zz',
  'a@b.co\u202E',
  'a<b>@c.de',
  `${'a'.repeat(250)}@b.co`,
])('%j is none', (text) => expect(isEmail(text)).toBe(false));

test('a uid needs no escaping in a URL', () => {
  for (const text of ['', 'A-b_c.d~e', '0']) expect(isUid(text)).toBe(true);
  for (const text of ['Hello World', 'é', 'a/b', 'a\n', 'a%20']) expect(isUid(text)).toBe(false);
});

test.each([
  ['Hello World', 'hello-world'],
  ['  Crème Brûlée & Co.  ', 'creme-brulee-and-co'],
  ['Straße nach Århus / Øst', 'strasse-nach-arhus-ost'],
  ["Don't Łódź", 'dont-lodz'],
  ['ﬁnal №5', 'final-no5'],
  ['İstanbul', 'istanbul'],
  ['日本語', ''],
  ['---', ''],
  ['', ''],
])('%s becomes %s', (text, slug) => {
  expect(slugify(text)).toBe(slug);
  expect(isUid(slug)).toBe(true);
});

test('a slug leaves room for a number', () => {
  expect(slugify('a'.repeat(10_000))).toHaveLength(200);
  expect(slugify(`${'a'.repeat(199)} bc`)).toBe('a'.repeat(199));
});
