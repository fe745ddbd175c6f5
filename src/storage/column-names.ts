/** What columns are called that are not of an attribute. The runtime knows them by these names. */
import type { ColumnRole } from './storage-model.ts';

export const COLUMN_NAMES = {
  id: 'id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  // No attribute can be called so: many are called `version`.
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
