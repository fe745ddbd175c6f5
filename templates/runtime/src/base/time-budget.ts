/** How much time of a shared resource each caller may use per minute. */
import { LRUCache } from 'lru-cache';
import type { HttpError } from '../contract/errors.ts';
import { tooManyRequests } from './too-many-requests.ts';

const MINUTE = 60_000;
/** How many callers are remembered: more than can use a noticeable amount within a minute. */
const MAX_CALLERS = 10_000;

/** What a caller has used, in milliseconds, at a time of `performance.now()`. It shrinks by the budget in each minute. */
interface Used {
  readonly time: number;
  readonly at: number;
}

export interface TimeBudget {
  /** Throws HttpError 429 if the caller has used up its time. Otherwise runs `work`, and charges how long it took. */
  run<T>(caller: string | undefined, work: () => Promise<T>): Promise<T>;
}

function usedUp(milliseconds: number): HttpError {
  const seconds = Math.ceil(milliseconds / 1000);
  return tooManyRequests(
    milliseconds,
    `Your queries have used up the time that the database has for one caller: repeat this one in ${seconds} s. Queries that it answers at once are not affected.`,
  );
}

/** `perMinute`: milliseconds for each caller; 0: no limit. The server's own work, without a caller, is not limited. */
export function createTimeBudget(perMinute: number): TimeBudget {
  const callers = new LRUCache<string, Used>({ max: MAX_CALLERS });

  function used(caller: string, now: number): number {
    const before = callers.get(caller);
    return before ? Math.max(0, before.time - ((now - before.at) * perMinute) / MINUTE) : 0;
  }

  return {
    async run(caller, work) {
      if (caller === undefined || perMinute === 0) return work();
      const started = performance.now();
      const over = used(caller, started) - perMinute;
      if (over >= 0) throw usedUp(((over + 1) * MINUTE) / perMinute);
      try {
        return await work();
      } finally {
        const now = performance.now();
        callers.set(caller, { time: used(caller, now) + now - started, at: now });
      }
    },
  };
}
