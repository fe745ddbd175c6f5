/** One step from a storage model to the next. A migration is a list of them; each SQL dialect is a function of them. */
import type { Column, ComponentShape, ForeignKey, Index, Table, TableIdentity } from '../../storage/storage-model.ts';
import type { ItemPlace, ItemsEdit } from './items-edit.ts';
import type { Rename } from './rename.ts';
import type { ValueChange } from './value-change.ts';

/** Where the pairs of a relation are: in a column of the owner's row, or in a link table. */
export type RelationStorage =
  | {
      readonly kind: 'column';
      readonly table: string;
      readonly column: string;
      /** The column with the owner's place in the target's list. */
      readonly position?: string;
      /** At most one owner a target: columns of the index that says so. */
      readonly unique?: readonly string[];
    }
  | { readonly kind: 'link'; readonly table: string; readonly inversePosition: boolean };

/** Rows that lose their meaning by a change. */
export type RowsToDelete =
  /** Those of one locale. */
  | { readonly of: 'locale'; readonly locale: string }
  /** All of an entry but one: that of the first of these locales that it has. */
  | { readonly of: 'otherLocales'; readonly locales: readonly string[] }
  /** Links to entries of one type. */
  | { readonly of: 'target'; readonly column: string }
  /** Links of an owner after its first. */
  | { readonly of: 'laterLinks' }
  /** Links of component items that are no longer there; `places` are all that are left. */
  | { readonly of: 'goneItems'; readonly owner: string; readonly places: readonly ItemPlace[] }
  /** Links of attributes of component items at these places. */
  | {
      readonly of: 'itemAttributes';
      readonly owner: string;
      readonly places: readonly ItemPlace[];
      readonly attributes: readonly string[];
      /** Keeps the first of each item. */
      readonly keepFirst?: true;
    };

/** Two columns of one value, for servers that know it by either name: what is written to one is written to the other. */
export interface SyncedColumns {
  readonly table: string;
  readonly primaryKey: readonly string[];
  readonly columns: readonly { readonly from: string; readonly to: string }[];
}

/** What a column or a table is, apart from its name. No SQL follows from it. */
export type ColumnLabel = Pick<Column, 'attribute' | 'targetType' | 'inverse' | 'holds' | 'required' | 'values'>;
export type TableLabel = Exclude<TableIdentity, { kind: 'type' }> | { readonly kind: 'type'; readonly uid: string };

