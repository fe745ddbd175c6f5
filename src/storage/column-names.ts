/** Names of columns that belong to no attribute. The runtime uses the same names. */
import type { ColumnRole } from './storage-model.ts';

export const COLUMN_NAMES = {
  id: 'id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  // The underscore avoids a clash: attributes are often called `version`, but none can start with an underscore.
  version: '_version',
  publishedAt: 'published_at',
  documentId: 'document_id',
  locale: 'locale',
  singleton: 'singleton',
  owner: 'owner_id',
  target: 'target_id',
  position: 'position',
  inversePosition: 'inverse_position',
  item: 'item_id',
  itemAttribute: 'attribute',
} as const satisfies Partial<Record<ColumnRole, string>>;

/** The columns of entries that belong to no attribute. Not every type has all of them, but all names are reserved. */
export const ENTRY_COLUMNS: ReadonlySet<string> = new Set(
  (['id', 'createdAt', 'updatedAt', 'version', 'publishedAt', 'documentId', 'locale', 'singleton'] as const).map(
    (role) => COLUMN_NAMES[role],
  ),
);

/** A role whose column has the same name in every table. */
export type NamedRole = keyof typeof COLUMN_NAMES;
