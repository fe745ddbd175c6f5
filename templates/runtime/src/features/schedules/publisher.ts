/**
 * Does what is due. Each row is settled in the transaction that does it, so that of all instances one does it, once, also if processes or
 * connections die.
 */
import { randomUUID } from 'node:crypto';
import { counters } from '../../base/counters.ts';
import { createPolling } from '../../base/polling.ts';
import { varied } from '../../base/varied.ts';
import type { Database } from '../../database/database.ts';
import type { MovedClock } from '../../database/moved-clock.ts';
import type { Row } from '../../database/statement-runner.ts';
import { StaleEntryError } from '../../entries/stale-entry.ts';
import type { Logger } from '../../http/log.ts';
import { type DueTable, leaseDue, postpone } from './due-rows.ts';
import { isFinal } from './refusal.ts';

/** How often is looked for what is due, in milliseconds. */
const POLL_INTERVAL = 1000;
/** How many rows are leased at a time. */
const AT_ONCE = 10;
/** How often a row is tried at once while others change its entries, and how often in all. */
const [MOST_STALE, MOST_TRIES] = [5, 10];
/** The first wait, the factor of each further one, and the longest; in milliseconds. */
const [FIRST_WAIT, FACTOR, LONGEST_WAIT] = [5000, 2, 600_000];

/** A kind of rows that are due at a time. */
export interface DueWork extends DueTable {
  /** Does the work of a row in one transaction that settles it; false if the row is not leased any more. */
  perform(row: Row, lease: string): Promise<boolean>;
  /** The error with a message for people. */
  explain(row: Row, error: unknown): unknown;
  /** Whether an error means that there is nothing to be done. Then the row is removed. */
  forget(row: Row, lease: string, error: unknown): Promise<boolean>;
  refuse(row: Row, lease: string, error: unknown): Promise<void>;
  /** For the log. */
  describe(row: Row): object;
}

export interface Publisher {
  start(): void;
  /** Does what is due, and waits for it. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

interface PublisherOptions {
  readonly database: Database;
  readonly clock: MovedClock;
  readonly works: readonly DueWork[];
  readonly logger: Logger;
}

function waitAfter(attempts: number): number {
  return varied(Math.min(LONGEST_WAIT, FIRST_WAIT * FACTOR ** Math.min(attempts, 20)));
}

/** Tries again at once if an entry was changed between its read and its write. */
async function performUnlessStale(work: DueWork, row: Row, lease: string): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work.perform(row, lease);
    } catch (error) {
      if (!(error instanceof StaleEntryError) || tries === MOST_STALE) throw error;
    }
  }
}

export function createPublisher({ database, clock, works, logger }: PublisherOptions): Publisher {
  const lease = randomUUID();
  let looking: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function hasFailed(work: DueWork, row: Row, thrown: unknown): Promise<void> {
    const error = work.explain(row, thrown);
    const about = { ...work.describe(row), err: error };
    if (await work.forget(row, lease, error)) return;
    // `attempts` is as before this try.
    const attempts = Number(row['attempts']) + 1;
    if (!isFinal(error) && attempts < MOST_TRIES) {
      await postpone(database, clock, { table: work.table, id: Number(row['id']), lease, wait: waitAfter(attempts) });
      logger.warn(about, 'what was due could not be published: it is tried again');
      return;
    }
    counters.schedulesRefused += 1;
    await work.refuse(row, lease, error);
    logger.warn(about, 'what was due was refused: GET /api/_schedules lists it');
  }

  async function perform(work: DueWork, row: Row): Promise<void> {
    try {
      if (await performUnlessStale(work, row, lease)) counters.schedulesDone += 1;
    } catch (error) {
      await hasFailed(work, row, error);
    }
  }

  async function look(): Promise<void> {
    for (const work of works) {
      for (let rows; (rows = await leaseDue(database, clock, { ...work, lease, most: AT_ONCE })).length > 0;) {
        for (const row of rows) {
          if (isStopped) await postpone(database, clock, { table: work.table, id: Number(row['id']), lease, wait: 0 });
          else await perform(work, row);
        }
        if (isStopped) return;
      }
    }
  }

  /** Looks once, after the looks before it. */
  function lookInTurn(): Promise<void> {
    const mine = looking.then(look);
    looking = mine.catch(() => undefined);
    return mine;
  }

  const polling = createPolling({
    interval: POLL_INTERVAL,
    collecting: 0,
    work: lookInTurn,
    failed: (error) => logger.warn({ err: error }, 'schedules can not be read: they are done later'),
  });
  return {
    start: polling.start,
    settle: lookInTurn,
    async stop() {
      isStopped = true;
      await polling.stop();
    },
  };
}
