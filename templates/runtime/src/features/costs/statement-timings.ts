/** Measures the statements of those requests whose callers may know it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Timing, Timings } from '../../http/timings.ts';

const NOT_MEASURED = (): void => undefined;
const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE|MERGE|COMMIT)\b/iu;

/** While no request is measured, nothing is: the storage is switched off, which would slow down all promises. */
export function createTimings(): Timings {
  const current = new AsyncLocalStorage<Timing>();
  let measuring = 0;
  return {
    watch: {
      sent(statements) {
        const timing = measuring === 0 ? undefined : current.getStore();
        if (!timing) return NOT_MEASURED;
        const started = performance.now();
        const kind = statements.some(({ text }) => WRITES.test(text)) ? 'write' : 'read';
        return () => {
          timing[kind] += performance.now() - started;
        };
      },
    },
    async measured(timing, work) {
      measuring += 1;
      try {
        return await current.run(timing, work);
      } finally {
        measuring -= 1;
        if (measuring === 0) current.disable();
      }
    },
  };
}
