/** Whether the database can be written: a server that can only read is not ready, and says so before a request finds out. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createSecret } from '../features/auth/secrets.ts';
import type { Database } from '../database/database.ts';
import { deleteRows, raw, sql } from '../database/sql.ts';
import { InsufficientStorageError } from '../contract/errors.ts';
import type { ReadinessCheck } from '../http/readiness.ts';

/** How long the outcome of a probe holds, in milliseconds: nobody has the database written more often. */
const PROBE_KEPT = 5000;
/** For how long a check waits for a probe where an earlier one has an outcome, in milliseconds. */
const PROBE_PATIENCE = 1000;

/** Commits a row that is gone when it is committed. No other instance has one of the same name, so that none waits for it. */
export async function writeAndDelete(database: Database, name: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(sql`INSERT INTO rate_limits (name, tries, expires_at) VALUES (${name}, 0, 0)`);
    await tx.run(deleteRows(raw('rate_limits'), sql`name = ${name}`));
  });
}

/** A check that writes to the database, at most every few seconds. Logs why, when that begins to fail, and when it is over. */
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
      if (before !== undefined) logger.info('the database can be written again');
    } catch (error) {
      outcome =
        error instanceof InsufficientStorageError ? 'the database has no space left' : "the database can't be written";
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
    // A write may have to wait for others, which is no reason to send requests elsewhere.
    if (running) await (isKnown ? Promise.race([running, sleep(PROBE_PATIENCE)]) : running);
    return outcome;
  };
}
