/** The changes from one storage model to the next. A migration is a list of changes; the generator translates them to SQL. */
import type { ForeignKey, Index, StoredType } from '../stored-table.ts';
import type { ItemPlace, ItemsEdit, ValueChange } from './items-edit.ts';
import type { Column, ComponentShape, Table, TableIdentity } from './planned-table.ts';

/** Where a relation is stored: in a foreign key column of the owner's row, or in a link table. */
export type RelationStorage =
  | {
      readonly kind: 'column';
      readonly table: string;
      readonly column: string;
      /** The column with the owner's position in the target's list. */
      readonly position?: string;
      /** If a target has at most one owner: the columns of the unique index that enforces it. */
      readonly unique?: readonly string[];
    }
  | { readonly kind: 'link'; readonly table: string; readonly inversePosition: boolean };

/** A column that points to entries: links to a row that is deleted move to the row of the same entry that stays. */
export interface LinkColumn {
  readonly table: string;
  readonly column: string;
  readonly primaryKey: readonly string[];
  /** The columns that identify a row together with this one: of several such rows, the first is kept. */
  readonly within?: readonly string[];
  /** The column that orders these rows. */
  readonly position?: string;
  /** The row is an entry: the others lose their link, instead of being deleted. */
  readonly isEntry?: true;
  /** The entries lose their other locales as well: links of rows that stay are kept first. */
  readonly losesLocales?: true;
}

/** Rows that a change makes meaningless. */
export type RowsToDelete =
  /** The rows of one locale. */
  | { readonly of: 'locale'; readonly locale: string }
  /** All rows of an entry except that of its first available locale, in the order of `locales`. */
  | { readonly of: 'otherLocales'; readonly locales: readonly string[]; readonly links?: readonly LinkColumn[] }
  /** Links to entries of one type. */
  | { readonly of: 'target'; readonly column: string }
  /** Permissions with a rule, which would reach everything without it. */
  | { readonly of: 'ruled'; readonly column: string }
  /** All links of an owner except its first. */
  | { readonly of: 'laterLinks' }
  /** Links of component items that no longer exist; `places` are all remaining places of items. */
  | { readonly of: 'goneItems'; readonly owner: string; readonly places: readonly ItemPlace[] }
  /** Links of attributes of component items at these places. */
  | {
      readonly of: 'itemAttributes';
      readonly owner: string;
      readonly places: readonly ItemPlace[];
      readonly attributes: readonly string[];
      /** Keeps the first link of each item. */
      readonly keepFirst?: true;
    };

/** The former and the next name of something. */
export interface Renamed {
  readonly from: string;
  readonly to: string;
}

/** Pairs of columns with the same value, for servers that know it by either name: a write to one is copied to the other. */
export interface SyncedColumns {
  readonly table: string;
  readonly primaryKey: readonly string[];
  readonly columns: readonly { readonly from: string; readonly to: string }[];
}

/** An attribute of a component that got another type, with the places of its items afterwards. */
export interface RetypedMember {
  readonly member: string;
  readonly from: StoredType;
  readonly to: StoredType;
  readonly items: readonly { readonly table: string; readonly place: ItemPlace }[];
}

/** What a column or a table represents, apart from its name. It has no effect on the SQL. */
export type ColumnLabel = Pick<
  Column,
  'attribute' | 'targetType' | 'inverse' | 'entries' | 'shared' | 'holds' | 'required' | 'values' | 'exchanged'
>;
export type TableLabel = Exclude<TableIdentity, { kind: 'type' }> | { readonly kind: 'type'; readonly uid: string };

