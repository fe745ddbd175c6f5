/** Parses numbers in schemas: limits and defaults. */
import type { CastResult } from '../values/cast-result.ts';
import type { Bound, ReadResult } from './attribute-type.ts';

/** Stricter than in requests, which may also have `.5`, and spaces around a number. */
const WRITTEN = /^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,4})?$/;

/** YAML 1.1 and many languages parse such numbers as octal. */
export const LEADING_ZERO = /^[-+]?0\d/;

export const NO_LEADING_ZERO = { expected: 'a number without leading zeros' };

/** A parser of the numbers that `cast` accepts. */
export function readBoundBy(cast: (text: string) => CastResult<Bound>, expected: string) {
  return (text: string): ReadResult<Bound> => {
    if (LEADING_ZERO.test(text)) return NO_LEADING_ZERO;
    const result = WRITTEN.test(text) ? cast(text) : undefined;
    return result?.ok === true ? { value: result.value } : { expected };
  };
}
