/**
 * Rows as they are stored: those of an entry, of its links, and the columns of other rows that refer to it. They are kept as JSON, so that the entry
 * can come back with the same ids, at the same places of all lists.
 */
import type { Cell, TransferColumn, TransferTable } from '../../contract/content-transfer.ts';
import type { Executor } from '../../database/executor.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { cellOf, selectCell } from './cells.ts';

/** Rows of a table: whole ones, or the columns by which rows of other entries refer to the captured one. */
export interface CapturedTable {
  readonly table: string;
  readonly fills: boolean;
  /** The names of the columns. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Entries of a type: its table, and their ids. */
export interface CapturedEntries {
  readonly table: string;
  readonly ids: readonly number[];
}

/** The columns that refer to entries of a type. */
function referencesTo({ columns }: TransferTable, table: string): readonly TransferColumn[] {
  return columns.filter(({ references }) => references === table);
}

/** A foreign key with the position that follows it. */
function placeOf({ columns }: TransferTable, key: TransferColumn): readonly TransferColumn[] {
  const next = columns[columns.indexOf(key) + 1];
  const isPosition = next?.type === 'key' && next.references === undefined && next.name !== 'id';
  return isPosition ? [key, next] : [key];
}

/** The values of columns, in the rows that meet a condition. */
export async function readCells(
  executor: Executor,
  table: string,
  columns: readonly TransferColumn[],
  where: Sql,
): Promise<CapturedTable['rows']> {
  const { dialect } = executor;
  const selected = columns.map(
    ({ name, type }) => sql`${selectCell(dialect, type, dialect.id(name))} AS ${dialect.id(name)}`,
  );
  const rows = await executor.all(sql`SELECT ${join(selected, ', ')} FROM ${dialect.id(table)} WHERE ${where}`);
  return rows.map((row) =>
    columns.map(({ name, type }) => {
      const cell = cellOf(type, row[name]);
      if (!cell.ok) throw new Error(`The database holds an invalid value: ${name} of ${table} ${cell.message}.`);
      return cell.value;
    }),
  );
}

/** Captures what the tables have of the entries. Tables without rows are left out. */
export async function captureRows(
  executor: Executor,
  tables: readonly TransferTable[],
  { table, ids }: CapturedEntries,
): Promise<readonly CapturedTable[]> {
  const { id, isOneOf } = executor.dialect;
  const captured: CapturedTable[] = [];
  const add = async (from: TransferTable, columns: readonly TransferColumn[], where: Sql, fills: boolean) => {
    const rows = await readCells(executor, from.name, columns, where);
    if (rows.length > 0) captured.push({ table: from.name, fills, columns: columns.map(({ name }) => name), rows });
  };
  const isTheirs = isOneOf(raw('id'), ids);
  for (const one of tables) {
    const keys = referencesTo(one, table);
    const isOwn = one.name === table || keys.some(({ name }) => name === 'id');
    if (isOwn) await add(one, one.columns, isTheirs, false);
    if (one.entries) {
      const [idColumn] = one.columns.filter(({ name }) => name === 'id');
      for (const key of keys) {
        if (!idColumn || key.name === 'id') continue;
        const refers = sql`${isOneOf(id(key.name), ids)}${isOwn ? sql` AND NOT (${isTheirs})` : raw('')}`;
        await add(one, [idColumn, ...placeOf(one, key)], refers, true);
      }
    } else if (keys.length > 0) {
      const refers = keys.map(({ name }) => isOneOf(id(name), ids));
      await add(one, one.columns, sql`(${join(refers, ' OR ')})`, false);
    }
  }
  return captured;
}
