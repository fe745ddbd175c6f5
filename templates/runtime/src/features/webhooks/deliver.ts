/**
 * Tells receivers the rows of the outbox. Any instance does: it leases some rows of a receiver, at most one of each entry, so that those of
 * one entry are told in their order. Receivers don't wait for each other.
 */
import { randomUUID } from 'node:crypto';
import { counters } from '../../base/counters.ts';
import { createPolling, type Polling } from '../../base/polling.ts';
import type { Database } from '../../database/database.ts';
import type { Logger } from '../../http/log.ts';
import { hasDue, lease, LEASE, type OutboxRow, type Outcome, release, STATE, type Try, wake } from './outbox-rows.ts';
import { type Answered, type Post, POST_TIMEOUT } from './post.ts';
import { disable, noteFailure, noteSuccess, readReceivers, type ReceiverState } from './receiver-rows.ts';
import { createSettlement } from './settlement.ts';
import { askedWait, MANY_FAILURES, pauseAfter, TRIED_FOR, waitAfter } from './waits.ts';
import type { Receiver } from './receivers.ts';

/** How many requests of one receiver are under way at the same time. */
export const AT_ONCE = 8;
/** How often rows of other instances, and those that wait, are looked for, in milliseconds. */
const POLL_INTERVAL = 1000;
/** How long a stop waits for the tries that are under way, in milliseconds. */
const STOP_TIME = 2000;
/** How long rows are collected before some are leased, in milliseconds: writes come first. */
const COLLECTING = 25;

const GONE = 410;

/** Stopping waits for the tries that are under way, and leaves the other rows to others. */
export type Delivery = Polling;

interface Ended {
  readonly answered: Answered | undefined;
  readonly tried: Try;
}

function isSuccess(answered: Answered | undefined): boolean {
  return answered !== undefined && answered.status >= 200 && answered.status < 300;
}

async function attempt(receiver: Receiver, rows: readonly OutboxRow[], send: Post): Promise<Ended> {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const started = performance.now();
  const took = () => Math.round(performance.now() - started);
  try {
    const answered = await send(receiver.telling(rows, now));
    return { answered, tried: { at, took: took(), status: answered.status } };
  } catch (error) {
    const text = error instanceof Error ? error.message || String(error) : String(error);
    return { answered: undefined, tried: { at, took: took(), error: text.slice(0, 500) } };
  }
}

/** What becomes of a row after a failed try. */
function failed(row: OutboxRow, asked: number, now: number): Pick<Outcome, 'state' | 'dueAt'> {
  const dueAt = now + Math.max(waitAfter(row.attempts + 1), asked);
  return dueAt - row.since > TRIED_FOR ? { state: STATE.givenUp, dueAt: now } : { state: STATE.pending, dueAt };
}

