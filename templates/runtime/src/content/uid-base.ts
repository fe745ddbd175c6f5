/** What the value of a `uid` attribute is made of. */
import { late } from '../base/late.ts';
import { leftOut } from '../base/left-out.ts';
import { MAX_SLUGIFIED, slugify } from '../contract/values/slugify.ts';

const loadTransliterate = late(async () => {
  const module = await import('@sindresorhus/transliterate').catch(leftOut('attributes of the type uid'));
  return module.default;
});

const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/u;
/** Letters of other scripts than Latin, with their marks. */
const OTHER_LETTERS = /(?:(?!\p{Script=Latin})\p{L}\p{M}*)+/gu;

/**
 * The slug of a text: `Привет, мир` → `privet-mir`. Cyrillic, Greek, Armenian, Georgian, Arabic and other letters are spelled in
 * Latin ones, but neither Chinese nor Japanese. Empty where nothing can be. Throws ServiceUnavailableError where the letters of
 * other scripts can't be loaded.
 */
export async function slugOf(text: string): Promise<string> {
  const start = text.slice(0, MAX_SLUGIFIED);
  if (!OTHER_LETTER.test(start)) return slugify(start);
  const transliterate = await loadTransliterate();
  // The second time for letters that the first one has freed of a mark: Ў → У → U.
  return slugify(start.replace(OTHER_LETTERS, (letters) => transliterate(transliterate(letters))));
}
