/** What the parsers of the parts of one query share. */
import type { ApiSettings, ContentType } from '../content-type.ts';
import { BadRequestError } from '../errors.ts';
import type { Caller } from '../policy/caller.ts';
import { hasRight, requireRight } from '../policy/rights.ts';
import type { AllowList, ReadableMorph, ReadableRelation } from './readable-attributes.ts';

/** Conditions of all filters of one query. */
const MAX_CONDITIONS = 250;
/** Keys of all `sort`s of one query. */
const MAX_SORT_KEYS = 50;
/** Levels of `$and`, `$or`, `$not` and relations in a filter. */
export const MAX_FILTER_DEPTH = 12;

export interface QueryContext {
  readonly allowed: AllowList;
  readonly caller: Caller;
  readonly api: ApiSettings;
  /** Whether only published rows are seen. */
  readonly live: boolean;
  readonly budget: Budget;
}

/** What a query may still spend; each method throws BadRequestError, with the limit, when it is spent. */
export interface Budget {
  condition(): void;
  sortKey(): void;
  populatedPath(): void;
}

function counter(limit: number, what: string): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > limit) {
      throw new BadRequestError(`The query has more than ${limit} ${what}`);
    }
  };
}

export function createBudget(api: ApiSettings): Budget {
  return {
    condition: counter(MAX_CONDITIONS, 'conditions'),
    sortKey: counter(MAX_SORT_KEYS, 'sort keys'),
    populatedPath: counter(api.maxPopulatedPaths, 'populated paths'),
  };
}

/** Whether the caller may see entries of a type through a relation. */
function mayFind(context: QueryContext, type: ContentType): boolean {
  return hasRight(context.caller, 'related', type.uid);
}

/** Whether the caller may follow a relation. */
export function mayFollow(context: QueryContext, relation: ReadableRelation): boolean {
  return relation.media || mayFind(context, relation.target);
}

/** The targets of a relation to several types that the caller may see. */
export function visibleTargets(context: QueryContext, relation: ReadableMorph): ReadableMorph['targets'] {
  return relation.targets.filter(({ type }) => mayFind(context, type));
}

/** Whether drafts of a type are hidden. Throws ForbiddenError where the query asks for them and the caller may not see them. */
export function hidesDrafts(context: QueryContext, type: ContentType): boolean {
  if (!type.draftAndPublish) return false;
  if (!context.live) requireRight(context.caller, 'drafts', type.uid);
  return context.live;
}
