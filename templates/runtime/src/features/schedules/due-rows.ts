/** Rows that are due at a time: leased by one instance, done in a transaction that settles them, tried again, or refused. */
import type { Database } from '../../database/database.ts';
import { leaseRows } from '../../database/lease-rows.ts';
import { type MovedClock, nowOf } from '../../database/moved-clock.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Row } from '../../database/statement-runner.ts';

/** `state` of rows that are done at `due_at`. */
export const DUE = 0;

/** For how long a row belongs to the instance that does it, in milliseconds. Whoever is late changes nothing. */
export const LEASE = 60_000;

/** A table with the columns `id`, `state`, `due_at`, `lease` and `attempts`. */
export interface DueTable {
  readonly table: Sql;
  /** Of the table as `o`, with `o.id` and `o.attempts`. */
  readonly columns: Sql;
}

function isDue(database: Database, clock: MovedClock): Sql {
  return sql`o.state = ${raw(String(DUE))} AND o.due_at <= ${nowOf(database, clock)}`;
}

/** Leases rows that are due, those that have been due for longest first. */
export async function leaseDue(
  database: Database,
  clock: MovedClock,
  { table, columns, lease, most }: DueTable & { readonly lease: string; readonly most: number },
): Promise<readonly Row[]> {
  const where = isDue(database, clock);
  const some = await database.get(sql`SELECT 1 AS one FROM ${table} o WHERE ${where} LIMIT 1`);
  if (some === undefined) return [];
  const until = nowOf(database, clock, LEASE);
  return leaseRows(database, { table, columns, where, most, lease, until, further: raw(', attempts = attempts + 1') });
}

/** Has a row tried again after so many milliseconds. */
export async function postpone(
  database: Database,
  clock: MovedClock,
  {
    table,
    id,
    lease,
    wait,
  }: Pick<DueTable, 'table'> & { readonly id: number; readonly lease: string; readonly wait: number },
): Promise<void> {
  await database.run(
    sql`UPDATE ${table} SET lease = NULL, due_at = ${nowOf(database, clock, wait)} WHERE id = ${id} AND lease = ${lease}`,
  );
}
