/** The words that somebody searches for, as each engine is asked for them: nothing but letters and digits is left of a text. */
import type { CastResult } from '../contract/values/cast-result.ts';
import { castText } from '../contract/values/cast-text.ts';

/** Each word is looked up by itself. */
const MOST_WORDS = 16;
const LONGEST_WORD = 100;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

function wordsOf(text: string): readonly string[] {
  return [...new Set([...text.toLowerCase().matchAll(WORD)].map(([word]) => word))];
}

/** The words of a text in lower case, each once, with blanks between them. */
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

/** Each word as an engine has it, of what `castWords` answered. */
export function searchTerms(words: string, term: (word: string) => string, between: string): string {
  return words
    .split(' ')
    .filter((word) => word !== '')
    .map(term)
    .join(between);
}
