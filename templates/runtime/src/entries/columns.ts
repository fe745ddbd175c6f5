/** The columns of an entry's own row. */
import type { ContentType } from '../content-type.ts';
import type { Executor } from '../database/database.ts';
import type { Dialect, Inserted } from '../database/dialect.ts';
import { join, sql, type Sql } from '../database/sql.ts';
import { isScalarAttribute } from '../components/item-attributes.ts';
import type { EntryInput } from './context.ts';

/** Column → the value to store. */
export type Columns = Map<string, Sql>;

/** The columns of the scalar attributes that `input` gives a value. */
export function scalarColumns(dialect: Dialect, type: ContentType, input: EntryInput): Columns {
  const columns: Columns = new Map();
  for (const [name, attribute] of Object.entries(type.attributes)) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined || !isScalarAttribute(attribute)) continue;
    columns.set(attribute.column, sql`${value === null ? null : dialect.bind(attribute.type, value)}`);
  }
  return columns;
}

/** Inserts a row and answers its id, and what `returning` says of it where the engine can. */
export function insertAnswered(tx: Executor, table: string, columns: Columns, returning?: Sql): Promise<Inserted> {
  const names = [...columns.keys()].map((name) => tx.dialect.id(name));
  const values = join([...columns.values()], ', ');
  const insert = sql`INSERT INTO ${tx.dialect.id(table)} (${join(names, ', ')}) VALUES (${values})`;
  return tx.dialect.insertRow(tx, insert, returning);
}

/** Inserts a row and answers its id. */
export async function insertRow(tx: Executor, table: string, columns: Columns): Promise<number> {
  return (await insertAnswered(tx, table, columns)).id;
}

function updateOf({ id }: Dialect, table: string, condition: Sql, columns: Columns): Sql {
  const assignments = [...columns].map(([name, value]) => sql`${id(name)} = ${value}`);
  return sql`UPDATE ${id(table)} SET ${join(assignments, ', ')} WHERE ${condition}`;
}

/** Updates the rows for which `condition` holds; false if there is none. */
export async function updateRows(tx: Executor, table: string, condition: Sql, columns: Columns): Promise<boolean> {
  const { changes } = await tx.run(updateOf(tx.dialect, table, condition, columns));
  return changes > 0;
}

/**
 * Updates the row for which `condition` holds; undefined if there is none. `row` is what `returning` says of it, where the
 * engine can.
 */
export async function updateAnswered(
  tx: Executor,
  table: string,
  { condition, columns, returning }: { readonly condition: Sql; readonly columns: Columns; readonly returning?: Sql },
): Promise<Pick<Inserted, 'row'> | undefined> {
  if (!returning || !tx.dialect.updateReturns) {
    return (await updateRows(tx, table, condition, columns)) ? { row: undefined } : undefined;
  }
  const row = await tx.get(sql`${updateOf(tx.dialect, table, condition, columns)} RETURNING ${returning}`);
  return row && { row };
}
