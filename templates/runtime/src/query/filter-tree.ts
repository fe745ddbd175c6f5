/** Building pieces of filters. */
import type { Filter } from './read-query.ts';

/** All of the filters; undefined for none. */
export function allOf(filters: readonly (Filter | undefined)[]): Filter | undefined {
  const present = filters.filter((filter) => filter !== undefined);
  return present.length < 2 ? present[0] : { kind: 'and', filters: present };
}

/**
 * The opposite of a filter. It goes through relations to their rows: not `tags.name = red` is a tag that is not red, as
 * a null in between matches neither.
 */
export function negate(filter: Filter): Filter {
  switch (filter.kind) {
    case 'and':
      return { kind: 'or', filters: filter.filters.map(negate) };
    case 'or':
      return { kind: 'and', filters: filter.filters.map(negate) };
    case 'not':
      return filter.filter;
    case 'nothing':
      return filter;
    case 'related':
    case 'item':
      return filter.filter === undefined ? { kind: 'not', filter } : { ...filter, filter: negate(filter.filter) };
    case 'compare':
    case 'in':
    case 'null':
    case 'text':
    case 'words':
      return { kind: 'not', filter };
  }
}
