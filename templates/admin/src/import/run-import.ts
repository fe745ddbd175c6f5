/** Imports the rows of a file, one batch after the other. */
import type { Refusal, Write } from './build-rows.ts';
import type { ImportState } from './kept-import.ts';
import { dryRunRows, isTooMany, MOST_ROWS, nextRows, type RowRefusal, sendRows, type Target } from './send-rows.ts';

export interface Running {
  readonly signal: AbortSignal;
  /** The texts of a refusal, for people. */
  readonly textsOf: (refusal: RowRefusal) => readonly Refusal[];
}

/** Finds all rows that would be refused. Throws what requests throw. */
export async function checkRows(
  target: Target,
  writes: readonly Write[],
  { signal, textsOf, onProgress }: Running & { readonly onProgress: (done: number) => void },
): Promise<{ readonly refusals: readonly Refusal[]; readonly size: number }> {
  const refusals: Refusal[] = [];
  let size = MOST_ROWS;
  for (let start = 0; start < writes.length;) {
    signal.throwIfAborted();
    const rows = nextRows(writes, start, size);
    try {
      for (const refused of await dryRunRows(target, rows)) refusals.push(...textsOf(refused));
      start += rows.length;
      onProgress(start);
    } catch (error) {
      if (!isTooMany(error) || size === 1) throw error;
      size = Math.ceil(size / 2);
    }
  }
  return { refusals, size };
}

/** What names the import: the same rows of the same file, that become the same, are written once. */
function nameOf({ hash, settings, run }: ImportState, uid: string): string {
  return JSON.stringify([uid, hash, settings, run]);
}

/** Others have changed something since the rows were checked: those that are refused now are left out. */
async function refusedNow(target: Target, rows: readonly Write[], first: RowRefusal): Promise<readonly RowRefusal[]> {
  const refused = await dryRunRows(target, rows);
  return refused.length > 0 ? refused : [first];
}

interface Importing extends Running {
  /** Told after each batch, and before the next one is sent. */
  readonly onState: (state: ImportState) => void;
}

/** Sends the next rows; returns the state after them. */
async function step(
  target: Target,
  writes: readonly Write[],
  state: ImportState,
  { signal, textsOf, onState }: Importing,
): Promise<ImportState> {
  const all = nextRows(writes, state.next, state.size);
  const out = new Set(state.refused.map(({ line }) => line));
  const rows = all.filter(({ line }) => !out.has(line));
  if (rows.length === 0) return { ...state, next: state.next + all.length };
  const isSentBefore = state.sent === state.next;
  onState({ ...state, sent: state.next });
  const { isReplayed, refused } = await sendRows(target, rows, nameOf(state, target.type.uid), signal);
  if (refused) {
    const texts = (await refusedNow(target, rows, refused)).flatMap(textsOf);
    return { ...state, refused: [...state.refused, ...texts] };
  }
  const updated = rows.filter(({ id }) => id !== undefined).length;
  return {
    ...state,
    next: state.next + all.length,
    ...(isReplayed && !isSentBefore
      ? { replayed: state.replayed + rows.length }
      : { updated: state.updated + updated, created: state.created + rows.length - updated }),
  };
}

/** Throws what requests throw, and if it is stopped. */
export async function importRows(
  target: Target,
  writes: readonly Write[],
  begun: ImportState,
  running: Importing,
): Promise<ImportState> {
  let state = begun;
  running.onState(state);
  while (state.next < writes.length) {
    running.signal.throwIfAborted();
    state = await step(target, writes, state, running);
    running.onState(state);
  }
  return state;
}
