/** Where the pages of lists begin, as far as the page before each was read: by that, the thousandth is found as quickly as the first. */
import type { QueryObject } from './query-string.ts';

/** Which list, of how many entries a page. */
export interface PagedList {
  readonly resource: string;
  readonly query: QueryObject;
  readonly pageSize: number;
}

/** Of more lists, those that were begun first are forgotten. */
const MOST_LISTS = 50;

/** What of a query changes neither which entries are in a list nor their order. */
const OTHER = new Set(['fields', 'populate']);

function nameOf({ resource, query, pageSize }: PagedList): string {
  return JSON.stringify([resource, pageSize, Object.entries(query).filter(([name]) => !OTHER.has(name))]);
}

export class ListKeys {
  /** By list, and by the number of a page. */
  private readonly known = new Map<string, Map<number, string>>();

  /** `pagination[after]` of a page; undefined where it is not known. */
  keyOf(list: PagedList, page: number): string | undefined {
    return page === 1 ? '' : this.known.get(nameOf(list))?.get(page);
  }

  /** `key` is what the answer to the page before said: null where there is no such page. */
  remember(list: PagedList, page: number, key: string | null | undefined): void {
    const name = nameOf(list);
    const keys = this.known.get(name) ?? new Map<number, string>();
    this.known.set(name, keys);
    if (typeof key === 'string') keys.set(page, key);
    else keys.delete(page);
    const [first] = this.known.keys();
    if (this.known.size > MOST_LISTS && first !== undefined) this.known.delete(first);
  }
}
