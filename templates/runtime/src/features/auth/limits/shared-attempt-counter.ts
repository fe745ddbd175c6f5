/** Counts attempts in a store that all instances share and that is faster than the database. */
import type { Instances } from '../../../base/instances.ts';
import type { AttemptCounter } from './attempt-counter.ts';

/** Falls back to `own` while the shared store is unreachable. Counting then starts at zero, so an outage locks nobody out. */
export function sharedAttemptCounter(instances: Instances, own: AttemptCounter): AttemptCounter {
  return {
    add: async (name, seconds) => (await instances.count(name, seconds)) ?? own.add(name, seconds),
    async reset(name) {
      if (!(await instances.forget(name))) await own.reset(name);
    },
  };
}
