/** An end to waiting for a server that does not answer at all. */

/** An error as the network has it, which some drivers don't make. */
function timeout(limit: number): Error {
  return Object.assign(new Error(`no answer for ${limit} ms`), { code: 'ETIMEDOUT' });
}

/** What work is told to call when it is done. */
type Done<T> = (error: Error | null | undefined, result?: T) => void;

/**
 * What `start` calls back with, unless it takes longer than `limit` milliseconds (0: no limit): then `giveUp` is called, and an
 * error with the code ETIMEDOUT is thrown.
 */
export function calledBack<T>(start: (done: Done<T>) => void, limit: number, giveUp: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      giveUp();
      reject(timeout(limit));
    };
    const timer = limit === 0 ? undefined : setTimeout(stop, limit);
    start((error, result) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve(result as T);
    });
  });
}

/** The same of a promise. */
export function withDeadline<T>(work: Promise<T>, limit: number, giveUp: () => void): Promise<T> {
  const start = (done: Done<T>): void => void work.then((result) => done(undefined, result), done);
  return limit === 0 ? work : calledBack(start, limit, giveUp);
}
