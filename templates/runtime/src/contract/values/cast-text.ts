/** Text that every engine can store and every client can read. */
import { type CastResult, err, ok } from './cast-result.ts';

const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/**
 * What is wrong with a text, as a predicate; undefined if it is valid. PostgreSQL can't store U+0000, and UTF-8 can't encode lone
 * surrogates.
 */
export function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the character U+0000';
  return LONE_SURROGATE.test(text) ? 'must be well-formed Unicode text' : undefined;
}

/** The unchanged text. Other types are not converted. */
export function castText(value: unknown): CastResult<string> {
  if (typeof value !== 'string') return err('must be a string');
  const problem = textProblem(value);
  return problem === undefined ? ok(value) : err(problem);
}

/** The number of characters (code points) of a text. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00) length -= 1;
  }
  return length;
}
