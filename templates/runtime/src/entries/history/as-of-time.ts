/** `asOf`: the time of which a read is. */
import { BadRequestError } from '../../contract/errors.ts';
import { instantTime } from '../../contract/values/cast-time.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { invalidValue } from '../../query/invalid-parameter.ts';
import { textOf } from '../../query/query-value.ts';
import { rareParameter } from '../../query/rare-parameter.ts';

const NAME = 'asOf';
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/u;

/** In milliseconds since 1970; undefined if the query is about now. Throws BadRequestError. */
export function asOfTime({ query }: Pick<EntryRequest, 'query'>): number | undefined {
  const value = rareParameter(query, NAME);
  if (value === undefined) return undefined;
  const text = textOf(value, NAME);
  const time = INSTANT.test(text) ? instantTime(text) : Number.NaN;
  if (Number.isNaN(time)) throw invalidValue(NAME, 'must be a time such as 2026-11-01T00:00:00Z');
  return time;
}

/** Throws BadRequestError: the type has no history. */
export function refuseAsOf(uid: string): never {
  throw new BadRequestError(`Invalid parameter ${NAME}: ${uid} has no history`);
}
