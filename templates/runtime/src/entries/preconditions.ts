/** Checks the preconditions of writes on the version of the entry. */
import { PreconditionFailedError } from '../contract/errors.ts';
import type { Dialect } from '../database/dialect.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import type { ContentType } from '../contract/content-type.ts';
import { hasRight } from '../contract/policy/rights.ts';
import type { EntryRequest, Preconditions } from '../query/entry-request.ts';
import { VERSION_COLUMN } from '../write/version.ts';
import type { StoredEntry } from './context.ts';

type Versions = NonNullable<Preconditions['match']>;

/** The versions of an entry: of its row and, if that is beside the draft, of its published version. */
export interface EntryVersions {
  readonly version: number;
  readonly published?: boolean;
  readonly publishedVersion?: number | undefined;
}

function includes(versions: Versions, { version, publishedVersion = version }: EntryVersions): boolean {
  return versions === 'any' || versions.includes(version) || versions.includes(publishedVersion);
}

/** The preconditions on the version of the row, for an entry that meets them. */
export function ofRow(
  expected: Preconditions | undefined,
  { version, publishedVersion }: Pick<StoredEntry, 'version' | 'publishedVersion'>,
): Preconditions | undefined {
  if (publishedVersion === undefined || version === undefined) return expected;
  if (!expected || expected.match === undefined || expected.match === 'any') return expected;
  return { ...expected, match: [version] };
}

/**
 * Throws PreconditionFailedError if the current entry (undefined if there is none) violates the preconditions. It has the version of
 * the entry, unless that is a draft of `type` that the caller may not see.
 */
export function requirePreconditions(
  now: EntryVersions | undefined,
  { expected, caller }: Pick<EntryRequest, 'expected' | 'caller'>,
  { uid }: Pick<ContentType, 'uid'>,
): void {
  if (!expected) return;
  const { match, noneMatch } = expected;
  const isExpected = match === undefined || (now !== undefined && includes(match, now));
  const isFree = noneMatch === undefined || now === undefined || !includes(noneMatch, now);
  if (isExpected && isFree) return;
  const isHidden = now?.published === false && !hasRight(caller, 'drafts', uid);
  throw new PreconditionFailedError(isHidden ? undefined : now?.version);
}

/** The preconditions on the version as an SQL condition on the row, starting with `AND`; empty if every version is acceptable. */
export function versionCondition({ id }: Dialect, expected: Preconditions | undefined): Sql {
  const match = listed(expected?.match);
  const noneMatch = listed(expected?.noneMatch);
  const name = id(VERSION_COLUMN);
  const isExpected = match ? sql` AND ${name} IN (${match})` : raw('');
  return noneMatch ? sql`${isExpected} AND ${name} NOT IN (${noneMatch})` : isExpected;
}

/** `versionCondition` for an entry that may have a published version beside its draft. */
export function entryCondition(dialect: Dialect, { published }: ContentType, expected: Preconditions | undefined): Sql {
  if (!published) return versionCondition(dialect, expected);
  const name = dialect.id(VERSION_COLUMN);
  const has = (versions: Sql): Sql =>
    sql`(${name} IN (${versions}) OR id IN (SELECT p.id FROM ${dialect.id(published.table)} AS p WHERE p.${name} IN (${versions})))`;
  const match = listed(expected?.match);
  const noneMatch = listed(expected?.noneMatch);
  const isExpected = match ? sql` AND ${has(match)}` : raw('');
  return noneMatch ? sql`${isExpected} AND NOT ${has(noneMatch)}` : isExpected;
}

/** Version numbers, which were validated as integers. */
function listed(versions: Versions | undefined): Sql | undefined {
  if (versions === undefined || versions === 'any') return undefined;
  return raw(versions.length === 0 ? '-1' : versions.join(', '));
}

/** Whether a write may be refused because of the version of an existing row. */
export function hasVersionPrecondition(expected: Preconditions | undefined): boolean {
  return listed(expected?.match) !== undefined || listed(expected?.noneMatch) !== undefined;
}
