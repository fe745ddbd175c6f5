/** Roles of columns that belong to no attribute. */
import { COLUMN_NAMES } from '#contract/column-names.ts';

/** The columns of entries that belong to no attribute. Not every type has all of them, but all names are reserved. */
export const ENTRY_COLUMNS: ReadonlySet<string> = new Set(
  (['id', 'createdAt', 'updatedAt', 'version', 'publishedAt', 'documentId', 'locale', 'singleton'] as const).map(
    (role) => COLUMN_NAMES[role],
  ),
);

/** A role whose column has the same name in every table. */
export type NamedRole = keyof typeof COLUMN_NAMES;
