/** Lets one piece of work run at a time, in the order in which they were asked for. */
export interface SerialQueue {
  /** Resolves or rejects as `work` does, once all earlier work is over. */
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
