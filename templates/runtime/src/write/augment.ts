/** Steps that are added to every write, such as a row in an outbox or in a log. */
import type { Database } from '../database/database.ts';
import type { Planner, Step, Transaction, WritePlan } from '../database/write-plan.ts';

/** Steps for the same transaction, before and after those of a write. */
export interface Added {
  readonly before?: readonly Step[];
  readonly after: readonly Step[];
}

/** Returns what is added to a write, which has at least one subject. */
export type Augment = (write: Pick<WritePlan<unknown>, 'subjects' | 'by'>, tx: Transaction) => Added;

function augmentedPlanner<T>(planner: Planner<T>, augments: readonly Augment[]): Planner<T> {
  return async (tx) => {
    const plan = await planner(augmentedTransaction(tx, augments));
    const { subjects, steps } = plan;
    if (subjects.length === 0) return plan;
    const added = augments.map((augment) => augment(plan, tx));
    const before = added.flatMap((one) => one.before ?? []);
    return {
      ...plan,
      steps: [...before, ...augmentedSteps(steps, augments), ...added.flatMap(({ after }) => after)],
    };
  };
}

/** Augments the plans that steps execute themselves: a step that is a function may do so. */
function augmentedSteps(steps: readonly Step[], augments: readonly Augment[]): readonly Step[] {
  return steps.map((step) => {
    if (typeof step !== 'function') return step;
    return async (tx, outcome) => augmentedSteps(await step(augmentedTransaction(tx, augments), outcome), augments);
  });
}

function augmentedTransaction(tx: Transaction, augments: readonly Augment[]): Transaction {
  return { ...tx, write: (planner) => tx.write(augmentedPlanner(planner, augments)) };
}

/** A database that adds `augments` to every plan, including those inside of transactions. */
export function augmentedDatabase(database: Database, augments: readonly Augment[]): Database {
  if (augments.length === 0) return database;
  return {
    ...database,
    write: (planner) => database.write(augmentedPlanner(planner, augments)),
    transaction: (work) => database.transaction((tx) => work(augmentedTransaction(tx, augments))),
    longTransaction: (work) => database.longTransaction((tx) => work(augmentedTransaction(tx, augments))),
  };
}
