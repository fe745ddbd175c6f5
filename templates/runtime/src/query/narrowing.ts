/** Filters of the team's own on every read of a type: for a caller, whatever the query asks for. */
import type { ContentType } from '../contract/content-type.ts';
import type { EntryQuery } from './entry-query.ts';
import type { EntryRequest } from './entry-request.ts';
import type { Reader } from './reader.ts';
import { queryOf } from './query-of.ts';
import { isQueryObject, own } from './query-value.ts';

/** Filters by type, as objects. */
type Narrowing = Readonly<Record<string, object>>;

/** The filters of the types that a read of `type` may come upon; undefined where nothing is narrowed. */
export type Narrow = (type: ContentType, request: EntryRequest) => Promise<Narrowing | undefined>;

/** No shape of a query begins so that nothing narrows. */
const NARROWED = '\0\0';

/** A query that is narrowed: of another shape than it is by itself. The values of the filters have slots behind its own. */
export function narrowed(query: EntryQuery, filters: Narrowing): EntryQuery {
  const added = queryOf({ filters }, { first: query.values.length });
  const narrowing = own(added.tree(), 'filters');
  const isKnown = query.shape !== undefined && added.shape !== undefined;
  return {
    shape: isKnown ? `${NARROWED}${added.shape}${query.shape}` : undefined,
    refusesHidden: query.refusesHidden ?? false,
    values: [...query.values, ...added.values],
    tree: () => query.tree(),
    ...(narrowing !== undefined && isQueryObject(narrowing) && { narrowing }),
  };
}

/** A reader whose every query is narrowed. */
export function narrowedReader(reader: Reader, narrow: Narrow): Reader {
  const asked = async (type: ContentType, request: EntryRequest): Promise<EntryRequest> => {
    const filters = await narrow(type, request);
    return filters ? { ...request, query: narrowed(request.query, filters) } : request;
  };
  // Without a spread: the compiler asks for every way to read.
  return {
    list: async (type, request) => reader.list(type, await asked(type, request)),
    flatList: async (type, request) => reader.flatList(type, await asked(type, request)),
    count: async (type, request) => reader.count(type, await asked(type, request)),
    one: async (type, request, id) => reader.one(type, await asked(type, request), id),
    single: async (type, request) => reader.single(type, await asked(type, request)),
    check: async (type, request) => reader.check(type, await asked(type, request)),
    entry: (executor, checked, id) => reader.entry(executor, checked, id),
    findEntry: (executor, checked, id) => reader.findEntry(executor, checked, id),
  };
}
