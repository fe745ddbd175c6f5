/** An end to waiting for a server that does not answer at all. */

/** An error as the network has it, which some drivers don't make. */
function timeout(limit: number): Error {
  return Object.assign(new Error(`no answer for ${limit} ms`), { code: 'ETIMEDOUT' });
}

/** Starts what calls back, and answers with what it is called back with. */
export type Watch = <T>(start: (done: (error: Error | null | undefined, result?: T) => void) => void) => Promise<T>;

/**
 * Watches what one connection is asked: where something waits, and nothing is asked or answered for `limit` milliseconds (0: no
 * limit), `giveUp` is called, and all that waits fails with the code ETIMEDOUT. One clock serves for all statements.
 */
export function createWatch(limit: number, giveUp: () => void): Watch {
  const waiting = new Set<(error: Error) => void>();
  let active = 0;
  let clock: NodeJS.Timeout | undefined;
  const look = (): void => {
    clock = undefined;
    if (waiting.size === 0) return;
    const rest = active + limit - performance.now();
    if (rest > 0) {
      wind(rest);
      return;
    }
    giveUp();
    for (const reject of waiting) reject(timeout(limit));
    waiting.clear();
  };
  const wind = (time: number): void => {
    clock = setTimeout(look, time);
    clock.unref();
  };
  return (start) =>
    new Promise((resolve, reject) => {
      waiting.add(reject);
      active = performance.now();
      if (limit > 0 && !clock) wind(limit);
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
