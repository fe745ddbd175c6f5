/** What all parts of a comparison know. */
import type { StorageModel, Table } from '../../storage/storage-model.ts';
import { originOf } from '../../storage/table-origin.ts';
import type { ValueChange } from '../history/value-change.ts';
import type { Draft } from './draft.ts';
import type { Pairing, TableNames } from './pair.ts';

export interface DiffContext {
  readonly draft: Draft;
  /** The last state as it is recorded. */
  readonly recorded: StorageModel;
  /** Its tables, by their names. */
  readonly recordedTables: ReadonlyMap<string, Table>;
  /** The last state with its things called as they are called now. */
  readonly before: StorageModel;
  readonly after: StorageModel;
  readonly tables: Pairing<Table>;
  /** Name before → name after, of tables that stay. */
  readonly names: TableNames;
  /** Whether the history says what columns must have: those of earlier versions do not. */
  readonly isRecorded: boolean;
  /** What values of enumerations become, by attribute: `article.status`. */
  readonly valueChanges: ReadonlyMap<string, readonly ValueChange[]>;
}

/** What a table or a column of it follows from: `article`, `article.title`. */
export function causeOf(table: Table, attribute?: string): string {
  switch (table.kind) {
    case 'type':
      return attribute === undefined ? table.uid : `${table.uid}.${attribute}`;
    case 'componentLinks':
      return table.uid;
    case 'link':
    case 'morph':
    case 'server':
      return originOf(table);
  }
}
