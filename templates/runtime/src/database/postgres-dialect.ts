/** The SQL dialect of PostgreSQL (13 or newer). */
import { firstRow } from './first-row.ts';
import { parameterRows } from './parameter-rows.ts';
import { createNames } from './quoted-names.ts';
import type { ColumnType } from '../contract/attribute-types/column-type.ts';
import { countRows, type GuardedRows } from './guard.ts';
import type { StatementRunner, TransactionStatementRunner } from './statement-runner.ts';
import type { Batches, Dialect, JsonColumnType } from './dialect.ts';
import { join, raw, sql, type Sql, type SqlValue } from './sql.ts';

type Pairs = readonly (readonly [string, Sql])[];

/** How many texts are concatenated in one chain: longer ones would nest too deeply. */
const MAX_CHAIN = 100;

const quotedName = createNames((name) => `"${name.replaceAll('"', '""')}"`);

function quotedText(value: string): Sql {
  return raw(`'${value.replaceAll("'", "''")}'`);
}

function concatenated(parts: readonly Sql[]): Sql {
  if (parts.length <= MAX_CHAIN) return sql`(${join(parts, ' || ')})`;
  const chains = Array.from({ length: Math.ceil(parts.length / MAX_CHAIN) }, (_, index) =>
    concatenated(parts.slice(index * MAX_CHAIN, (index + 1) * MAX_CHAIN)),
  );
  return concatenated(chains);
}

