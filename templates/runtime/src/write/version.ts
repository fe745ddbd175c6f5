/**
 * The version of an entry: how often it was written, with its components and the relations that are its attributes, from
 * whichever side. Every table of a content type has it, from 1 on, but see `firstVersionAgain`.
 */
import { randomInt } from 'node:crypto';
import type { Dialect } from '../database/dialect.ts';
import type { NewId } from '../database/new-id.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import { statement, type Statement } from '../database/write-plan.ts';
import type { Columns } from './columns.ts';

/** The column. No attribute can be called so: many are called `version`. */
export const VERSION_COLUMN = '_version';

/**
 * The first version of an entry where another one may have been before, under the same address: anywhere, so that a write that is
 * meant for that one finds none of its versions. Fits an integer of 32 bits, with room for a thousand million writes.
 */
export function firstVersionAgain(): number {
  return 1 + 1024 * randomInt(1, 1_000_000);
}

/** `version = version + 1`, for an UPDATE of one table. */
export function nextVersion({ id }: Dialect): Sql {
  const name = id(VERSION_COLUMN);
  return sql`${name} = ${name} + 1`;
}

/** The same for `updateFrom`, whose changing row is `t`. */
export function nextVersionOfT({ id }: Dialect): Readonly<Record<string, Sql>> {
  return { [VERSION_COLUMN]: sql`t.${id(VERSION_COLUMN)} + 1` };
}

/** Adds it to the columns that an UPDATE sets. */
export function countWrite({ id }: Dialect, columns: Columns): Columns {
  return columns.set(VERSION_COLUMN, sql`${id(VERSION_COLUMN)} + 1`);
}

/** The statement that counts a write of each row with one of these ids. */
export function countWritesOfIds(dialect: Dialect, table: string, ids: ReadonlySet<number>): Statement {
  const isTheirs = dialect.isOneOf(raw('id'), [...ids]);
  const update = sql`UPDATE ${dialect.id(table)}${dialect.primaryKeyHint ?? raw('')} SET ${nextVersion(dialect)}`;
  return { sql: sql`${update} WHERE ${isTheirs}`, returns: 'nothing', changesAll: { table, ids } };
}

/** The same of each row for which a condition holds. */
export function countWrites(dialect: Dialect, table: string, condition: Sql): Statement {
  return statement(sql`UPDATE ${dialect.id(table)} SET ${nextVersion(dialect)} WHERE ${condition}`);
}

/**
 * The same of the rows whose ids a SELECT answers as `k`: joined, because not every engine looks up rows of a subselect by their ids.
 * `but` is a row that is left out.
 */
export function countWritesOf(dialect: Dialect, table: string, ids: Sql, but?: number | NewId): Statement {
  const isTheirs = but === undefined ? raw('t.id = r.k') : sql`t.id = r.k AND t.id <> ${but}`;
  return statement(dialect.updateFrom(table, sql`(${ids})`, nextVersionOfT(dialect), isTheirs));
}
