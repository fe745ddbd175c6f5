/** An end to waiting for a server that does not answer at all. */

/** An error as the network has it, which some drivers don't make. */
function timeout(limit: number): Error {
  return Object.assign(new Error(`no answer for ${limit} ms`), { code: 'ETIMEDOUT' });
}

/** Calls `giveUp` and `reject` after `limit` milliseconds (0: never), unless what it answers is called before. */
function startDeadline(limit: number, giveUp: () => void, reject: (error: Error) => void): () => void {
  const end = (): void => {
    giveUp();
    reject(timeout(limit));
  };
  const timer = limit === 0 ? undefined : setTimeout(end, limit);
  return () => clearTimeout(timer);
}

/**
 * What `start` calls back with, unless it takes longer than `limit` milliseconds (0: no limit): then `giveUp` is called, and an
 * error with the code ETIMEDOUT is thrown.
 */
export function calledBack<T>(
  start: (done: (error: Error | null | undefined, result?: T) => void) => void,
  limit: number,
  giveUp: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = startDeadline(limit, giveUp, reject);
    start((error, result) => {
      stop();
      if (error) reject(error);
      else resolve(result as T);
    });
  });
}

/** The same of a promise. */
export function withDeadline<T>(work: Promise<T>, limit: number, giveUp: () => void): Promise<T> {
  if (limit === 0) return work;
  return new Promise((resolve, reject) => {
    const stop = startDeadline(limit, giveUp, reject);
    work.then(
      (result) => {
        stop();
        resolve(result);
      },
      (error: Error) => {
        stop();
        reject(error);
      },
    );
  });
}
