/** Limits how often a caller may call an endpoint. */
import { tooManyRequests } from '../base/too-many-requests.ts';

/** Callers whose calls are counted at a time: more push out those that called longest ago. */
const MAX_CALLERS = 100_000;

interface Calls {
  count: number;
  /** In milliseconds, as of `performance.now()`. */
  readonly until: number;
}

/** Removes the callers that called longest ago, as long as there are too many or their windows have ended. */
function forgetOldest(callers: Map<string, Calls>, now: number): void {
  for (const [caller, { until }] of callers) {
    if (callers.size <= MAX_CALLERS && until > now) return;
    callers.delete(caller);
  }
}

/**
 * Counts calls in windows that begin with a caller's first one. The result throws HttpError 429, with `Retry-After`, over the limit.
 * Takes memory only for the callers of the current windows.
 */
export function callCounter({ limit, seconds }: { readonly limit: number; readonly seconds: number }) {
  /** In the order of their last calls. */
  const callers = new Map<string, Calls>();
  return (caller: string): void => {
    const now = performance.now();
    const known = callers.get(caller);
    const calls = known && known.until > now ? known : { count: 0, until: now + seconds * 1000 };
    calls.count += 1;
    callers.delete(caller);
    callers.set(caller, calls);
    forgetOldest(callers, now);
    if (calls.count <= limit) return;
    throw tooManyRequests(calls.until - now);
  };
}
