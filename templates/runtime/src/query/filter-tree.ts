/** Combines filters. */
import type { Filter } from './read-query.ts';

/** The conjunction of the filters; undefined if there are none. */
export function allOf(filters: readonly (Filter | undefined)[]): Filter | undefined {
  const present = filters.filter((filter) => filter !== undefined);
  return present.length < 2 ? present[0] : { kind: 'and', filters: present };
}

/**
 * Negates a filter. The negation moves through relations to the related rows: not `tags.name = red` matches entries with a tag that
 * is not red. A null on the way matches neither the filter nor its negation.
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
