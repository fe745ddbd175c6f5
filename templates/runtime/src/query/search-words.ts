/** The words of a search, in the syntax of each engine's full-text index: only letters and digits of the text are kept. */
import type { CastResult } from '../contract/values/cast-result.ts';
import { castText } from '../contract/values/cast-text.ts';

/** Each word is a lookup of its own. */
const MOST_WORDS = 16;
const LONGEST_WORD = 100;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

function wordsOf(text: string): readonly string[] {
  return [...new Set([...text.toLowerCase().matchAll(WORD)].map(([word]) => word))];
}

/** The distinct words of a string in lower case, separated by spaces. */
export function castWords(text: string): CastResult<string> {
  const result = castText(text);
  if (!result.ok) return result;
  const words = wordsOf(text);
  if (words.length > MOST_WORDS) return { ok: false, message: `must have at most ${MOST_WORDS} words` };
  if (words.some((word) => word.length > LONGEST_WORD)) {
    return { ok: false, message: `must have words of at most ${LONGEST_WORD} characters` };
  }
  return { ok: true, value: words.join(' ') };
}

/** Formats each word of a result of `castWords` for an engine. */
export function searchTerms(words: string, term: (word: string) => string, between: string): string {
  return words
    .split(' ')
    .filter((word) => word !== '')
    .map(term)
    .join(between);
}
