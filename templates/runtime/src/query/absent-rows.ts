/** Conditions on rows that are not there: as with outer joins in SQL, all attributes of an absent row are null. */
import { isAboutList } from './about-list.ts';
import { type FilterCondition, foldFilter } from './fold-filter.ts';
import type { Filter } from './read-query.ts';

/** Undefined stands for SQL's NULL: the comparison of a null is neither true nor false. */
type Truth = boolean | undefined;

function all(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(undefined) ? undefined : true;
}

function opposite(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

function some(truths: readonly Truth[]): Truth {
  return opposite(all(truths.map(opposite)));
}

function truthOfCondition(condition: FilterCondition): Truth {
  switch (condition.kind) {
    case 'null':
      return true;
    case 'nothing':
    case 'modified':
      return false;
    case 'related':
    case 'item':
      return isAboutList(condition) ? undefined : false;
    case 'compare':
    case 'in':
    case 'text':
    case 'words':
      return undefined;
  }
}

/** Whether a row whose attributes are all null meets the filter. It has no lists that could meet conditions, or fail to. */
export function matchesAbsent(filter: Filter): boolean {
  const truth = foldFilter(filter, {
    condition: truthOfCondition,
    all,
    any: some,
    not: opposite,
    unmet: (met) => met !== true,
  });
  return truth === true;
}
