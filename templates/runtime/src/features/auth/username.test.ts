import { describe, expect, test } from 'vitest';
import { someOf } from '../../../test-support/in-full.ts';
import { normalizeUsername, usernameProblem } from './username.ts';

const problemOf = (name: string) => usernameProblem(normalizeUsername(name));

test.each([
  'ann',
  'Ann Mary',
  "o'neil",
  'ann@example.org',
  'x_y-z.1+2',
  'Zoë',
  'Zoe\u0308',
  'Łukasz',
  'Nguyễn Văn A',
  'Анна',
  'Ελένη',
  'אבי כהן',
  'محمد',
  'मोहन',
  '山田 太郎',
  'やまだタロウー',
  'JRグループ',
  '김철수',
  'ann山田',
  'สมชาย',
  '٣محمد',
])('S14: %s is a name', (name) => {
  expect(problemOf(name)).toBeUndefined();
});

describe('S14: no name', () => {
  test.each([
    ['a line feed', 'ann\r\nbob'],
    ['a control', 'ann\u0007'],
    ['a change of direction', 'ann\u202Egro.elpmaxe'],
    ['an isolate', 'ann\u2066'],
    ['a mark of direction', 'ann\u200F'],
    ['no width', 'a\u200Bnn'],
    ['a joiner', 'a\u200Dnn'],
    ['a byte order mark', '\uFEFFann'],
    ['a soft hyphen', 'an\u00ADn'],
    ['a word joiner', 'ann\u2060'],
    ['a tag', 'ann\u{E0041}'],
    ['a variation selector', 'ann\uFE0F'],
    ['a filler', 'ann\u3164'],
    ['a half of a pair', 'ann\uD800'],
    ['a private character', 'ann\uE000'],
    ['an unassigned character', 'ann\u0378'],
    ['a line separator', 'ann\u2028bob'],
    ['a tabulator', 'ann\tbob'],
    ['a blank at the end', 'ann '],
    ['a blank at the beginning', ' ann'],
    ['another blank at the end', 'ann\u00A0'],
    ['a wide blank at the end', 'ann\u3000'],
    ['two blanks', 'ann  bob'],
    ['a blank of Ogham', 'ann\u1680bob'],
    ['an accent at the beginning', '\u0301ann'],
    ['Cyrillic among Latin', 'p\u0430ypal'],
    ['Greek among Latin', 'ann\u03BF'],
    ['Cyrillic among Greek', '\u0391\u0410\u0391'],
    ['Cherokee', '\u13AA\u13AA\u13AA'],
    ['a mathematical sign', 'a\u2212b'],
    ['a picture', 'ann\u{1F600}'],
    ['a letter of no script', 'ann\u02BC'],
  ])('has %s', (_what, name) => {
    expect(problemOf(name)).toMatch(/^must /u);
  });
});

test('S14: equivalent spellings are equal, and accepted names are stable', () => {
  for (const spelling of ['ａｎｎ', 'ⓐⓝⓝ', '𝐚𝐧𝐧', 'ᵃⁿⁿ']) expect(normalizeUsername(spelling)).toBe('ann');
  expect(normalizeUsername('Zoe\u0308')).toBe('Zoë');
  // Every character between two letters: the accepted ones are visible and normalized.
  const codes = Array.from({ length: 0x3_0000 }, (_, code) => code);
  for (const code of someOf(codes, 7)) {
    const name = normalizeUsername(`a${String.fromCodePoint(code)}a`);
    if (usernameProblem(name) !== undefined) continue;
    expect(name).toBe(name.normalize('NFKC'));
    expect(name.replace(/[\p{L}\p{M}\p{Nd}\u0020-\u007e]/gu, ''), code.toString(16)).toBe('');
    expect(name, code.toString(16)).not.toMatch(
      /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u,
    );
  }
});
