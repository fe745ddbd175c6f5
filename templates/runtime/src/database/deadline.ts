/** Time limits for servers that do not respond at all. */

/** An error like those of the network stack, for drivers that don't make one. */
function timeout(limit: number): Error {
  return Object.assign(new Error(`no response for ${limit} ms`), { code: 'ETIMEDOUT' });
}

/** Starts a callback-style operation and returns its result as a promise. */
export type Watch = <T>(start: (done: (error: Error | null | undefined, result?: T) => void) => void) => Promise<T>;

/** How long a connection waits for a response before it is probed, and the pause between probes, in milliseconds. */
const PROBE_AFTER = 1000;
const PROBE_PAUSE = 1500;

export interface WatchOptions {
  /** How long the server may be silent, in milliseconds; 0: no limit. */
  readonly limit: number;
  /** Ends the connection. */
  readonly giveUp: () => void;
  /** Probes whether a response may still come; no probes if undefined. Never throws. */
  readonly isAlive?: (() => Promise<boolean>) | undefined;
}

/**
 * Watches the pending operations of one connection. If nothing is sent or received for `limit` milliseconds while some are
 * pending, or `isAlive` says that no response will come, it calls `giveUp` and rejects all of them with the code ETIMEDOUT.
 * All statements share one timer.
 */
export function createWatch({ limit, giveUp, isAlive }: WatchOptions): Watch {
  const most = limit > 0 ? limit : Infinity;
  const firstCheck = isAlive ? Math.min(most, PROBE_AFTER) : most;
  const waiting = new Set<(error: Error) => void>();
  let active = 0;
  let isProbing = false;
  let clock: NodeJS.Timeout | undefined;
  const end = (silence: number): void => {
    giveUp();
    for (const reject of waiting) reject(timeout(Math.round(silence)));
    waiting.clear();
  };
  const probe = async (): Promise<void> => {
    const asked = active;
    isProbing = true;
    const mayBeAnswered = await isAlive?.();
    isProbing = false;
    if (mayBeAnswered === false && waiting.size > 0 && active === asked) end(performance.now() - active);
  };
  const check = (): void => {
    clock = undefined;
    if (waiting.size === 0) return;
    const silence = performance.now() - active;
    if (silence >= most) {
      end(limit);
    } else if (silence < firstCheck) {
      setTimer(firstCheck - silence);
    } else {
      if (!isProbing) void probe();
      setTimer(Math.min(most - silence, PROBE_PAUSE));
    }
  };
  const setTimer = (time: number): void => {
    clock = setTimeout(check, time);
    clock.unref();
  };
  return (start) =>
    new Promise((resolve, reject) => {
      waiting.add(reject);
      active = performance.now();
      if (!clock && firstCheck < Infinity) setTimer(firstCheck);
      start((error, result) => {
        waiting.delete(reject);
        active = performance.now();
        if (error) reject(error);
        else resolve(result as never);
      });
    });
}

/**
 * Settles as `work` does, unless that takes longer than `limit` milliseconds (0: no limit): then it calls `giveUp` and
 * rejects with the code ETIMEDOUT.
 */
export function withDeadline<T>(work: Promise<T>, limit: number, giveUp: () => void): Promise<T> {
  if (limit === 0) return work;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      giveUp();
      reject(timeout(limit));
    }, limit);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