/** The kinds of changes. */
type AnyChange =
  | { readonly kind: 'createTable'; readonly table: Table }
  | { readonly kind: 'dropTable'; readonly table: Table }
  | { readonly kind: 'renameTable'; readonly from: string; readonly to: string; readonly hasId: boolean }
  | { readonly kind: 'relabelTable'; readonly table: string; readonly from: TableLabel; readonly to: TableLabel }
  | {
      readonly kind: 'addColumn';
      readonly table: string;
      readonly column: Column;
      readonly foreignKey?: ForeignKey;
      /** Existing rows get the value of this column of the same row. */
      readonly fillFrom?: string;
      /** Existing rows get a new document id each (`true`), or this one. */
      readonly fillDocument?: true | string;
      /** Existing rows get this text. */
      readonly fillWith?: string;
    }
  | {
      readonly kind: 'dropColumn';
      readonly table: string;
      readonly column: Column;
      readonly foreignKey?: ForeignKey;
      /** The value of rows when the change is undone. */
      readonly fillWith?: string;
    }
  | { readonly kind: 'renameColumn'; readonly table: string; readonly from: string; readonly to: string }
  | {
      readonly kind: 'relabelColumn';
      readonly table: string;
      readonly column: string;
      readonly from: ColumnLabel;
      readonly to: ColumnLabel;
      /** Stops the migration if rows lack the value that they must have from now on. */
      readonly checked?: true;
    }
  | {
      readonly kind: 'alterColumn';
      readonly table: string;
      /** Type, nullability and default may differ between `from` and `to`; everything else is equal. */
      readonly from: Column;
      readonly to: Column;
      /** The indexes of the column that exist before and after. */
      readonly indexes: readonly Index[];
      /** The foreign key of the column: its rule for deletions may differ. */
      readonly foreignKey?: { readonly from: ForeignKey; readonly to: ForeignKey };
      /** For a column of a primary key, which SQLite can't replace: the table, to which nothing refers. */
      readonly whole?: Table;
    }
  | { readonly kind: 'createIndex'; readonly table: string; readonly index: Index }
  | { readonly kind: 'dropIndex'; readonly table: string; readonly index: Index }
  | { readonly kind: 'renameIndex'; readonly table: string; readonly from: string; readonly index: Index }
  | {
      readonly kind: 'renameForeignKey';
      readonly table: string;
      readonly from: string;
      readonly foreignKey: ForeignKey;
      /** Its column is not nullable. */
      readonly required?: true;
    }
  | {
      readonly kind: 'copyRelation';
      readonly from: RelationStorage;
      readonly to: RelationStorage;
      /** The owners of `from` are the targets of `to`. */
      readonly mirrored: boolean;
    }
  | { readonly kind: 'deleteRows'; readonly table: string; readonly rows: RowsToDelete }
  | { readonly kind: 'editItems'; readonly table: string; readonly column: string; readonly edit: ItemsEdit }
  | {
      readonly kind: 'renameItemLinks';
      /** The table of the links. `owner` is the table of the entries with the items. */
      readonly table: string;
      readonly owner: string;
      readonly places: readonly ItemPlace[];
      readonly renames: readonly { readonly from: string; readonly to: string }[];
    }
  | {
      readonly kind: 'renameType';
      readonly from: string;
      readonly to: string;
      /** Tables whose column `action` has the type as a prefix: `article.find`. */
      readonly permissions: readonly string[];
      /** For a localized single type: its table, whose document id is the uid of the type. */
      readonly single?: string;
    }
  /** Renames types and tables in what the server keeps of entries for later: schedules, releases and the trash. */
  | {
      readonly kind: 'renameRecords';
      /** The tables that name them. */
      readonly records: readonly string[];
      /** One after the other. */
      readonly types: readonly Renamed[];
      readonly tables: readonly Renamed[];
    }
  /** Fills the nulls of a column: from the column `from`, or with its default, or else with a placeholder such as '' or 0. */
  | {
      readonly kind: 'fillEmpty';
      readonly table: string;
      readonly column: Column;
      readonly from?: Column;
      /** Leaves drafts unchanged. */
      readonly published?: true;
    }
  /** Stops the migration if a column has any other value. Runs before all other changes, so with the old names. */
  | {
      readonly kind: 'checkValues';
      readonly table: string;
      readonly column: string;
      readonly values: readonly string[];
    }
  /** Like `checkValues`, for a member of component items. */
  | {
      readonly kind: 'checkItems';
      readonly items: readonly { readonly table: string; readonly place: ItemPlace }[];
      readonly member: string;
      readonly values: readonly string[];
    }
  /** Stops the migration if component items lack a value that they must have from now on. */
  | {
      readonly kind: 'checkRequired';
      /** `published`: items of drafts may lack it. */
      readonly items: readonly { readonly table: string; readonly place: ItemPlace; readonly published?: true }[];
      /** Its former name; undefined if it has none, so that all items lack a value. */
      readonly member?: string;
    }
  | {
      readonly kind: 'mapValues';
      readonly table: string;
      readonly column: string;
      readonly values: readonly ValueChange[];
      /** The reverse mapping, where it is unambiguous. */
      readonly undo: readonly ValueChange[];
    }
  | ({ readonly kind: 'createSyncTriggers' | 'dropSyncTriggers' } & SyncedColumns)
  /**
   * Gives all locales of an entry the value of its first available locale, in the order of `locales`. For a list, `column` is that of
   * the owner, and `copied` are the columns of a link.
   */
  | {
      readonly kind: 'shareValues';
      readonly table: string;
      readonly column: string;
      /** The table of the entries. */
      readonly type: string;
      readonly locales: readonly string[];
      readonly copied?: readonly string[];
      /** Locales without a value come last, as published ones need it. */
      readonly required?: true;
    }
  /** The same for the links of the component items in a column, after `shareValues` has copied the items. */
  | {
      readonly kind: 'shareItemLinks';
      readonly table: string;
      readonly type: string;
      readonly column: string;
      readonly locales: readonly string[];
      readonly places: readonly ItemPlace[];
      readonly copied: readonly string[];
    }
  /** Renumbers the lists in which entries share a position or have none, in the order in which they are read. */
  | {
      readonly kind: 'numberLists';
      readonly table: string;
      /** The column that the rows of a list have in common. */
      readonly key: string;
      readonly position: string;
      /** The column that orders entries with the same position. */
      readonly entry: string;
    }
  /** Replaces references to any row of an entry by references to its first row, each entry once in the list of an owner. */
  | {
      readonly kind: 'nameEntries';
      readonly table: string;
      readonly column: string;
      /** The table of the entries. */
      readonly target: string;
      /** The columns that rows with the same owner have in common, if an owner may have several references, but one per entry. */
      readonly owner?: readonly string[];
      /** The columns in which an entry may be referred to once, together with its reference. */
      readonly unique?: readonly string[];
    }
  /** Fills a new table with the rows of another: with all of them, or with those of published entries. */
  | {
      readonly kind: 'copyRows';
      readonly table: string;
      readonly from: string;
      readonly columns: readonly string[];
      readonly published?: true;
    }
  /** Gives rows the value that the row with the same id has in another table. */
  | { readonly kind: 'copyColumn'; readonly table: string; readonly from: string; readonly column: string }
  /** Fills the column in which one row of each entry has a value that no other entry may have; stops if several entries have it. */
  | { readonly kind: 'claimValues'; readonly table: string; readonly column: string; readonly claim: string }
  | {
      readonly kind: 'defineComponent';
      readonly from?: ComponentShape;
      readonly to?: ComponentShape;
      /** Undoing the change stops if items have values that are none of the former type. */
      readonly retyped?: readonly RetypedMember[];
    }
  | { readonly kind: 'setLocales'; readonly from: readonly string[]; readonly to: readonly string[] };

/** A change. `cause` is the part of the schema that it results from, such as `article.title`; for comments in the SQL. */
export type Change = AnyChange & { readonly cause?: string };
