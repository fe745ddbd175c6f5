import { describe, expect, it } from 'vitest';
import { checkRegex } from './check-regex.ts';

const safe = [
  '^[a-z]+$',
  '[^,]+',
  '.*',
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  String.raw`^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$`,
  String.raw`^(?:\d{1,3}\.){3}\d{1,3}$`,
  '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$',
  '^(?=.*[A-Z])(?=.*[0-9]).{8,}$',
  '^(?!.*--)[a-z-]+$',
  '^(?:[^"\\\\]|\\\\.)*$',
  '^((a|b)*c)*$',
  '^[A-Za-z0-9]{3,16}[0-9]{2,4}$',
  String.raw`^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*$`,
  String.raw`[A-Z]{2}\d{4}`,
  '^x*$|^y*$',
  String.raw`^#(?:[0-9a-f]{3}){1,2}$`,
  '[\\u{1F600}-\\u{1F64F}]+',
];

const slow = [
  '^(a+)+$',
  '^(a*)*$',
  '^(a|a)*$',
  '^(a|ab|b)*$',
  '^(a?b?)*$',
  '^(?:(?:a?|b?)c)*$',
  String.raw`^(\w+\s?)*$`,
  String.raw`^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*@$`,
  '^(a|a){30}$',
  '^(a?){50}$',
  `^${'a?'.repeat(40)}${'a'.repeat(40)}$`,
  '^(a{0,100}){0,100}$',
  '^.*foo.*$',
  '^a*a*$',
  String.raw`^\s*(.*)\s*$`,
  'a+b',
  String.raw`\s+$`,
  String.raw`^\s+|\s+$`,
  '(?<=a.*)b',
  '^(?:(?=a*b)a)*$',
  String.raw`^(a+)\1$`,
  // These overlap only outside of ASCII.
  String.raw`^(?:\p{L}|é)*$`,
  '^(?:[à-ÿ]|é)*$',
];

describe('checkRegex', () => {
  it.each(safe)('accepts %s', (source) => {
    expect(checkRegex(source)).toBeUndefined();
  });

  it.each(safe)('%s takes no time on texts that are made to be slow', (source) => {
    const regex = new RegExp(source, 'u');
    const started = performance.now();
    for (const piece of ['a', 'A', '0', 'ab', 'a.', 'a-', '-', 'Aa ', '"', '\\', '\u{1F600}', 'c', 'x']) {
      regex.test(`${piece.repeat(20_000)}\n!`);
    }
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it.each(slow)('refuses %s', (source) => {
    expect(checkRegex(source)?.message).toMatch(/time|every character/);
  });

  it.each([
    ['(', 'Unterminated group'],
    ['[a', 'Unterminated character class'],
    ['a**', 'Nothing to repeat'],
    [String.raw`\-`, 'Invalid escape'],
    ['a{2,1}', 'numbers out of order in {} quantifier'],
    ['a'.repeat(501), 'it has more than 500 characters'],
  ])('says why %s is not valid', (source, message) => {
    expect(checkRegex(source)?.message).toBe(message);
  });
});
