/** Row-level filters by the project's own code: for a given caller they apply to every read of a type, whatever the query is. */
import type { ContentType } from '../contract/content-type.ts';
import type { EntryQuery } from './entry-query.ts';
import type { EntryRequest } from './entry-request.ts';
import type { Reader } from './reader.ts';
import { queryOf } from './query-of.ts';
import { isQueryObject, ownValue } from './query-value.ts';

/** Filters by type, as objects. */
type Narrowing = Readonly<Record<string, object>>;

/** The filters of the types that a read of `type` may reach; undefined if nothing is narrowed. */
export type Narrow = (type: ContentType, request: EntryRequest) => Promise<Narrowing | undefined>;

/** No query shape without narrowing begins with it. */
const NARROWED = '\0\0';

/** A narrowed query, with a shape of its own. The values of its filters have the slots after those of the query. */
export function narrowed(query: EntryQuery, filters: Narrowing): EntryQuery {
  const added = queryOf({ filters }, { first: query.values.length });
  const narrowing = ownValue(added.tree(), 'filters');
  const isKnown = query.shape !== undefined && added.shape !== undefined;
  return {
    shape: isKnown ? `${NARROWED}${added.shape}${query.shape}` : undefined,
    refusesHidden: query.refusesHidden ?? false,
    values: [...query.values, ...added.values],
    tree: () => query.tree(),
    ...(narrowing !== undefined && isQueryObject(narrowing) && { narrowing }),
  };
}

/** A reader that narrows every query. */
export function narrowedReader(reader: Reader, narrow: Narrow): Reader {
  const narrowRequest = async (type: ContentType, request: EntryRequest): Promise<EntryRequest> => {
    const filters = await narrow(type, request);
    return filters ? { ...request, query: narrowed(request.query, filters) } : request;
  };
  // Not a spread: each read must be named, and the compiler reports missing ones.
  return {
    list: async (type, request) => reader.list(type, await narrowRequest(type, request)),
    flatList: async (type, request) => reader.flatList(type, await narrowRequest(type, request)),
    count: async (type, request) => reader.count(type, await narrowRequest(type, request)),
    one: async (type, request, id) => reader.one(type, await narrowRequest(type, request), id),
    matching: async (type, request, ids) => reader.matching(type, await narrowRequest(type, request), ids),
    single: async (type, request) => reader.single(type, await narrowRequest(type, request)),
    check: async (type, request) => reader.check(type, await narrowRequest(type, request)),
    entry: (executor, checked, id) => reader.entry(executor, checked, id),
    findEntry: (executor, checked, id) => reader.findEntry(executor, checked, id),
  };
}
