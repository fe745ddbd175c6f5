/** Combines filters. */
import { isAboutList } from './about-list.ts';
import { matchesAbsent } from './absent-rows.ts';
import type { Filter, ItemFilter, RelatedFilter } from './read-query.ts';

/** The conjunction of the filters; undefined if there are none. */
export function allOf(filters: readonly (Filter | undefined)[]): Filter | undefined {
  const present = filters.filter((filter) => filter !== undefined);
  return present.length < 2 ? present[0] : { kind: 'and', filters: present };
}

/**
 * Negates a filter. Not `tags.name = red` matches entries without a red tag. Through a single related row, the negation moves to its
 * conditions: not `author.name = Ann` matches entries with an author who is not Ann. A null on the way matches neither.
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
    case 'modified':
      return filter;
    case 'related':
    case 'item':
      return filter.filter === undefined || isAboutList(filter)
        ? { kind: 'not', filter }
        : orAbsent({ ...filter, filter: negate(filter.filter) });
    case 'compare':
    case 'in':
    case 'null':
    case 'text':
    case 'words':
    case 'unmet':
      return { kind: 'not', filter };
  }
}

/** A filter on reached rows. One that nulls meet, as in `author[name][$null]`, is also met if a single row is not there. */
export function orAbsent(reached: RelatedFilter | ItemFilter): Filter {
  if (reached.filter === undefined || isAboutList(reached) || !matchesAbsent(reached.filter)) return reached;
  return { kind: 'or', filters: [reached, { kind: 'not', filter: { ...reached, filter: undefined } }] };
}
