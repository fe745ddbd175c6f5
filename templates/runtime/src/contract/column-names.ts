/** Names of columns, for generator and runtime. Queries as text name the columns as such. */
import type { ColumnRole } from './migrations/planned-table.ts';

/** The columns that belong to no attribute, by role. The server's own tables use the names for what means the same. */
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
