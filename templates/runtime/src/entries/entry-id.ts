/** The id in a path. */
import { NotFoundError } from '../contract/errors.ts';

const DECIMAL = /^\d{1,16}$/;

/** The id that a path segment names. Throws NotFoundError for what can't be one: words, signs, fractions, 0, beyond 2^53. */
export function parseEntryId(segment: string): number {
  const id = DECIMAL.test(segment) ? Number(segment) : 0;
  if (!Number.isSafeInteger(id) || id === 0) throw new NotFoundError();
  return id;
}
