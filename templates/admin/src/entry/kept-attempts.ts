/** Saves of a new entry whose outcome is unknown, kept in sessionStorage, so that a reload does not lead to a second entry. */
import type { Attributes } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { withoutSecrets } from './kept-changes.ts';
import { removeText, storedText, storeText } from './kept-storage.ts';
import type { Attempt } from './save-entry.ts';

/** `place` as in kept-changes.ts. */
function keyOf(place: string): string {
  return `${place}.sent`;
}

/** Replaces the attempts of a place. Passwords are left out. */
export function keepAttempts(
  place: string,
  attempts: readonly Attempt[],
  attributes: Attributes,
  index: ModelIndex,
): void {
  const kept = attempts.map(({ values, data, ...attempt }) => ({
    ...attempt,
    values: withoutSecrets(values, attributes, index),
    data: withoutSecrets(data, attributes, index),
  }));
  if (kept.length === 0) forgetAttempts(place);
  else storeText(keyOf(place), JSON.stringify(kept));
}

export function forgetAttempts(place: string): void {
  removeText(keyOf(place));
}

export function keptAttempts(place: string): readonly Attempt[] {
  return JSON.parse(storedText(keyOf(place)) ?? '[]') as Attempt[];
}
