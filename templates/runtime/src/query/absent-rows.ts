/** Conditions on rows that are not there: as with outer joins in SQL, all attributes of an absent row are null. */
import { isAboutList } from './about-list.ts';
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

function truthOf(filter: Filter): Truth {
  switch (filter.kind) {
    case 'and':
      return all(filter.filters.map(truthOf));
    case 'or':
      return opposite(all(filter.filters.map((each) => opposite(truthOf(each)))));
    case 'not':
      return opposite(truthOf(filter.filter));
    case 'null':
      return true;
    case 'unmet':
      return truthOf(filter.filter) !== true;
    case 'nothing':
      return false;
    case 'related':
    case 'item':
      return isAboutList(filter) ? undefined : false;
    case 'compare':
    case 'in':
    case 'text':
    case 'words':
      return undefined;
  }
}

/** Whether a row whose attributes are all null meets the filter. It has no lists that could meet conditions, or fail to. */
export function matchesAbsent(filter: Filter): boolean {
  return truthOf(filter) === true;
}
