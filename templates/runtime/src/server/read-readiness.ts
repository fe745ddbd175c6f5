/** Checks that small reads are answered soon: a server whose event loop or database is overloaded isn't ready. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { raw } from '../database/sql.ts';
import type { ReadinessCheck } from '../http/readiness.ts';

/** How long a read may take, in milliseconds, and how many in a row must take longer: one may meet a pause of the machine. */
const SOON = 200;
const ATTEMPTS = 3;

const READ = raw('SELECT 1 AS one');

/** Whether a read takes longer than it may, waiting for its turn included. One that fails is the matter of other checks. */
async function isSlow(database: Database): Promise<boolean> {
  const started = performance.now();
  const read = (async () => {
    // The next one may be the rest of this one: a whole turn of the event loop lies between two.
    await nextTurn();
    await nextTurn();
    await database.get(READ).catch(() => undefined);
  })();
  await Promise.race([read, sleep(SOON, undefined, { ref: false })]);
  return performance.now() - started >= SOON;
}

/** A check that reads from the database. */
export function readReadiness(database: Database): ReadinessCheck {
  return async () => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if (!(await isSlow(database))) return undefined;
    }
    return `small reads take longer than ${SOON} ms`;
  };
}
