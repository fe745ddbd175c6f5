import type { Sql } from './sql.ts';

/** Rows of one table, by their ids. */
export interface RowSet {
  readonly table: string;
  readonly ids: ReadonlySet<number>;
}

/** Rows that must exist, with the SELECT that locks them in ascending order of their ids. */
export interface GuardedRows extends RowSet {
  /** Whether the SELECT locks the rows, rather than only finding them. */
  readonly locks: boolean;
  /** Selects these rows, or more of the same table. Called lazily, only by engines that lock rows. */
  readonly select: (ids: ReadonlySet<number>) => Sql;
}

/** What a planned write assumes, checked when its statements run. */
export interface Guard {
  /** In locking order. */
  readonly rows: readonly GuardedRows[];
  /** Whether the written data refers to all of these rows by foreign keys, so that it can't be written if one is missing. */
  readonly isKeyed: boolean;
}

export function countRows(all: readonly RowSet[]): number {
  return all.reduce((sum, { ids }) => sum + ids.size, 0);
}
