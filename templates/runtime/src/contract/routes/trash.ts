/** What answers have about deleted entries. */
import { type JsonSchema, list, object, TEXT, TIME } from './json-schema.ts';

/** Schemas by name. */
export const TRASH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  TrashResponse: object({
    data: list(
      object(
        {
          key: { type: 'integer', description: 'Identifies the deletion: `before` of the next page.' },
          id: { type: 'integer' },
          documentId: TEXT,
          title: TEXT,
          locales: list(TEXT),
          published: { type: 'boolean', description: 'Whether visitors saw it.' },
          deletedAt: TIME,
          until: { ...TIME, description: 'It can be restored until then.' },
          by: object({ kind: TEXT, id: { type: 'integer' } }, ['kind']),
        },
        ['key', 'id', 'published', 'deletedAt', 'until', 'by'],
      ),
    ),
    meta: object({}),
  }),
};