/** JSON is built as text: PostgreSQL's JSON functions take at most 100 arguments, and add spaces. */
function jsonObject(pairs: Pairs): Sql {
  if (pairs.length === 0) return raw("'{}'");
  const parts = pairs.flatMap(([key, value], index) => [
    quotedText(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`),
    sql`COALESCE(${value}, 'null')`,
  ]);
  return concatenated([...parts, raw("'}'")]);
}

const INSTANT = quotedText('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

/** A value in its canonical form, as text. Times do not depend on session settings. */
export function postgresText(type: ColumnType, value: Sql): Sql {
  switch (type) {
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'boolean':
    case 'json':
      return sql`(${value})::text`;
    case 'decimal':
      return sql`trim_scale(${value})::text`;
    case 'date':
      return sql`to_char(${value}, 'YYYY-MM-DD')`;
    case 'time':
      return sql`to_char(${value}, 'HH24:MI:SS.MS')`;
    case 'datetime':
      return sql`to_char(${value} AT TIME ZONE 'UTC', ${INSTANT})`;
    case 'text':
      return value;
  }
}

function jsonScalar(type: ColumnType, column: Sql): Sql {
  const text = postgresText(type, column);
  switch (type) {
    case 'integer':
    case 'float':
    case 'boolean':
    case 'json':
    case 'decimal':
      return text;
    case 'date':
      return sql`to_json(${column})::text`;
    case 'datetime':
      // Adding a microsecond makes PostgreSQL write all digits, of which 24 characters are kept: milliseconds are stored.
      // Faster than to_char, and just as independent of settings.
      return sql`(left(to_json(${column} AT TIME ZONE 'UTC' + interval '1 microsecond')::text, 24) || 'Z"')`;
    case 'biginteger':
    case 'time':
      // Contains nothing that has to be escaped.
      return sql`('"' || ${text} || '"')`;
    case 'text':
      return sql`to_json(${text}::text)::text`;
  }
}

function plainScalar(type: ColumnType, column: Sql): Sql {
  switch (type) {
    case 'decimal':
    case 'date':
    case 'time':
    case 'datetime':
    case 'json':
      return postgresText(type, column);
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'boolean':
    case 'text':
      return column;
  }
}

function bind(type: ColumnType, value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  if (type === 'json') return JSON.stringify(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value as SqlValue;
}

const COLUMN_TYPES: Readonly<Record<JsonColumnType, string>> = { integer: 'bigint', text: 'text' };

function jsonRows(json: string | Sql, columns: Readonly<Record<string, JsonColumnType>>): Sql {
  const typed = Object.entries(columns).map(([name, type]) => sql`${quotedName(name)} ${raw(COLUMN_TYPES[type])}`);
  return sql`(SELECT * FROM json_to_recordset(${json}::json) AS j(${join(typed, ', ')}))`;
}

/**
 * An array rather than a subselect, so that the index is used even if there are several such conditions. The array's length
 * must not be visible in the parameter: the planner would make a new plan for each length.
 */
function isOneOf(column: Sql, ids: readonly number[]): Sql {
  return sql`${column} = ANY (ARRAY(SELECT unnest(${`{${ids.join(',')}}`}::bigint[])))`;
}

function updateFrom(table: string, rows: Sql, assign: Readonly<Record<string, Sql>>, where: Sql): Sql {
  const assignments = Object.entries(assign).map(([column, value]) => sql`${quotedName(column)} = ${value}`);
  return sql`UPDATE ${quotedName(table)} AS t SET ${join(assignments, ', ')} FROM ${rows} AS r WHERE ${where}`;
}

function sequenceOf(table: string): Sql {
  return sql`pg_get_serial_sequence(${quotedText(quotedName(table).text)}, 'id')`;
}

async function takeIds(tx: StatementRunner, table: string, count: number): Promise<readonly number[]> {
  const rows = await tx.all(sql`SELECT nextval(${sequenceOf(table)}) AS id FROM generate_series(1, ${count}::int)`);
  return rows.map((row) => Number(row['id'])).sort((a, b) => a - b);
}

async function lastId(executor: StatementRunner, table: string): Promise<number> {
  const row = await executor.get(sql`SELECT pg_sequence_last_value(${sequenceOf(table)}::regclass) AS last`);
  return Number(row?.['last'] ?? 0);
}

async function setLastId(tx: TransactionStatementRunner, table: string, last: number): Promise<void> {
  await tx.get(sql`SELECT setval(${sequenceOf(table)}, ${last}::bigint)`);
}

/** All transactions take the locks in the same order. */
async function lockKeys(tx: TransactionStatementRunner, keys: readonly string[]): Promise<void> {
  const numbers = sql`SELECT DISTINCT hashtextextended(v, 0) AS k FROM json_array_elements_text(${JSON.stringify(keys)}::json) AS v ORDER BY k`;
  await tx.run(sql`SELECT pg_advisory_xact_lock(n.k) FROM (${numbers}) AS n`);
}

function unionAll(selects: readonly Sql[]): Sql {
  const parts = selects.map((select, index) => sql`SELECT * FROM (${select}) AS ${quotedName(`part${index}`)}`);
  return join(parts, ' UNION ALL ');
}

/**
 * The text that fails to cast appears in the server's log. It depends on the rows, as a constant would be evaluated, and
 * fail, in any case.
 */
function assertRowCount(rows: readonly GuardedRows[]): Sql {
  const failure = raw("CAST('only ' || count(*) || ' of the named entries exist' AS integer)");
  return sql`SELECT CASE WHEN count(*) = ${countRows(rows)} THEN 0 ELSE ${failure} END AS failures FROM (${unionAll(rows.map(({ ids, select }) => select(ids)))}) AS rows`;
}

const batches: Batches = {
  idReference: (table) => `(SELECT currval(${sequenceOf(table).text}))`,
  storeId: () => undefined,
  assertRowCount,
  endsWithoutRow: false,
};

export const postgresDialect: Dialect = {
  name: 'postgres',
  explain: 'EXPLAIN',
  batches,
  id: quotedName,
  text: quotedText,
  jsonObject,
  jsonArrayAggregate: (value, orderBy) => {
    const order = orderBy ? sql` ORDER BY ${orderBy}` : sql``;
    return sql`('[' || COALESCE(string_agg(COALESCE(${value}, 'null'), ','${order}), '') || ']')`;
  },
  neverNull: (select) => sql`(${select})`,
  firstOrZero: (value, from, orderBy) => sql`COALESCE(${firstRow(value, from, orderBy)}, 0)`,
  jsonFirst: firstRow,
  orderedJoin: undefined,
  rowScalar: undefined,
  jsonEmptyArray: raw("'[]'"),
  jsonScalar,
  plainScalar,
  jsonText: (json) => sql`(${json})::text`,
  jsonBytes: (json) => sql`(${json})::text`,
  atMost: (text, most) => sql`CASE WHEN octet_length(${text}) <= ${raw(String(most))} THEN ${text} END`,
  bind,
  jsonRows,
  givenRows: (rows, columns) =>
    parameterRows(rows, columns, { quote: quotedName, value: (type) => `?::${COLUMN_TYPES[type]}` }) ??
    jsonRows(JSON.stringify(rows), columns),
  isOneOf,
  updateFrom,
  onConflict: ({ key, update }) =>
    sql`ON CONFLICT (${join(key.map(quotedName), ', ')}) DO UPDATE SET ${quotedName(update)} = excluded.${quotedName(update)}`,
  insertReturns: true,
  generatedIds: undefined,
  updateReturns: true,
  takeIds,
  lastId,
  setLastId,
  lockKeys,
  indexedCorrelatedMinMax: true,
  unionAll,
  now: raw('CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint)'),
  rowLock: raw(' FOR NO KEY UPDATE'),
  primaryKeyHint: undefined,
  selectsWholeRows: true,
  sortsWholeRows: false,
  limitInAggregate: false,
  keepsFirstPlan: false,
};
