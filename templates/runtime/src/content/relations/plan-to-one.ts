/** What a change means for an attribute that relates to one entry. */
import { type EntryRef, keyOf, type RelationChange, type Target } from './relation-change.ts';

/** `set`: to this entry, or to none. `release`: to none if it is one of these now. */
export type ToOneChange =
  | { readonly kind: 'set'; readonly target: Target | undefined }
  | { readonly kind: 'release'; readonly targets: readonly Target[] };

/** The last entry named wins; `disconnect` counts only where nothing is connected. Positions mean nothing here. */
export function planToOne(change: RelationChange): ToOneChange {
  if (change.kind === 'set') return { kind: 'set', target: change.targets.at(-1) };
  const connected = change.connect.at(-1);
  return connected ? { kind: 'set', target: connected } : { kind: 'release', targets: change.disconnect };
}

/** Whether `release` concerns the entry that is related now. */
export function releases(targets: readonly EntryRef[], current: EntryRef): boolean {
  const key = keyOf(current);
  return targets.some((target) => keyOf(target) === key);
}
