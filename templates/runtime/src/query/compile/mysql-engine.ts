/** Queries for MySQL and MariaDB. Their text columns have a binary collation; their nulls sort first. */
import type { ColumnType } from '../../contract/attribute-types/column-type.ts';
import type { JsonColumnType } from '../../database/dialect.ts';
import {
  asJson,
  EXACT_COLLATION,
  MAX_LIST,
  mysqlDialects,
  type MysqlFlavour,
  mysqlText,
} from '../../database/mysql-dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import type { Operand } from '../bindings.ts';
import type { Comparison, TextMatch } from '../../contract/operators.ts';
import { searchTerms } from '../search-words.ts';
import type { QueryEngine } from './engine.ts';
import { foldedRegex } from './folded-regex.ts';
import { listParameter, parameter } from './parameters.ts';

const { mysql: dialect } = mysqlDialects;

/** The type to which a string, such as a parameter or a member of an item, is cast to compare like a column. */
function castTo(type: ColumnType): Sql | undefined {
  switch (type) {
    case 'integer':
    case 'biginteger':
      return raw('SIGNED');
    case 'float':
      return raw('DOUBLE');
    case 'decimal':
      return raw('DECIMAL(65,30)');
    case 'date':
      return raw('DATE');
    case 'time':
      return raw('TIME(3)');
    case 'datetime':
      return raw('DATETIME(3)');
    case 'boolean':
    case 'json':
    case 'text':
      return undefined;
  }
}

function typed(type: ColumnType, value: Sql): Sql {
  const target = castTo(type);
  return target ? sql`CAST(${value} AS ${target})` : value;
}

function bound(type: ColumnType, operand: Operand): Sql {
  return typed(
    type,
    parameter(operand, (value) => dialect.bind(type, value)),
  );
}

function compare(type: ColumnType, column: Sql, comparison: Comparison, operand: Operand): Sql {
  return sql`${column} ${raw(comparison)} ${bound(type, operand)}`;
}

/** The elements of a list are sent as JSON: big integers as text, because JSON numbers would lose digits. */
function listElement(type: ColumnType, value: unknown): unknown {
  const bound = dialect.bind(type, value);
  return typeof bound === 'bigint' ? String(bound) : bound;
}

function listColumn(type: ColumnType): JsonColumnType {
  return type === 'integer' || type === 'biginteger' || type === 'boolean' ? 'integer' : 'text';
}

/** Lists are padded to a power of two, so that there are only a few distinct statements. */
const SHORTEST_LIST = 8;

function listed(type: ColumnType, column: Sql, operands: readonly [Operand, ...Operand[]]): Sql {
  const length = Math.max(SHORTEST_LIST, 2 ** Math.ceil(Math.log2(operands.length)));
  const [first, ...others] = operands.map((operand) => bound(type, operand)) as [Sql, ...Sql[]];
  const padded = Array.from({ length }, (_, index) => others[index - 1] ?? first);
  return sql`${column} IN (${join(padded, ', ')})`;
}

/** Short lists become separate parameters, which use an index best. */
function oneOf(flavour: MysqlFlavour, type: ColumnType, column: Sql, operands: readonly Operand[]): Sql {
  const [first, ...others] = operands;
  if (first === undefined) return raw('1 = 0');
  // Not padded: see `keepsFirstPlan`.
  if (others.length === 0) return sql`${column} = ${bound(type, first)}`;
  if (operands.length <= MAX_LIST) return listed(type, column, [first, ...others]);
  const rows = listParameter(operands, (values) =>
    JSON.stringify(values.map((value) => ({ v: listElement(type, value) }))),
  );
  const list = mysqlDialects[flavour].jsonRows(rows, { v: listColumn(type) });
  const element = listColumn(type) === 'integer' ? raw('v.v') : typed(type, raw('v.v'));
  // MariaDB returns false instead of NULL for `NULL IN (SELECT …)`.
  return sql`(${column} IN (SELECT ${element} FROM ${list} AS v) OR (${column} IS NULL AND NULL))`;
}

const hasWords: QueryEngine['hasWords'] = ({ alias }, index, words) => {
  const query = parameter(words, (value) => searchTerms(value, (word) => `+${word}*`, ' '));
  return sql`MATCH (${alias}.${index}) AGAINST (${query} IN BOOLEAN MODE)`;
};

/** MySQL uses the regular expressions of ICU, MariaDB those of PCRE. */
function folded(flavour: MysqlFlavour, text: Sql, match: TextMatch, operand: Operand<string>): Sql {
  const pattern = parameter(operand, (value) => foldedRegex(value, match, '\\z'));
  return flavour === 'mariadb' ? sql`${text} REGEXP ${pattern}` : sql`REGEXP_LIKE(${text}, ${pattern}, 'c')`;
}

