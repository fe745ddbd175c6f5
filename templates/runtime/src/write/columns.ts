/** Builds INSERT and UPDATE statements of rows. */
import { columnTypeOf } from '../contract/attribute-types/scalar-type.ts';
import type { ContentType } from '../contract/content-type.ts';
import type { Dialect } from '../database/dialect.ts';
import type { NewId } from '../database/new-id.ts';
import { isSql, type Sql, type SqlParam } from '../database/sql.ts';
import type { Outcome, Statement } from '../database/write-plan.ts';
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
  const separator = generatedId && returning ? ', ' : '';
  const answered = `${generatedId ? 'id' : ''}${separator}${returning?.text ?? ''}`;
  const sql = { text: `${text} RETURNING ${answered}`, params };
  return { sql, returns: 'rows', ...(generatedId && { generatedId }) };
}

/** The most rows of one INSERT, a power of two; and its most parameters, which every engine accepts. */
const MAX_ROWS = 64;
const MAX_PARAMS = 30_000;

/** How many of `count` rows the next INSERT takes: powers of two, so that few different statements are prepared. */
function rowsAtOnce(count: number, columns: number): number {
  const most = Math.min(count, MAX_ROWS, Math.max(1, Math.floor(MAX_PARAMS / Math.max(1, columns))));
  return 2 ** Math.floor(Math.log2(most));
}

/** A row to insert, and the id that it gets. */
export interface NewRow {
  readonly columns: Columns;
  readonly id: NewId;
}

/** Statements that insert rows; `learnIds` sets the ids of the rows once they have run. */
interface RowInserts {
  readonly statements: readonly Statement[];
  learnIds(outcome: Outcome): void;
}

/** One INSERT. The ids of its rows ascend in their order. */
function insertSome({ id, insertReturns, generatedIds }: Dialect, table: string, rows: readonly NewRow[]): RowInserts {
  const params: SqlParam[] = [];
  const names = Array.from(rows[0]?.columns.keys() ?? [], (name) => id(name).text);
  const values = rows.map(
    ({ columns }) => `(${Array.from(columns.values(), (value) => valueText(value, params)).join(', ')})`,
  );
  const text = `INSERT INTO ${id(table).text} (${names.join(', ')}) VALUES ${values.join(', ')}`;
  const touches = { table, ids: rows.map((row) => row.id) };
  if (insertReturns || !generatedIds) {
    const insert: Statement = { sql: { text: `${text} RETURNING id`, params }, returns: 'rows', touches };
    return {
      statements: [insert],
      learnIds(outcome) {
        const ids = outcome.of(insert).rows.map((row) => Number(row['id']));
        ids.sort((a, b) => a - b).forEach((value, index) => rows[index]?.id.set(value));
      },
    };
  }
  const read: Statement = { sql: generatedIds, returns: 'rows' };
  return {
    statements: [{ sql: { text, params }, returns: 'nothing', touches }, read],
    learnIds(outcome) {
      const [first] = outcome.of(read).rows;
      rows.forEach((row, index) => row.id.set(Number(first?.['id']) + index * Number(first?.['step'])));
    },
  };
}

/** How many rows from `start` on have the same columns as the first of them. */
function countAlike(rows: readonly NewRow[], start: number): number {
  const names = (row: NewRow | undefined): string => [...(row?.columns.keys() ?? [])].join(' ');
  const first = names(rows[start]);
  let end = start + 1;
  while (end < rows.length && end - start < MAX_ROWS && names(rows[end]) === first) end += 1;
  return end - start;
}

/**
 * INSERTs of many rows into a table with generated ids, which ascend in their order. `together` prepares the rows of each statement,
 * whose expressions don't see the other rows of the same statement.
 */
export function insertRows(
  dialect: Dialect,
  table: string,
  rows: readonly NewRow[],
  together: (rows: readonly Columns[]) => void,
): RowInserts {
  const inserts: RowInserts[] = [];
  for (let start = 0; start < rows.length;) {
    const count = rowsAtOnce(countAlike(rows, start), rows[start]?.columns.size ?? 0);
    const some = rows.slice(start, start + count);
    together(some.map(({ columns }) => columns));
    inserts.push(insertSome(dialect, table, some));
    start += count;
  }
  return {
    statements: inserts.flatMap(({ statements }) => statements),
    learnIds: (outcome) => {
      for (const { learnIds } of inserts) learnIds(outcome);
    },
  };
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
