/** Tries counted in this process alone: enough where there is one, as on SQLite. */
import type { RateLimiterMemory } from 'rate-limiter-flexible';
import { WINDOW, type Tries } from './tries.ts';

export function memoryTries(limit: number): Tries {
  let limiter: RateLimiterMemory | undefined;
  return {
    async add(name) {
      // Loaded with the first try: a start doesn't need it.
      const { RateLimiterMemory: Limiter, RateLimiterRes } = await import('rate-limiter-flexible');
      limiter ??= new Limiter({ points: limit, duration: WINDOW });
      try {
        await limiter.consume(name);
        return 0;
      } catch (error) {
        if (error instanceof RateLimiterRes) return Math.max(1, error.msBeforeNext);
        throw error;
      }
    },
  };
}
