/** The `meta.pagination` of a list. */
import type { PageMeta } from './read-query.ts';

/** `total` is how many entries there are on all pages; undefined when it was not counted. */
export function pageMeta(page: PageMeta, total: number | undefined): Readonly<Record<string, number>> {
  if (page.kind === 'offset') {
    return { start: page.start, limit: page.limit, ...(total === undefined ? {} : { total }) };
  }
  const pageCount = total === undefined ? {} : { pageCount: Math.ceil(total / page.pageSize), total };
  return { page: page.page, pageSize: page.pageSize, ...pageCount };
}
