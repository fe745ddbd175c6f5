/** Finds entries by the texts that a file has for them, many with one request. */
import { type ContentType, resourceOf } from '../model/model.ts';
import type { QueryObject } from '../rest/query-string.ts';
import { ask } from '../rest/request.ts';
import { flat, type RestEntry } from '../rest/rest-entry.ts';

/** How many values are asked for with one request: they are part of its address. */
const AT_ONCE = 40;
/** How many entries may have them: more than one for each is ambiguous anyway. */
const MOST_FOUND = 100;

/** Value → the id of its entry, or `several`. What is not found is absent. */
export type Found = Readonly<Record<string, number | 'several'>>;

/** `query`: what else is asked for, such as drafts and the locale. */
export async function lookUp(
  type: ContentType,
  name: string,
  values: readonly string[],
  { query, signal }: { readonly query: QueryObject; readonly signal: AbortSignal },
): Promise<Found> {
  const found: Record<string, number | 'several'> = {};
  const fold = new Map(values.map((value) => [value.toLowerCase(), value]));
  for (let start = 0; start < values.length; start += AT_ONCE) {
    signal.throwIfAborted();
    const part = values.slice(start, start + AT_ONCE);
    const answer = await ask<{ data: RestEntry[] } | RestEntry[]>({
      path: resourceOf(type),
      query: {
        ...query,
        fields: [...new Set(['id', name])],
        filters: { [name]: { $in: part } },
        pagination: { limit: MOST_FOUND, withCount: false },
      },
    });
    for (const entry of 'data' in answer ? answer.data : answer) {
      const text = String(flat(entry)[name]);
      // Databases may compare without case.
      const value = part.includes(text) ? text : fold.get(text.toLowerCase());
      if (value !== undefined) found[value] = Object.hasOwn(found, value) ? 'several' : entry.id;
    }
  }
  return found;
}
