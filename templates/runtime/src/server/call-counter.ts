/** Limits how often a caller may call an endpoint. */
import { LRUCache } from 'lru-cache';
import { tooManyRequests } from '../base/too-many-requests.ts';

/** Callers whose calls are counted at a time: more push out those that called longest ago. */
const MAX_CALLERS = 100_000;

interface Calls {
  count: number;
  /** In milliseconds, as of `performance.now()`. */
  readonly until: number;
}

/** Counts calls in windows that begin with a caller's first one. The result throws HttpError 429, with `Retry-After`, over the limit. */
export function callCounter({ limit, seconds }: { readonly limit: number; readonly seconds: number }) {
  const callers = new LRUCache<string, Calls>({ max: MAX_CALLERS });
  return (caller: string): void => {
    const now = performance.now();
    const known = callers.get(caller);
    const calls = known && known.until > now ? known : { count: 0, until: now + seconds * 1000 };
    calls.count += 1;
    callers.set(caller, calls);
    if (calls.count <= limit) return;
    throw tooManyRequests(calls.until - now);
  };
}
