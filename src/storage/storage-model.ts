/**
 * The storage model describes the database independently of the engine. Only this model is compared between builds, so
 * a description or a permission never causes a migration. It states the purpose of each table and column explicitly:
 * nothing is inferred from names. `plan.json` records the same tables, columns and components.
 */
import type { ComponentShape, Table } from '#contract/migrations/planned-table.ts';

export type {
  Column,
  ColumnRole,
  ComponentMember,
  ComponentShape,
  ExchangedValues,
  Holds,
  ServerTableRole,
  Table,
  TableIdentity,
} from '#contract/migrations/planned-table.ts';
export type { ForeignKey, Index, IndexSort, StoredType as ColumnType } from '#contract/stored-table.ts';

/** The table of a content type. */
export type TypeTable = Extract<Table, { kind: 'type' }>;

export interface StorageModel {
  /** In creation order: a table follows those it references, except for itself and in cycles. */
  readonly tables: readonly Table[];
  /** Sorted by uid; absent if there are none. */
  readonly components?: readonly ComponentShape[];
  /** The locales of localized types, the default first; absent if no type is localized. */
  readonly locales?: readonly string[];
}
