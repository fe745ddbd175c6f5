/**
 * Tells receivers the rows of the outbox. Any instance does: it leases some rows of a receiver, at most one of each entry, so that those of
 * one entry are told in their order. Receivers don't wait for each other.
 */
import { randomUUID } from 'node:crypto';
import { createPolling, type Polling } from '../../base/polling.ts';
import type { Database } from '../../database/database.ts';
import type { Logger } from '../../http/log.ts';
import { createOutcomes, type Ended } from './outcomes.ts';
import { hasDue, lease, LEASE, type OutboxRow, release } from './outbox-rows.ts';
import { type Answered, type Post, POST_TIMEOUT } from './post.ts';
import { readReceivers, type ReceiverState } from './receiver-rows.ts';
import type { Receiver } from './receivers.ts';
import { MANY_FAILURES } from './waits.ts';

/** How many requests of one receiver are under way at the same time. */
export const AT_ONCE = 8;
/** How many rows of one receiver are leased at most that wait for their request. */
const MOST_AHEAD = 128;
/** How long they may wait, in milliseconds: a try, and storing its outcome, end before the lease does. */
const MOST_WAIT = LEASE - 2 * POST_TIMEOUT;
/** How often rows of other instances, and those that wait, are looked for, in milliseconds. */
const POLL_INTERVAL = 1000;
/** How long a stop waits for the tries that are under way, in milliseconds. */
const STOP_TIME = 2000;
/** How long rows are collected before some are leased, in milliseconds: writes come first. */
const COLLECTING = 25;

/** Stopping waits for the tries that are under way, and leaves the other rows to others. */
export type Delivery = Polling;

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

/** The rows of a receiver that this process has leased. */
interface Lane {
  readonly receiver: Receiver;
  state: ReceiverState | undefined;
  /** Those that wait for their request, in order, and since when each is leased. */
  waiting: readonly { readonly row: OutboxRow; readonly leasedAt: number }[];
  /** How many requests are under way. */
  running: number;
  /** How many rows are leased, until their outcomes are stored. */
  leased: number;
  /** How many requests have succeeded since the last lease: a receiver that is slow gets few rows ahead, so that other instances have some. */
  told: number;
}

/** One request shows whether a receiver that failed answers again. */
function allowedAtOnce({ state }: Lane): number {
  return state && state.failures >= MANY_FAILURES ? 1 : AT_ONCE;
}

/** How many more rows to lease. */
function wantedRows(lane: Lane): number {
  const { receiver, waiting, running, leased, told } = lane;
  const allowed = allowedAtOnce(lane);
  if (receiver.together > 1) return running < allowed && waiting.length === 0 ? receiver.together : 0;
  const ahead = allowed === 1 ? 1 : Math.min(Math.max(allowed, 2 * told), MOST_AHEAD);
  return ahead - leased;
}

export function createDelivery(options: {
  readonly database: Database;
  readonly receivers: readonly Receiver[];
  readonly post: Post;
  readonly logger: Logger;
}): Delivery {
  const { database, receivers, post, logger } = options;
  const name = randomUUID();
  const outcomes = createOutcomes(database, logger, name);
  const lanes = receivers.map((receiver): Lane => ({
    receiver,
    state: undefined,
    waiting: [],
    running: 0,
    leased: 0,
    told: 0,
  }));
  const tries = new Set<Promise<void>>();
  const ending = new AbortController();
  let isStopped = false;

  /** Gives back the rows that wait. */
  async function giveBack(lane: Lane): Promise<void> {
    const rows = lane.waiting.map(({ row }) => row);
    lane.waiting = [];
    lane.leased -= rows.length;
    await release(database, name, rows);
  }

  async function tell(lane: Lane, rows: readonly OutboxRow[]): Promise<void> {
    const { receiver, state } = lane;
    const ended = await attempt(receiver, rows, (sent) => post({ ...sent, signal: ending.signal }));
    lane.running -= 1;
    // Its answer is not known: another instance tells it again.
    if (ending.signal.aborted && !ended.answered) return release(database, name, rows);
    if (!isSuccess(ended.answered)) {
      // Whether they are told now depends on how often it has failed.
      await giveBack(lane);
      return outcomes.failed({ receiver, rows, state }, ended);
    }
    lane.told += 1;
    lane.state = undefined;
    advance(lane);
    return outcomes.succeeded({ receiver, rows, state }, ended);
  }

  function begin(lane: Lane, rows: readonly OutboxRow[]): void {
    lane.running += 1;
    const work = tell(lane, rows)
      // The lease ends, and then the row is told again.
      .catch((error: unknown) =>
        logger.warn({ err: error, webhook: lane.receiver.name }, 'the state of an event was not stored'),
      )
      .finally(() => {
        tries.delete(work);
        lane.leased -= rows.length;
        if (wantedRows(lane) > 0) polling.nudge();
      });
    tries.add(work);
  }

  /** Begins as many requests as may be under way. */
  function advance(lane: Lane): void {
    while (!isStopped && lane.running < allowedAtOnce(lane)) {
      const [first] = lane.waiting;
      // If it has waited for longer, another instance may have it soon.
      if (!first || Date.now() - first.leasedAt > MOST_WAIT) return;
      const rows = lane.waiting.map(({ row }) => row);
      const count = lane.receiver.fitting(rows);
      lane.waiting = lane.waiting.slice(count);
      begin(lane, rows.slice(0, count));
    }
  }

  async function serve(lane: Lane, state: ReceiverState | undefined): Promise<void> {
    const now = Date.now();
    const [first] = lane.waiting;
    const isLeftAlone = state?.disabledAt !== undefined || (state !== undefined && state.pausedUntil > now);
    if (isLeftAlone || (first && now - first.leasedAt > MOST_WAIT)) await giveBack(lane);
    lane.state = state;
    if (isLeftAlone) return;
    const most = wantedRows(lane);
    if (most <= 0 || !(await hasDue(database, lane.receiver.name, now))) return;
    const rows = await lease(database, lane.receiver.name, { lease: name, most, now });
    lane.told = 0;
    lane.leased += rows.length;
    lane.waiting = [...lane.waiting, ...rows.map((row) => ({ row, leasedAt: now }))];
    advance(lane);
  }

  const polling = createPolling({
    interval: POLL_INTERVAL,
    collecting: COLLECTING,
    async work() {
      const states = await readReceivers(database);
      for (const lane of lanes) await serve(lane, states.get(lane.receiver.name));
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
      for (const lane of lanes) await giveBack(lane);
    },
  };
}
