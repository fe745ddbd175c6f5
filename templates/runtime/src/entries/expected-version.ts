/** Whether a write finds the entry in the version that it is meant for. */
import { PreconditionFailedError } from '../contract/errors.ts';
import type { Dialect } from '../database/dialect.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import type { Expected } from '../query/entry-request.ts';
import { VERSION_COLUMN } from '../write/version.ts';

type Versions = NonNullable<Expected['match']>;

function includes(versions: Versions, version: number): boolean {
  return versions === 'any' || versions.includes(version);
}

/** Throws PreconditionFailedError where the entry of now, undefined if there is none, is not what the write expects. */
export function requireExpected(now: { readonly version: number } | undefined, expected: Expected | undefined): void {
  if (!expected) return;
  const { match, noneMatch } = expected;
  const isExpected = match === undefined || (now !== undefined && includes(match, now.version));
  const isFree = noneMatch === undefined || now === undefined || !includes(noneMatch, now.version);
  if (!isExpected || !isFree) throw new PreconditionFailedError(now?.version);
}

/** The same of a row, as a condition after others; nothing where every version is as good. */
export function expectedRow({ id }: Dialect, expected: Expected | undefined): Sql {
  const match = listed(expected?.match);
  const noneMatch = listed(expected?.noneMatch);
  const name = id(VERSION_COLUMN);
  const isExpected = match ? sql` AND ${name} IN (${match})` : raw('');
  return noneMatch ? sql`${isExpected} AND ${name} NOT IN (${noneMatch})` : isExpected;
}

/** Whole numbers that the request was found to name. */
function listed(versions: Versions | undefined): Sql | undefined {
  if (versions === undefined || versions === 'any') return undefined;
  return raw(versions.length === 0 ? '-1' : versions.join(', '));
}

/** Whether a row may be there and still not be written, for its version. */
export function expectsVersion(expected: Expected | undefined): boolean {
  return listed(expected?.match) !== undefined || listed(expected?.noneMatch) !== undefined;
}
