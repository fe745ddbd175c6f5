/** One table that stays, as the parts of a comparison pass it on. */
import type { Column, Table } from '../../storage/storage-model.ts';
import type { Pair, Pairing } from './pair.ts';

/** One table that stays, and what of it does. */
export interface TableDiff {
  readonly tables: Pair<Table>;
  readonly columns: Pairing<Column>;
  /** Columns that go only when their data was taken from them. */
  readonly late: ReadonlySet<string>;
}
