/** The `meta.pagination` of a list. */
import type { NumberedPage } from './read-query.ts';

/** `next` is a cursor, or null on the last page. */
export type Pagination = Readonly<Record<string, number | string | null>>;

/** `total` is the number of entries on all pages; undefined if it was not counted. */
export function pageMeta(page: NumberedPage, total: number | undefined): Pagination {
  if (page.kind === 'offset') {
    return { start: page.start, limit: page.limit, ...(total === undefined ? {} : { total }) };
  }
  const pageCount = total === undefined ? {} : { pageCount: Math.ceil(total / page.pageSize), total };
  return { page: page.page, pageSize: page.pageSize, ...pageCount };
}
