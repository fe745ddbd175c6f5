/**
 * Tables as migrations create them, independent of the engine: columns, keys and indexes. The generator plans migrations with
 * them, and the runtime compares a database with the result of its migrations.
 */
import type { ColumnType } from './attribute-types/column-type.ts';
import type { MemberType } from './attribute-types/member-type.ts';
import type { DeleteRule } from './content-type.ts';

/**
 * Type of a column. Besides the types of attributes: `id`, a primary or foreign key; `string`, text of at most 255 characters, which
 * can be indexed; `position`, a 64-bit integer with the position in a list.
 */
export type StoredType = ColumnType | 'id' | 'string' | 'position';

export interface StoredColumn {
  readonly name: string;
  readonly type: StoredType;
  readonly nullable: boolean;
  /** The value for existing rows when the column is added; all other values are set by the server. Canonical text or JSON. */
  readonly default?: string | number | boolean;
}

export interface ForeignKey {
  readonly name: string;
  readonly column: string;
  readonly references: string;
  readonly onDelete: DeleteRule;
}

/** How an index sorts a column: as text, as exact decimals, or by the plain column value. */
export interface IndexSort {
  readonly by: 'text' | 'decimal' | 'value';
  readonly descending?: true;
}

/** A value inside of a component, possibly a nested one; none of these components are repeatable. */
export interface IndexMember {
  /** Path of the value within the item, as names of members. */
  readonly path: readonly [string, ...string[]];
  readonly type: MemberType;
}

export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** Sort order of the first columns, for an index that serves sorted lists: nulls come first. */
  readonly sorts?: readonly IndexSort[];
  /** Its first column is compared, and never sorted by: it serves lists within the same value of it. */
  readonly within?: 1;
  /** A full-text index: the weight of each column. */
  readonly search?: readonly number[];
  /** An index on a value inside of the JSON in its first column. On MySQL, that is a generated column with the name of the index. */
  readonly member?: IndexMember;
}

/** MySQL only: whether an index needs a second one for the opposite direction, as it sorts by one attribute. */
export function isTurnedIndex({ sorts = [], within }: Index): boolean {
  return sorts.length - (within ?? 0) === 1 && sorts.at(-1)?.descending !== true;
}

/** Whether an index holds values computed from its columns, so that it must be dropped before these are renamed or altered. */
export function isComputed({ search, member }: Index): boolean {
  return search !== undefined || member !== undefined;
}

export interface StoredTable<Column extends StoredColumn = StoredColumn> {
  readonly name: string;
  /** `id` (generated, never reused); in join tables, the pair of foreign keys. */
  readonly primaryKey: readonly string[];
  readonly columns: readonly Column[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly indexes: readonly Index[];
}

/** Steps of migrations that change parts of one table, without the members that don't matter here. */
export type StoredTableChange<Column extends StoredColumn = StoredColumn> =
  | { readonly kind: 'addColumn' | 'dropColumn'; readonly column: Column; readonly foreignKey?: ForeignKey }
  | { readonly kind: 'renameColumn'; readonly from: string; readonly to: string }
  | {
      readonly kind: 'alterColumn';
      readonly from: Column;
      readonly to: Column;
      readonly foreignKey?: { readonly to: ForeignKey };
    }
  | { readonly kind: 'createIndex' | 'dropIndex'; readonly index: Index }
  | { readonly kind: 'renameIndex'; readonly from: string; readonly index: Index }
  | { readonly kind: 'renameForeignKey'; readonly from: string; readonly foreignKey: ForeignKey };

function replaced(names: readonly string[], from: string, to: string): readonly string[] {
  return names.map((name) => (name === from ? to : name));
}

/** The columns of a table after changing the column `name`. Throws if there is none. */
export function withColumn<Column extends StoredColumn>(
  { name: table, columns }: StoredTable<Column>,
  name: string,
  change: (column: Column) => Column,
): { readonly columns: readonly Column[] } {
  if (!columns.some((column) => column.name === name)) {
    throw new Error(`a migration changes the column ${table}.${name}, which does not exist before it`);
  }
  return { columns: columns.map((column) => (column.name === name ? change(column) : column)) };
}

/** The parts of a table that differ after a change. Throws if the change refers to a column that does not exist. */
export function changedParts<Column extends StoredColumn>(
  table: StoredTable<Column>,
  change: StoredTableChange<Column>,
): Partial<StoredTable<Column>> {
  const { primaryKey, columns, foreignKeys, indexes } = table;
  switch (change.kind) {
    case 'addColumn':
      return {
        columns: [...columns, change.column],
        ...(change.foreignKey ? { foreignKeys: [...foreignKeys, change.foreignKey] } : {}),
      };
    case 'dropColumn':
      return {
        columns: columns.filter(({ name }) => name !== change.column.name),
        foreignKeys: foreignKeys.filter(({ column }) => column !== change.column.name),
      };
    case 'renameColumn': {
      const { from, to } = change;
      return {
        ...withColumn(table, from, (column) => ({ ...column, name: to })),
        primaryKey: replaced(primaryKey, from, to),
        foreignKeys: foreignKeys.map((key) => (key.column === from ? { ...key, column: to } : key)),
        indexes: indexes.map((index) => ({ ...index, columns: replaced(index.columns, from, to) })),
      };
    }
    case 'alterColumn': {
      const { from, to, foreignKey } = change;
      const keys = foreignKeys.map((key) => (foreignKey && key.column === to.name ? foreignKey.to : key));
      return { ...withColumn(table, from.name, () => to), ...(foreignKey ? { foreignKeys: keys } : {}) };
    }
    case 'createIndex':
      return { indexes: [...indexes, change.index] };
    case 'dropIndex':
      return { indexes: indexes.filter(({ name }) => name !== change.index.name) };
    case 'renameIndex':
      return { indexes: indexes.map((index) => (index.name === change.from ? change.index : index)) };
    case 'renameForeignKey':
      return { foreignKeys: foreignKeys.map((key) => (key.name === change.from ? change.foreignKey : key)) };
  }
}

/** Renames a table in place, and in all foreign keys that refer to it. Keeps the order of the tables. */
export function renameStoredTable<Table extends StoredTable>(
  tables: Map<string, Table>,
  from: string,
  to: string,
): void {
  const all = [...tables.values()].map((table) => ({
    ...table,
    name: table.name === from ? to : table.name,
    foreignKeys: table.foreignKeys.map((key) => (key.references === from ? { ...key, references: to } : key)),
  }));
  tables.clear();
  for (const table of all) tables.set(table.name, table);
}
