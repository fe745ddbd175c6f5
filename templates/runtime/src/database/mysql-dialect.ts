/** The SQL dialect of MySQL (8.0.21 or newer) and MariaDB (10.6 or newer). */
import { createHash } from 'node:crypto';
import type { ColumnType } from '../contract/attribute-types/column-type.ts';
import { ServerUnavailable } from './connection.ts';
import { countRows, type GuardedRows } from './guard.ts';
import type { StatementRunner, TransactionStatementRunner } from './statement-runner.ts';
import { type Batches, type Dialect, type GivenRow, idsJson, type JsonColumnType, type Part } from './dialect.ts';
import { firstRow } from './first-row.ts';
import { mysqlRowScalar } from './mysql-values.ts';
import { paddedIds } from './padded-ids.ts';
import { parameterRows } from './parameter-rows.ts';
import { createNames } from './quoted-names.ts';
import { deleteRows, join, raw, sql, type Sql, type SqlValue } from './sql.ts';
import { lockKeyRows } from './mysql-key-rows.ts';

/** They share one dialect, with a few differences. */
export type MysqlFlavour = 'mysql' | 'mariadb';

type Pairs = readonly (readonly [string, Sql])[];

/** Compares text by its exact characters, including trailing spaces. */
export const EXACT_COLLATION: Readonly<Record<MysqlFlavour, string>> = {
  mysql: 'utf8mb4_0900_bin',
  mariadb: 'utf8mb4_nopad_bin',
};

/** Lists up to this length are passed as parameters, so that the engine looks up each value. */
export const MAX_LIST = 1024;

/**
 * MySQL turns a text longer than its `max_allowed_packet` into NULL. A response must not silently lose content: this
 * expression fails, but only when it is evaluated.
 */
const TOO_LARGE = raw('EXP(710)');

/**
 * MariaDB may silently carry on with NULL for a subselect that was interrupted (KILL QUERY, a time limit). Where a value
 * can't be NULL, this expression fails instead; `mysqlError` recognizes it.
 */
const INTERRUPTED = raw('EXP(711)');

