import type { Sql } from './sql.ts';

/** Rows of one table, by their ids. */
export interface RowSet {
  readonly table: string;
  readonly ids: ReadonlySet<number>;
}

/** Rows that have to exist, with the SELECT that locks them in ascending order of their ids. */
export interface GuardedRows extends RowSet {
  /** Called by engines that ask. */
  readonly select: () => Sql;
}

/** What a write takes for granted, until its statements are run. */
export interface Guard {
  /** In the order in which they are locked. */
  readonly rows: readonly GuardedRows[];
  /** What is written refers to all of these rows by foreign keys, so that none of it can be where one is missing. */
  readonly isKeyed: boolean;
}

export function countRows(all: readonly RowSet[]): number {
  return all.reduce((sum, { ids }) => sum + ids.size, 0);
}
