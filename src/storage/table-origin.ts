/** Questions to a table about what it is. */
import type { Column, ColumnRole, StorageModel, Table, TableIdentity, TypeTable } from './storage-model.ts';

/** Whether a table is a content type's own. */
export function isTypeTable(table: Table): table is TypeTable {
  return table.kind === 'type';
}

/** The table of the content type `uid`. */
export function typeTable({ tables }: StorageModel, uid: string): TypeTable | undefined {
  return tables.filter(isTypeTable).find((table) => table.uid === uid);
}

/** The content type that a table belongs to; undefined: the server. */
export function uidOf(table: TableIdentity): string | undefined {
  return table.kind === 'server' ? undefined : table.uid;
}

/** What a table follows from, in words for people: `article`, `article.tags`. */
export function originOf(table: TableIdentity): string {
  switch (table.kind) {
    case 'type':
      return table.uid;
    case 'link':
    case 'morph':
      return `${table.uid}.${table.attribute}`;
    case 'componentLinks':
      return `${table.uid}, inside its components`;
    case 'server':
      return table.purpose;
  }
}

/** The column of a table with a role. */
export function columnWithRole({ columns }: Table, role: ColumnRole): Column | undefined {
  return columns.find((column) => column.role === role);
}

export function hasRole(table: Table, role: ColumnRole): boolean {
  return columnWithRole(table, role) !== undefined;
}

/** Whether the database makes the ids of the rows. */
export function hasGeneratedId({ primaryKey, columns }: Table): boolean {
  return primaryKey.length === 1 && columns.some(({ name, role }) => role === 'id' && name === primaryKey[0]);
}
