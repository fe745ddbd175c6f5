/** Makes words for addresses out of Latin text. */

/** Leaves room for a number behind it in the 255 characters of a uid. */
const MAX_LENGTH = 200;

/** How much of a text is looked at. */
export const MAX_SLUGIFIED = MAX_LENGTH * 2;

/** Latin letters that Unicode doesn't take apart into a base letter and a mark, and signs that are read as words. */
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
 * Lower-case words of `a-z` and `0-9` joined by hyphens: `Crème Brûlée & Co.` → `creme-brulee-and-co`. Empty where nothing
 * of the text is Latin: `content/uid-base.ts` spells other scripts first.
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
