/** What others add to every write, whatever it is of: a row of an outbox, a version, a log. */
import type { Database } from '../database/database.ts';
import type { Planner, Step, Subject, Transaction } from '../database/write-plan.ts';

/**
 * The steps that are added to a write, after its own: they are kept with it, or nothing is. `about` is what it is about, at least one
 * subject.
 */
export type Augment = (about: readonly Subject[], tx: Transaction) => readonly Step[];

function augmentedPlanner<T>(planner: Planner<T>, augments: readonly Augment[]): Planner<T> {
  return async (tx) => {
    const plan = await planner(augmentedTransaction(tx, augments));
    const { about, steps } = plan;
    if (about.length === 0) return plan;
    return {
      ...plan,
      steps: [...augmentedSteps(steps, augments), ...augments.flatMap((augment) => augment(about, tx))],
    };
  };
}

/** Steps that are planned later may write by plans of their own. */
function augmentedSteps(steps: readonly Step[], augments: readonly Augment[]): readonly Step[] {
  return steps.map((step) => {
    if (typeof step !== 'function') return step;
    return async (tx, outcome) => augmentedSteps(await step(augmentedTransaction(tx, augments), outcome), augments);
  });
}

function augmentedTransaction(tx: Transaction, augments: readonly Augment[]): Transaction {
  return { ...tx, write: (planner) => tx.write(augmentedPlanner(planner, augments)) };
}

/** The database, with what `augments` add to every plan that is executed in it, also as a part of a transaction. */
export function augmentedDatabase(database: Database, augments: readonly Augment[]): Database {
  if (augments.length === 0) return database;
  return {
    ...database,
    write: (planner) => database.write(augmentedPlanner(planner, augments)),
    transaction: (work) => database.transaction((tx) => work(augmentedTransaction(tx, augments))),
    longTransaction: (work) => database.longTransaction((tx) => work(augmentedTransaction(tx, augments))),
  };
}
