/** The parameters of a request: each by its own parser, against one allow-list. */
import type { ApiSettings, ContentType } from '../contract/content-type.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { Bindings } from './bindings.ts';
import { parseFields } from './fields.ts';
import { parseFilters } from './filters.ts';
import { allOf } from './filter-tree.ts';
import { invalidParameter, invalidValue } from './invalid-parameter.ts';
import { parseLocale } from './locale.ts';
import { parsePagination } from './pagination.ts';
import { parsePopulate } from './populate.ts';
import { parsePublicationState } from './publication-state.ts';
import { createBudget, hidesDrafts, type QueryContext } from './query-context.ts';
import { own, type QueryObject } from './query-value.ts';
import type { AllowList } from './readable-attributes.ts';
import type { ListQuery, ReadQuery } from './read-query.ts';
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

function contextOf(query: QueryObject, { allowed, api, caller, bindings }: QueryScope): QueryContext {
  refuseInternal(query);
  const live = parsePublicationState(own(query, 'publicationState'), true);
  return { allowed, api, caller, live, path: '', budget: createBudget(api), bindings };
}

function parseCommon(query: QueryObject, { type, allowed }: QueryScope, context: QueryContext): ReadQuery {
  const attributes = allowed.ofType(type);
  return {
    entry: {
      type,
      live: hidesDrafts(context, type),
      fields: parseFields(own(query, 'fields'), attributes),
      populate: parsePopulate(own(query, 'populate'), attributes, context),
    },
    filter: parseFilters(own(query, 'filters'), attributes, context),
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
