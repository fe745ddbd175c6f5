/** An end to waiting for a server that does not answer at all. */

/** An error as the network has it, which some drivers don't make. */
function timeout(limit: number): Error {
  return Object.assign(new Error(`no answer for ${limit} ms`), { code: 'ETIMEDOUT' });
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
