/** A window (offset and limit) over ordered rows, as the input of an aggregate. */
import type { Part } from '../../database/dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { type Compiler, where } from './compiler.ts';
import { orderBy, type OrderKey } from './compile-sort.ts';

export interface WindowedRows {
  /** The source of the rows, which `columns` refer to. */
  readonly from: Sql;
  readonly conditions: readonly (Sql | undefined)[];
  readonly keys: readonly OrderKey[];
  readonly columns: Readonly<Record<string, Sql>>;
  /** The alias of a table of which all columns are also needed. */
  readonly whole?: Sql;
  readonly start: number;
  readonly limit: number | undefined;
}

/** A part of ordered rows; without `limit`, all that follow `start`. */
export interface Window {
  readonly start: number;
  readonly limit: number | undefined;
}

export function isWindowed({ start, limit }: Window): boolean {
  return start > 0 || limit !== undefined;
}

/** The part for an aggregate that supports a limit itself; otherwise undefined. */
export function partOf({ dialect }: Compiler, window: Window): Part | undefined {
  if (!isWindowed(window) || !dialect.limitInAggregate) return undefined;
  return { start: window.start, limit: window.limit ?? Number.MAX_SAFE_INTEGER };
}

/**
 * The window of a list, limited to what the statement may show. `most` is set if that may cut entries off; then one entry more than
 * `most` is selected, to detect that there are more.
 */
export function boundedWindow<W extends Window>({ bounds }: Compiler, window: W): { window: W; most?: number } {
  if (bounds?.kind !== 'guarded') return { window };
  const { most } = bounds;
  if (window.limit !== undefined && window.limit <= most) return { window };
  return { window: { ...window, limit: most + 1 }, most };
}

/** The number of rows in the window, counted within the aggregate's group. */
export function shownCount({ dialect }: Compiler, { start }: Window): Sql {
  return dialect.limitInAggregate ? sql`COUNT(*) - ${raw(String(start))}` : raw('COUNT(*)');
}

/** The name of a sort key's column. It contains a space, which names of table columns don't. */
function keyName(index: number): string {
  return `key ${index}`;
}

/** The window as a subquery with the given columns, and the keys to restore the order of its rows. */
export function windowed(compiler: Compiler, rows: WindowedRows): { from: Sql; alias: Sql; keys: readonly OrderKey[] } {
  const { id, engine } = compiler;
  const alias = compiler.alias();
  const columns = Object.entries(rows.columns).map(([name, value]) => sql`${value} AS ${id(name)}`);
  const keyColumns = rows.keys.map(({ value }, index) => sql`${value} AS ${id(keyName(index))}`);
  const order = orderBy(
    compiler,
    rows.keys.map((key, index) => ({ ...key, value: id(keyName(index)) })),
  );
  const limit = engine.rowCount(rows.limit ?? Number.MAX_SAFE_INTEGER);
  const whole = rows.whole ? [sql`${rows.whole}.*`] : [];
  const select = sql`SELECT ${join([...whole, ...columns, ...keyColumns], ', ')} FROM ${rows.from}${where(rows.conditions)}`;
  return {
    from: sql`(${select} ORDER BY ${order} LIMIT ${limit} OFFSET ${engine.rowCount(rows.start)}) AS ${alias}`,
    alias,
    keys: rows.keys.map((key, index) => ({ ...key, value: sql`${alias}.${id(keyName(index))}` })),
  };
}
