/** Limits how much heavy work runs concurrently, and divides it among callers. */
import { ClientGoneError, ServiceUnavailableError } from '../contract/errors.ts';
import type { Client } from './client.ts';

export interface WorkLimit {
  /**
   * Runs `work` when there is a free slot, and settles like it. Throws ServiceUnavailableError if the queue is full or too
   * slow, and ClientGoneError, without running `work`, if `client` disconnects first.
   */
  run<T>(work: () => Promise<T>, client?: Client): Promise<T>;
  count(): { readonly running: number; readonly waiting: number };
  /** Refuses what waits, and all further work. */
  close(): void;
}

export interface WorkLimitOptions {
  /** How many tasks run concurrently. */
  readonly atOnce: number;
  /** How many more are queued. */
  readonly waiting: number;
  /** Whether one caller leaves a slot to the others, unless there is only one. Does not apply to the server's own work. */
  readonly leavesRoom?: boolean;
  /** How long a task waits at most, in milliseconds: by default as long as it takes. */
  readonly maxWait?: number;
}

interface Waiter {
  start(): void;
  refuse(error: Error): void;
}

/** The tasks of one caller. */
interface Share {
  readonly name: string | undefined;
  running: number;
  /** First in, first out; a Set, because clients leave the queue from anywhere. */
  readonly waiting: Set<Waiter>;
}

/** The Retry-After of refused requests, in seconds. */
const RETRY_AFTER = 5;

function refusal(reason: string): ServiceUnavailableError {
  return new ServiceUnavailableError(RETRY_AFTER, new Error(reason), 'The server is busy');
}

/**
 * At most `atOnce` tasks run concurrently, and `waiting` more are queued. A free slot goes to the caller with the fewest running
 * tasks, and among those in turn, however much each has queued. If the queue is full, the caller with the most tasks in it loses the latest of them.
 */
export function createWorkLimit({ atOnce, waiting, leavesRoom = false, maxWait }: WorkLimitOptions): WorkLimit {
  const ofOneCaller = leavesRoom ? Math.max(1, atOnce - 1) : atOnce;
  /** The shares of the callers who have any tasks, in the order of their turns. */
  const shares = new Map<string | undefined, Share>();
  let [running, queued] = [0, 0];
  let closed = false;

  function shareOf(name: string | undefined): Share {
    const known = shares.get(name);
    if (known) return known;
    const share = { name, running: 0, waiting: new Set<Waiter>() };
    shares.set(name, share);
    return share;
  }

  function forgetUnused({ name, running: own, waiting: queue }: Share): void {
    if (own === 0 && queue.size === 0) shares.delete(name);
  }

  function hasRoom({ name, running: own }: Share): boolean {
    return running < atOnce && (name === undefined || own < ofOneCaller);
  }

  /** Takes a slot, after which it is the others' turn. */
  function begin(share: Share): void {
    running += 1;
    share.running += 1;
    shares.delete(share.name);
    shares.set(share.name, share);
  }

  /** Removes a waiter from the queue; false if it has left already. */
  function leave(share: Share, waiter: Waiter): boolean {
    if (!share.waiting.delete(waiter)) return false;
    queued -= 1;
    return true;
  }

  /** Makes room for one more task of `share` in a full queue. Throws if no other caller has more tasks in it. */
  function makeRoom(share: Share): void {
    let largest = share;
    for (const other of shares.values()) if (other.waiting.size > largest.waiting.size) largest = other;
    if (largest === share) {
      forgetUnused(share);
      throw refusal('too much heavy work is waiting');
    }
    [...largest.waiting].at(-1)?.refuse(refusal('too much heavy work of one caller is waiting'));
  }

  /** Resolves when the task has a slot. */
  function turn(share: Share, client: Client | undefined): Promise<void> {
    if (queued >= waiting) makeRoom(share);
    return new Promise((resolve, reject) => {
      let unsubscribe: (() => void) | undefined;
      const settle = (): boolean => {
        unsubscribe?.();
        clearTimeout(timer);
        return leave(share, waiter);
      };
      const waiter: Waiter = {
        start() {
          settle();
          begin(share);
          resolve();
        },
        refuse(error) {
          if (settle()) reject(error);
          forgetUnused(share);
        },
      };
      const timer =
        maxWait === undefined
          ? undefined
          : setTimeout(() => waiter.refuse(refusal('waited too long for other heavy work')), maxWait);
      share.waiting.add(waiter);
      queued += 1;
      unsubscribe = client?.onGone(() => waiter.refuse(new ClientGoneError()));
    });
  }

  /** The share whose turn is next; undefined if none may start a task. */
  function nextShare(): Share | undefined {
    let next: Share | undefined;
    for (const share of shares.values()) {
      if (share.waiting.size === 0 || !hasRoom(share)) continue;
      if (!next || share.running < next.running) next = share;
    }
    return next;
  }

  /** Hands the free slots to waiting callers. */
  function startNext(): void {
    for (let share = nextShare(); share; share = nextShare()) {
      const [first] = share.waiting;
      first?.start();
    }
  }

  return {
    async run(work, client) {
      if (client?.gone) throw new ClientGoneError();
      if (closed) throw refusal('the server is stopping');
      const share = shareOf(client?.caller);
      if (hasRoom(share)) begin(share);
      else await turn(share, client);
      try {
        return await work();
      } finally {
        running -= 1;
        share.running -= 1;
        forgetUnused(share);
        startNext();
      }
    },
    count: () => ({ running, waiting: queued }),
    close() {
      closed = true;
      for (const { waiting: queue } of [...shares.values()]) {
        for (const waiter of [...queue]) waiter.refuse(refusal('the server is stopping'));
      }
    },
  };
}
