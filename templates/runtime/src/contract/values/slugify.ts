/** Makes the value of a `uid` attribute out of any text. */

/** Leaves room for a number behind it in the 255 characters of a uid. */
const MAX_LENGTH = 200;

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
 * of the text can be written so, as with scripts other than Latin.
 */
export function slugify(text: string): string {
  const letters = text
    .slice(0, MAX_LENGTH * 2)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^ -~]|&/gu, (letter) => SPELLED.get(letter) ?? letter);
  const words = letters.split(/[^a-z0-9]+/).filter((word) => word !== '');
  return words.join('-').slice(0, MAX_LENGTH).replace(/-$/, '');
}
