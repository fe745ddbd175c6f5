/** Retries steps of a migration that run into a lock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, Conflict, ServerUnavailable } from '../database/connection.ts';

/** How long a step is retried before the migration fails, in milliseconds. */
const MAX_RETRY_TIME = 5 * 60_000;
const FIRST_BACKOFF = 50;
const MAX_BACKOFF = 5000;

/** SQLite's message for SQLITE_BUSY and SQLITE_LOCKED; the lock timeout codes of PostgreSQL and MySQL. */
const LOCKED_FILE = /^database (?:table )?is locked/u;
const LOCKED_TABLE: ReadonlySet<string> = new Set(['55P03', 'ER_LOCK_WAIT_TIMEOUT']);

/** Whether an error is a lock conflict or timeout. The step had no effect then. */
function isLocked(error: unknown): boolean {
  if (error instanceof Conflict) return true;
  if (error instanceof ServerUnavailable) return LOCKED_TABLE.has(codeOf(error.cause) ?? '');
  return error instanceof Error && LOCKED_FILE.test(error.message);
}

/**
 * Runs a step, and retries it with exponential backoff while it runs into a lock. Leaving the lock queue between
 * attempts keeps other sessions from piling up behind it. `isDone` is checked before each retry: false is returned if
 * another process did the step.
 */
export async function whenUnlocked(step: () => Promise<void>, isDone: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + MAX_RETRY_TIME;
  for (let backoff = FIRST_BACKOFF; ; backoff = Math.min(backoff * 2, MAX_BACKOFF)) {
    try {
      await step();
      return true;
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error;
      await sleep(backoff * (0.5 + Math.random()));
      if (await isDone()) return false;
    }
  }
}
