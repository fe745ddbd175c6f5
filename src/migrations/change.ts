/** One step from a storage model to the next. A migration is a list of them; each SQL dialect is a function of them. */
import type { Column, ForeignKey, Index, Table } from '../storage/storage-model.ts';

export type Change =
  | { readonly kind: 'createTable'; readonly table: Table }
  | { readonly kind: 'dropTable'; readonly table: Table }
  | {
      readonly kind: 'addColumn';
      readonly table: string;
      readonly column: Column;
      readonly foreignKey?: ForeignKey;
      /** The column of the same row whose value rows that exist already get. */
      readonly fillFrom?: string;
    }
  | { readonly kind: 'dropColumn'; readonly table: string; readonly column: Column; readonly foreignKey?: ForeignKey }
  | { readonly kind: 'createIndex'; readonly table: string; readonly index: Index }
  | { readonly kind: 'dropIndex'; readonly table: string; readonly index: Index };

/** What `plan.json` holds: the state after all migrations is the fold of their changes from the empty model. */
export interface MigrationPlan {
  readonly format: 1;
  /** Folder name: `0001_create_article_author`. */
  readonly name: string;
  readonly changes: readonly Change[];
}
