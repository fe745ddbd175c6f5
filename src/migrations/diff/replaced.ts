/**
 * Attributes whose name another one takes, and that go with consent: they are called something else while a migration is
 * planned, so that each can be told from its successor.
 */
import type { Change } from '../history/change.ts';
import type { Loss } from './draft.ts';
import type { Rename } from '../history/rename.ts';

/** No attribute of a schema has it in its name. */
const MARK = '\u{E000}replaced';

/** An attribute by the name that consent is given to: `article.body`. */
export function replacedThing(rename: Rename): string {
  return rename.kind === 'attribute' ? `${rename.owner}.${rename.to}` : rename.to;
}

/** Whether a rename takes the name of an attribute that may be lost. Of types and components this takes two builds. */
export function isConsented(rename: Rename, allowed: readonly string[]): boolean {
  return rename.kind === 'attribute' && allowed.includes(replacedThing(rename));
}

/** The rename, and one that moves what has its name out of its way. */
export function replacing(rename: Rename): readonly Rename[] {
  return [{ ...rename, from: rename.to, to: rename.to + MARK }, rename];
}

/** Whether a loss is that of an attribute that is replaced, and not of its successor. */
export function isOfReplaced({ thing }: Loss): boolean {
  return thing.includes(MARK);
}

function unmarked<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll(MARK, '')) as T;
}

/** Losses under the names that people know. */
export function plainLoss(loss: Loss): Loss {
  return isOfReplaced(loss) ? unmarked(loss) : loss;
}

/** Changes under the names that people know; they name columns and tables as they are. */
export function plainChanges(changes: readonly Change[], hasReplaced: boolean): readonly Change[] {
  return hasReplaced ? unmarked(changes) : changes;
}
