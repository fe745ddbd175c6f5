/** Counts attempts in memory: enough for a single process, as on SQLite. */
import type { RateLimiterMemory } from 'rate-limiter-flexible';
import { loadRateLimiter } from '../../../base/lazy-packages.ts';
import type { AttemptCounter } from './attempt-counter.ts';

export function memoryAttemptCounter(): AttemptCounter {
  /** Counters by window length, in seconds. */
  const counters = new Map<number, RateLimiterMemory>();

  function counterOf(seconds: number): RateLimiterMemory {
    const { RateLimiterMemory: Counter } = loadRateLimiter();
    const known = counters.get(seconds);
    if (known) return known;
    // Only counts: the caller decides about the limit.
    const counter = new Counter({ points: Number.MAX_SAFE_INTEGER, duration: seconds });
    counters.set(seconds, counter);
    return counter;
  }

  return {
    async add(name, seconds) {
      const { consumedPoints, msBeforeNext } = await counterOf(seconds).consume(name);
      return { attempts: consumedPoints, endsIn: Math.max(1, msBeforeNext) };
    },
    async reset(name) {
      await Promise.all([...counters.values()].map((counter) => counter.delete(name)));
    },
  };
}
