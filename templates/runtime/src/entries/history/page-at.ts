/** The page of a list as of a time. */
import { valueIn } from '../../query/bindings.ts';
import type { Content } from '../../query/content-text.ts';
import { refusedCursor, writeCursor } from '../../query/cursor.ts';
import { pageMeta, type Pagination } from '../../query/page-meta.ts';
import { rowsOf } from '../../query/pagination.ts';
import type { KeysetPage, LocaleFilter, PageMeta } from '../../query/read-query.ts';
import type { TypeContext } from '../context.ts';
import { amongWhich } from '../rules/action-rules.ts';
import { countAt, listAt, type Listed } from './former-contents.ts';
import { looksThrough, type Matching, matchingAt } from './matching-at.ts';
import { type Reading, seenNow } from './reading-at.ts';

/** Those of the ids whose history the caller may see. */
export async function permitted(reading: Reading, ids: readonly number[]): Promise<readonly number[]> {
  const { context, request, selected } = reading;
  const seen = await seenNow(reading, selected.query.entry, ids);
  const allowed = await amongWhich(context, ids, request, { question: 'history' });
  return ids.filter((id) => seen.has(id) && allowed.has(id));
}

export function localeIn({ types, type }: TypeContext, locale: LocaleFilter | undefined): string | undefined {
  if (!type.localized || locale?.kind === 'all') return undefined;
  return locale?.locale ?? types.locales[0];
}

/** All entries of a list, in whatever order. */
export function listedIn({ context, request, selected, time }: Reading): Listed {
  const { entry, locale } = selected.query;
  return {
    time,
    locale: localeIn(context, locale),
    among: selected.among(entry),
    client: request.client,
  };
}

export function contentsOf({ ids, contents }: Matching): readonly Content[] {
  return ids.flatMap((id): Content[] => {
    const content = contents.get(id);
    return content ? [content] : [];
  });
}

/** A part of a list. */
export interface PageAt {
  readonly contents: readonly Content[];
  /** The number of entries on all pages. */
  readonly total: number | undefined;
  readonly pagination: Pagination;
}

/**
 * The place in a list that follows a cursor. What matched at a time goes on to match, so that the entry of the cursor is found by its id,
 * unless it is hidden by now.
 */
function placeAfter({ selected }: Reading, ids: readonly number[], { position }: KeysetPage): number {
  if (position === undefined) return 0;
  const { sort = [] } = selected.query;
  const last = Number(valueIn(position.id, []));
  if (sort.length === 0) return ids.findLastIndex((id) => id <= last) + 1;
  const place = ids.indexOf(last);
  if (place === -1) throw refusedCursor('its entry is no longer in the list');
  return place + 1;
}

/** `ids`: those of the page, and one more if there is a further page. */
function paginationOf(
  { selected }: Reading,
  page: PageMeta,
  { ids, total }: { readonly ids: readonly number[]; readonly total: number | undefined },
): Pagination {
  if (page.kind !== 'keyset') return pageMeta(page, total);
  const { pageSize, fingerprint } = page;
  const last = ids.length > pageSize ? ids[pageSize - 1] : undefined;
  // The list is in the order of then: the id alone says where the next page begins.
  const values = (selected.query.sort ?? []).map(() => null);
  const next = last === undefined ? null : writeCursor(valueIn(fingerprint, []), { values, id: last });
  return { pageSize, next, ...(total !== undefined && { total }) };
}

export async function pageAt(reading: Reading, page: PageMeta): Promise<PageAt> {
  const { context, selected } = reading;
  const { database, types } = context;
  const { query } = selected;
  const { start, limit } = rowsOf(page);
  const listed = listedIn(reading);
  if (looksThrough(query)) {
    const { ids: all, contents } = await matchingAt(reading, listed, (some) => permitted(reading, some));
    const from = page.kind === 'keyset' ? placeAfter(reading, all, page) : start;
    const ids = all.slice(from, from + limit + 1);
    const total = page.withCount ? Math.min(all.length, query.maxCount ?? Infinity) : undefined;
    return {
      contents: contentsOf({ ids: ids.slice(0, limit), contents }),
      total,
      pagination: paginationOf(reading, page, { ids, total }),
    };
  }
  const { type } = query.entry;
  const after = page.kind === 'keyset' && page.position ? Number(valueIn(page.position.id, [])) : undefined;
  const found = await listAt(database, types, type, { ...listed, after, start, limit: limit + 1 });
  const ids = found.map(({ id }) => Number(id));
  const allowed = new Set(await permitted(reading, ids.slice(0, limit)));
  const total = page.withCount ? await countAt(database, types, type, { ...listed, most: query.maxCount }) : undefined;
  return {
    contents: found.filter(({ id }) => allowed.has(Number(id))),
    total,
    pagination: paginationOf(reading, page, { ids, total }),
  };
}
