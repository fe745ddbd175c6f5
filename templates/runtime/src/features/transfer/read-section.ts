/** Reads the rows of a section in key order, with keyset pagination: only one page is in memory at a time. */
import type { Cell, Section, TransferColumn } from '../../contract/content-transfer.ts';
import type { Executor } from '../../database/executor.ts';
import type { Row } from '../../database/statement-runner.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { constant } from '../../query/bindings.ts';
import { engineOf } from '../../query/compile/engine-of.ts';
import { bindCell, cellOf, selectCell } from '../../content/stored-rows/cells.ts';

const FIRST_PAGE = 50;
const LARGEST_PAGE = 2000;
/** Approximate size of a page, in characters. */
const PAGE_LENGTH = 2 ** 20;

/** Transforms the cells of a row, which are in the order of the section's columns. */
export type ChangeRow = (cells: readonly Cell[]) => readonly Cell[];

function keyColumns({ key, columns }: Section): readonly TransferColumn[] {
  return columns.filter(({ name }) => key.includes(name));
}

/** The expression that sorts a column in the same way on every engine: text by code points. */
function sorted(dialect: Dialect, { name, type }: TransferColumn): Sql {
  const column = dialect.id(name);
  return type === 'key' ? column : engineOf(dialect).sortable(type, column);
}

function compared(dialect: Dialect, { name, type }: TransferColumn, comparison: '>' | '>=', cell: Cell): Sql {
  const column = dialect.id(name);
  if (type === 'key') return sql`${column} ${raw(comparison)} ${bindCell(dialect, type, cell)}`;
  return engineOf(dialect).compare(type, column, comparison, constant(cell));
}

/** The condition for rows after this key, in a form that uses the index. */
function isAfter(dialect: Dialect, [first, second]: readonly TransferColumn[], after: readonly Cell[]): Sql {
  const [a = null, b = null] = after;
  if (!first) throw new Error('A table has no key');
  if (!second) return compared(dialect, first, '>', a);
  const further = sql`${compared(dialect, first, '>', a)} OR ${compared(dialect, second, '>', b)}`;
  return sql`${compared(dialect, first, '>=', a)} AND (${further})`;
}

/** For a section that fills columns: the condition that any of them has a value. */
function isFilled(dialect: Dialect, section: Section): Sql {
  const columns = section.columns.filter(({ name }) => !section.key.includes(name));
  return sql`(${join(
    columns.map(({ name }) => sql`${dialect.id(name)} IS NOT NULL`),
    ' OR ',
  )})`;
}

function pageSql(dialect: Dialect, section: Section, after: readonly Cell[] | undefined, limit: number): Sql {
  const keys = keyColumns(section);
  const columns = section.columns.map(
    ({ name, type }) => sql`${selectCell(dialect, type, dialect.id(name))} AS ${dialect.id(name)}`,
  );
  const conditions = [
    ...(after ? [sql`(${isAfter(dialect, keys, after)})`] : []),
    ...(section.fills ? [isFilled(dialect, section)] : []),
  ];
  const where = conditions.length === 0 ? sql`` : sql` WHERE ${join(conditions, ' AND ')}`;
  const order = keys.map((column) => sorted(dialect, column));
  return sql`SELECT ${join(columns, ', ')} FROM ${dialect.id(section.table)}${where} ORDER BY ${join(order, ', ')} LIMIT ${limit}`;
}

function cellsOf({ table, columns }: Section, row: Row): Cell[] {
  return columns.map(({ name, type }) => {
    const result = cellOf(type, row[name]);
    if (result.ok) return result.value;
    const where = Object.hasOwn(row, 'id') ? `, id ${String(row['id'])}` : '';
    throw new Error(`The database holds a value that can't be moved: ${name} of ${table}${where} ${result.message}.`);
  });
}

/** The number of rows of the next page, adapted to the size of the rows in this one. */
function nextLimit(limit: number, lines: readonly string[]): number {
  const length = lines.reduce((sum, line) => sum + line.length, 1);
  const fitting = Math.floor((lines.length * PAGE_LENGTH) / length);
  return Math.max(1, Math.min(fitting, limit * 4, LARGEST_PAGE));
}

/** The number of rows of a section. */
export async function countRows(executor: Executor, section: Section): Promise<number> {
  const { dialect } = executor;
  const where = section.fills ? sql` WHERE ${isFilled(dialect, section)}` : sql``;
  const row = await executor.get(sql`SELECT COUNT(*) AS number FROM ${dialect.id(section.table)}${where}`);
  return Number(row?.['number']);
}

/**
 * Yields pages of rows as lines, without line ends. Throws if a stored value is invalid for its type, naming table,
 * column and id.
 */
export async function* readSection(
  executor: Executor,
  section: Section,
  change: ChangeRow = (cells) => cells,
): AsyncGenerator<readonly string[]> {
  const keyIndexes = keyColumns(section).map((column) => section.columns.indexOf(column));
  let after: readonly Cell[] | undefined;
  for (let limit = FIRST_PAGE; ;) {
    const rows = await executor.all(pageSql(executor.dialect, section, after, limit));
    const pages = rows.map((row) => cellsOf(section, row));
    const lines = pages.map((cells) => JSON.stringify(change(cells)));
    if (lines.length > 0) yield lines;
    const last = pages.at(-1);
    if (!last || rows.length < limit) return;
    after = keyIndexes.map((index) => last[index] ?? null);
    limit = nextLimit(limit, lines);
  }
}
