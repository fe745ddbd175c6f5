/** Checks that the database is writable: a server that can only read isn't ready, and reports that before a request fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createSecret } from '../features/auth/secrets.ts';
import type { Database } from '../database/database.ts';
import { deleteRows, raw, sql } from '../database/sql.ts';
import { InsufficientStorageError } from '../contract/errors.ts';
import type { ReadinessCheck } from '../http/readiness.ts';

/** How long the result of a probe is cached, in milliseconds, which limits how often clients can trigger a write. */
const PROBE_KEPT = 5000;
/** How long a check waits for a running probe before it returns the previous result, in milliseconds. */
const PROBE_PATIENCE = 1000;

/** Inserts a row and deletes it in one transaction. `name` must be unique to the instance, so that none waits for another's lock. */
export async function writeAndDelete(database: Database, name: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(sql`INSERT INTO rate_limits (name, tries, expires_at) VALUES (${name}, 0, 0)`);
    await tx.run(deleteRows(raw('rate_limits'), sql`name = ${name}`));
  });
}

/** A check that writes to the database, at most every few seconds. Logs when writes start to fail, and when they succeed again. */
export function writeReadiness(database: Database, logger: Logger): ReadinessCheck {
  const name = `readiness probe ${createSecret()}`;
  let outcome: string | undefined;
  let isKnown = false;
  let probedAt = -Infinity;
  let running: Promise<void> | undefined;

  async function probe(): Promise<void> {
    const before = outcome;
    try {
      await writeAndDelete(database, name);
      outcome = undefined;
      if (before !== undefined) logger.info('the database is writable again');
    } catch (error) {
      outcome =
        error instanceof InsufficientStorageError ? 'the database has no space left' : 'the database is not writable';
      if (before !== outcome) logger.warn({ err: error }, outcome);
    }
    isKnown = true;
    probedAt = performance.now();
  }

  return async () => {
    if (!running && performance.now() - probedAt >= PROBE_KEPT) {
      running = probe().finally(() => {
        running = undefined;
      });
    }
    // A write that waits for other writes is no reason to send requests elsewhere.
    if (running) await (isKnown ? Promise.race([running, sleep(PROBE_PATIENCE)]) : running);
    return outcome;
  };
}