/** Texts that are made of other values have the collation of the connection, which ignores blanks at their end. */
function exactText(flavour: MysqlFlavour, type: ColumnType, column: Sql): Sql {
  const text = mysqlText(type, column);
  return type === 'text' || type === 'json' ? text : sql`${text} COLLATE ${raw(EXACT_COLLATION[flavour])}`;
}

function matches(
  flavour: MysqlFlavour,
  { type, column }: { readonly type: ColumnType; readonly column: Sql },
  { match, fold, operand }: { readonly match: TextMatch; readonly fold: boolean; readonly operand: Operand<string> },
): Sql {
  const text = exactText(flavour, type, column);
  if (fold) return folded(flavour, text, match, operand);
  const value = parameter(operand, String);
  switch (match) {
    case 'equals':
      return sql`${text} = ${value}`;
    case 'contains':
      return sql`LOCATE(${value}, ${text}) > 0`;
    case 'startsWith':
      return sql`LEFT(${text}, CHAR_LENGTH(${value})) = ${value}`;
    case 'endsWith':
      return sql`RIGHT(${text}, CHAR_LENGTH(${value})) = ${value}`;
  }
}

function member(item: Sql, name: string): Sql {
  return sql`JSON_EXTRACT(${item}, ${dialect.text(`$."${name}"`)})`;
}

/** Treats JSON's null as SQL's NULL. */
function present(json: Sql, value: Sql): Sql {
  return sql`CASE WHEN JSON_TYPE(${json}) <> 'NULL' THEN ${value} END`;
}

/** The text of a scalar member, unquoted. */
function itemText(item: Sql, name: string): Sql {
  const json = member(item, name);
  return sql`(${present(json, sql`JSON_UNQUOTE(${json})`)})`;
}

function itemValue(flavour: MysqlFlavour, type: ColumnType, item: Sql, name: string): Sql {
  const text = sql`${itemText(item, name)} COLLATE ${raw(EXACT_COLLATION[flavour])}`;
  return type === 'boolean' ? sql`CASE ${text} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END` : typed(type, text);
}

function itemJson(flavour: MysqlFlavour, type: ColumnType, item: Sql, name: string): Sql {
  if (type === 'decimal') return asJson(itemText(item, name));
  if (type === 'biginteger') return sql`CONCAT('"', ${asJson(itemText(item, name))}, '"')`;
  return asJson(flavour === 'mariadb' ? member(item, name) : sql`CAST(${member(item, name)} AS CHAR)`);
}

function createEngine(flavour: MysqlFlavour): QueryEngine {
  const itemMember = (item: Sql, name: string): Sql => {
    const json = member(item, name);
    return sql`(${present(json, json)})`;
  };
  return {
    sortable: (_, value) => value,
    lookedUp: (type, value) => ({ type, value }),
    orderBy: (value, { descending }) => sql`${value} ${raw(descending ? 'DESC' : 'ASC')}`,
    // MariaDB treats NULL as 0 there.
    orderInAggregate: (value, { descending }) =>
      sql`${value} IS NULL ${raw(descending ? 'ASC' : 'DESC')}, ${value} ${raw(descending ? 'DESC' : 'ASC')}`,
    compare,
    compareSorted: compare,
    hasWords,
    oneOf: (type, column, operands) => oneOf(flavour, type, column, operands),
    matches: (type, column, match, fold, operand) => matches(flavour, { type, column }, { match, fold, operand }),
    exists: (select) => sql`EXISTS (${select})`,
    // As text: the driver takes several times as long for an integer.
    rowCount: (count) => sql`${String(count)}`,
    itemJson: (type, item, name) => itemJson(flavour, type, item, name),
    itemValue: (type, item, name) => itemValue(flavour, type, item, name),
    indexedMember: ({ alias, index }) => sql`${alias}.${index}`,
    itemMember,
    itemCount: (list) => sql`JSON_LENGTH(${list})`,
    itemRows: (list, alias) =>
      sql`JSON_TABLE(${list}, '$[*]' COLUMNS (\`key\` FOR ORDINALITY, value JSON PATH '$')) AS ${alias}`,
    // A table that has a limit is not merged into the statement, and gets the indexes that joins with it need.
    tableOnce: (name, select) => sql`${name} AS (${select} LIMIT ${raw(String(Number.MAX_SAFE_INTEGER))})`,
  };
}

export const mysqlEngines: Readonly<Record<MysqlFlavour, QueryEngine>> = {
  mysql: createEngine('mysql'),
  mariadb: createEngine('mariadb'),
};
