/** Builds INSERT and UPDATE statements of rows. */
import { columnTypeOf } from '../contract/attribute-types/scalar-type.ts';
import type { ContentType } from '../contract/content-type.ts';
import type { Dialect } from '../database/dialect.ts';
import type { NewId } from '../database/new-id.ts';
import { isSql, type Sql, type SqlParam } from '../database/sql.ts';
import type { Statement } from '../database/write-plan.ts';
import { kindsOf, valueOf, type Values } from '../contract/item-attributes.ts';

/** Column → value or SQL expression. */
export type Columns = Map<string, SqlParam | Sql>;

/** The columns of the scalar attributes that `input` has. The row also claims its values that no other entry may have. */
export function scalarColumns(dialect: Dialect, type: ContentType, input: Values): Columns {
  const columns: Columns = new Map();
  for (const [name, { type: scalar, column, claim }] of kindsOf(type.attributes).scalars) {
    const value = valueOf(input, name);
    if (value === undefined) continue;
    const bound = value === null ? null : dialect.bind(columnTypeOf(scalar), value);
    columns.set(column, bound);
    if (claim !== undefined) columns.set(claim, bound);
  }
  return columns;
}

/** Adds a value to the parameters, and returns its SQL text. */
function valueText(value: SqlParam | Sql, params: SqlParam[]): string {
  if (!isSql(value)) {
    params.push(value);
    return '?';
  }
  for (const param of value.params) params.push(param);
  return value.text;
}

interface UpdateOptions {
  readonly condition: Sql;
  readonly columns: Columns;
  /** Expressions for RETURNING, if the engine supports it. */
  readonly returning?: Sql | undefined;
  /** The error if no row matches. */
  readonly noRowError?: () => Error;
}

/** An INSERT of one row. `generatedId` is the id that it generates; `returnsId`: the result of the plan needs that id. */
export function insertInto(
  { id, insertReturns }: Dialect,
  table: string,
  columns: Columns,
  {
    generatedId,
    returning,
    returnsId = false,
  }: { readonly generatedId?: NewId; readonly returning?: Sql | undefined; readonly returnsId?: boolean } = {},
): Statement {
  const params: SqlParam[] = [];
  let names = '';
  let values = '';
  for (const [name, value] of columns) {
    const separator = names === '' ? '' : ', ';
    names += separator + id(name).text;
    values += separator + valueText(value, params);
  }
  const text = `INSERT INTO ${id(table).text} (${names}) VALUES (${values})`;
  if (!insertReturns || (!returning && !returnsId)) {
    return { sql: { text, params }, returns: 'nothing', ...(generatedId && { generatedId }) };
  }
  for (const param of returning?.params ?? []) params.push(param);
  const answered = [...(generatedId ? ['id'] : []), ...(returning ? [returning.text] : [])].join(', ');
  const sql = { text: `${text} RETURNING ${answered}`, params };
  return { sql, returns: 'rows', ...(generatedId && { generatedId }) };
}

/** An UPDATE of the rows that match a condition. */
export function updateWhere(
  { id, updateReturns }: Dialect,
  table: string,
  { condition, columns, returning, noRowError }: UpdateOptions,
): Statement {
  const params: SqlParam[] = [];
  let assignments = '';
  for (const [name, value] of columns) {
    assignments += `${assignments === '' ? '' : ', '}${id(name).text} = ${valueText(value, params)}`;
  }
  for (const param of condition.params) params.push(param);
  const text = `UPDATE ${id(table).text} SET ${assignments} WHERE ${condition.text}`;
  const otherwise = noRowError && { noRowError };
  if (!returning || !updateReturns) return { sql: { text, params }, returns: 'nothing', ...otherwise };
  for (const param of returning.params) params.push(param);
  return { sql: { text: `${text} RETURNING ${returning.text}`, params }, returns: 'rows', ...otherwise };
}
