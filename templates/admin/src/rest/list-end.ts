/**
 * Pages near the end of a list, counted from there: the database goes through all rows before a page, which takes it a while behind a
 * million of them, and backwards the last page is the first.
 */
import type { SortPayload } from 'react-admin';
import type { QueryObject } from './query-string.ts';

/** Fewer rows are gone through in no time. */
const MANY = 200;

export interface Rows {
  readonly start: number;
  readonly limit: number;
}

/** The rows of a page in the list backwards; undefined where it is found as quickly from the start. */
export function rowsFromEnd(total: number, page: number, perPage: number): Rows | undefined {
  const before = (page - 1) * perPage;
  const behind = total - page * perPage;
  if (before < MANY || before >= total || behind >= before) return undefined;
  return { start: Math.max(behind, 0), limit: Math.min(perPage, total - before) };
}

/** The order backwards. That of a list ends with the ids, ascending, unless it begins with them. */
export function backwards({ field, order }: SortPayload): string {
  const reversed = order === 'ASC' ? 'desc' : 'asc';
  return field === 'id' ? `id:${reversed}` : `${field}:${reversed},id:desc`;
}

/** What of a query does not say which entries are in a list. */
const OTHER = new Set(['sort', 'fields', 'populate']);

/** How long the list of each resource was, when it was last read. */
export class ListLengths {
  private readonly known = new Map<string, { readonly of: string; readonly total: number }>();

  /** Undefined where another list was read last, by its filters or its locale. */
  lengthOf(resource: string, query: QueryObject): number | undefined {
    const known = this.known.get(resource);
    return known?.of === this.nameOf(query) ? known.total : undefined;
  }

  remember(resource: string, query: QueryObject, total: number): void {
    this.known.set(resource, { of: this.nameOf(query), total });
  }

  private nameOf(query: QueryObject): string {
    return JSON.stringify(Object.entries(query).filter(([name]) => !OTHER.has(name)));
  }
}
