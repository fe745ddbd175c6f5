/** Shared by the parsers of the parts of a query. */
import type { ApiSettings, Component, ContentType, ContentTypes } from '../contract/content-type.ts';
import { CONDITION_WEIGHT, HOP_FACTOR, MAX_CONDITIONS, MAX_SORT_KEYS } from '../contract/limits.ts';
import { BadRequestError } from '../contract/errors.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { forbidden, hasRight, requireRight } from '../contract/policy/rights.ts';
import { inState } from '../contract/states.ts';
import type { Bindings } from './bindings.ts';
import type { Format } from './format.ts';
import { pathOf } from './invalid-parameter.ts';
import type { ReportIgnored } from './ignored-names.ts';
import type { Filter } from './read-query.ts';
import type { ShownContext } from './shown-locale.ts';
import type {
  AllowList,
  Readable,
  ReadableAttributes,
  ReadableLocalizations,
  ReadableMorph,
  ReadableRelation,
} from './readable-attributes.ts';

export interface QueryContext extends ShownContext {
  readonly allowed: AllowList;
  readonly caller: Caller;
  readonly api: ApiSettings;
  /** See `EntryQuery`. */
  readonly refusesHidden: boolean;
  /** See `EntryQuery`. */
  readonly aliases: boolean;
  /** Whether only published rows are included. */
  readonly live: boolean;
  readonly format: Format;
  /** Whether drafts that the caller may not see are left out instead of refused: for the answer of a write. */
  readonly forgivesDrafts: boolean;
  /** Whether the query shapes the answer of a write, within its transaction, where slow searches are refused. */
  readonly answersWrite: boolean;
  /** The dotted path of the current `populate`; empty at the top. */
  readonly path: string;
  readonly budget: Budget;
  /** Collects the values of slots; undefined if the query is compiled together with its values. */
  readonly bindings: Bindings | undefined;
  /** Takes note of an unknown name in `populate`; undefined if such names are refused. */
  readonly ignored: ReportIgnored | undefined;
  /** For `usedBy: visible` in the rules of files: whose view it is about. Absent in all other filters. */
  readonly viewer?: Viewer | undefined;
  /** The filter that narrows reads of a type: where it is reached, or where the query asks for it. */
  narrowedBy(type: ContentType, at: Visited): Filter | undefined;
}

/** A caller, and what it sees. */
export interface Viewer {
  readonly caller: Caller;
  readonly types: ContentTypes;
  narrowedBy(type: ContentType, at: Visited): Filter | undefined;
}

/** Where a query visits the entries of a type. */
export interface Visited {
  /** Whether they are what the query asks for. */
  readonly isRoot: boolean;
  /** Whether only published rows are seen. */
  readonly live: boolean;
}

/** The cost limits of a query. Each method throws BadRequestError, naming the limit, once it is exceeded. */
export interface Budget {
  condition(weight: number): void;
  sortKey(weight: number): void;
  populatedPath(): void;
}

function counter(limit: number, message: string): (weight: number) => void {
  let count = 0;
  return (weight) => {
    count += weight;
    if (count > limit) throw new BadRequestError(message);
  };
}

const { comparison, search, foldedSearch, reached } = CONDITION_WEIGHT;
const FILTERS_TOO_HEAVY = `The filters of the query weigh more than ${MAX_CONDITIONS}: a condition weighs ${comparison}, a search in a text ${search}, one that ignores case ${foldedSearch}, a step through a relation or component ${reached}`;
const SORT_TOO_HEAVY = `The sort keys of the query weigh more than ${MAX_SORT_KEYS}: a key weighs 1, times ${HOP_FACTOR.many} for each list on its path and times ${HOP_FACTOR.one} for each other step`;

export function createBudget(api: ApiSettings): Budget {
  const path = counter(api.maxPopulatedPaths, `The query has more than ${api.maxPopulatedPaths} populated paths`);
  return {
    condition: counter(MAX_CONDITIONS, FILTERS_TOO_HEAVY),
    sortKey: counter(MAX_SORT_KEYS, SORT_TOO_HEAVY),
    populatedPath: () => path(1),
  };
}

