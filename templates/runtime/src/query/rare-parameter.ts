/** Parameters that few queries have. */
import type { EntryQuery } from './entry-query.ts';
import { ownValue, type QueryValue } from './query-value.ts';

/** Its value; undefined if the query does not have it, which is known of most queries by their shape, without building them. */
export function rareParameter(query: EntryQuery, name: string): QueryValue | undefined {
  return query.shape?.includes(name) === false ? undefined : ownValue(query.tree(), name);
}
