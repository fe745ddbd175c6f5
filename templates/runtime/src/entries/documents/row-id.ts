/** The rows of documents. */
import type { ContentType } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import { sql } from '../../database/sql.ts';
import type { EntryKey } from '../../query/entry-id.ts';

/**
 * The id of the row that a key names: of a document, in `locale` if its type is localized. 0, which no row has, if there is no such
 * row of a document.
 */
export async function rowId(executor: Executor, type: ContentType, key: EntryKey, locale?: string): Promise<number> {
  if (typeof key === 'number') return key;
  const within = type.localized ? sql` AND locale = ${locale ?? ''}` : sql``;
  const table = executor.dialect.id(type.table);
  const row = await executor.get(sql`SELECT id FROM ${table} WHERE document_id = ${key.documentId}${within}`);
  return Number(row?.['id'] ?? 0);
}
