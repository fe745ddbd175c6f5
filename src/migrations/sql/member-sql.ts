/**
 * Expressions for indexed values inside components. The queries of the runtime (`query/compile/`) must use the same expressions, or the
 * engines would not use the index.
 */
import type { IndexMember } from '#contract/stored-table.ts';
import { mysqlLiteral, mysqlName, sqlLiteral, sqlName } from './text/sql-text.ts';

/** Attribute names need no escaping. */
function jsonPath({ path }: IndexMember): string {
  return `$${path.map((name) => `."${name}"`).join('')}`;
}

export function sqliteMember(column: string, member: IndexMember): string {
  const value = `json_extract(${sqlName(column)}, ${sqlLiteral(jsonPath(member))})`;
  return member.type === 'integer' || member.type === 'biginteger' ? `CAST(${value} AS INTEGER)` : value;
}

const POSTGRES_CASTS: Readonly<Record<IndexMember['type'], string>> = {
  text: '',
  integer: '::bigint',
  biginteger: '::bigint',
  float: '::double precision',
  decimal: '::numeric',
  boolean: '::boolean',
};

export function postgresMember(column: string, { path, type }: IndexMember): string {
  const steps = path.map((name, at) => `${at === path.length - 1 ? '->>' : '->'} ${sqlLiteral(name)}`);
  const value = `(${sqlName(column)} ${steps.join(' ')})`;
  return type === 'text' ? value : `(${value}${POSTGRES_CASTS[type]})`;
}

const MYSQL_CASTS: Readonly<Record<Exclude<IndexMember['type'], 'text' | 'boolean'>, string>> = {
  integer: 'SIGNED',
  biginteger: 'SIGNED',
  float: 'DOUBLE',
  decimal: 'DECIMAL(65,30)',
};

/** JSON null becomes NULL. */
export function mysqlMember(column: string, member: IndexMember): string {
  const at = mysqlLiteral(jsonPath(member));
  if (member.type === 'boolean') {
    const is = (value: string): string => `JSON_CONTAINS(${mysqlName(column)}, '${value}', ${at})`;
    return `CASE WHEN ${is('true')} THEN 1 WHEN ${is('false')} THEN 0 END`;
  }
  const json = `JSON_EXTRACT(${mysqlName(column)}, ${at})`;
  const text = `CASE WHEN JSON_TYPE(${json}) <> 'NULL' THEN JSON_UNQUOTE(${json}) END`;
  if (member.type === 'text') return text;
  return `CAST(${text} AS ${MYSQL_CASTS[member.type]})`;
}
