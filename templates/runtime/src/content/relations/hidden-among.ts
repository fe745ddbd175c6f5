/** Which entries of any types are hidden from a caller. */
import type { ContentTypes } from '../../contract/content-type.ts';
import type { Reach } from './reach.ts';
import { type EntryRef, keyOf } from './relation-change.ts';

/** The keys of the entries that are hidden from the caller. */
export async function hiddenAmong(
  { types, reach }: { readonly types: ContentTypes; readonly reach: Reach },
  entries: readonly EntryRef[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const uid of new Set(entries.map(({ type }) => type))) {
    const type = Object.hasOwn(types.types, uid) ? types.types[uid] : undefined;
    if (!type || !reach.mayHide(type)) continue;
    const ids = entries.flatMap((entry) => (entry.type === uid ? [entry.id] : []));
    for (const id of await reach.hidden(type, ids)) found.add(keyOf({ type: uid, id }));
  }
  return found;
}
