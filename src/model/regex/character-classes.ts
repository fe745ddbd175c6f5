/** The characters that parts of a regular expression match, as sets over a reduced alphabet. */
import type { AST } from '@eslint-community/regexpp';

/** A part of a pattern that matches one character. */
export type Matcher = AST.Character | AST.CharacterClass | AST.CharacterSet | AST.ExpressionCharacterClass;

/** A set of letters of the alphabet, as ascending indexes. */
export type CharacterSet = readonly number[];

const asciiEnd = 0x80;
const bmpEnd = 0xffff;
const surrogates = { from: 0xd800, to: 0xdfff } as const;
const astral = [0x1_0000, 0x1_d400, 0x1_f600, 0x2_0000, 0xe_0100, 0x10_ffff];

/** Code points at which a set of characters may begin or end. */
function boundaries(matcher: Matcher): readonly number[] {
  const found: number[] = [];
  for (const [escaped] of matcher.raw.matchAll(/\\u\{[0-9a-f]+\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|[^\x00-\x7f]/giu)) {
    // oxlint-disable-line no-control-regex
    const isEscape = escaped.startsWith('\\');
    const code = isEscape ? Number.parseInt(escaped.replace(/[^0-9a-f]/gi, ''), 16) : (escaped.codePointAt(0) ?? 0);
    found.push(code - 1, code, code + 1);
  }
  return found;
}

/** Sample characters: at least one from each class that the matchers distinguish. */
function samples(matchers: readonly Matcher[]): readonly string[] {
  // The boundaries of a Unicode property are not in the pattern, so every character of the BMP is tried.
  const end = matchers.some((matcher) => /\\p\{/i.test(matcher.raw)) ? bmpEnd : asciiEnd;
  const codes = new Set([...Array(end + 1).keys(), ...matchers.flatMap(boundaries), ...astral]);
  // Whitespace and letters that `\s`, `\w` and `.` treat specially.
  for (const code of [0x85, 0xa0, 0xff, 0x17f, 0x1680, 0x2003, 0x2028, 0x2029, 0x212a, 0x3000, 0xfeff]) codes.add(code);
  return [...codes]
    .filter((code) => code >= 0 && code <= 0x10_ffff && !(code >= surrogates.from && code <= surrogates.to))
    .map((code) => String.fromCodePoint(code));
}

/**
 * The characters that each of `matchers` matches. Characters that all matchers treat alike share one letter, which
 * keeps the alphabet small.
 */
export function characterSets(matchers: readonly Matcher[]): ReadonlyMap<Matcher, CharacterSet> {
  const sources = [...new Set(matchers.map((matcher) => matcher.raw))];
  const patterns = sources.map((source) => new RegExp(`^${source}$`, 'u'));
  const sets = new Map<string, number[]>(sources.map((source) => [source, []]));
  const letters = new Set<string>();
  for (const character of samples(matchers)) {
    const signature = patterns.map((pattern) => (pattern.test(character) ? 1 : 0)).join('');
    if (letters.has(signature)) continue;
    for (const [index, source] of sources.entries()) if (signature[index] === '1') sets.get(source)?.push(letters.size);
    letters.add(signature);
  }
  return new Map(matchers.map((matcher) => [matcher, sets.get(matcher.raw) ?? []]));
}

/** Whether all sets have a character in common. */
export function overlap(first: CharacterSet, ...others: readonly CharacterSet[]): boolean {
  return first.some((letter) => others.every((set) => set.includes(letter)));
}
