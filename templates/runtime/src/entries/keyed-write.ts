/** Writes of requests with an `Idempotency-Key`, whose transaction also stores the answer. */
import type { Database } from '../database/database.ts';
import type { LaterSteps, Outcome, Statement, WritePlan } from '../database/write-plan.ts';
import { KeyTakenError, type RequestKey } from '../query/request-key.ts';

type Extend<T> = (plan: WritePlan<T>) => WritePlan<T>;

/** The plan with a last step that gets the result. */
function withLast<T>(plan: WritePlan<T>, last: (result: T) => Promise<Statement>): WritePlan<T> {
  const read: Statement | undefined = plan.read && { sql: plan.read, returns: 'rows' };
  const seenBy = (outcome: Outcome): Outcome =>
    read ? { of: (statement) => outcome.of(statement), rows: outcome.of(read).rows } : outcome;
  let result: { readonly value: T } | undefined;
  const step: LaterSteps = async (_, outcome) => {
    result = { value: plan.answer(seenBy(outcome)) };
    return [await last(result.value)];
  };
  return {
    subjects: plan.subjects,
    steps: [...plan.steps, ...(read ? [read] : []), step],
    answer: (outcome) => (result ? result.value : plan.answer(outcome)),
  };
}

/** Runs the transaction of a write. Throws KeyTakenError if the row of its key exists. */
export async function refusingTaken<T>({ isTaken }: RequestKey, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isTaken(error) ? new KeyTakenError() : error;
  }
}

/**
 * Executes a write with the row of its key. Usually resolves before the commit, which then waits until the request has its answer:
 * whoever runs the request waits for both. Throws KeyTakenError if the request was carried out meanwhile.
 */
export function keyedWrite<T>(key: RequestKey, execute: (extend: Extend<T>) => Promise<T>): Promise<T> {
  if (key.isWriting) {
    if (key.isLate) return execute((plan) => plan);
    throw new Error('a request writes once, unless it runs code of the project');
  }
  if (key.isLate) return key.watch(execute((plan) => withLast(plan, () => Promise.resolve(key.done()))));
  return new Promise((resolve, reject) => {
    let isTold = false;
    const extend: Extend<T> = (plan) => {
      // The answer is already that of the first attempt.
      if (isTold) throw new KeyTakenError();
      return withLast(plan, (result) => {
        isTold = true;
        resolve(result);
        return key.answered();
      });
    };
    key.watch(execute(extend)).then(resolve, reject);
  });
}

/** Called at the end of a transaction with its result. */
type Finish<T> = (database: Pick<Database, 'run'>, result: T) => Promise<void>;

/** Like `keyedWrite`, for a transaction of several writes. None of them may have the key. */
export function keyedTransaction<T>(key: RequestKey, transact: (finish: Finish<T>) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isTold = false;
    const finish: Finish<T> = async (database, result) => {
      if (isTold) throw new KeyTakenError();
      isTold = true;
      resolve(result);
      await database.run((await key.answered()).sql);
    };
    key.watch(refusingTaken(key, () => transact(finish))).then(resolve, reject);
  });
}
