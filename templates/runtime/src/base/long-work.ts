/** The long work of all requests of the process, one piece per turn of the event loop, so that short requests don't wait for their sum. */
import { READ_TIME_PER_TURN } from '../contract/limits.ts';
import type { Client } from './client.ts';
import { createTurnQueue } from './turns.ts';

/** Waits for the caller's turn. */
export const turnForLongWork = createTurnQueue();

/** Runs `work`. If that took long, resolves in a later turn. Throws what `work` throws, and ClientGoneError. */
export async function withPauseAfter<T>(work: () => T, client?: Client): Promise<T> {
  const began = performance.now();
  const result = work();
  if (performance.now() - began > READ_TIME_PER_TURN) await turnForLongWork(client);
  return result;
}