/** Whether the caller may see entries of a type through a relation. */
function mayFind(context: QueryContext, type: ContentType): boolean {
  return hasRight(context.caller, 'related', type.uid);
}

/** Whether the caller may follow a relation, or see the other locales of an entry. */
export function mayFollow(context: QueryContext, relation: ReadableRelation | ReadableLocalizations): boolean {
  return (relation.kind === 'relation' && relation.media) || mayFind(context, relation.target);
}

/** The readable attributes of a type, under the rules of the query's format. */
export function attributesOfType({ allowed, format }: QueryContext, type: ContentType): ReadableAttributes {
  return allowed.ofType(type, format.vocabulary);
}

/** The readable attributes of what the query asks for. */
export function rootAttributes({ allowed, format }: QueryContext, type: ContentType): ReadableAttributes {
  return allowed.ofRoot(type, format.vocabulary);
}

/** The readable attributes of a component's items. */
export function attributesOfComponent({ allowed, format }: QueryContext, component: Component): ReadableAttributes {
  return allowed.ofComponent(component, format.vocabulary);
}

/** Throws ForbiddenError for a relation that the caller may not follow, unless the query just leaves such relations out. */
export function refuseHidden(
  { caller, refusesHidden }: QueryContext,
  relation: ReadableRelation | ReadableLocalizations | ReadableMorph,
): void {
  if (!refusesHidden) return;
  const [uid] = relation.kind === 'morph' ? relation.targets.map(({ type }) => type.uid) : [relation.target.uid];
  throw forbidden(caller, 'related', uid ?? relation.name);
}

function isUsable(context: QueryContext, readable: Readable): boolean {
  switch (readable.kind) {
    case 'scalar':
    case 'component':
      return true;
    case 'relation':
    case 'localizations':
      return mayFollow(context, readable);
    case 'morph':
    case 'zone':
      return false;
  }
}

/** The names of the attributes that the caller may use in filters and sort keys. */
export function usableNames(context: QueryContext, attributes: ReadableAttributes): string[] {
  return [...attributes.values()].filter((readable) => isUsable(context, readable)).map(({ name }) => name);
}

/** The full path of a parameter, such as `populate.tags.filters`. */
export function parameterPath({ path }: QueryContext, parameter: string): string {
  return path === '' ? parameter : pathOf('populate', path, parameter);
}

/** The targets of a polymorphic relation that the caller may see. */
export function visibleTargets(context: QueryContext, relation: ReadableMorph): ReadableMorph['targets'] {
  return relation.targets.filter(({ type }) => mayFind(context, type));
}

/** Whether drafts of a type are hidden. Throws ForbiddenError if the query includes drafts and the caller may not see them. */
function hidesDrafts(context: QueryContext, type: ContentType): boolean {
  if (!type.draftAndPublish) return false;
  if (context.live) return true;
  if (context.forgivesDrafts) return !hasRight(context.caller, 'drafts', type.uid);
  requireRight(context.caller, 'drafts', type.uid);
  return false;
}

/** A type in the state in which the query reads its entries, and which of them the caller sees. */
export interface SeenType {
  readonly type: ContentType;
  readonly live: boolean;
  readonly narrowed: Filter | undefined;
}

/**
 * What the caller sees of a type where the query asks for it (`isRoot`), or behind a relation. Throws ForbiddenError if the query
 * includes drafts and the caller may not see them.
 */
export function seenType(context: QueryContext, of: ContentType, isRoot = false): SeenType {
  const live = hidesDrafts(context, of);
  const type = inState(context.allowed.types, of, of.draftAndPublish ? live : context.live);
  return { type, live, narrowed: context.narrowedBy(type, { isRoot, live }) };
}

/** A relation to the entries of its target in the given state. */
export function leadingTo<Relation extends ReadableRelation | ReadableLocalizations>(
  relation: Relation,
  target: ContentType,
): Relation {
  return relation.target === target ? relation : { ...relation, target };
}
