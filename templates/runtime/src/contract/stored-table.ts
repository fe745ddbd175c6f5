/**
 * Tables as migrations make them, whatever the engine: columns, keys and indexes. The generator plans by them, and the runtime
 * compares a database with what its migrations have made.
 */
import type { ColumnType } from './attribute-types/column-type.ts';
import type { MemberType } from './attribute-types/member-type.ts';

/**
 * What a column holds. Beside what attributes hold: `id`, a key of a row of this or another table; `string`, short text that can be
 * indexed, at most 255 characters; `position`, a 64-bit integer for the place in a list.
 */
export type StoredType = ColumnType | 'id' | 'string' | 'position';

export interface StoredColumn {
  readonly name: string;
  readonly type: StoredType;
  readonly nullable: boolean;
  /** Canonical text or JSON of the default for rows that exist already; columns are otherwise filled by the server. */
  readonly default?: string | number | boolean;
}

export interface ForeignKey {
  readonly name: string;
  readonly column: string;
  readonly references: string;
  readonly onDelete: 'cascade' | 'setNull';
}

/** How a column of an index is sorted: as the values of text, of exact decimals, or of the column as it is. */
export interface IndexSort {
  readonly by: 'text' | 'decimal' | 'value';
  readonly descending?: true;
}

/** A value inside of a component that is one item, or of components in it. */
export interface IndexMember {
  /** The names of the members that lead to it, from the item on. */
  readonly path: readonly [string, ...string[]];
  readonly type: MemberType;
}

export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** Of its first columns: the index is in the order in which answers are sorted, with empty values before all others. */
  readonly sorts?: readonly IndexSort[];
  /** It is one of the words in its columns, each of which weighs so much. */
  readonly search?: readonly number[];
  /** It is one of a value inside of the JSON in its first column; MySQL keeps it in a column that it computes, called as the index. */
  readonly member?: IndexMember;
}

/** Whether an index is of what engines compute of its columns: it can't stay while these are called otherwise or change. */
export function isComputed({ search, member }: Index): boolean {
  return search !== undefined || member !== undefined;
}

export interface StoredTable<Column extends StoredColumn = StoredColumn> {
  readonly name: string;
  /** `id` (generated, never reused) or, of link tables, the pair of keys. */
  readonly primaryKey: readonly string[];
  readonly columns: readonly Column[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly indexes: readonly Index[];
}

/** The changes of migrations to the parts of one table; each has more members, of which nothing follows here. */
export type StoredTableChange<Column extends StoredColumn = StoredColumn> =
  | { readonly kind: 'addColumn' | 'dropColumn'; readonly column: Column; readonly foreignKey?: ForeignKey }
  | { readonly kind: 'renameColumn'; readonly from: string; readonly to: string }
  | { readonly kind: 'alterColumn'; readonly from: Column; readonly to: Column }
  | { readonly kind: 'createIndex' | 'dropIndex'; readonly index: Index }
  | { readonly kind: 'renameIndex'; readonly from: string; readonly index: Index }
  | { readonly kind: 'renameForeignKey'; readonly from: string; readonly foreignKey: ForeignKey };

function replaced(names: readonly string[], from: string, to: string): readonly string[] {
  return names.map((name) => (name === from ? to : name));
}

/** The columns of a table, with another one in the place of that called `name`. Throws where there is none. */
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

/** What a change makes of the parts of a table. Throws where it names a column that is not there. */
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
    case 'alterColumn':
      return withColumn(table, change.from.name, () => change.to);
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

/** Gives a table another name where it stands among all, and in all keys that refer to it. */
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
