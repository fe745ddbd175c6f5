/** Counts attempts for all instances together, where they share something faster than the database. */
import type { Instances } from '../../../base/instances.ts';
import type { Tries } from './tries.ts';

/** While that is out of reach, `own` counts: from the beginning, so that nobody is refused for it. */
export function sharedTries(instances: Instances, own: Tries): Tries {
  return {
    add: async (name, seconds) => (await instances.count(name, seconds)) ?? own.add(name, seconds),
    async reset(name) {
      if (!(await instances.forget(name))) await own.reset(name);
    },
  };
}
