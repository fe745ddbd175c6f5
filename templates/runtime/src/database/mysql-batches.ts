/** Batches of MariaDB: one compound statement, which is prepared once like any other. */
import { LRUCache } from 'lru-cache';
import type { Asked, BatchConnection } from './batches.ts';
import type { Result } from './connection.ts';
import { compoundOf } from './mysql-compound.ts';
import type { MysqlConnection } from './mysql-connection.ts';
import type { Sql, SqlValue } from './sql.ts';

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

/** What a statement answers in a batch: how many rows it changed is asked for by a statement of its own. */
function answerOf({ statement, kind }: Asked): 'rows' | 'changes' | 'nothing' {
  if (kind === 'command') return 'nothing';
  if (answersRows(statement.text)) return 'rows';
  return kind === 'query' ? 'changes' : 'nothing';
}

const NOTHING: Result = { rows: [], changes: 0 };
const CHANGES = 'SELECT ROW_COUNT() AS changes';

function compound(batch: readonly Asked[]): Sql {
  const texts: string[] = [];
  const params: SqlValue[] = [];
  for (const asked of batch) {
    texts.push(asked.statement.text);
    if (answerOf(asked) === 'changes') texts.push(CHANGES);
    for (const param of asked.statement.params) params.push(param);
  }
  return { text: compoundOf(texts), params };
}

/** What is answered last is about the compound statement itself. */
function shareOut(batch: readonly Asked[], answers: readonly Result[]): Result[] {
  const kinds = batch.map(answerOf);
  const asked = kinds.filter((kind) => kind !== 'nothing').length;
  if (answers.length !== asked + 1) {
    throw new Error(`The database gave ${answers.length - 1} answers to ${asked} statements`);
  }
  let next = 0;
  return kinds.map((kind) => {
    if (kind === 'nothing') return NOTHING;
    const result = answers[next] ?? NOTHING;
    next += 1;
    return kind === 'rows' ? result : { rows: [], changes: Number(result.rows[0]?.['changes']) };
  });
}

async function runAlone(connection: MysqlConnection, { statement, kind }: Asked): Promise<Result> {
  if (kind !== 'command') return connection.query(statement);
  await connection.command(statement.text);
  return NOTHING;
}

/** A connection to MariaDB that runs batches. */
export function compoundBatches(connection: MysqlConnection): BatchConnection {
  return {
    async runBatch(batch) {
      const [first] = batch;
      if (first && batch.length === 1) return [await runAlone(connection, first)];
      return shareOut(batch, await connection.answers(compound(batch)));
    },
    script: (text) => connection.script(text),
    get usable() {
      return connection.usable;
    },
    close: () => connection.close(),
    destroy: () => connection.destroy(),
  };
}
