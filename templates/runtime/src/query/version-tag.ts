/** What tells one state of an answer from another: the version of its entry and, where that is all, what was asked of it. */
import { hash } from 'node:crypto';
import type { ContentType } from '../contract/content-type.ts';
import type { Dialect } from '../database/dialect.ts';
import type { Row } from '../database/statement-runner.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import { VERSION_COLUMN } from '../write/version.ts';
import { NESTED } from './entry-shape.ts';
import type { EntrySelection } from './read-query.ts';

/** An entry as it was read. */
export interface ReadEntry {
  /** Its JSON. */
  readonly text: string;
  readonly version: number;
  /**
   * With the version it tells the bytes of the answer. Undefined where these depend on more than the entry's own row, or on what a
   * hook makes of them.
   */
  readonly tag?: string | undefined;
}

const descriptions = new WeakMap<ContentType, string>();

/** All that is known of a type, which changes with its schema. */
function descriptionOf(type: ContentType): string {
  const known = descriptions.get(type) ?? JSON.stringify(type);
  descriptions.set(type, known);
  return known;
}

const HASH_LENGTH = 12;

/** The first characters of a hash, which can stand in a header. */
export function shortHash(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, HASH_LENGTH);
}

/** A hash of what is shown of an entry; undefined where its own row does not tell all of that. */
function selectionHash({ type, shape, fields, populate }: EntrySelection): string | undefined {
  const showsLocales = type.localized && shape === NESTED;
  if (populate.length > 0 || showsLocales) return undefined;
  const shown = fields.map(({ name, column, isUnset }) => [name, column, isUnset ?? false]);
  return shortHash(JSON.stringify([shape.shortest, shown, descriptionOf(type)]));
}

/** How the version of an entry is asked for, and told. */
export interface VersionTag {
  /** Stand behind SELECT or RETURNING. */
  readonly columns: Sql;
  /** Whether the version tells that an answer is the same, without it. */
  readonly tellsAll: boolean;
  versionOf(row: Row): number;
  tagOf(row: Row): string | undefined;
}

/**
 * `alias`: what the statement calls the row. `nameOf` tells the columns that it answers anyway: what is among them is not asked for
 * twice.
 */
export function versionTag(
  dialect: Dialect,
  entry: EntrySelection,
  alias: Sql,
  nameOf: (value: Sql) => string | undefined = () => undefined,
): VersionTag {
  const shown = selectionHash(entry);
  const version = sql`${alias}.${dialect.id(VERSION_COLUMN)} AS entry_version`;
  const versionOf = (row: Row): number => Number(row['entry_version']);
  if (shown === undefined) return { columns: version, tellsAll: false, versionOf, tagOf: () => undefined };
  // A database that is restored, and an entry that is made again at its place, have had a version before.
  const updated = sql`${alias}.${dialect.id('updated_at')}`;
  const time = dialect.rowScalar?.('datetime').select(updated) ?? updated;
  const known = nameOf(time);
  const name = known ?? 'entry_time';
  return {
    columns: known === undefined ? sql`${version}, ${time} AS ${raw(name)}` : version,
    tellsAll: true,
    versionOf,
    // Tags have no spaces, which some engines write between day and time.
    tagOf: (row) => `${shown}${String(row[name]).replaceAll(' ', '')}`,
  };
}
