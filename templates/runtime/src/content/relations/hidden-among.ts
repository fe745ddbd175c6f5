/** Which entries of any types are hidden from a caller. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Transaction } from '../../database/write-plan.ts';
import type { Reach } from './reach.ts';
import { type EntryRef, keyOf } from './relation-change.ts';

interface Asking {
  readonly types: ContentTypes;
  readonly reach: Reach;
}

type IdsAmong = (type: ContentType, ids: readonly number[]) => Promise<ReadonlySet<number>>;

/** The keys of those of the entries that `idsAmong` finds, type by type. */
async function keysAmong(
  { types }: Asking,
  entries: readonly EntryRef[],
  idsAmong: IdsAmong,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const uid of new Set(entries.map(({ type }) => type))) {
    const type = Object.hasOwn(types.types, uid) ? types.types[uid] : undefined;
    if (!type) continue;
    const ids = entries.flatMap((entry) => (entry.type === uid ? [entry.id] : []));
    for (const id of await idsAmong(type, ids)) found.add(keyOf({ type: uid, id }));
  }
  return found;
}

const NONE: ReadonlySet<number> = new Set();

/** The keys of the entries that are hidden from the caller. */
export function hiddenAmong(asking: Asking, entries: readonly EntryRef[]): Promise<ReadonlySet<string>> {
  const { reach } = asking;
  return keysAmong(asking, entries, async (type, ids) => (reach.mayHide(type) ? reach.hidden(type, ids) : NONE));
}

/** The keys of the entries to which the caller may relate no others. */
export function unlinkableAmong(
  asking: Asking & { readonly tx: Transaction },
  entries: readonly EntryRef[],
): Promise<ReadonlySet<string>> {
  return keysAmong(asking, entries, (type, ids) => asking.reach.unlinkable(asking.tx, type, ids));
}
