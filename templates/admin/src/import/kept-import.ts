/** An import that is not finished, kept in sessionStorage so that it goes on after a reload. What is in its rows is not kept. */
import { removeText, storedText, storeText } from '../entry/kept-storage.ts';
import type { AllFound, Refusal } from './build-rows.ts';
import type { ImportSettings } from './import-settings.ts';
import type { Reading } from './read-file.ts';

/** In milliseconds: servers know what they have done for a day. */
const KEPT = 23 * 3_600_000;

export interface ImportState {
  readonly fileName: string;
  readonly hash: string;
  readonly reading: Reading;
  readonly settings: ImportSettings;
  /** As it was at the start: the same rows make the same requests. */
  readonly found: AllFound;
  /** When it was started, in milliseconds since 1970. */
  readonly since: number;
  /** Counts imports of the same file that are meant to be done again. */
  readonly run: number;
  /** The lines that are not sent. */
  readonly skipped: readonly number[];
  /** How many rows are sent at once. */
  readonly size: number;
  /** How many rows are dealt with. */
  readonly next: number;
  /** The `next` of rows that were sent, whatever became of them. */
  readonly sent?: number;
  readonly created: number;
  readonly updated: number;
  /** Rows that an earlier import of the file has imported. */
  readonly replayed: number;
  readonly refused: readonly Refusal[];
}

function keyOf(userId: number, uid: string): string {
  return `content-gen.import.${userId}.${uid}`;
}

export function keepImport(userId: number, uid: string, state: ImportState): void {
  storeText(keyOf(userId, uid), JSON.stringify(state));
}

export function keptImport(userId: number, uid: string): ImportState | undefined {
  const text = storedText(keyOf(userId, uid));
  const state = text === undefined ? undefined : (JSON.parse(text) as ImportState);
  return state && Date.now() - state.since < KEPT ? state : undefined;
}

export function forgetImport(userId: number, uid: string): void {
  removeText(keyOf(userId, uid));
}
