/** Counts attempts in the database, shared by all instances. */
import { type Database, UniqueViolation } from '../../database/database.ts';
import type { Executor } from '../../database/executor.ts';
import { deleteRows, raw, sql } from '../../database/sql.ts';
import type { AttemptCounter } from './attempt-counter.ts';

/** How often expired rows are deleted, in milliseconds. */
const CLEANUP_INTERVAL = 10 * 60_000;

interface Count {
  readonly attempts: number;
  readonly expiresAt: number;
}

/** An attempt to count. Times are in milliseconds. */
interface Attempt {
  readonly name: string;
  readonly now: number;
  readonly span: number;
  /** How many attempts it counts as. */
  readonly by: number;
}

/** Adds one attempt. The update locks the row, so concurrent attempts are all counted. */
async function count(tx: Executor, { name, now, span, by }: Attempt): Promise<Count> {
  const end = now + span;
  // `tries` first: MySQL evaluates assignments from left to right.
  const updated = await tx.run(
    sql`UPDATE rate_limits SET tries = CASE WHEN expires_at <= ${now} THEN ${by} ELSE tries + ${by} END, expires_at = CASE WHEN expires_at <= ${now} THEN ${end} ELSE expires_at END WHERE name = ${name}`,
  );
  if (updated.changes === 0) {
    await tx.run(sql`INSERT INTO rate_limits (name, tries, expires_at) VALUES (${name}, ${by}, ${end})`);
    return { attempts: by, expiresAt: end };
  }
  const row = await tx.get(sql`SELECT tries, expires_at FROM rate_limits WHERE name = ${name}`);
  return { attempts: Number(row?.['tries']), expiresAt: Number(row?.['expires_at']) };
}

async function countOnce(database: Database, one: Attempt): Promise<Count> {
  try {
    return await database.transaction((tx) => count(tx, one));
  } catch (error) {
    // Another instance inserted the row concurrently.
    if (error instanceof UniqueViolation) return database.transaction((tx) => count(tx, one));
    throw error;
  }
}

export function databaseAttemptCounter(database: Database, clock: () => number = Date.now): AttemptCounter {
  let cleanedAt = clock();
  return {
    async add(name, seconds, by = 1) {
      const now = clock();
      const { attempts, expiresAt } = await countOnce(database, { name, now, span: seconds * 1000, by });
      if (now - cleanedAt > CLEANUP_INTERVAL) {
        cleanedAt = now;
        await database.run(deleteRows(raw('rate_limits'), sql`expires_at <= ${now}`));
      }
      return { attempts, endsIn: Math.max(1, expiresAt - now) };
    },
    async reset(name) {
      await database.run(deleteRows(raw('rate_limits'), sql`name = ${name}`));
    },
  };
}
