/** Tries counted in this process alone: enough where there is one, as on SQLite. */
import type { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Tries } from './tries.ts';

export function memoryTries(): Tries {
  /** By the length of the span. */
  const counters = new Map<number, RateLimiterMemory>();

  async function counterOf(seconds: number): Promise<RateLimiterMemory> {
    // Loaded with the first try: a start doesn't need it.
    const { RateLimiterMemory: Counter } = await import('rate-limiter-flexible');
    const known = counters.get(seconds);
    if (known) return known;
    // It counts only: what is too many is the caller's to say.
    const counter = new Counter({ points: Number.MAX_SAFE_INTEGER, duration: seconds });
    counters.set(seconds, counter);
    return counter;
  }

  return {
    async add(name, seconds) {
      const { consumedPoints, msBeforeNext } = await (await counterOf(seconds)).consume(name);
      return { tries: consumedPoints, endsIn: Math.max(1, msBeforeNext) };
    },
    async reset(name) {
      await Promise.all([...counters.values()].map((counter) => counter.delete(name)));
    },
  };
}
