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

/** A role whose column has the same name in every table. */
export type NamedRole = keyof typeof COLUMN_NAMES;
