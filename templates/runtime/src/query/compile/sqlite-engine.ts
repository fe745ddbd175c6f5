/** Queries for SQLite. It compares text by bytes, which is by code points; its nulls sort first. */
import type { ColumnType } from '../../contract/attribute-types/column-type.ts';
import { MAX_INTEGER_DIGITS } from '../../contract/values/decimal.ts';
import type { JsonColumnType } from '../../database/dialect.ts';
import { raw, sql, type Sql, type SqlValue } from '../../database/sql.ts';
import { sqliteDialect } from '../../database/sqlite-dialect.ts';
import type { Operand } from '../bindings.ts';
import type { Comparison, TextMatch } from '../../contract/operators.ts';
import { searchTerms } from '../search-words.ts';
import type { Order, QueryEngine } from './engine.ts';
import { foldedPattern } from './glob-pattern.ts';
import { listParameter, parameter } from './parameters.ts';

/**
 * JSON is ordered as text, even inside an item, where it might also be a number. Decimals are stored as canonical text, which is
 * sorted by `decimalOrder` and compared by `compareDecimals`.
 */
function sortable(type: ColumnType, value: Sql): Sql {
  return type === 'json' ? sql`CAST(${value} AS TEXT)` : value;
}

/**
 * A parameter of a type. Tiny fractions are bound as text, which would not compare as a number with a member of an item; hence
 * the cast. The unary plus removes the cast's affinity, which would keep an index on members from being used.
 */
function boundTo(type: ColumnType, operand: Operand): Sql {
  const bound = parameter(operand, (value) => sqliteDialect.bind(type, value));
  return type === 'float' ? sql`+CAST(${bound} AS REAL)` : bound;
}

/** A decimal as a floating-point number: what indexes on decimals have. */
function asReal(decimal: Sql): Sql {
  return sql`CAST(${decimal} AS REAL)`;
}

/** In characters. Decimals of at most this length, which have fewer digits than a floating-point number keeps, are equal if those are. */
const SHORT = 15;

/**
 * The digits of positive decimals that are the same floating-point number, as text that sorts by value. The integer parts of these have
 * different lengths only around a power of ten: 99.99…, which is 100 as a floating-point number, must come before it.
 */
function closeDigits(digits: Sql): Sql {
  const rounded = sql`printf('%.15g', ${digits})`;
  return sql`CASE WHEN length(${digits}) <= ${raw(String(SHORT))} OR ${digits} < '9' THEN ${digits} WHEN ${rounded} < '9' THEN '0' || ${digits} ELSE ${digits} END`;
}

/** Decimals by their floating-point numbers, for which there may be an index, and by their digits where these are equal. */
function decimalOrder(decimal: Sql, descending: boolean): Sql {
  const [up, down] = descending ? [raw('DESC'), raw('ASC')] : [raw('ASC'), raw('DESC')];
  const positive = sql`CASE WHEN ${decimal} >= '0' THEN ${closeDigits(decimal)} END`;
  const negative = sql`CASE WHEN ${decimal} < '0' THEN ${closeDigits(sql`substr(${decimal}, 2)`)} END`;
  return sql`${asReal(decimal)} ${up}, ${positive} ${up}, ${negative} ${down}`;
}

/** A decimal as text that sorts by value. The digits of negative ones are replaced by letters in the opposite order. */
function decimalText(decimal: Sql): Sql {
  let letters = paddedDigits(decimal);
  for (let digit = 0; digit <= 9; digit += 1) {
    letters = sql`replace(${letters}, ${sqliteDialect.text(String(digit))}, ${sqliteDialect.text(String.fromCodePoint(0x7a - digit))})`;
  }
  // Of two that begin alike, the shorter one is the greater one if they are negative.
  return sql`CASE WHEN ${decimal} < '0' THEN 'n' || ${letters} || '~' ELSE 'p' || ${paddedDigits(decimal)} END`;
}

/** The digits of a decimal, without its sign, as text that sorts by value: its integer part is padded to the most that it can have. */
function paddedDigits(decimal: Sql): Sql {
  const digits = sql`ltrim(${decimal}, '-')`;
  const zeros = sqliteDialect.text('0'.repeat(MAX_INTEGER_DIGITS));
  return sql`substr(${zeros}, instr(${digits} || '.', '.')) || ${digits}`;
}

/** Decimals that are the same floating-point number, and so have the same sign, are compared by their digits. */
function compareDecimals(column: Sql, comparison: Exclude<Comparison, '=' | '<>'>, bound: Sql): Sql {
  const [left, right] = [asReal(column), asReal(bound)];
  const [digits, others] = [paddedDigits(column), paddedDigits(bound)];
  const operator = raw(comparison);
  const exactly = sql`CASE WHEN ${column} < '0' THEN ${others} ${operator} ${digits} ELSE ${digits} ${operator} ${others} END`;
  // The first condition is one that an index can serve.
  const roughly = raw(comparison.startsWith('<') ? '<=' : '>=');
  return sql`(${left} ${roughly} ${right} AND (${left} <> ${right} OR ${exactly}))`;
}

function compare(type: ColumnType, column: Sql, comparison: Comparison, operand: Operand): Sql {
  const bound = boundTo(type, operand);
  const operator = raw(comparison);
  if (comparison === '=' || comparison === '<>') return sql`${column} ${operator} ${bound}`;
  if (type === 'decimal') return compareDecimals(column, comparison, bound);
  return sql`${sortable(type, column)} ${operator} ${sortable(type, bound)}`;
}

