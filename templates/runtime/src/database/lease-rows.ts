/** Rows that belong to one process for a while: it works on them, and if it dies, another one does after that. */
import type { Database } from './database.ts';
import { raw, sql, type Sql } from './sql.ts';
import type { Row } from './statement-runner.ts';

interface Lease {
  readonly table: Sql;
  /** Of the table as `o`, with `o.id`. */
  readonly columns: Sql;
  /** Which rows, of the table as `o`. */
  readonly where: Sql;
  readonly most: number;
  /** Who gets them. */
  readonly lease: string;
  /** Until when, in milliseconds since 1970: the new value of `due_at`. */
  readonly until: Sql;
  /** What else is set: `, attempts = attempts + 1`. */
  readonly further?: Sql;
}

/** Leases rows, the one that has been due for longest first, and returns them as they were before. */
export function leaseRows(database: Database, lease: Lease): Promise<readonly Row[]> {
  const { table, columns, where, most, until, further = raw('') } = lease;
  const { rowLock } = database.dialect;
  const locked = rowLock.text === '' ? rowLock : sql`${rowLock} SKIP LOCKED`;
  return database.transaction(async (tx) => {
    const rows = await tx.all(
      sql`SELECT ${columns} FROM ${table} o WHERE ${where} ORDER BY o.due_at, o.id LIMIT ${raw(String(most))}${locked}`,
    );
    if (rows.length > 0) {
      const theirs = tx.dialect.isOneOf(
        raw('id'),
        rows.map(({ id }) => Number(id)),
      );
      await tx.run(sql`UPDATE ${table} SET lease = ${lease.lease}, due_at = ${until}${further} WHERE ${theirs}`);
    }
    return rows;
  });
}
