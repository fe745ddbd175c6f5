/** Numbers as schemas have them: as limits and as defaults. */
import type { CastResult } from '../values/cast-result.ts';
import type { Bound, ReadResult } from './attribute-type.ts';

/** As YAML has numbers: requests may also say `.5`, and put spaces around them. */
const WRITTEN = /^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,4})?$/;

/** What YAML 1.1 and many languages read as octal. */
export const LEADING_ZERO = /^[-+]?0\d/;

export const NO_LEADING_ZERO = { expected: 'a number without leading zeros' };

/** Reads numbers that `cast` takes. */
export function readBoundBy(cast: (text: string) => CastResult<Bound>, expected: string) {
  return (text: string): ReadResult<Bound> => {
    if (LEADING_ZERO.test(text)) return NO_LEADING_ZERO;
    const result = WRITTEN.test(text) ? cast(text) : undefined;
    return result?.ok === true ? { value: result.value } : { expected };
  };
}
