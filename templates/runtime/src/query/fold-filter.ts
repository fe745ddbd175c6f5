/** Walks over filters. */
import type { Filter } from './read-query.ts';

/** A filter that is not made of others of the same rows. */
export type FilterCondition = Exclude<Filter, { readonly kind: 'and' | 'or' | 'not' | 'unmet' }>;

/** What to make of the parts of a filter, from its conditions upwards. */
export interface FilterFold<Result> {
  condition(condition: FilterCondition): Result;
  all(results: readonly Result[]): Result;
  any(results: readonly Result[]): Result;
  not(result: Result, negated: Filter): Result;
  unmet(result: Result): Result;
}

export function foldFilter<Result>(filter: Filter, fold: FilterFold<Result>): Result {
  switch (filter.kind) {
    case 'and':
      return fold.all(filter.filters.map((each) => foldFilter(each, fold)));
    case 'or':
      return fold.any(filter.filters.map((each) => foldFilter(each, fold)));
    case 'not':
      return fold.not(foldFilter(filter.filter, fold), filter.filter);
    case 'unmet':
      return fold.unmet(foldFilter(filter.filter, fold));
    default:
      return fold.condition(filter);
  }
}

const every = (results: readonly boolean[]): boolean => results.every(Boolean);
const same = (result: boolean): boolean => result;

/** Whether each condition of a filter passes a test. */
export function everyCondition(filter: Filter, test: (condition: FilterCondition) => boolean): boolean {
  return foldFilter(filter, { condition: test, all: every, any: every, not: same, unmet: same });
}
