/** Counts the locks that a migration takes on PostgreSQL. */
import type { Database } from '../../templates/runtime/src/database/database.ts';
import { raw } from '../../templates/runtime/src/database/sql.ts';

/** Each locked object takes one slot of the lock table, regardless of the number of its lock modes. */
const COUNT =
  raw(`SELECT count(DISTINCT (locktype, database, relation, transactionid::text, classid, objid, objsubid)) AS n
  FROM pg_locks WHERE pid = pg_backend_pid()`);

/** A database whose migrations report their number of locks before each commit. */
export function countingLocks(database: Database, onCommit: (locks: number) => void): Database {
  return {
    ...database,
    migrating: (timeout, work) =>
      database.migrating(timeout, (session) =>
        work({
          ...session,
          script: async (text) => {
            if (text === 'COMMIT') onCommit(Number((await session.get(COUNT))?.['n']));
            await session.script(text);
          },
        }),
      ),
  };
}