function compareSorted(type: ColumnType, value: Sql, comparison: Comparison, operand: Operand): Sql {
  const bound = boundTo(type, operand);
  if (type !== 'decimal') return sql`${value} ${raw(comparison)} ${sortable(type, bound)}`;
  if (comparison === '<>') return sql`${value} <> ${bound}`;
  // The first condition is one that an index can serve.
  if (comparison === '=') return sql`(${asReal(value)} = ${asReal(bound)} AND ${value} = ${bound})`;
  return compareDecimals(value, comparison, bound);
}

/** The elements of a list are sent as JSON: big integers as text, because JSON numbers would lose digits. */
function listElement(value: SqlValue): SqlValue {
  return typeof value === 'bigint' ? String(value) : value;
}

function listColumn(type: ColumnType): JsonColumnType {
  return type === 'integer' || type === 'biginteger' || type === 'boolean' ? 'integer' : 'text';
}

function oneOf(type: ColumnType, column: Sql, operands: readonly Operand[]): Sql {
  const rows = listParameter(operands, (values) =>
    JSON.stringify(values.map((value) => ({ v: listElement(sqliteDialect.bind(type, value)) }))),
  );
  const list = sqliteDialect.jsonRows(rows, { v: listColumn(type) });
  const element = type === 'float' ? raw('CAST(v AS REAL)') : raw('v');
  return sql`${column} IN (SELECT ${element} FROM ${list})`;
}

/**
 * Hides a parameter's value from the planner. When SQLite has used the value of a pattern or limit for planning, it prepares the
 * statement again for each new value, which takes longer than running it.
 */
function hiddenFromPlanner(value: SqlValue | Sql, type: 'INTEGER' | 'TEXT'): Sql {
  return sql`CAST(${value} AS ${raw(type)})`;
}

function matches(type: ColumnType, column: Sql, match: TextMatch, fold: boolean, operand: Operand<string>): Sql {
  const text = type === 'integer' || type === 'biginteger' ? sql`CAST(${column} AS TEXT)` : column;
  if (fold) {
    const pattern = parameter(operand, (value) => foldedPattern(value, match));
    return sql`${text} GLOB ${hiddenFromPlanner(pattern, 'TEXT')}`;
  }
  const value = parameter(operand, String);
  switch (match) {
    case 'equals':
      return sql`${text} = ${value}`;
    case 'contains':
      return sql`instr(${text}, ${value}) > 0`;
    case 'startsWith':
      return sql`substr(${text}, 1, length(${value})) = ${value}`;
    case 'endsWith':
      return sql`substr(${text}, length(${text}) - length(${value}) + 1) = ${value}`;
  }
}

const hasWords: QueryEngine['hasWords'] = ({ alias }, index, words) => {
  const query = parameter(words, (value) => searchTerms(value, (word) => `"${word}"*`, ' ') || '""');
  return sql`${alias}.id IN (SELECT rowid FROM ${index} WHERE ${index} MATCH ${query})`;
};

function path(name: string): Sql {
  return sqliteDialect.text(`$."${name}"`);
}

function itemValue(type: ColumnType, item: Sql, name: string): Sql {
  const value = sql`json_extract(${item}, ${path(name)})`;
  return type === 'integer' || type === 'biginteger' ? sql`CAST(${value} AS INTEGER)` : value;
}

const indexedMember: QueryEngine['indexedMember'] = ({ type, alias, column, path: steps }) => {
  const at = sqliteDialect.text(`$${steps.map((name) => `."${name}"`).join('')}`);
  const value = sql`json_extract(${alias}.${column}, ${at})`;
  return type === 'integer' || type === 'biginteger' ? sql`CAST(${value} AS INTEGER)` : value;
};

function itemJson(type: ColumnType, item: Sql, name: string): Sql {
  const value = sql`json_extract(${item}, ${path(name)})`;
  if (type === 'decimal') {
    return sql`json(${value})`;
  }
  return type === 'biginteger' ? sql`CAST(${value} AS TEXT)` : sql`${item} -> ${path(name)}`;
}

function orderBy(value: Sql, { descending, type }: Order): Sql {
  if (type === 'decimal') return decimalOrder(value, descending);
  return sql`${value} ${raw(descending ? 'DESC' : 'ASC')}`;
}

export const sqliteEngine: QueryEngine = {
  sortable,
  lookedUp: (type, value) => (type === 'decimal' ? { type: 'text', value: decimalText(value) } : { type, value }),
  orderBy,
  orderInAggregate: orderBy,
  compare,
  compareSorted,
  oneOf,
  matches,
  hasWords,
  // Without a limit, SQLite 3.51 to 3.53 makes a join of it, whose OFFSET counts a row once for each row of the subquery.
  exists: (select) => sql`EXISTS (${select} LIMIT 1)`,
  rowCount: (count) => hiddenFromPlanner(count, 'INTEGER'),
  itemJson,
  itemValue,
  indexedMember,
  itemMember: (item, name) => sql`json_extract(${item}, ${path(name)})`,
  itemCount: (list) => sql`json_array_length(${list})`,
  itemRows: (list, alias) => sql`json_each(${list}) AS ${alias}`,
  tableOnce: (name, select) => sql`${name} AS MATERIALIZED (${select})`,
};
