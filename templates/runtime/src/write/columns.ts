/** The columns of an entry's own row. */
import { columnTypeOf } from '../contract/attribute-types/scalar-type.ts';
import type { ContentType } from '../contract/content-type.ts';
import type { Executor, Row } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { join, sql, type Sql } from '../database/sql.ts';
import { kindsOf, valueOf, type Values } from '../contract/item-attributes.ts';

/** Column → the value to store. */
export type Columns = Map<string, Sql>;

/** The columns of the scalar attributes that `input` gives a value. */
export function scalarColumns(dialect: Dialect, type: ContentType, input: Values): Columns {
  const columns: Columns = new Map();
  for (const [name, { type: scalar, column }] of kindsOf(type.attributes).scalars) {
    const value = valueOf(input, name);
    if (value !== undefined)
      columns.set(column, sql`${value === null ? null : dialect.bind(columnTypeOf(scalar), value)}`);
  }
  return columns;
}

export function insertOf({ id }: Dialect, table: string, columns: Columns): Sql {
  const names = [...columns.keys()].map((name) => id(name));
  return sql`INSERT INTO ${id(table)} (${join(names, ', ')}) VALUES (${join([...columns.values()], ', ')})`;
}

/** Inserts a row and answers its id. */
export async function insertRow(tx: Executor, table: string, columns: Columns): Promise<number> {
  return (await tx.dialect.insertRow(tx, insertOf(tx.dialect, table, columns))).id;
}

export function updateOf({ id }: Dialect, table: string, condition: Sql, columns: Columns): Sql {
  const assignments = [...columns].map(([name, value]) => sql`${id(name)} = ${value}`);
  return sql`UPDATE ${id(table)} SET ${join(assignments, ', ')} WHERE ${condition}`;
}

/** Updates the rows for which `condition` holds; false if there is none. */
export async function updateRows(tx: Executor, table: string, condition: Sql, columns: Columns): Promise<boolean> {
  const { changes } = await tx.run(updateOf(tx.dialect, table, condition, columns));
  return changes > 0;
}

/** An update of one row. */
interface RowUpdate {
  readonly condition: Sql;
  readonly columns: Columns;
  /** Only where the engine can. */
  readonly returning: Sql | undefined;
}

/** Updates the row for which `condition` holds; undefined if there is none. `row` is what `returning` says of it. */
export async function updateRow(
  tx: Executor,
  table: string,
  { condition, columns, returning }: RowUpdate,
): Promise<{ readonly row: Row | undefined } | undefined> {
  if (!returning) return (await updateRows(tx, table, condition, columns)) ? { row: undefined } : undefined;
  const row = await tx.get(sql`${updateOf(tx.dialect, table, condition, columns)} RETURNING ${returning}`);
  return row && { row };
}
