/** Remembers keyset cursors of list pages, so that the thousandth page is as fast as the first. */
import type { QueryObject } from './query-string.ts';

/** A list and its page size. */
export interface PagedList {
  readonly resource: string;
  readonly query: QueryObject;
  readonly pageSize: number;
}

/** Above this number of lists, the oldest is evicted. */
const MAX_LISTS = 50;

/** Query parameters that affect neither the entries of a list nor their order. */
const OTHER = new Set(['fields', 'populate']);

function nameOf({ resource, query, pageSize }: PagedList): string {
  return JSON.stringify([resource, pageSize, Object.entries(query).filter(([name]) => !OTHER.has(name))]);
}

export class ListKeys {
  /** Cursor by list and page number. */
  private readonly known = new Map<string, Map<number, string>>();

  /** `pagination[after]` for a page; undefined if unknown. */
  keyOf(list: PagedList, page: number): string | undefined {
    return page === 1 ? '' : this.known.get(nameOf(list))?.get(page);
  }

  /** Stores the cursor from the response for the previous page; null means that the page does not exist. */
  remember(list: PagedList, page: number, key: string | null | undefined): void {
    const name = nameOf(list);
    const keys = this.known.get(name) ?? new Map<number, string>();
    this.known.set(name, keys);
    if (typeof key === 'string') keys.set(page, key);
    else keys.delete(page);
    const [first] = this.known.keys();
    if (this.known.size > MAX_LISTS && first !== undefined) this.known.delete(first);
  }
}
