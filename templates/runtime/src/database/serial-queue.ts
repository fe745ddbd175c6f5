/** Runs one task at a time, first come, first served. */
export interface SerialQueue {
  /** Settles as `work` does, once all earlier work is over. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
