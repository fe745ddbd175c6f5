/**
 * The version of an entry: a counter of writes to its row, its components, and the relations among its attributes, from either side.
 * Every table of a content type has it. It starts at 1, or at `randomFirstVersion` if the entry may replace a deleted one.
 */
import { randomInt } from 'node:crypto';
import { COLUMN_NAMES } from '../contract/column-names.ts';
import type { Dialect } from '../database/dialect.ts';
import type { NewId } from '../database/new-id.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import type { Statement, TouchedRows } from '../database/write-plan.ts';
import type { Columns } from './columns.ts';

/** The column of the version. */
export const VERSION_COLUMN = COLUMN_NAMES.version;

/**
 * The first version of an entry that may replace a deleted one at the same URL: random, so that a write meant for the deleted entry
 * does not match it. Fits a 32-bit integer, with room for a billion writes.
 */
export function randomFirstVersion(): number {
  return 1 + 1024 * randomInt(1, 1_000_000);
}

/** The assignment that increments the version, for an UPDATE of one table. */
export function versionIncrement({ id }: Dialect): Sql {
  const name = id(VERSION_COLUMN);
  return sql`${name} = ${name} + 1`;
}

/** The assignment that increments the version, for `Dialect.updateFrom`, where the updated row is `t`. */
export function versionIncrementOfT({ id }: Dialect): Readonly<Record<string, Sql>> {
  return { [VERSION_COLUMN]: sql`t.${id(VERSION_COLUMN)} + 1` };
}

/** A statement that changes what entries contain. */
export function touching(update: Sql, touches: TouchedRows | readonly TouchedRows[]): Statement {
  return { sql: update, returns: 'nothing', touches };
}

/** The rows of a table that meet a condition, for `TouchedRows`. */
export function rowsWhere(dialect: Dialect, table: string, condition: Sql): Sql {
  return sql`SELECT id AS k FROM ${dialect.id(table)} WHERE ${condition}`;
}

/** Adds the increment of the version to the columns of an UPDATE. */
export function addVersionIncrement({ id }: Dialect, columns: Columns): Columns {
  return columns.set(VERSION_COLUMN, sql`${id(VERSION_COLUMN)} + 1`);
}

/** Increments the version of the rows with these ids. */
export function incrementVersionsById(dialect: Dialect, table: string, ids: ReadonlySet<number>): Statement {
  const isTheirs = dialect.isOneOf(raw('id'), [...ids]);
  const update = sql`UPDATE ${dialect.id(table)}${dialect.primaryKeyHint ?? raw('')} SET ${versionIncrement(dialect)}`;
  return {
    sql: sql`${update} WHERE ${isTheirs}`,
    returns: 'nothing',
    changedRows: { table, ids },
    touches: { table, ids: [...ids] },
  };
}

/** Increments the version of the rows that match a condition. */
export function incrementVersionsWhere(dialect: Dialect, table: string, condition: Sql): Statement {
  const update = sql`UPDATE ${dialect.id(table)} SET ${versionIncrement(dialect)} WHERE ${condition}`;
  return touching(update, { table, ids: rowsWhere(dialect, table, condition) });
}

/**
 * Increments the version of the rows whose ids a SELECT returns as `k`, except for the row `but`. Uses a join, because not every engine
 * uses the primary key with a subselect.
 */
export function incrementVersionsBySelect(dialect: Dialect, table: string, ids: Sql, but?: number | NewId): Statement {
  const isTheirs = but === undefined ? raw('t.id = r.k') : sql`t.id = r.k AND t.id <> ${but}`;
  return touching(dialect.updateFrom(table, sql`(${ids})`, versionIncrementOfT(dialect), isTheirs), { table, ids });
}
