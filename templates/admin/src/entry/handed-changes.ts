/** Changes that were made while an entry was created, for the screen of the new entry. */
import type { FormValues } from '../rest/form-values.ts';

export interface HandedChanges {
  /** The values of the form that were sent. */
  readonly sent: FormValues;
  /** Its values when the entry was there. */
  readonly now: FormValues;
}

const handed = new Map<string, HandedChanges>();

/** `place` as in kept-changes.ts. */
export function handOver(place: string, changes: HandedChanges): void {
  handed.set(place, changes);
}

/** Takes the changes; undefined if there are none. */
export function takeOver(place: string): HandedChanges | undefined {
  const changes = handed.get(place);
  handed.delete(place);
  return changes;
}
