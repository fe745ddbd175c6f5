/** Parses the parameters of a query, each with its own parser, against one allow-list. */
import type { ApiSettings, ContentType } from '../contract/content-type.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { requireRight } from '../contract/policy/rights.ts';
import { serverCaller } from '../contract/policy/server-caller.ts';
import { isPublished } from '../contract/states.ts';
import type { Bindings } from './bindings.ts';
import type { Narrowing } from './entry-query.ts';
import { type Format, OWN } from './format.ts';
import { parseFields, shownFields } from './fields.ts';
import { parseFilters } from './filters.ts';
import { allOf } from './filter-tree.ts';
import type { ReportIgnored } from './ignored-names.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { keysetPosition } from './keyset-position.ts';
import { maxCountOf, parsePagination } from './pagination.ts';
import { parsePopulate } from './populate.ts';
import {
  attributesOfType,
  createBudget,
  type QueryContext,
  rootAttributes,
  seenType,
  type SeenType,
  type Visited,
} from './query-context.ts';
import { queryRules } from './query-rules.ts';
import { isQueryArray, isQueryObject, ownValue, type QueryObject, type QueryValue } from './query-value.ts';
import type { AllowList } from './readable-attributes.ts';
import type { EntrySelection, Filter, ListQuery, LocaleFilter, ReadQuery } from './read-query.ts';
import { parseSearch } from './search.ts';
import { shownLocaleOf } from './shown-locale.ts';
import { parseSort } from './sort.ts';

/**
 * Parameters that query builders accept. They are refused because a client that sends them expects them to restrict the result.
 */
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

const NOBODY: ReportIgnored = () => undefined;

/** The type of a query, its caller, and the settings that apply. */
export interface QueryScope {
  readonly allowed: AllowList;
  readonly api: ApiSettings;
  readonly type: ContentType;
  readonly caller: Caller;
  /** See `EntryQuery`. */
  readonly refusesHidden: boolean;
  /** See `EntryQuery`. */
  readonly aliases: boolean;
  readonly format: Format;
  /** Collects the values of slots; undefined if the query is compiled together with its values. */
  readonly bindings: Bindings | undefined;
  /** See `EntryQuery`. */
  readonly narrowings: readonly Narrowing[];
  /** Undefined: nobody needs to know. */
  readonly reportIgnored?: ReportIgnored | undefined;
}

function refuseInternal(query: QueryObject): void {
  const internal = Object.keys(query).find(
    (name) => name.startsWith('$') || INTERNAL.has(name.replace(/^_+/u, '').toLowerCase()),
  );
  if (internal !== undefined) {
    throw invalidParameter(internal);
  }
}

/**
 * The filters that narrow a query, each parsed once. They run with the server's permissions: they may use attributes that the
 * caller may not.
 */
function narrowingOf({ allowed, api, bindings, narrowings }: QueryScope): QueryContext['narrowedBy'] {
  const known = new Map<ContentType, Map<string, Filter | undefined>>();
  const parse = (
    type: ContentType,
    { by, viewer }: Pick<Narrowing, 'by' | 'viewer'>,
    filters: QueryValue | undefined,
  ): Filter | undefined => {
    if (filters === undefined) return undefined;
    const context: QueryContext = {
      allowed: allowed.whole,
      api,
      caller: serverCaller(allowed.types),
      refusesHidden: false,
      aliases: false,
      format: OWN,
      // What visitors see depends on nothing but what is published.
      live: isPublished(type),
      forgivesDrafts: false,
      answersWrite: false,
      path: '',
      budget: createBudget(api),
      bindings,
      ignored: undefined,
      narrowedBy: () => undefined,
      viewer: viewer && {
        caller: viewer,
        types: allowed.types,
        narrowedBy: (seen, at) => narrowedOnce(seen, at),
      },
      shownLocale: { wanted: undefined, locales: allowed.types.locales },
      inSharedItem: false,
    };
    try {
      return parseFilters(filters, attributesOfType(context, type), context) ?? { kind: 'and', filters: [] };
    } catch (error) {
      throw new Error(`${by} of ${type.uid} has invalid filters`, { cause: error });
    }
  };
  const narrowedBy = (type: ContentType, { isRoot, live }: Visited): Filter | undefined =>
    allOf(
      narrowings.flatMap((narrowing) => {
        const { ofType, ofRoot, ofDrafts } = narrowing;
        const filter = isRoot && ofRoot ? ofRoot : ownValue(ofType, type.uid);
        const drafts = live || !ofDrafts ? undefined : parse(type, narrowing, ownValue(ofDrafts, type.uid));
        return [parse(type, narrowing, filter), drafts];
      }),
    );
  const narrowedOnce: QueryContext['narrowedBy'] = (type, visited) => {
    const ofType = known.get(type) ?? new Map<string, Filter | undefined>();
    known.set(type, ofType);
    const key = `${visited.isRoot} ${visited.live}`;
    if (!ofType.has(key)) ofType.set(key, narrowedBy(type, visited));
    return ofType.get(key);
  };
  return narrowedOnce;
}

