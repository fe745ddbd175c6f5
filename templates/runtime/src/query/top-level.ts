/** The parameters of a request: each by its own parser, against one allow-list. */
import type { ApiSettings, ContentType } from '../contract/content-type.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { serverCaller } from '../contract/policy/server-caller.ts';
import type { Bindings } from './bindings.ts';
import { parseFields } from './fields.ts';
import { parseFilters } from './filters.ts';
import { allOf } from './filter-tree.ts';
import { invalidParameter, invalidValue } from './invalid-parameter.ts';
import { parseLocale } from './locale.ts';
import { parsePagination } from './pagination.ts';
import { parsePopulate } from './populate.ts';
import { parsePublicationState } from './publication-state.ts';
import { createBudget, hidesDrafts } from './query-context.ts';
import type { QueryContext } from './query-context.ts';
import { own } from './query-value.ts';
import type { QueryObject } from './query-value.ts';
import type { AllowList } from './readable-attributes.ts';
import type { Filter, ListQuery, ReadQuery } from './read-query.ts';
import { parseSearch } from './search.ts';
import { parseSort } from './sort.ts';

/** What a query builder would take. They are refused because a client that sends them expects them to restrict. */
const INTERNAL: ReadonlySet<string> = new Set([
  'where',
  'lookup',
  'select',
  'having',
  'join',
  'joins',
  'raw',
  'groupby',
  'orderby',
]);

/** Who asks for which type, under which settings. */
export interface QueryScope {
  readonly allowed: AllowList;
  readonly api: ApiSettings;
  readonly type: ContentType;
  readonly caller: Caller;
  /** Takes the values of slots; undefined where the values of this query are compiled with it. */
  readonly bindings: Bindings | undefined;
  /** See `EntryQuery`. */
  readonly narrowing: QueryObject | undefined;
}

function refuseInternal(query: QueryObject): void {
  const internal = Object.keys(query).find(
    (name) => name.startsWith('$') || INTERNAL.has(name.replace(/^_+/u, '').toLowerCase()),
  );
  if (internal !== undefined) {
    throw invalidParameter(internal);
  }
  // A client that sends it believes to get drafts, or none.
  if (own(query, 'status') !== undefined) {
    throw invalidValue('status', 'this format of the API has publicationState=live or preview in its place');
  }
}

/** The filters that narrow a query, each parsed once. They are the server's own: they may name what its caller may not. */
function narrowingOf({ allowed, api, bindings, narrowing }: QueryScope): QueryContext['narrowedBy'] {
  const known = new Map<string, Filter | undefined>();
  const parse = (type: ContentType): Filter | undefined => {
    const filters = narrowing && own(narrowing, type.uid);
    if (filters === undefined) return undefined;
    const caller = serverCaller(allowed.types);
    const budget = createBudget(api);
    try {
      const context = { allowed, api, caller, live: false, path: '', budget, bindings, narrowedBy: () => undefined };
      return parseFilters(filters, allowed.ofType(type), context);
    } catch (error) {
      throw new Error(`beforeFind of ${type.uid} returned filters that make no sense`, { cause: error });
    }
  };
  return (type) => {
    if (!known.has(type.uid)) known.set(type.uid, parse(type));
    return known.get(type.uid);
  };
}

function contextOf(query: QueryObject, scope: QueryScope): QueryContext {
  refuseInternal(query);
  const { allowed, api, caller, bindings } = scope;
  const live = parsePublicationState(own(query, 'publicationState'), true);
  const narrowedBy = narrowingOf(scope);
  return { allowed, api, caller, live, path: '', budget: createBudget(api), bindings, narrowedBy };
}

function parseCommon(query: QueryObject, { type, allowed }: QueryScope, context: QueryContext): ReadQuery {
  const attributes = allowed.ofType(type);
  const narrowed = context.narrowedBy(type);
  return {
    entry: {
      type,
      live: hidesDrafts(context, type),
      narrowed,
      fields: parseFields(own(query, 'fields'), attributes),
      populate: parsePopulate(own(query, 'populate'), attributes, context),
    },
    filter: allOf([parseFilters(own(query, 'filters'), attributes, context), narrowed]),
    locale: parseLocale(own(query, 'locale')),
  };
}

/** The query of a request for one entry. `sort` is checked though it has no effect; `pagination` is not looked at. */
export function parseEntryQuery(query: QueryObject, scope: QueryScope): ReadQuery {
  const context = contextOf(query, scope);
  parseSort(own(query, 'sort'), scope.allowed.ofType(scope.type), context);
  return parseCommon(query, scope, context);
}

/** The query of a request for a list. Throws BadRequestError, naming the parameter. */
export function parseListQuery(query: QueryObject, scope: QueryScope): ListQuery {
  const context = contextOf(query, scope);
  const attributes = scope.allowed.ofType(scope.type);
  const common = parseCommon(query, scope, context);
  const search = parseSearch(own(query, '_q'), attributes, context);
  return {
    ...common,
    filter: allOf([common.filter, search]),
    sort: parseSort(own(query, 'sort'), attributes, context),
    page: parsePagination(own(query, 'pagination'), context.api),
    maxCount: context.api.maxCount,
  };
}
