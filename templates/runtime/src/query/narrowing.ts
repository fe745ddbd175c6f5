/**
 * Filters that are not part of the query: for a given caller they apply to every read of a type, whatever the query is. They come from
 * the project's own code, and from rules of permissions.
 */
import type { ContentType } from '../contract/content-type.ts';
import type { EntryQuery, Narrowing, ReadKind } from './entry-query.ts';
import type { EntryRequest } from './entry-request.ts';
import type { Reader } from './reader.ts';
import { queryOf } from './query-of.ts';
import { isQueryObject, ownValue } from './query-value.ts';

/** Filters by type, as objects. */
type TypeFilters = Readonly<Record<string, object>>;

/** Narrows the query of a read of `type`; returns the request itself if nothing is narrowed. */
export type Narrow = (type: ContentType, request: EntryRequest, kind: ReadKind) => EntryRequest | Promise<EntryRequest>;

/** No query shape without narrowing begins with it. */
const NARROWED = '\0\0';

/** What narrows a query, with a shape and values of its own. */
export interface AddedNarrowing {
  /** Undefined if it is too long to be cached. */
  readonly shape: string | undefined;
  readonly values: readonly string[];
  readonly narrowing: () => Narrowing;
}

/** The query with a further narrowing, whose values have the slots after those of the query. */
export function withNarrowing(query: EntryQuery, { shape, values, narrowing }: AddedNarrowing): EntryQuery {
  const isKnown = query.shape !== undefined && shape !== undefined;
  let all: readonly Narrowing[] | undefined;
  return {
    shape: isKnown ? `${NARROWED}${shape}${query.shape}` : undefined,
    refusesHidden: query.refusesHidden ?? false,
    aliases: query.aliases ?? false,
    values: [...query.values, ...values],
    tree: () => query.tree(),
    narrowings: () => (all ??= [...(query.narrowings?.() ?? []), narrowing()]),
  };
}

/** A query narrowed by filters of the project's own code. */
export function narrowed(query: EntryQuery, filters: TypeFilters): EntryQuery {
  const added = queryOf({ filters }, { first: query.values.length });
  const found = ownValue(added.tree(), 'filters');
  const ofType = found !== undefined && isQueryObject(found) ? found : {};
  const narrowing: Narrowing = { by: 'beforeFind', ofType };
  return withNarrowing(query, { shape: added.shape, values: added.values, narrowing: () => narrowing });
}

/** A reader that narrows every query. */
export function narrowedReader(reader: Reader, narrow: Narrow): Reader {
  // Not a spread: each read must be named, and the compiler reports missing ones.
  return {
    list: async (type, request) => reader.list(type, await narrow(type, request, 'many')),
    flatList: async (type, request) => reader.flatList(type, await narrow(type, request, 'many')),
    count: async (type, request) => reader.count(type, await narrow(type, request, 'many')),
    one: async (type, request, id) => reader.one(type, await narrow(type, request, 'one'), id),
    matching: async (type, request, ids, executor) =>
      reader.matching(type, await narrow(type, request, 'many'), ids, executor),
    single: async (type, request) => reader.single(type, await narrow(type, request, 'many')),
    selection: async (type, request, of) =>
      reader.selection(type, await narrow(type, request, of === 'list' ? 'many' : 'one'), of),
    parsed: async (type, request, of) =>
      reader.parsed(type, await narrow(type, request, of === 'list' ? 'many' : 'one'), of),
    check: async (type, request) => reader.check(type, await narrow(type, request, 'written')),
    entry: (executor, checked, id) => reader.entry(executor, checked, id),
    findEntry: (executor, checked, id) => reader.findEntry(executor, checked, id),
  };
}
