/** Many entries at a time: lists that are read page by page, and changes of all entries that a query finds. */
import type { ListAnswer } from '../../query/answer.ts';
import type { AnyCollection, AnyQuery } from './any-entries.ts';

/** Entries read at a time, or as many as the schema allows in a page. */
const PAGE_SIZE = 100;

type ReadPage = (query: AnyQuery) => Promise<Pick<ListAnswer, 'entries' | 'pagination'>>;

/** All entries of a list, read in pages by keyset, so that memory is bounded by a page. Not a snapshot: each page is its own read. */
export async function* streamed(readPage: ReadPage, query: AnyQuery = {}): AsyncGenerator<unknown, void> {
  for (let after: unknown = ''; typeof after === 'string';) {
    const page = await readPage({ ...query, pagination: { after, pageSize: PAGE_SIZE, withCount: false } });
    yield* page.entries();
    after = page.pagination['next'];
  }
}

/** Calls `change` for each entry that the query finds at the beginning; the changes may make it find others. */
async function forEach(
  entries: AnyCollection,
  { filters, locale, publicationState }: AnyQuery,
  change: (id: number) => Promise<unknown>,
): Promise<number> {
  const ids: number[] = [];
  const query = { filters, locale, publicationState, fields: ['id'], sort: 'id' };
  for await (const entry of entries.stream(query)) ids.push((entry as { id: number }).id);
  for (const id of ids) await change(id);
  return ids.length;
}

export function updateAll(entries: AnyCollection, query: AnyQuery, data: unknown): Promise<number> {
  return forEach(entries, query, (id) => entries.update(id, data, { fields: ['id'] }));
}

export function deleteAll(entries: AnyCollection, query: AnyQuery): Promise<number> {
  return forEach(entries, query, (id) => entries.delete(id, { fields: ['id'] }));
}
