/** ETags without hashing the body: the version of an entry and, if that determines the answer, a hash of the selected fields. */
import { hash } from 'node:crypto';
import { COLUMN_NAMES } from '../contract/column-names.ts';
import type { ContentType } from '../contract/content-type.ts';
import type { Dialect } from '../database/dialect.ts';
import type { Row } from '../database/statement-runner.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import { VERSION_COLUMN } from '../write/version.ts';
import type { EntrySelection } from './read-query.ts';
import { type Pieces, utf8Of } from './utf8-pieces.ts';

/** An entry as read from the database. */
export interface ReadEntry {
  /** The entry as JSON, in pieces if it may be long. */
  readonly text: string | Pieces;
  readonly version: number;
  /**
   * Together with the version, identifies the bytes of the answer. Undefined if these depend on more than the entry's own row, or
   * on a hook.
   */
  readonly tag?: string | undefined;
}

/** The entry as an object. */
export function parsedEntry({ text }: Pick<ReadEntry, 'text'>): unknown {
  return JSON.parse(typeof text === 'string' ? text : String(utf8Of(text)));
}

const descriptions = new WeakMap<ContentType, string>();

/** Where links are depends on the state in which a type without drafts is read, which its own row does not. */
const OF_STATES: ReadonlySet<string> = new Set(['storage', 'entries']);

/** Everything known of the rows of a type; changes with its schema. */
function descriptionOf(type: ContentType): string {
  const written = (): string => JSON.stringify(type, (key, value: unknown) => (OF_STATES.has(key) ? undefined : value));
  const known = descriptions.get(type) ?? written();
  descriptions.set(type, known);
  return known;
}

const HASH_LENGTH = 12;

/** The first characters of a hash, safe in a header. */
export function shortHash(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, HASH_LENGTH);
}

/** A hash of the selected fields of an entry; undefined if the answer depends on more than its own row. */
function selectionHash({ type, shape, fields, populate }: EntrySelection): string | undefined {
  // Signed addresses change with time.
  if (fields.some(({ marks }) => marks)) return undefined;
  if (populate.length > 0 || (type.localized && shape.showsLocales)) return undefined;
  const shown = fields.map(({ name, column, isUnset }) => [name, column, isUnset ?? false]);
  return shortHash(JSON.stringify([shape.signature, shape.minLength, shown, descriptionOf(type)]));
}

/** How a statement selects the version of an entry, and how it is read from a row. */
export interface VersionTag {
  /** The columns for SELECT or RETURNING. */
  readonly columns: Sql;
  /** Whether an equal version implies an equal answer. */
  readonly identifiesAnswer: boolean;
  versionOf(row: Row): number;
  tagOf(row: Row): string | undefined;
}

/**
 * `alias`: the alias of the entry's row. `nameOf` finds a column that the statement already selects, so that it is not selected
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
  if (shown === undefined) return { columns: version, identifiesAnswer: false, versionOf, tagOf: () => undefined };
  // After a restored backup, or if an entry is deleted and created again with the same id, an old version number may return.
  const updated = sql`${alias}.${dialect.id(COLUMN_NAMES.updatedAt)}`;
  const time = dialect.rowScalar?.('datetime').select(updated) ?? updated;
  const known = nameOf(time);
  const name = known ?? 'entry_time';
  return {
    columns: known === undefined ? sql`${version}, ${time} AS ${raw(name)}` : version,
    identifiesAnswer: true,
    versionOf,
    // Tags must not contain spaces; some engines put one between date and time.
    tagOf: (row) => `${shown}${String(row[name]).replaceAll(' ', '')}`,
  };
}
