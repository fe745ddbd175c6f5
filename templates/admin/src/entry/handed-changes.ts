/** Changes made while a new entry was being saved: handed over to the screen of the created entry. */
import type { FormValues } from '../rest/form-values.ts';

export interface HandedChanges {
  /** The form values that were sent. */
  readonly sent: FormValues;
  /** The form values when the entry had been created. */
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

/** Whether there are changes to take over. */
export function isHanded(place: string): boolean {
  return handed.has(place);
}
