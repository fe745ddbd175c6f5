/** Batches on MariaDB: one compound statement, prepared once like any other. */
import { EMPTY_RESULT } from './connection.ts';
import { compoundOf } from './mysql-compound.ts';
import type { MysqlConnection } from './mysql-connection.ts';
import { NoRowFound, noRowMessage } from './mysql-errors.ts';
import { raw, type Sql, type SqlParam } from './sql.ts';
import type { Result, Statement } from './write-plan.ts';

const REMEMBER_CHANGES = raw('SET @changes = ROW_COUNT()');
const CHANGES = raw('SELECT @changes AS changes');

/** The result of a statement that had to find a row, and did. */
const FOUND: Result = { rows: [], changes: 1 };

/** Fails like a deadlock, so that the transaction is retried. NULL means that the count was interrupted as well. */
function failIfLeft({ text, params }: Sql): Sql {
  const signal = `SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'a DELETE was interrupted'`;
  return { text: `IF @changes = 0 AND COALESCE((${text}), 1) > 0 THEN ${signal}; END IF`, params };
}

/** Fails if the statement before it found no row. Returning the count as a result would cost more than the statement. */
function failWithoutRow(changes: string, index: number): Sql {
  return raw(`IF ${changes} = 0 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '${noRowMessage(index)}'; END IF`);
}

/** A statement, followed by what depends on how many rows it changed. */
function withChanges({ sql, returns, noRowError }: Statement, index: number): readonly Sql[] {
  const { remaining } = sql;
  const isRemembered = remaining !== undefined || returns === 'changes';
  return [
    sql,
    ...(isRemembered ? [REMEMBER_CHANGES] : []),
    ...(remaining ? [failIfLeft(remaining)] : []),
    ...(noRowError && returns !== 'rows' ? [failWithoutRow(isRemembered ? '@changes' : 'ROW_COUNT()', index)] : []),
    ...(returns === 'changes' ? [CHANGES] : []),
  ];
}

function compound(batch: readonly Statement[]): Sql {
  const texts: string[] = [];
  const params: SqlParam[] = [];
  for (const [index, one] of batch.entries()) {
    for (const part of withChanges(one, index)) {
      texts.push(part.text);
      for (const param of part.params) params.push(param);
    }
  }
  return { text: compoundOf(texts), params };
}

/** Assigns the results of a compound statement, of which the last is its own, to the statements in it. */
function shareOut(batch: readonly Statement[], answers: readonly Result[]): Result[] {
  const asked = batch.filter(({ returns }) => returns !== 'nothing').length;
  if (answers.length !== asked + 1) {
    throw new Error(`The database returned ${answers.length - 1} results for ${asked} statements`);
  }
  let next = 0;
  return batch.map(({ returns, noRowError }) => {
    if (returns === 'nothing') return noRowError ? FOUND : EMPTY_RESULT;
    const result = answers[next] ?? EMPTY_RESULT;
    next += 1;
    return returns === 'rows' ? result : { rows: [], changes: Number(result.rows[0]?.['changes']) };
  });
}

/** Runs a batch on a connection to MariaDB. Throws the `noRowError` of a statement that finds no row. */
export async function runCompound(
  connection: MysqlConnection,
  batch: readonly Statement[],
): Promise<readonly Result[]> {
  const [first] = batch;
  if (!first) return [];
  if (batch.length === 1) return [await connection.query(first.sql)];
  try {
    return shareOut(batch, await connection.answers(compound(batch)));
  } catch (error) {
    throw (error instanceof NoRowFound ? batch[error.index]?.noRowError?.() : undefined) ?? error;
  }
}
