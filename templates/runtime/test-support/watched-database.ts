/** Databases whose statements are noted. */
import type { Database } from '../src/database/database.ts';
import type { Executor } from '../src/database/executor.ts';
import type { Planner, Step, Transaction } from '../src/database/write-plan.ts';
import type { Sql } from '../src/database/sql.ts';

export type Note = (statement: Sql) => void;

function noting<T>(note: Note, run: (statement: Sql) => T): (statement: Sql) => T {
  return (statement) => {
    note(statement);
    return run(statement);
  };
}

/** Notes statements up to what is planned only after them, and the others when that is done. */
function notingSteps(note: Note, steps: readonly Step[], read: Sql | undefined): readonly Step[] {
  for (const [index, step] of steps.entries()) {
    if (typeof step === 'function') {
      const rest = steps.slice(index + 1);
      const later: Step = async (tx, outcome) =>
        notingSteps(note, [...(await step(notingTransaction(note, tx), outcome)), ...rest], read);
      return [...steps.slice(0, index), later];
    }
    note(step.sql);
  }
  if (read) note(read);
  return steps;
}

function notingPlanner<T>(note: Note, planner: Planner<T>): Planner<T> {
  return async (tx) => {
    const plan = await planner(notingTransaction(note, tx));
    return { ...plan, steps: notingSteps(note, plan.steps, plan.read) };
  };
}

function notingTransaction(note: Note, tx: Transaction): Transaction {
  return {
    ...tx,
    all: noting(note, tx.all),
    get: noting(note, tx.get),
    run: noting(note, tx.run),
    assume(guard) {
      const isAssumed = tx.assume(guard);
      if (isAssumed) note(tx.dialect.unionAll(guard.rows.map(({ ids, select }) => select(ids))));
      return isAssumed;
    },
    write: (planner) => tx.write(notingPlanner(note, planner)),
  };
}

/** Notes the statements of transactions. */
export function watchTransactions(database: Database, note: Note): Database {
  return {
    ...database,
    transaction: (work) => database.transaction((tx) => work(notingTransaction(note, tx))),
    write: (planner) => database.write(notingPlanner(note, planner)),
  };
}

/** Notes the statements that stand alone. */
export function watchReads<T extends Executor>(executor: T, note: Note): T {
  return { ...executor, all: noting(note, executor.all), get: noting(note, executor.get) };
}
