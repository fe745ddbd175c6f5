/** Converts Latin text to slugs. */

/** Leaves room in the 255 characters of a uid for a number at its end. */
const MAX_LENGTH = 200;

/** The rest of a longer text is ignored. */
export const MAX_SLUGIFIED = MAX_LENGTH * 2;

/** Latin letters that Unicode doesn't decompose into a base letter and marks, and signs that stand for words. */
const SPELLED: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ŋ', 'n'],
  ['&', ' and '],
]);

/**
 * Lower-case words of `a-z` and `0-9` joined by hyphens: `Crème Brûlée & Co.` → `creme-brulee-and-co`. Empty for text without Latin
 * letters or digits: `content/uid-base.ts` transliterates other scripts first.
 */
export function slugify(text: string): string {
  const letters = text
    .slice(0, MAX_SLUGIFIED)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^ -~]|&/gu, (letter) => SPELLED.get(letter) ?? letter);
  const words = letters.split(/[^a-z0-9]+/).filter((word) => word !== '');
  return words.join('-').slice(0, MAX_LENGTH).replace(/-$/, '');
}
