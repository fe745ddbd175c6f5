/** The SQL dialect of SQLite (3.44 or newer). */
import { firstRow } from './first-row.ts';
import { paddedIds } from './padded-ids.ts';
import { parameterRows } from './parameter-rows.ts';
import { createNames } from './quoted-names.ts';
import { join, raw, sql, type Sql, type SqlValue } from './sql.ts';
import type { StatementRunner, TransactionStatementRunner } from './statement-runner.ts';
import { type Dialect, type GivenRow, idsJson, type JsonColumnType } from './dialect.ts';
import type { ColumnType } from '../contract/attribute-types/column-type.ts';

type Pairs = readonly (readonly [string, Sql])[];

/** A SQLite function takes at most 1,000 arguments, so one `json_object` at most 500 pairs. */
const MAX_PAIRS = 480;

const quotedName = createNames((name) => `"${name.replaceAll('"', '""')}"`);

function quotedText(value: string): Sql {
  return raw(`'${value.replaceAll("'", "''")}'`);
}

function jsonPath(key: string): Sql {
  return quotedText(`$."${key}"`);
}

function objectOf(pairs: Pairs): Sql {
  const parts = pairs.map(([key, value]) => sql`${quotedText(key)}, ${value}`);
  return sql`json_object(${join(parts, ', ')})`;
}

/** An object of any number of pairs: `json_set` adds those that exceed one call. Keys are plain words. */
function longObject(pairs: Pairs): Sql {
  let object = objectOf(pairs.slice(0, MAX_PAIRS));
  for (let start = MAX_PAIRS; start < pairs.length; start += MAX_PAIRS) {
    const parts = pairs.slice(start, start + MAX_PAIRS).map(([key, value]) => sql`${jsonPath(key)}, ${value}`);
    object = sql`json_set(${object}, ${join(parts, ', ')})`;
  }
  return object;
}

function jsonScalar(type: ColumnType, column: Sql): Sql {
  switch (type) {
    case 'boolean':
      return sql`CASE ${column} WHEN 1 THEN json('true') WHEN 0 THEN json('false') END`;
    case 'biginteger':
      return sql`CAST(${column} AS TEXT)`;
    case 'float':
      // By default SQLite writes 15 digits; a float needs up to 17 to survive a round trip.
      return sql`CASE WHEN ${column} IS NOT NULL THEN json(format('%!.17g', ${column})) END`;
    case 'decimal':
    case 'json':
      return sql`json(${column})`;
    case 'text':
    case 'integer':
    case 'date':
    case 'time':
    case 'datetime':
      break;
  }
  return column;
}

function bind(type: ColumnType, value: unknown): SqlValue {
  if (value === null || value === undefined) {
    return null;
  }
  if (type === 'json') {
    return JSON.stringify(value);
  }
  if (type === 'biginteger') {
    return BigInt(value as string | number | bigint);
  }
  if (typeof value === 'boolean') {
    return value ? 1 : 0;
  }
  return value as SqlValue;
}

function jsonRows(json: string | Sql, columns: Readonly<Record<string, JsonColumnType>>): Sql {
  const selected = Object.entries(columns).map(([name, type]) => {
    return sql`CAST(json_extract(value, ${jsonPath(name)}) AS ${raw(type === 'integer' ? 'INTEGER' : 'TEXT')}) AS ${quotedName(name)}`;
  });
  return sql`(SELECT ${join(selected, ', ')} FROM json_each(${json}))`;
}

/** Up to this number, ids are passed as parameters: parsing JSON takes longer. */
const MAX_PARAMETER_IDS = 16;

function givenRows(rows: readonly GivenRow[], columns: Readonly<Record<string, JsonColumnType>>): Sql {
  const given = parameterRows(rows, columns, { quote: quotedName, value: () => '?' });
  return given ?? jsonRows(JSON.stringify(rows), columns);
}

function isOneOf(column: Sql, ids: readonly number[]): Sql {
  if (ids.length > 0 && ids.length <= MAX_PARAMETER_IDS) return sql`${column} IN (${paddedIds(ids)})`;
  return sql`${column} IN (SELECT i.id FROM ${jsonRows(idsJson(ids), { id: 'integer' })} AS i)`;
}

function updateFrom(table: string, rows: Sql, assign: Readonly<Record<string, Sql>>, where: Sql): Sql {
  const assignments = Object.entries(assign).map(([column, value]) => sql`${quotedName(column)} = ${value}`);
  return sql`UPDATE ${quotedName(table)} AS t SET ${join(assignments, ', ')} FROM ${rows} AS r WHERE ${where}`;
}

/** Advances the counter of the table's AUTOINCREMENT, creating it the first time. */
async function takeIds(tx: StatementRunner, table: string, count: number): Promise<readonly number[]> {
  const move = sql`UPDATE sqlite_sequence SET seq = seq + ${count} WHERE name = ${table} RETURNING seq`;
  const row = await tx.get(move);
  if (!row) await tx.run(sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${count})`);
  const last = row ? Number(row['seq']) : count;
  return Array.from({ length: count }, (_, index) => last - count + 1 + index);
}

async function lastId(executor: StatementRunner, table: string): Promise<number> {
  return Number((await executor.get(sql`SELECT seq FROM sqlite_sequence WHERE name = ${table}`))?.['seq'] ?? 0);
}

async function setLastId(tx: TransactionStatementRunner, table: string, last: number): Promise<void> {
  const { changes } = await tx.run(sql`UPDATE sqlite_sequence SET seq = ${last} WHERE name = ${table}`);
  if (changes === 0) await tx.run(sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${last})`);
}

/**
 * Booleans are stored as 0 and 1, decimals as their canonical text, JSON as text, times in the format of responses. SQLite
 * marks values as JSON only within an expression, so values of `jsonObject` and `jsonArrayAggregate` must not be columns of
 * a subselect.
 */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  explain: 'EXPLAIN QUERY PLAN',
  batches: undefined,
  id: quotedName,
  text: quotedText,
  jsonObject: (pairs) => (pairs.length <= MAX_PAIRS ? objectOf(pairs) : longObject(pairs)),
  jsonArrayAggregate: (value, orderBy) =>
    orderBy ? sql`json_group_array(${value} ORDER BY ${orderBy})` : sql`json_group_array(${value})`,
  neverNull: (select) => sql`(${select})`,
  firstOrZero: (value, from, orderBy) => sql`COALESCE(${firstRow(value, from, orderBy)}, 0)`,
  jsonFirst: firstRow,
  // CROSS JOIN is never reordered, and a subselect with a LIMIT keeps its order.
  orderedJoin: raw('CROSS JOIN'),
  rowScalar: undefined,
  jsonEmptyArray: raw('json_array()'),
  jsonScalar,
  plainScalar: (_, column) => column,
  jsonText: (json) => json,
  jsonBytes: (json) => sql`CAST(${json} AS BLOB)`,
  atMost: undefined,
  bind,
  jsonRows,
  givenRows,
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
  lockKeys: () => Promise.resolve(),
  indexedCorrelatedMinMax: true,
  unionAll: (selects) => join(selects, ' UNION ALL '),
  now: raw("CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"),
  rowLock: raw(''),
  primaryKeyHint: undefined,
  selectsWholeRows: false,
  sortsWholeRows: false,
  limitInAggregate: false,
  keepsFirstPlan: false,
};
