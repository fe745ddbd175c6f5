/** Filters on lists, as opposed to single rows. */
import type { ItemFilter, RelatedFilter } from './read-query.ts';

/** Whether a filter is about a list: a to-many relation, the other locales of an entry, or a repeatable component. */
export function isAboutList(filter: RelatedFilter | ItemFilter): boolean {
  if (filter.kind === 'item') return filter.component.repeatable;
  return filter.relation.kind === 'localizations' || filter.relation.many;
}
