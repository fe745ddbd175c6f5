/** Steps of a migration that wait for what somebody else is using. */
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, Conflict, ServerUnavailable } from '../database/connection.ts';

/** How long a step is tried before the migration fails, in milliseconds. */
const PATIENCE = 5 * 60_000;
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 5000;

/** How SQLite says that another process writes, and the others that a table is in use. */
const LOCKED_FILE = /^database (?:table )?is locked/u;
const LOCKED_TABLE: ReadonlySet<string> = new Set(['55P03', 'ER_LOCK_WAIT_TIMEOUT']);

/** Whether an error says that something is in use. Nothing of the step was done then. */
function isLocked(error: unknown): boolean {
  if (error instanceof Conflict) return true;
  if (error instanceof ServerUnavailable) return LOCKED_TABLE.has(codeOf(error.cause) ?? '');
  return error instanceof Error && LOCKED_FILE.test(error.message);
}

/**
 * Runs a step again and again while what it needs is in use: it gives up its place in the queue each time, so that it never
 * keeps others waiting for long. `isDone` is asked before each further try.
 */
export async function whenUnlocked(step: () => Promise<void>, isDone: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + PATIENCE;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      await step();
      return true;
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error;
      await sleep(pause * (0.5 + Math.random()));
      if (await isDone()) return false;
    }
  }
}
