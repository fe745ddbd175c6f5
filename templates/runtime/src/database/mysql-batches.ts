/**
 * Statements that MariaDB is sent together, as one compound statement: it is prepared once like any other, takes one round trip,
 * and ends with the first of its statements that fails.
 */
import { LRUCache } from 'lru-cache';
import type { Connection, Result } from './connection.ts';
import { compoundOf } from './mysql-compound.ts';
import type { MysqlConnection } from './mysql-connection.ts';
import { raw, type Sql, type SqlValue } from './sql.ts';

const MAX_TEXTS = 1000;

const QUOTED = /`(?:[^`]|``)*`|'(?:[^'\\]|''|\\.)*'/gsu;
const ANSWERS = /^[\s(]*(?:SELECT|WITH|VALUES|SHOW)\b|\bRETURNING\b/iu;

const known = new LRUCache<string, boolean>({ max: MAX_TEXTS });

/** Whether a statement answers rows, though it may be none. */
function answersRows(text: string): boolean {
  const found = known.get(text);
  if (found !== undefined) return found;
  const answers = ANSWERS.test(text.replaceAll(QUOTED, '?'));
  known.set(text, answers);
  return answers;
}

/** A statement that waits for those before it. */
interface Waiting {
  readonly statement: Sql;
  /** What it answers in a batch: how many rows it changed is asked for by a statement of its own. */
  readonly answer: 'rows' | 'changes' | 'nothing';
  readonly alone: () => Promise<Result>;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const NOTHING: Result = { rows: [], changes: 0 };
const CHANGES = 'SELECT ROW_COUNT() AS changes';

function compound(batch: readonly Waiting[]): Sql {
  const texts: string[] = [];
  const params: SqlValue[] = [];
  for (const { statement, answer } of batch) {
    texts.push(statement.text);
    if (answer === 'changes') texts.push(CHANGES);
    for (const param of statement.params) params.push(param);
  }
  return { text: compoundOf(texts), params };
}

/** What is answered last is about the compound statement itself. */
function shareOut(batch: readonly Waiting[], answers: readonly Result[]): void {
  const asked = batch.reduce((count, { answer }) => (answer === 'nothing' ? count : count + 1), 0);
  if (answers.length !== asked + 1) {
    throw new Error(`The database gave ${answers.length - 1} answers to ${asked} statements`);
  }
  let next = 0;
  for (const { answer, resolve } of batch) {
    const result = answer === 'nothing' ? undefined : answers[next];
    if (result) next += 1;
    resolve(answer === 'changes' ? { rows: [], changes: Number(result?.rows[0]?.['changes']) } : (result ?? NOTHING));
  }
}

async function runBatch(connection: MysqlConnection, batch: readonly Waiting[]): Promise<void> {
  const [first] = batch;
  if (first && batch.length === 1) first.resolve(await first.alone());
  else shareOut(batch, await connection.answers(compound(batch)));
}

/**
 * A connection that sends what it is given until the end of this turn of the event loop together, and what it is given meanwhile
 * when that is answered. After a statement that fails in a transaction nothing is done until its ROLLBACK: all fails as that
 * one did.
 */
export function inBatches(connection: MysqlConnection): Connection {
  let waiting: Waiting[] = [];
  let busy = false;
  let transaction: { failure?: unknown } | undefined;

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await runBatch(connection, batch);
      } catch (error) {
        if (transaction) transaction.failure = error;
        for (const { reject } of [...batch, ...waiting.splice(0)]) reject(error);
      }
    }
    busy = false;
  }

  function add(statement: Sql, answer: Waiting['answer'], alone: Waiting['alone']): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (transaction?.failure !== undefined) {
        reject(transaction.failure);
        return;
      }
      waiting.push({ statement, answer, alone, resolve, reject });
      if (busy) return;
      busy = true;
      process.nextTick(() => void sendAll());
    });
  }

  /** `otherwise`: what is to be known of a statement that answers no rows. */
  const ask = (statement: Sql, otherwise: 'changes' | 'nothing'): Promise<Result> =>
    add(statement, answersRows(statement.text) ? 'rows' : otherwise, () => connection.query(statement));

  return {
    query: (statement) => ask(statement, 'changes'),
    send: (statement) => ask(statement, 'nothing'),
    async command(text) {
      if (text.startsWith('START TRANSACTION')) transaction = {};
      if (text === 'ROLLBACK') transaction = undefined;
      await add(raw(text), 'nothing', async () => {
        await connection.command(text);
        return NOTHING;
      });
      if (text === 'COMMIT') transaction = undefined;
    },
    get usable() {
      return connection.usable;
    },
    close: () => connection.close(),
    destroy: () => connection.destroy(),
  };
}
