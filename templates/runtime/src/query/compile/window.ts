/** Rows in an order, and of them a part: as the rows of an aggregate. */
import type { Part } from '../../database/dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { type Compiler, where } from './compiler.ts';
import { orderBy, type OrderKey } from './compile-sort.ts';

export interface WindowedRows {
  /** The part is chosen here, by columns that `columns` names. */
  readonly from: Sql;
  readonly conditions: readonly (Sql | undefined)[];
  readonly keys: readonly OrderKey[];
  readonly columns: Readonly<Record<string, Sql>>;
  /** The alias of a table whose columns are all wanted too. */
  readonly whole?: Sql;
  readonly start: number;
  readonly limit: number | undefined;
}

/** Which rows of an order are meant: `limit` undefined means all that follow. */
export interface Window {
  readonly start: number;
  readonly limit: number | undefined;
}

export function isWindowed({ start, limit }: Window): boolean {
  return start > 0 || limit !== undefined;
}

/** The part that an aggregate is to show, where it is the aggregate that cuts. */
export function partOf({ dialect }: Compiler, window: Window): Part | undefined {
  if (!isWindowed(window) || !dialect.limitInAggregate) return undefined;
  return { start: window.start, limit: window.limit ?? Number.MAX_SAFE_INTEGER };
}

/**
 * The window of a list as the statement may show it. `most` is set where it may be too short for what was asked: of one entry more
 * than `most`, the statement shows that there are more.
 */
export function boundedWindow<W extends Window>({ bounds }: Compiler, window: W): { window: W; most?: number } {
  if (bounds?.kind !== 'guarded') return { window };
  const { most } = bounds;
  if (window.limit !== undefined && window.limit <= most) return { window };
  return { window: { ...window, limit: most + 1 }, most };
}

/** How many rows of a group are in the window, as the group sees them. */
export function shownCount({ dialect }: Compiler, { start }: Window): Sql {
  return dialect.limitInAggregate ? sql`COUNT(*) - ${raw(String(start))}` : raw('COUNT(*)');
}

/** No column of a table is called so. */
function keyName(index: number): string {
  return `key ${index}`;
}

/** The part as a subselect with the columns `columns`, and the keys that bring its rows in order again. */
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