function contextOf(query: QueryObject, scope: QueryScope, answersWrite: boolean): QueryContext {
  const { allowed, api, caller, refusesHidden, aliases, format, bindings } = scope;
  refuseInternal(query);
  const rules = queryRules(format.rules);
  const live = rules.live(query, answersWrite);
  const narrowedBy = narrowingOf(scope);
  return {
    allowed,
    api,
    caller,
    refusesHidden,
    aliases,
    format,
    live,
    forgivesDrafts: answersWrite && (format.rules === 'v5' || rules.draftAlone(query)),
    answersWrite,
    path: '',
    budget: createBudget(api),
    bindings,
    ignored: rules.ignoresUnknown && api.unknownAttributes === 'ignore' ? (scope.reportIgnored ?? NOBODY) : undefined,
    narrowedBy,
    shownLocale: shownLocaleOf(query, allowed.types, format),
    inSharedItem: false,
  };
}

/** Whether filters contain a condition on the locale of the entries themselves. */
function filtersLocale(filters: QueryValue): boolean {
  if (isQueryArray(filters)) return filters.some(filtersLocale);
  if (!isQueryObject(filters)) return false;
  return Object.entries(filters).some(
    ([name, inner]) => name === 'locale' || (/^\$(?:and|or|not)$/u.test(name) && filtersLocale(inner)),
  );
}

/** The locale of a query; undefined if it has none. */
function localeOf(
  query: QueryObject,
  { type, allowed, format }: QueryScope,
  { answersWrite }: QueryContext,
): LocaleFilter | undefined {
  const rules = queryRules(format.rules);
  const asked = rules.locale(ownValue(query, 'locale'), allowed.types, type);
  const isImplied = rules.filtersLocale && !answersWrite && filtersLocale(ownValue(query, 'filters') ?? '');
  return asked ?? (isImplied ? { kind: 'all', implied: true } : undefined);
}

function parseCommon(
  query: QueryObject,
  scope: QueryScope,
  context: QueryContext,
  { type, live, narrowed }: SeenType,
): ReadQuery {
  const { format } = scope;
  const attributes = rootAttributes(context, type);
  const rules = queryRules(format.rules);
  const entry: EntrySelection = {
    type,
    live,
    narrowed,
    shape: format.shape,
    fields: shownFields(parseFields(ownValue(query, 'fields'), attributes), context),
    populate: parsePopulate(ownValue(query, 'populate'), attributes, context),
  };
  const asked = parseFilters(ownValue(query, 'filters'), attributes, context);
  return {
    entry,
    asked,
    filter: allOf([
      asked,
      rules.publication(query, attributes, type, {
        narrowedLocales: (published) => context.narrowedBy(type, { isRoot: false, live: published }),
        requireDrafts: () => requireRight(context.caller, 'drafts', type.uid),
      }),
      narrowed,
    ]),
    locale: localeOf(query, scope, context),
  };
}

/**
 * Parses the query of a request for one entry. `sort` is validated, but has no effect; `pagination` is ignored. `written`: the
 * state of the entry that the request has written.
 */
export function parseEntryQuery(query: QueryObject, scope: QueryScope, written?: 'draft' | 'published'): ReadQuery {
  const context = contextOf(query, scope, written !== undefined);
  const found = seenType(context, scope.type, true);
  const seen = written === 'draft' ? { ...found, type: scope.type } : found;
  parseSort(ownValue(query, 'sort'), rootAttributes(context, seen.type), context);
  return parseCommon(query, scope, context, seen);
}

/** Parses the query of a list. Throws BadRequestError, naming the parameter. */
export function parseListQuery(query: QueryObject, scope: QueryScope): ListQuery {
  const context = contextOf(query, scope, false);
  const seen = seenType(context, scope.type, true);
  const attributes = rootAttributes(context, seen.type);
  const common = parseCommon(query, scope, context, seen);
  const search = parseSearch(ownValue(query, '_q'), attributes, context, seen.type);
  const sort = parseSort(ownValue(query, 'sort'), attributes, context);
  const list = { uid: scope.type.uid, query, sort, bindings: scope.bindings };
  const pagination = ownValue(query, 'pagination');
  return {
    ...common,
    asked: allOf([common.asked, search]),
    filter: allOf([common.filter, search]),
    sort,
    page: parsePagination(pagination, context.api, (after) => keysetPosition(list, after)),
    maxCount: maxCountOf(pagination, context.api),
  };
}
