/** An existing table in a comparison. */
import type { Column, Table } from '../../storage/storage-model.ts';
import type { Pair, Pairing } from './pair.ts';

/** A table that is kept, with its matched columns. */
export interface TableDiff {
  readonly tables: Pair<Table>;
  readonly columns: Pairing<Column>;
  /** Columns that are dropped late, after their data was used. */
  readonly late: ReadonlySet<string>;
  /** Columns whose relation is stored elsewhere from now on, and new ones that get the links of such a relation. */
  readonly moved: { readonly from: ReadonlySet<string>; readonly to: ReadonlySet<string> };
  /** Temporary names of indexes and foreign keys that are dropped late, while others already have their names. */
  readonly aside: ReadonlyMap<string, string>;
}
