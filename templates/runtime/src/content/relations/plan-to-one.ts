/** Interprets a change for a to-one relation. */
import { type EntryRef, keyOf, type RelationChange, type Target } from './relation-change.ts';

/** `set`: relate to this entry, or to none. `release`: clear the relation if its current target is one of these. */
export type ToOneChange =
  | { readonly kind: 'set'; readonly target: Target | undefined }
  | { readonly kind: 'release'; readonly targets: readonly Target[] };

/** The last entry named wins; `disconnect` is ignored if anything is connected, and positions are always ignored. */
export function planToOne(change: RelationChange): ToOneChange {
  if (change.kind === 'set') return { kind: 'set', target: change.targets.at(-1) };
  const connected = change.connect.at(-1);
  return connected ? { kind: 'set', target: connected } : { kind: 'release', targets: change.disconnect };
}

/** Whether a `release` of these targets clears the current one. */
export function releases(targets: readonly EntryRef[], current: EntryRef): boolean {
  const key = keyOf(current);
  return targets.some((target) => keyOf(target) === key);
}
