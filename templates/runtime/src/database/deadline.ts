/** An end to waiting for a server that does not answer at all. */

/** An error as the network has it, which some drivers don't make. */
function timeout(limit: number): Error {
  return Object.assign(new Error(`no answer for ${limit} ms`), { code: 'ETIMEDOUT' });
}

/** Starts what calls back, and answers with what it is called back with. */
export type Watch = <T>(start: (done: (error: Error | null | undefined, result?: T) => void) => void) => Promise<T>;

/** How long a connection waits for an answer before the server is asked whether it still works on it, and between such probes. */
const PROBE_AFTER = 1000;
const PROBE_PAUSE = 1500;

export interface WatchOptions {
  /** How long an answer may take, in milliseconds; 0: no limit. */
  readonly limit: number;
  /** Ends the connection. */
  readonly giveUp: () => void;
  /** Asks in another way whether an answer may still come; not asked where it is undefined. Never throws. */
  readonly isAlive?: (() => Promise<boolean>) | undefined;
}

/**
 * Watches what one connection is asked: where something waits, and nothing is asked or answered for `limit` milliseconds, or
 * `isAlive` says that nothing will be, `giveUp` is called, and all that waits fails with the code ETIMEDOUT. One clock serves for
 * all statements.
 */
export function createWatch({ limit, giveUp, isAlive }: WatchOptions): Watch {
  const most = limit > 0 ? limit : Infinity;
  const firstLook = isAlive ? Math.min(most, PROBE_AFTER) : most;
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
  const look = (): void => {
    clock = undefined;
    if (waiting.size === 0) return;
    const silence = performance.now() - active;
    if (silence >= most) {
      end(limit);
    } else if (silence < firstLook) {
      wind(firstLook - silence);
    } else {
      if (!isProbing) void probe();
      wind(Math.min(most - silence, PROBE_PAUSE));
    }
  };
  const wind = (time: number): void => {
    clock = setTimeout(look, time);
    clock.unref();
  };
  return (start) =>
    new Promise((resolve, reject) => {
      waiting.add(reject);
      active = performance.now();
      if (!clock && firstLook < Infinity) wind(firstLook);
      start((error, result) => {
        waiting.delete(reject);
        active = performance.now();
        if (error) reject(error);
        else resolve(result as never);
      });
    });
}

/**
 * How `work` ends, unless it takes longer than `limit` milliseconds (0: no limit): then `giveUp` is called, and an error with
 * the code ETIMEDOUT is thrown.
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
