/** Divides steps into SQLite transactions. Fills run in batches, so that concurrent writes can go on. */
import { inParts, isFilled, type Part, restOf, withoutFill } from './batched.ts';
import type { Step } from './step.ts';

/** Divides steps into parts, in execution order. The part after batches first fills rows that were added meanwhile. */
export function sqliteSectionsOf(steps: readonly Step[]): readonly Part[] {
  return inParts(
    steps.map((step) =>
      isFilled(step, 'sqlite') ? { before: withoutFill(step), fills: [step], after: [restOf(step)] } : step,
    ),
  );
}
