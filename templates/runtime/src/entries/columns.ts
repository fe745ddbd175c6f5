/** The columns of an entry's own row. */
import type { ContentType } from '../content-type.ts';
import type { Executor } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
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

/** Inserts a row and answers its id. */
export async function insertRow(tx: Executor, table: string, columns: Columns): Promise<number> {
  const names = [...columns.keys()].map((name) => tx.dialect.id(name));
  const values = join([...columns.values()], ', ');
  return tx.dialect.insertRow(tx, sql`INSERT INTO ${tx.dialect.id(table)} (${join(names, ', ')}) VALUES (${values})`);
}

/** What stands behind `SET`. */
export function assignmentsOf({ id }: Dialect, columns: Columns): Sql {
  return join(
    [...columns].map(([name, value]) => sql`${id(name)} = ${value}`),
    ', ',
  );
}

/** Updates the rows for which `condition` holds; false if there is none. */
export async function updateRows(tx: Executor, table: string, condition: Sql, columns: Columns): Promise<boolean> {
  const assignments = assignmentsOf(tx.dialect, columns);
  const { changes } = await tx.run(sql`UPDATE ${tx.dialect.id(table)} SET ${assignments} WHERE ${condition}`);
  return changes > 0;
}
