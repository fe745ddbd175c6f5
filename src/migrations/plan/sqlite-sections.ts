/** What SQLite does in transactions of its own: it gives all rows of a table a value range by range, so that others write meanwhile. */
import { inParts, isFilled, type Part, restOf, withoutFill } from './batched.ts';
import type { Step } from './step.ts';

/** Steps in the order in which SQLite makes them. What comes after ranges begins with the rows that others have added. */
export function sqliteSectionsOf(steps: readonly Step[]): readonly Part[] {
  return inParts(
    steps.map((step) =>
      isFilled(step, 'sqlite') ? { before: withoutFill(step), fills: [step], after: [restOf(step)] } : step,
    ),
  );
}
