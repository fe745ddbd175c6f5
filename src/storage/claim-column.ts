/** The column by which a value that all locales of an entry share is unique: one row of each entry has the value there, too. */
import { databaseName } from './database-name.ts';
import type { Column, Table } from './storage-model.ts';

/** The name of the claim of a column. It begins with an underscore, as no attribute does. */
export function claimName(column: string): string {
  return databaseName('', column, 'claim');
}

/** The column of an attribute whose claim this is; undefined if it is none. */
export function claimedColumn({ columns }: Table, claim: string): Column | undefined {
  return columns.find(({ name, role }) => role === 'attribute' && claimName(name) === claim);
}
