/** Batches of MariaDB: one compound statement, which is prepared once like any other. */
import { NOTHING, type Asked } from './batches.ts';
import type { Result } from './connection.ts';
import { compoundOf } from './mysql-compound.ts';
import { leftBy } from './mysql-deletes.ts';
import type { MysqlConnection } from './mysql-connection.ts';
import { raw, type Sql, type SqlValue } from './sql.ts';

const READS = /^[\s(]*(?:SELECT|WITH|VALUES|SHOW)\b/iu;
/** Outside of what is quoted; a doubled quote is the end of one text and the beginning of another. */
const RETURNS = /^(?:[^`']|`[^`]*`|'(?:[^'\\]|\\.)*')*?\bRETURNING\b/isu;

/** What a statement answers in a batch: maybe no rows; how many it changed is asked for by a statement of its own. */
type Answer = 'rows' | 'changes' | 'nothing';

function answerOf({ statement: { text }, kind }: Asked): Answer {
  if (kind === 'command') return 'nothing';
  if (READS.test(text) || RETURNS.test(text)) return 'rows';
  return kind === 'query' ? 'changes' : 'nothing';
}

const REMEMBER_CHANGES = 'SET @changes = ROW_COUNT()';
const CHANGES = 'SELECT @changes AS changes';

/** Fails as a deadlock does, with which the transaction is tried again. NULL is a count that was interrupted too. */
function failIfLeft({ text, params }: Sql): Sql {
  const signal = `SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'a DELETE was interrupted'`;
  return { text: `IF @changes = 0 AND COALESCE((${text}), 1) > 0 THEN ${signal}; END IF`, params };
}

/** A statement with what follows from how many rows it changed. */
function withChanges(statement: Sql, answer: Answer | undefined): readonly Sql[] {
  const left = leftBy(statement);
  if (!left && answer !== 'changes') return [statement];
  return [
    statement,
    raw(REMEMBER_CHANGES),
    ...(left ? [failIfLeft(left)] : []),
    ...(answer === 'changes' ? [raw(CHANGES)] : []),
  ];
}

function compound(batch: readonly Asked[], kinds: readonly Answer[]): Sql {
  const texts: string[] = [];
  const params: SqlValue[] = [];
  for (const [index, { statement }] of batch.entries()) {
    for (const part of withChanges(statement, kinds[index])) {
      texts.push(part.text);
      for (const param of part.params) params.push(param);
    }
  }
  return { text: compoundOf(texts), params };
}

/** What is answered last is about the compound statement itself. */
function shareOut(kinds: readonly Answer[], answers: readonly Result[]): Result[] {
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

/** Runs a batch on a connection to MariaDB. */
export async function runCompound(connection: MysqlConnection, batch: readonly Asked[]): Promise<readonly Result[]> {
  const [first] = batch;
  if (first && batch.length === 1) return [await runAlone(connection, first)];
  const kinds = batch.map(answerOf);
  return shareOut(kinds, await connection.answers(compound(batch, kinds)));
}
