/**
 * Attributes that are dropped, with consent, because another attribute is renamed to their name. While a migration is planned they
 * have a marked name, which distinguishes them from their successors.
 */
import type { Change } from '#contract/migrations/change.ts';
import type { Rename } from '#contract/migrations/plan.ts';
import type { Loss } from './draft.ts';

/** A suffix that can't be part of an attribute name. */
const MARK = '\u{E000}replaced';

/** The replaced attribute as named in `--allow-destructive`: `article.body`. */
export function replacedThing(rename: Rename): string {
  return rename.kind === 'attribute' ? `${rename.owner}.${rename.to}` : rename.to;
}

/** Whether a rename takes the name of an attribute that may be lost. Types and components need two builds for that. */
export function isConsented(rename: Rename, allowed: readonly string[]): boolean {
  return rename.kind === 'attribute' && allowed.includes(replacedThing(rename));
}

/** The rename, preceded by one that marks the replaced attribute. */
export function replacing(rename: Rename): readonly Rename[] {
  return [{ ...rename, from: rename.to, to: rename.to + MARK }, rename];
}

/** Whether a loss concerns a replaced attribute, not its successor. */
export function isOfReplaced({ thing }: Loss): boolean {
  return thing.includes(MARK);
}

function unmarked<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll(MARK, '')) as T;
}

/** A loss without the mark in its names. */
export function plainLoss(loss: Loss): Loss {
  return isOfReplaced(loss) ? unmarked(loss) : loss;
}

/** Changes without the mark in attribute names. Names of tables and columns have none. */
export function plainChanges(changes: readonly Change[], hasReplaced: boolean): readonly Change[] {
  return hasReplaced ? unmarked(changes) : changes;
}