export function createDelivery(options: {
  readonly database: Database;
  readonly receivers: readonly Receiver[];
  readonly post: Post;
  readonly logger: Logger;
}): Delivery {
  const { database, receivers, post, logger } = options;
  const name = randomUUID();
  const settlement = createSettlement(database);
  const running = new Map<string, number>(receivers.map((receiver) => [receiver.name, 0]));
  const tries = new Set<Promise<void>>();
  const ending = new AbortController();
  let isStopped = false;

  async function succeeded(receiver: Receiver, count: number, state: ReceiverState | undefined): Promise<void> {
    counters.webhooksTold += count;
    if (!state || state.failures === 0) return;
    await noteSuccess(database, receiver.name);
    // What has failed while nobody answered need not wait any longer.
    if (state.failures >= MANY_FAILURES) await wake(database, receiver.name, Date.now());
  }

  async function hasFailed(receiver: Receiver, state: ReceiverState | undefined, { answered }: Ended): Promise<void> {
    counters.webhookFailures += 1;
    if (answered?.status === GONE) {
      await disable(database, receiver.name, 'it has answered 410 Gone');
      logger.warn({ webhook: receiver.name }, 'webhook disabled, because its receiver has answered 410');
      return;
    }
    const now = Date.now();
    const pause = Math.max(pauseAfter((state?.failures ?? 0) + 1), askedWait(answered?.retryAfter, now));
    await noteFailure(database, receiver.name, now + pause);
  }

  /** Stores what becomes of each row after a failed try. */
  async function postpone(receiver: Receiver, rows: readonly OutboxRow[], { answered, tried }: Ended): Promise<void> {
    const now = Date.now();
    const asked = askedWait(answered?.retryAfter, now);
    await Promise.all(
      rows.map(async (row) => {
        const next = failed(row, asked, now);
        await settlement.add({ row, lease: name, ...next, tried });
        const line = { webhook: receiver.name, event: row.id, ...tried };
        if (next.state === STATE.pending) logger.debug(line, 'event not accepted: it is told again');
        else logger.error(line, 'event given up: its receiver has not accepted it for three days');
      }),
    );
  }

  async function tell(receiver: Receiver, rows: readonly OutboxRow[], state: ReceiverState | undefined): Promise<void> {
    const ended = await attempt(receiver, rows, (sent) => post({ ...sent, signal: ending.signal }));
    // Its answer is not known: another instance tells it again.
    if (ending.signal.aborted && !ended.answered) return release(database, name, rows);
    if (!isSuccess(ended.answered)) {
      await postpone(receiver, rows, ended);
      await hasFailed(receiver, state, ended);
      return;
    }
    const settled = { lease: name, state: STATE.told, dueAt: Date.now(), tried: ended.tried };
    await Promise.all(rows.map((row) => settlement.add({ row, ...settled })));
    await succeeded(receiver, rows.length, state);
  }

  function begin(receiver: Receiver, rows: readonly OutboxRow[], state: ReceiverState | undefined): void {
    running.set(receiver.name, (running.get(receiver.name) ?? 0) + 1);
    const work = tell(receiver, rows, state)
      // The lease ends, and then the row is told again.
      .catch((error: unknown) =>
        logger.warn({ err: error, webhook: receiver.name }, 'the state of an event was not stored'),
      )
      .finally(() => {
        tries.delete(work);
        running.set(receiver.name, (running.get(receiver.name) ?? 1) - 1);
        polling.nudge();
      });
    tries.add(work);
  }

  async function serve(receiver: Receiver, state: ReceiverState | undefined): Promise<void> {
    const now = Date.now();
    if (state?.disabledAt !== undefined || (state && state.pausedUntil > now)) return;
    // One request shows whether a receiver that failed answers again.
    const allowed = state && state.failures >= MANY_FAILURES ? 1 : AT_ONCE;
    const free = allowed - (running.get(receiver.name) ?? 0);
    if (free <= 0 || !(await hasDue(database, receiver.name, now))) return;
    const most = receiver.together === 1 ? free : receiver.together;
    const rows = await lease(database, receiver.name, { lease: name, most, now });
    // If this took longer than the lease, another instance may have the rows by now.
    const isLate = isStopped || Date.now() - now > LEASE - 2 * POST_TIMEOUT;
    if (isLate) return release(database, name, rows);
    let left = rows;
    for (let begun = 0; left.length > 0 && begun < free; begun += 1) {
      const count = receiver.fitting(left);
      begin(receiver, left.slice(0, count), state);
      left = left.slice(count);
    }
    await release(database, name, left);
  }

  const polling = createPolling({
    interval: POLL_INTERVAL,
    collecting: COLLECTING,
    async work() {
      const states = await readReceivers(database);
      for (const receiver of receivers) await serve(receiver, states.get(receiver.name));
    },
    failed: (error) => logger.warn({ err: error }, 'events can not be read: they are told later'),
  });

  return {
    start: polling.start,
    nudge: polling.nudge,
    async stop() {
      isStopped = true;
      await polling.stop();
      const timer = setTimeout(() => ending.abort(), STOP_TIME);
      await Promise.all(tries);
      clearTimeout(timer);
    },
  };
}