/** The kinds of changes, by how tables and columns are written in them: as here, or as in `plan.json`. */
export type ChangeOf<Table, Column, TableLabel, ColumnLabel> =
  | { readonly kind: 'createTable'; readonly table: Table }
  | { readonly kind: 'dropTable'; readonly table: Table }
  | { readonly kind: 'renameTable'; readonly from: string; readonly to: string; readonly hasId: boolean }
  | { readonly kind: 'describeTable'; readonly table: string; readonly from: TableLabel; readonly to: TableLabel }
  | {
      readonly kind: 'addColumn';
      readonly table: string;
      readonly column: Column;
      readonly foreignKey?: ForeignKey;
      /** The column of the same row whose value rows that exist already get. */
      readonly fillFrom?: string;
      /** Rows that exist already get a new document id each, or this one. */
      readonly fillDocument?: true | string;
      /** Rows that exist already get this text. */
      readonly fillWith?: string;
    }
  | {
      readonly kind: 'dropColumn';
      readonly table: string;
      readonly column: Column;
      readonly foreignKey?: ForeignKey;
      /** What rows get when the change is undone. */
      readonly fillWith?: string;
    }
  | { readonly kind: 'renameColumn'; readonly table: string; readonly from: string; readonly to: string }
  | {
      readonly kind: 'describeColumn';
      readonly table: string;
      readonly column: string;
      readonly from: ColumnLabel;
      readonly to: ColumnLabel;
    }
  | {
      readonly kind: 'alterColumn';
      readonly table: string;
      /** Type, nullability and default before and after; all else is equal. */
      readonly from: Column;
      readonly to: Column;
      /** Those of the column that are there before and after. */
      readonly indexes: readonly Index[];
    }
  | { readonly kind: 'createIndex'; readonly table: string; readonly index: Index }
  | { readonly kind: 'dropIndex'; readonly table: string; readonly index: Index }
  | { readonly kind: 'renameIndex'; readonly table: string; readonly from: string; readonly index: Index }
  | {
      readonly kind: 'renameForeignKey';
      readonly table: string;
      readonly from: string;
      readonly foreignKey: ForeignKey;
    }
  | {
      readonly kind: 'copyRelation';
      readonly from: RelationStorage;
      readonly to: RelationStorage;
      /** The owners of one are the targets of the other. */
      readonly mirrored: boolean;
    }
  | { readonly kind: 'deleteRows'; readonly table: string; readonly rows: RowsToDelete }
  | { readonly kind: 'editItems'; readonly table: string; readonly column: string; readonly edit: ItemsEdit }
  | {
      readonly kind: 'renameItemLinks';
      /** The table of the links, and that of the entries which hold the items. */
      readonly table: string;
      readonly owner: string;
      readonly places: readonly ItemPlace[];
      readonly renames: readonly { readonly from: string; readonly to: string }[];
    }
  | {
      readonly kind: 'renameType';
      readonly from: string;
      readonly to: string;
      /** Tables whose column `action` begins with the type: `article.find`. */
      readonly permissions: readonly string[];
      /** Of a localized single type: its table, whose document has the id of the type. */
      readonly single?: string;
    }
  /** Gives rows without a value in a column that of another column, or else its default, or what is nearest to nothing. */
  | {
      readonly kind: 'fillEmpty';
      readonly table: string;
      readonly column: Column;
      readonly from?: Column;
      /** Drafts stay as they are. */
      readonly published?: true;
    }
  /** Stops while a column holds anything else; it is made before all else, under the names that there are then. */
  | {
      readonly kind: 'checkValues';
      readonly table: string;
      readonly column: string;
      readonly values: readonly string[];
    }
  /** As `checkValues`, of a member of component items. */
  | {
      readonly kind: 'checkItems';
      readonly items: readonly { readonly table: string; readonly place: ItemPlace }[];
      readonly member: string;
      readonly values: readonly string[];
    }
  | {
      readonly kind: 'mapValues';
      readonly table: string;
      readonly column: string;
      readonly values: readonly ValueChange[];
      /** What undoes it, as far as it can be. */
      readonly undo: readonly ValueChange[];
    }
  | ({ readonly kind: 'keepInStep' | 'letApart' } & SyncedColumns)
  | { readonly kind: 'defineComponent'; readonly from?: ComponentShape; readonly to?: ComponentShape }
  | { readonly kind: 'setLocales'; readonly from: readonly string[]; readonly to: readonly string[] };

/** `cause`: what of the schema it follows from, such as `article.title`; for comments. */
export type Change = ChangeOf<Table, Column, TableLabel, ColumnLabel> & { readonly cause?: string };

/** A migration: the state after all migrations is the fold of their changes from the empty model. */
export interface MigrationPlan<AnyChange = Change> {
  /** From 2 on, columns say which rows have a value, and what an enumeration may hold: `required` and `values`. */
  readonly format: 1 | 2;
  /** Folder name: `0001_create_article_author_1f2e3d4c`. */
  readonly name: string;
  /** Renames of the schema that the changes carry out. */
  readonly renames?: readonly Rename[];
  /** Exchanges of names that were carried out before, and whose `renamedFrom` is no longer in the schema. */
  readonly takenOut?: readonly Rename[];
  /** Where the causes of the changes were written: `article.title` → `schema.yaml:12`. */
  readonly sources?: Readonly<Record<string, string>>;
  /**
   * Of a change in two parts: after `expand` servers of the version before and of this one work side by side; `contract` ends
   * that, and is run when none of the version before is left.
   */
  readonly part?: 'expand' | 'contract';
  /** The SQL was written by hand: the changes are none. */
  readonly handWritten?: true;
  readonly changes: readonly AnyChange[];
}
