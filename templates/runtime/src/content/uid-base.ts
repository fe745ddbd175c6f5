/** The slug that the value of a `uid` attribute is based on. */
import { lazyImport } from '../base/lazy-import.ts';
import { explainMissingModule } from '../base/missing-module.ts';
import { MAX_SLUGIFIED, slugify } from '../contract/values/slugify.ts';

const loadTransliterate = lazyImport(async () => {
  const module = await import('@sindresorhus/transliterate').catch(explainMissingModule('attributes of the type uid'));
  return module.default;
});

const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/u;
/** Letters of non-Latin scripts, with their combining marks. */
const OTHER_LETTERS = /(?:(?!\p{Script=Latin})\p{L}\p{M}*)+/gu;

/**
 * The slug of a text: `Привет, мир` → `privet-mir`. Cyrillic, Greek, Armenian, Georgian, Arabic and other scripts are
 * transliterated, but not Chinese and Japanese. May be empty. Throws ServiceUnavailableError if the transliteration can't be
 * loaded.
 */
export async function slugOf(text: string): Promise<string> {
  const start = text.slice(0, MAX_SLUGIFIED);
  if (!OTHER_LETTER.test(start)) return slugify(start);
  const transliterate = await loadTransliterate();
  // Twice, since the first pass only removes the mark of some letters: Ў → У → U.
  return slugify(start.replace(OTHER_LETTERS, (letters) => transliterate(transliterate(letters))));
}
