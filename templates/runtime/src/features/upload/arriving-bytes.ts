/** Limits how many bytes of one caller may be in flight: in one request, and in all concurrent ones together. */
import { HttpError } from '../../contract/errors.ts';

/** What one request takes from its caller's quota. */
export interface Share {
  /** Throws HttpError if the quota is exceeded: 413 if this request alone is too large, else 429. */
  take(bytes: number): void;
  /** Returns everything that was taken. */
  release(): void;
}

/** Creates the share of a request; `caller` identifies the caller across requests. */
export type Shares = (caller: string) => Share;

/** In seconds; by then another upload may have ended. */
const RETRY_AFTER = 5;

function refusal(own: number, maxTotal: number): HttpError {
  if (own > maxTotal) {
    return new HttpError(
      413,
      'PayloadTooLargeError',
      `The files of the request are larger than ${maxTotal} bytes together`,
    );
  }
  const message = `The files that you are sending in several requests are larger than ${maxTotal} bytes together`;
  return new HttpError(429, 'TooManyRequestsError', message, {}, { 'Retry-After': String(RETRY_AFTER) });
}

/** `maxTotal`: the quota of one caller, in bytes. */
export function createShares(maxTotal: number): Shares {
  const taken = new Map<string, number>();
  return (caller) => {
    let own = 0;
    const change = (bytes: number): number => {
      own += bytes;
      const total = (taken.get(caller) ?? 0) + bytes;
      if (total > 0) taken.set(caller, total);
      else taken.delete(caller);
      return total;
    };
    return {
      take(bytes) {
        if (change(bytes) > maxTotal) throw refusal(own, maxTotal);
      },
      release: () => void change(-own),
    };
  };
}
