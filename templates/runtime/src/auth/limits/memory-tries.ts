/** Tries counted in this process alone: enough where there is one, as on SQLite. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { WINDOW, type Tries } from './tries.ts';

export function memoryTries(limit: number): Tries {
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW });
  return {
    async add(name) {
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
