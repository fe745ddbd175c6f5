/** The context of a comparison, shared by all of its parts. */
import type { ValueChange } from '#contract/migrations/items-edit.ts';
import type { StorageModel, Table } from '../../storage/storage-model.ts';
import { schemaName } from '../../storage/published-layout.ts';
import { originOf } from '../../storage/table-origin.ts';
import type { Dialect, JsonValue } from '../../model/content-model.ts';
import type { Draft } from './draft.ts';
import type { Pairing, TableNames } from './pair.ts';

export interface DiffContext {
  readonly draft: Draft;
  /** The last state as the history records it. */
  readonly recorded: StorageModel;
  /** The tables of `recorded` by name. */
  readonly recordedTables: ReadonlyMap<string, Table>;
  /** The last state with pending renames applied to its types, components and attributes. */
  readonly before: StorageModel;
  readonly after: StorageModel;
  readonly tables: Pairing<Table>;
  /** Old name → new name of each table that is kept. */
  readonly names: TableNames;
  /** The databases of the project, for hints. */
  readonly databases: readonly Dialect[];
  /** Whether the history records `required` and `values` of columns: format 1 does not. */
  readonly isRecorded: boolean;
  /** Replacements of enumeration values, by attribute: `article.status`. */
  readonly valueChanges: ReadonlyMap<string, readonly ValueChange[]>;
  /** Defaults of attributes of components, by attribute: `shared.seo.rank`. */
  readonly memberDefaults: ReadonlyMap<string, JsonValue>;
}

/** The part of the schema that a table or column results from: `article`, `article.title`. */
export function causeOf(table: Table, attribute?: string): string {
  switch (table.kind) {
    case 'type':
      return schemaName(attribute === undefined ? table.uid : `${table.uid}.${attribute}`);
    case 'componentLinks':
      return schemaName(table.uid);
    case 'link':
    case 'morph':
    case 'server':
      return originOf(table);
  }
}
