/** Puts captured rows back: where what they refer to still exists, and where nothing else has taken their place. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { Cell, TransferColumn, TransferTable } from '../../contract/content-transfer.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { Executor } from '../../database/executor.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Statement } from '../../database/write-plan.ts';
import { randomFirstVersion, rowsWhere, touching, VERSION_COLUMN, versionIncrement } from '../../write/version.ts';
import type { CapturedEntries, CapturedTable } from './captured-rows.ts';
import { bindCell } from './cells.ts';

/** The parameters of one INSERT, which every engine accepts. */
const MAX_PARAMETERS = 16_000;

/** The rows of a table as it is now: columns that it doesn't have any more are left out. */
interface CurrentRows {
  readonly table: TransferTable;
  readonly fills: boolean;
  readonly columns: readonly TransferColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A required relation whose target is gone: its table and column. */
export interface LostRequired {
  readonly table: string;
  readonly column: string;
}

export interface Restoration {
  readonly steps: readonly Statement[];
  /** Nothing may be restored if there are any. */
  readonly lost: readonly LostRequired[];
}

function current(tables: readonly TransferTable[], captured: readonly CapturedTable[]): readonly CurrentRows[] {
  return captured.flatMap(({ table: name, fills, columns: names, rows }) => {
    const table = tables.find((one) => one.name === name);
    if (!table) return [];
    const known = names.flatMap((column, index) => {
      const found = table.columns.find((one) => one.name === column);
      return found ? [{ found, index }] : [];
    });
    if (table.key.some((key) => !known.some(({ found }) => found.name === key))) return [];
    const cells = rows.map((row) => known.map(({ index }) => row[index] ?? null));
    return [{ table, fills, columns: known.map(({ found }) => found), rows: cells }];
  });
}

/** Which of the ids that the rows refer to exist: `table id`. */
async function existing(executor: Executor, all: readonly CurrentRows[]): Promise<ReadonlySet<string>> {
  const named = new Map<string, Set<number>>();
  const add = (table: string, id: Cell): void => {
    if (id !== null) named.set(table, (named.get(table) ?? new Set()).add(Number(id)));
  };
  for (const { table, fills, columns, rows } of all) {
    for (const row of rows) {
      if (fills) add(table.name, row[0] ?? null);
      columns.forEach(({ references }, index) => references !== undefined && add(references, row[index] ?? null));
    }
  }
  const found = new Set<string>();
  const { id, isOneOf } = executor.dialect;
  for (const [table, ids] of named) {
    const rows = await executor.all(sql`SELECT id FROM ${id(table)} WHERE ${isOneOf(raw('id'), [...ids])}`);
    for (const row of rows) found.add(`${table} ${Number(row['id'])}`);
  }
  return found;
}

type IsThere = (table: string, id: Cell) => boolean;

/** A row of an entry without relations to what is gone. */
function entryRow(
  { table, columns }: CurrentRows,
  row: readonly Cell[],
  isThere: IsThere,
  lost: LostRequired[],
): Cell[] {
  return columns.map(({ name, references, required }, index) => {
    const cell = row[index] ?? null;
    if (name === VERSION_COLUMN) return randomFirstVersion();
    if (references === undefined || cell === null || isThere(references, cell)) return cell;
    if (required) lost.push({ table: table.name, column: name });
    return null;
  });
}

function isWhole({ columns }: CurrentRows, row: readonly Cell[], isThere: IsThere): boolean {
  return columns.every(({ references }, index) => {
    const cell = row[index] ?? null;
    return references === undefined || cell === null || isThere(references, cell);
  });
}

function insertions(
  dialect: Dialect,
  { table, columns }: CurrentRows,
  rows: readonly (readonly Cell[])[],
): Statement[] {
  const names = join(
    columns.map(({ name }) => dialect.id(name)),
    ', ',
  );
  const most = Math.max(1, Math.floor(MAX_PARAMETERS / columns.length));
  const steps: Statement[] = [];
  const at = columns.findIndex(({ name }) => name === 'id');
  for (let start = 0; start < rows.length; start += most) {
    const values = rows.slice(start, start + most).map((row) => {
      const bound = columns.map(({ type }, index) => sql`${bindCell(dialect, type, row[index] ?? null)}`);
      return sql`(${join(bound, ', ')})`;
    });
    const insertion = sql`INSERT INTO ${dialect.id(table.name)} (${names}) VALUES ${join(values, ', ')}`;
    const ids = rows.slice(start, start + most).map((row) => Number(row[at]));
    steps.push(table.entries ? touching(insertion, { table: table.name, ids }) : statement(insertion));
  }
  return steps;
}

/** Lets rows of other entries refer to the entry again, unless they refer to another one by now. */
function fillings(dialect: Dialect, { table, columns, rows }: CurrentRows): Statement[] {
  const [, key] = columns;
  if (!key) return [];
  const own = dialect.id(key.name);
  return rows.map((row) => {
    const assigned = columns.slice(1).map(({ name, type }, index): Sql => {
      return sql`${dialect.id(name)} = ${bindCell(dialect, type, row[index + 1] ?? null)}`;
    });
    const target = sql`id = ${Number(row[0])} AND ${own} IS NULL`;
    const change = join([...assigned, versionIncrement(dialect)], ', ');
    return touching(sql`UPDATE ${dialect.id(table.name)} SET ${change} WHERE ${target}`, {
      table: table.name,
      ids: rowsWhere(dialect, table.name, target),
    });
  });
}

/** Unique foreign keys that refer to what another row refers to by now are left out. */
async function withoutTaken(
  executor: Executor,
  { table, columns, rows }: CurrentRows,
  unique: (table: string, column: string) => boolean,
): Promise<readonly (readonly Cell[])[]> {
  const { id, isOneOf } = executor.dialect;
  let free = rows;
  for (const [index, { name }] of columns.entries()) {
    const ids = free.flatMap((row) => (typeof row[index] === 'number' ? [row[index]] : []));
    if (!unique(table.name, name) || ids.length === 0) continue;
    const found = await executor.all(
      sql`SELECT ${id(name)} AS k FROM ${id(table.name)} WHERE ${isOneOf(id(name), ids)}`,
    );
    const taken = new Set(found.map(({ k }) => Number(k)));
    free = free.map((row) => row.map((cell, at) => (at === index && taken.has(Number(cell)) ? null : cell)));
  }
  return free;
}

/** Plans to put the rows back. `isUnique`: whether a foreign key is unique. */
export async function planRestoration(
  executor: Executor,
  tables: readonly TransferTable[],
  captured: readonly CapturedTable[],
  { table: own, ids, isUnique }: CapturedEntries & { isUnique(table: string, column: string): boolean },
): Promise<Restoration> {
  const { dialect } = executor;
  const all = current(tables, captured);
  const there = await existing(executor, all);
  const mine = new Set(ids);
  const isThere: IsThere = (table, id) =>
    (table === own && mine.has(Number(id))) || there.has(`${table} ${String(id)}`);
  const lost: LostRequired[] = [];
  const [entries, links, fills]: [Statement[], Statement[], Statement[]] = [[], [], []];
  // The rows of the entries come first, and then what is published of them.
  for (const one of [...all].sort((a, b) => Number(b.table.name === own) - Number(a.table.name === own))) {
    if (one.fills) {
      const rows = one.rows.filter((row) => isThere(one.table.name, row[0] ?? null) && isWhole(one, row, isThere));
      const free = await withoutTaken(executor, { ...one, rows }, isUnique);
      fills.push(...fillings(dialect, { ...one, rows: free.filter(([, key]) => key !== null) }));
    } else if (one.table.entries) {
      const rows = one.rows.map((row) => entryRow(one, row, isThere, lost));
      entries.push(...insertions(dialect, one, await withoutTaken(executor, { ...one, rows }, isUnique)));
    } else {
      const rows = one.rows.filter((row) => isWhole(one, row, isThere));
      links.push(...insertions(dialect, one, await atFreePlaces(executor, one, rows)));
    }
  }
  return { steps: [...entries, ...links, ...fills], lost };
}

/** Places of lists that were given to other members meanwhile: the rows come right before these. */
async function atFreePlaces(
  executor: Executor,
  { table, columns }: CurrentRows,
  rows: readonly (readonly Cell[])[],
): Promise<readonly (readonly Cell[])[]> {
  const { id, isOneOf } = executor.dialect;
  const keys = columns.filter(({ references }) => references !== undefined);
  const positions = columns.filter(
    ({ name, type, references }) =>
      type === 'key' && references === undefined && !table.key.includes(name) && name !== COLUMN_NAMES.item,
  );
  let placed = rows;
  for (const position of positions) {
    const at = columns.indexOf(position);
    const places = [...new Set(placed.flatMap((row) => (typeof row[at] === 'number' ? [row[at]] : [])))];
    for (const key of keys) {
      const from = columns.indexOf(key);
      const owners = [...new Set(placed.flatMap((row) => (typeof row[from] === 'number' ? [row[from]] : [])))];
      if (owners.length === 0 || places.length === 0) continue;
      const where = sql`${isOneOf(id(key.name), owners)} AND ${isOneOf(id(position.name), places)}`;
      const found = await executor.all(
        sql`SELECT ${id(key.name)} AS k, ${id(position.name)} AS p FROM ${id(table.name)} WHERE ${where}`,
      );
      const taken = new Set(found.map(({ k, p }) => `${Number(k)} ${Number(p)}`));
      placed = placed.map((row) => {
        const isTaken = taken.has(`${String(row[from])} ${String(row[at])}`);
        return isTaken ? row.map((cell, index) => (index === at ? Number(cell) - 1 : cell)) : row;
      });
    }
  }
  return placed;
}