const quotedName = createNames((name) => `\`${name.replaceAll('`', '``')}\``);

function quotedText(value: string): Sql {
  return raw(`'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`);
}

function whole(text: Sql): Sql {
  return sql`COALESCE(${text}, ${TOO_LARGE})`;
}

/** JSON is built as text: MySQL's JSON type would lose the order of members, and digits of numbers. */
function jsonObject(pairs: Pairs): Sql {
  if (pairs.length === 0) return raw("'{}'");
  const parts = pairs.flatMap(([key, value], index) => [
    quotedText(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`),
    sql`COALESCE(${value}, 'null')`,
  ]);
  return whole(sql`CONCAT(${join([...parts, raw("'}'")], ', ')})`);
}

function jsonArrayAggregate(value: Sql, orderBy: Sql | undefined, part?: Part): Sql {
  const order = orderBy ? sql` ORDER BY ${orderBy}` : sql``;
  const cut = part ? sql` LIMIT ${part.limit} OFFSET ${part.start}` : sql``;
  const list = sql`GROUP_CONCAT(COALESCE(${value}, 'null')${order} SEPARATOR ','${cut})`;
  return whole(sql`CONCAT('[', COALESCE(${list}, ''), ']')`);
}

/** A value in its canonical form, as text. */
export function mysqlText(type: ColumnType, value: Sql): Sql {
  switch (type) {
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'date':
    case 'time':
      return sql`CAST(${value} AS CHAR)`;
    case 'boolean':
      return sql`CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`;
    case 'decimal':
      return sql`TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM CAST(${value} AS CHAR)))`;
    case 'datetime':
      return sql`CONCAT(REPLACE(CAST(${value} AS CHAR), ' ', 'T'), 'Z')`;
    case 'json':
    case 'text':
      return value;
  }
}

/** Texts with different collations can't be concatenated: all JSON has that of the connection. */
export function asJson(text: Sql): Sql {
  return sql`${text} COLLATE utf8mb4_bin`;
}

function jsonScalar(type: ColumnType, column: Sql): Sql {
  const text = mysqlText(type, column);
  switch (type) {
    case 'integer':
    case 'float':
    case 'boolean':
    case 'decimal':
      return text;
    case 'json':
      return asJson(text);
    case 'biginteger':
    case 'date':
    case 'time':
    case 'datetime':
      // Contains nothing that has to be escaped.
      return sql`CONCAT('"', ${text}, '"')`;
    case 'text':
      return asJson(sql`JSON_QUOTE(${text})`);
  }
}

function plainScalar(type: ColumnType, column: Sql): Sql {
  switch (type) {
    case 'decimal':
    case 'date':
    case 'time':
    case 'datetime':
      return mysqlText(type, column);
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'boolean':
    case 'json':
    case 'text':
      return column;
  }
}

function bind(type: ColumnType, value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'json':
      return JSON.stringify(value);
    case 'biginteger':
      return BigInt(value as string | number | bigint);
    case 'datetime':
      return (value as string).replace('T', ' ').replace('Z', '');
    case 'boolean':
      return value === true || value === 1 ? 1 : 0;
    case 'text':
    case 'integer':
    case 'float':
    case 'decimal':
    case 'date':
    case 'time':
      return value as SqlValue;
  }
}

function columnType(type: JsonColumnType, flavour: MysqlFlavour): Sql {
  return raw(type === 'integer' ? 'BIGINT' : `LONGTEXT CHARACTER SET utf8mb4 COLLATE ${EXACT_COLLATION[flavour]}`);
}

function rowsOf(flavour: MysqlFlavour, json: string | Sql, columns: Readonly<Record<string, JsonColumnType>>): Sql {
  const typed = Object.entries(columns).map(([name, type]) => {
    return sql`${quotedName(name)} ${columnType(type, flavour)} PATH ${quotedText(`$."${name}"`)}`;
  });
  return sql`JSON_TABLE(${json}, '$[*]' COLUMNS (${join(typed, ', ')}))`;
}

function givenRows(
  flavour: MysqlFlavour,
  rows: readonly GivenRow[],
  columns: Readonly<Record<string, JsonColumnType>>,
): Sql {
  const value = (type: JsonColumnType): string =>
    type === 'integer' ? 'CAST(? AS SIGNED)' : `CONVERT(? USING utf8mb4) COLLATE ${EXACT_COLLATION[flavour]}`;
  return parameterRows(rows, columns, { quote: quotedName, value }) ?? rowsOf(flavour, JSON.stringify(rows), columns);
}

function neverNull(flavour: MysqlFlavour, select: Sql): Sql {
  return flavour === 'mariadb' ? sql`COALESCE((${select}), ${INTERRUPTED})` : sql`(${select})`;
}

/** There is always a row, so NULL means that the read was interrupted. */
function firstOrZero(flavour: MysqlFlavour, value: Sql, from: Sql, orderBy: Sql): Sql {
  if (flavour === 'mysql') return sql`COALESCE(${firstRow(value, from, orderBy)}, 0)`;
  const first = sql`(SELECT ${value} AS n FROM ${from} ORDER BY ${orderBy} LIMIT 1)`;
  return neverNull(flavour, sql`${first} UNION ALL (SELECT 0) ORDER BY n DESC LIMIT 1`);
}

/**
 * An aggregate returns a row even if there are none to aggregate, so NULL means that the read was interrupted. For a single
 * row, MAX is the fastest aggregate.
 */
function jsonFirst(flavour: MysqlFlavour, json: Sql, from: Sql, orderBy?: Sql): Sql {
  if (flavour === 'mysql') return firstRow(json, from, orderBy);
  const first = orderBy ? sql`GROUP_CONCAT(${json} ORDER BY ${orderBy} LIMIT 1)` : sql`MAX(${json})`;
  return neverNull(flavour, sql`SELECT COALESCE(${first}, 'null') FROM ${from}`);
}

function isOneOf(flavour: MysqlFlavour, column: Sql, ids: readonly number[]): Sql {
  if (ids.length === 0) return raw('1 = 0');
  if (ids.length <= MAX_LIST) return sql`${column} IN (${paddedIds(ids)})`;
  const rows = rowsOf(flavour, idsJson(ids), { id: 'integer' });
  if (flavour === 'mysql') return sql`${column} IN (SELECT i.id FROM ${rows} AS i)`;
  // With IN, MariaDB's DELETE and UPDATE would parse the JSON once per row. A derived table that can't be merged gets an index.
  return sql`EXISTS (SELECT 1 FROM (SELECT DISTINCT i.id AS given_id FROM ${rows} AS i) AS given WHERE given.given_id = ${column})`;
}

/** The given rows come first in the join, so that the engine reads, and therefore locks, only the rows that they name. */
function updateFrom(table: string, rows: Sql, assign: Readonly<Record<string, Sql>>, where: Sql): Sql {
  const assignments = Object.entries(assign).map(([column, value]) => sql`t.${quotedName(column)} = ${value}`);
  return sql`UPDATE ${rows} AS r STRAIGHT_JOIN ${quotedName(table)} AS t ON ${where} SET ${join(assignments, ', ')}`;
}

const LAST_ID = raw('SELECT LAST_INSERT_ID() AS id, @@auto_increment_increment AS step');

const NOT_ALL_EXIST = raw("SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not all of the named entries exist'");

function assertRowCount(rows: readonly GuardedRows[]): Sql {
  const counts = rows.map(
    ({ ids, select }, index) => sql`(SELECT COUNT(*) FROM (${select(ids)}) AS ${quotedName(`part${index}`)})`,
  );
  // NULL, the result of an interrupted SELECT, also fails.
  return sql`IF NOT COALESCE(${join(counts, ' + ')} = ${countRows(rows)}, FALSE) THEN ${NOT_ALL_EXIST}; END IF`;
}

/** User variables, because LAST_INSERT_ID() may be changed by later statements. */
const batches: Batches = {
  idReference: (_, index) => `@new_id_${index}`,
  storeId: (index) => raw(`SET @new_id_${index} = LAST_INSERT_ID()`),
  assertRowCount,
  assertChanged: (count) => sql`IF ROW_COUNT() <> ${count} THEN ${NOT_ALL_EXIST}; END IF`,
  endsWithoutRow: true,
};

/** The ids generated by an INSERT of `count` rows. MySQL does not return them, but generates them in equal steps. */
async function insertIds(
  flavour: MysqlFlavour,
  tx: StatementRunner,
  insert: Sql,
  count: number,
): Promise<readonly number[]> {
  if (flavour === 'mariadb') {
    const rows = await tx.all(sql`${insert} RETURNING id`);
    return rows.map((row) => Number(row['id'])).sort((a, b) => a - b);
  }
  await tx.run(insert);
  const made = await tx.get(LAST_ID);
  return Array.from({ length: count }, (_, index) => Number(made?.['id']) + index * Number(made?.['step']));
}

/** Rounds the number of ids up, so that there are few statement texts. */
async function takeIds(
  flavour: MysqlFlavour,
  tx: StatementRunner,
  table: string,
  count: number,
): Promise<readonly number[]> {
  const taken = 2 ** Math.ceil(Math.log2(count));
  const rows = Array.from({ length: taken }, () => '(NULL)').join(', ');
  const insert = sql`INSERT INTO ${quotedName(table)} (id) VALUES ${raw(rows)}`;
  const ids = await insertIds(flavour, tx, insert, taken);
  // Deleted by value, not as a range: ids in between may belong to other nodes of a cluster.
  await tx.run(deleteRows(quotedName(table), isOneOf(flavour, raw('id'), ids)));
  return ids.slice(0, count);
}

/** The last line of CREATE TABLE has the table's options. MySQL's information_schema may be out of date. */
const NEXT_ID = /^\).*?\bAUTO_INCREMENT=(?<next>\d+)/mu;

async function lastId(executor: StatementRunner, table: string): Promise<number> {
  const row = await executor.get(sql`SHOW CREATE TABLE ${quotedName(table)}`);
  const next = NEXT_ID.exec(String(row?.['Create Table']))?.groups?.['next'];
  return next === undefined ? 0 : Number(next) - 1;
}

/** ALTER TABLE would commit the transaction. */
function setLastId(tx: TransactionStatementRunner, table: string, last: number): Promise<void> {
  tx.afterTransaction(sql`ALTER TABLE ${quotedName(table)} AUTO_INCREMENT = ${raw(String(last + 1))}`);
  return Promise.resolve();
}

/** Lock names have at most 64 characters and are global to the server, so they begin with the database. */
function lockOf(key: string): Sql {
  const name = createHash('sha256').update(key).digest('base64url').slice(0, 30);
  return sql`GET_LOCK(CONCAT(MD5(DATABASE()), ${name}), @@innodb_lock_wait_timeout)`;
}

/** Session locks, released when the transaction is over. All transactions take them in the same order. */
async function lockSessionKeys(tx: TransactionStatementRunner, keys: readonly string[]): Promise<void> {
  tx.afterTransaction(raw('DO RELEASE_ALL_LOCKS()'));
  for (const key of [...new Set(keys)].sort()) {
    const row = await tx.get(sql`SELECT ${lockOf(key)} AS locked`);
    if (Number(row?.['locked']) !== 1) throw new ServerUnavailable(new Error('a lock could not be acquired'));
  }
}

function createDialect(flavour: MysqlFlavour, lockKeys: Dialect['lockKeys']): Dialect {
  return {
    name: 'mysql',
    explain: 'EXPLAIN',
    batches: flavour === 'mariadb' ? batches : undefined,
    id: quotedName,
    text: quotedText,
    jsonObject,
    jsonArrayAggregate,
    neverNull: (select) => neverNull(flavour, select),
    firstOrZero: (value, from, orderBy) => firstOrZero(flavour, value, from, orderBy),
    jsonFirst: (json, from, orderBy) => jsonFirst(flavour, json, from, orderBy),
    orderedJoin: undefined,
    rowScalar: mysqlRowScalar,
    jsonEmptyArray: raw("'[]'"),
    jsonScalar,
    plainScalar,
    jsonText: (json) => json,
    jsonBytes: (json) => sql`CAST(${json} AS BINARY)`,
    atMost: undefined,
    bind,
    jsonRows: (json, columns) => rowsOf(flavour, json, columns),
    givenRows: (rows, columns) => givenRows(flavour, rows, columns),
    isOneOf: (column, ids) => isOneOf(flavour, column, ids),
    updateFrom,
    onConflict: ({ update }) => {
      return sql`ON DUPLICATE KEY UPDATE ${quotedName(update)} = VALUES(${quotedName(update)})`;
    },
    insertReturns: flavour === 'mariadb',
    generatedIds: flavour === 'mariadb' ? undefined : LAST_ID,
    updateReturns: false,
    takeIds: (tx, table, count) => takeIds(flavour, tx, table, count),
    lastId,
    setLastId,
    lockKeys,
    indexedCorrelatedMinMax: false,
    unionAll: (selects) =>
      join(
        selects.map((select) => sql`(${select})`),
        ' UNION ALL ',
      ),
    now: raw("(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)"),
    rowLock: raw(' FOR UPDATE'),
    primaryKeyHint: raw(' FORCE INDEX (PRIMARY)'),
    selectsWholeRows: false,
    sortsWholeRows: true,
    limitInAggregate: flavour === 'mariadb',
    keepsFirstPlan: flavour === 'mariadb',
  };
}

export const mysqlDialects: Readonly<Record<MysqlFlavour, Dialect>> = {
  mysql: createDialect('mysql', lockSessionKeys),
  mariadb: createDialect('mariadb', lockSessionKeys),
};

/** The dialect of a node of a Galera cluster. */
export const galeraDialect: Dialect = createDialect('mariadb', lockKeyRows);

/** Whether a dialect is that of MySQL or MariaDB. */
export function flavourOf(dialect: Dialect): MysqlFlavour {
  return dialect === mysqlDialects.mysql ? 'mysql' : 'mariadb';
}
