/** Queries for PostgreSQL. Text is compared by code points, whatever the locale of the database is. */
import type { ColumnType } from '../../contract/attribute-types/column-type.ts';
import { postgresDialect, postgresText } from '../../database/postgres-dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import type { Operand } from '../bindings.ts';
import type { Comparison, TextMatch } from '../../contract/operators.ts';
import { searchTerms } from '../search-words.ts';
import type { Order, QueryEngine } from './engine.ts';
import { foldedRegex } from './folded-regex.ts';
import { listParameter, parameter } from './parameters.ts';

/** The SQL type in which values of a column are compared. */
function sqlType(type: ColumnType): Sql {
  switch (type) {
    case 'integer':
    case 'biginteger':
      return raw('bigint');
    case 'float':
      return raw('double precision');
    case 'decimal':
      return raw('numeric');
    case 'boolean':
      return raw('boolean');
    case 'date':
      return raw('date');
    case 'time':
      return raw('time');
    case 'datetime':
      return raw('timestamptz');
    case 'json':
    case 'text':
      return raw('text');
  }
}

function isText(type: ColumnType): boolean {
  return sqlType(type).text === 'text';
}

function sortable(type: ColumnType, value: Sql): Sql {
  // The type json has no ordering.
  const text = type === 'json' ? sql`(${value})::text` : value;
  return isText(type) ? sql`${text} COLLATE "C"` : text;
}

function compare(type: ColumnType, column: Sql, comparison: Comparison, operand: Operand): Sql {
  const bound = sql`${parameter(operand, (value) => postgresDialect.bind(type, value))}::${sqlType(type)}`;
  const isEquality = comparison === '=' || comparison === '<>';
  return sql`${isEquality ? column : sortable(type, column)} ${raw(comparison)} ${bound}`;
}

function compareSorted(type: ColumnType, value: Sql, comparison: Comparison, operand: Operand): Sql {
  const bound = parameter(operand, (canonical) => postgresDialect.bind(type, canonical));
  return sql`${value} ${raw(comparison)} ${bound}::${sqlType(type)}`;
}

/** An array in one parameter: an index can be used, and an empty array matches nothing. */
function oneOf(type: ColumnType, column: Sql, operands: readonly Operand[]): Sql {
  const list = listParameter(operands, (values) =>
    JSON.stringify(values.map((value) => postgresDialect.bind(type, value))),
  );
  const element = sql`${raw(type === 'boolean' ? 'j.element::int' : 'j.element')}::${sqlType(type)}`;
  return sql`${column} = ANY (ARRAY(SELECT ${element} FROM json_array_elements_text(${list}::json) AS j (element)))`;
}

function matches(type: ColumnType, column: Sql, match: TextMatch, fold: boolean, operand: Operand<string>): Sql {
  const text = postgresText(type, column);
  if (fold) {
    const pattern = parameter(operand, (value) => `***:${foldedRegex(value, match, '\\Z')}`);
    return sql`${text} COLLATE "C" ~ ${pattern}`;
  }
  const value = parameter(operand, String);
  switch (match) {
    case 'equals':
      return sql`${text} = ${value}`;
    case 'contains':
      return sql`strpos(${text}, ${value}) > 0`;
    case 'startsWith':
      return sql`starts_with(${text}, ${value})`;
    case 'endsWith':
      return sql`right(${text}, length(${value}::text)) = ${value}`;
  }
}

/**
 * The subquery has the index used first: the planner can't estimate how many words have a prefix, and would otherwise read all
 * entries in order until it has enough for a page.
 */
const hasWords: QueryEngine['hasWords'] = ({ alias, table }, index, words) => {
  const query = parameter(words, (value) => searchTerms(value, (word) => `'${word}':*`, ' & '));
  return sql`${alias}.id = ANY (ARRAY(SELECT s.id FROM ${table} AS s WHERE s.${index} @@ to_tsquery('simple', ${query})))`;
};

function key(name: string): Sql {
  return postgresDialect.text(name);
}

function itemJson(type: ColumnType, item: Sql, name: string): Sql {
  const text = sql`(${item} ->> ${key(name)})`;
  if (type === 'decimal') return text;
  return type === 'biginteger' ? sql`('"' || ${text} || '"')` : sql`(${item} -> ${key(name)})::text`;
}

/** Treats JSON's null as SQL's NULL, as the other engines do. */
function itemMember(item: Sql, name: string): Sql {
  const member = sql`(${item} -> ${key(name)})`;
  return sql`CASE WHEN json_typeof${member} <> 'null' THEN ${member} END`;
}

const indexedMember: QueryEngine['indexedMember'] = ({ type, alias, column, path }) => {
  const steps = path.map((name, at) => sql`${raw(at === path.length - 1 ? '->>' : '->')} ${key(name)}`);
  const value = sql`(${alias}.${column} ${join(steps, ' ')})`;
  return type === 'text' ? value : sql`${value}::${sqlType(type)}`;
};

function orderBy(value: Sql, { descending, neverNull = false }: Order): Sql {
  if (neverNull) return sql`${value} ${raw(descending ? 'DESC' : 'ASC')}`;
  return sql`${value} ${raw(descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST')}`;
}

export const postgresEngine: QueryEngine = {
  sortable,
  lookedUp: (type, value) => ({ type, value }),
  orderBy,
  orderInAggregate: orderBy,
  compare,
  compareSorted,
  oneOf,
  matches,
  hasWords,
  exists: (select) => sql`EXISTS (${select})`,
  rowCount: (count) => sql`${count}`,
  itemJson,
  itemValue: (type, item, name) => sql`(${item} ->> ${key(name)})::${sqlType(type)}`,
  indexedMember,
  itemMember: (item, name) => sql`(${itemMember(item, name)})`,
  itemCount: (list) => sql`json_array_length(${list})`,
  itemRows: (list, alias) => sql`json_array_elements(${list}) WITH ORDINALITY AS ${alias} (value, key)`,
  tableOnce: (name, select) => sql`${name} AS MATERIALIZED (${select})`,
};
