import type { Sql } from './sql.ts';

/** SELECTs that lock, and how many rows they must answer together. */
export interface Guard {
  /** Called by engines that ask. */
  readonly selects: () => readonly Sql[];
  readonly count: number;
  /** What is written refers to all of these rows by foreign keys, so that none of it can be where one is missing. */
  readonly isKeyed: boolean;
}
