/** Repeats requests that failed for a passing reason: reads, and writes with a key, which the server carries out once. */
import { ApiError } from './api-error.ts';

const DEFAULT_RETRIES = 3;
/** In milliseconds; doubles with each retry. */
const FIRST_PAUSE = 300;
/** In seconds: for more, nobody waits. */
const LONGEST_WAIT = 10;
/** There was no response, or the server or a proxy before it can't serve the request for now. */
export const PASSING = [0, 429, 502, 503, 504];

/** A random key. */
export function newKey(): string {
  // Unlike `randomUUID`, it also exists in pages without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether a repetition may succeed. 409 has a time if the first request is still being carried out. */
function isPassing({ status, retryAfter }: ApiError): boolean {
  return (
    (PASSING.includes(status) || (status === 409 && retryAfter !== undefined)) && (retryAfter ?? 0) <= LONGEST_WAIT
  );
}

/** Resolves after that many milliseconds. Rejects with the reason of `signal` if it is aborted. */
export function pause(duration: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, duration);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

export async function retrying<T>(
  send: () => Promise<T>,
  {
    retries = DEFAULT_RETRIES,
    signal,
  }: { readonly retries?: number | undefined; readonly signal?: AbortSignal | undefined },
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      if (tries >= retries || !(error instanceof ApiError) || !isPassing(error)) throw error;
      const shortest = Math.max((error.retryAfter ?? 0) * 1000, FIRST_PAUSE * 2 ** tries);
      await pause(shortest * (1 + Math.random() / 2), signal);
    }
  }
}
