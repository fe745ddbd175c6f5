/** Batches of MariaDB: one compound statement, which is prepared once like any other. */
import { NOTHING } from './connection.ts';
import { compoundOf } from './mysql-compound.ts';
import type { MysqlConnection } from './mysql-connection.ts';
import { raw, type Sql, type SqlParam } from './sql.ts';
import type { Result, Statement } from './write-plan.ts';

type Asked = Pick<Statement, 'sql' | 'returns'>;

const REMEMBER_CHANGES = 'SET @changes = ROW_COUNT()';
const CHANGES = 'SELECT @changes AS changes';

/** Fails as a deadlock does, with which the transaction is tried again. NULL is a count that was interrupted too. */
function failIfLeft({ text, params }: Sql): Sql {
  const signal = `SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'a DELETE was interrupted'`;
  return { text: `IF @changes = 0 AND COALESCE((${text}), 1) > 0 THEN ${signal}; END IF`, params };
}

/** A statement with what follows from how many rows it changed: that is asked for by a statement of its own. */
function withChanges({ sql, returns }: Asked): readonly Sql[] {
  const { remaining } = sql;
  if (!remaining && returns !== 'changes') return [sql];
  return [
    sql,
    raw(REMEMBER_CHANGES),
    ...(remaining ? [failIfLeft(remaining)] : []),
    ...(returns === 'changes' ? [raw(CHANGES)] : []),
  ];
}

function compound(batch: readonly Asked[]): Sql {
  const texts: string[] = [];
  const params: SqlParam[] = [];
  for (const asked of batch) {
    for (const part of withChanges(asked)) {
      texts.push(part.text);
      for (const param of part.params) params.push(param);
    }
  }
  return { text: compoundOf(texts), params };
}

/** What is answered last is about the compound statement itself. */
function shareOut(batch: readonly Asked[], answers: readonly Result[]): Result[] {
  const asked = batch.filter(({ returns }) => returns !== 'nothing').length;
  if (answers.length !== asked + 1) {
    throw new Error(`The database gave ${answers.length - 1} answers to ${asked} statements`);
  }
  let next = 0;
  return batch.map(({ returns }) => {
    if (returns === 'nothing') return NOTHING;
    const result = answers[next] ?? NOTHING;
    next += 1;
    return returns === 'rows' ? result : { rows: [], changes: Number(result.rows[0]?.['changes']) };
  });
}

/** Runs a batch on a connection to MariaDB. */
export async function runCompound(connection: MysqlConnection, batch: readonly Asked[]): Promise<readonly Result[]> {
  const [first] = batch;
  if (!first) return [];
  if (batch.length === 1) return [await connection.query(first.sql)];
  return shareOut(batch, await connection.answers(compound(batch)));
}
