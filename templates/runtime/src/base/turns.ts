/**
 * Fair scheduling on the event loop: expensive work is spread over several turns of the loop, so that short requests, which arrive
 * in between, don't wait for all of it.
 */
import { ClientGoneError } from '../contract/errors.ts';
import { READING_ROUND } from '../contract/limits.ts';
import type { Client } from './client.ts';

/** Resolves when it is the caller's turn; returns undefined if that is now. */
export type Turns = (client?: Client) => Promise<void> | undefined;

/** A queue that admits one caller per turn of the event loop. Rejects with ClientGoneError if `client` has disconnected meanwhile. */
export function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  let isTaken = false;

  function next(): void {
    const first = waiting.shift();
    isTaken = first !== undefined;
    if (!first) return;
    setImmediate(next);
    first();
  }

  return (client) => {
    if (!isTaken) {
      isTaken = true;
      setImmediate(next);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      waiting.push(() => {
        if (client?.gone) reject(new ClientGoneError());
        else resolve();
      });
    });
  };
}

/** Runs `work` now, or in a later turn of the event loop if the time of this one is used up. First come, first served. */
export type InRounds = <T>(work: () => T) => T | Promise<T>;

/** A limit of about `READING_ROUND` per turn of the event loop; a single piece of work that takes longer is not interrupted. */
export function createRoundLimit(): InRounds {
  const waiting: (() => void)[] = [];
  let began: number | undefined;
  const hasTime = (): boolean => began === undefined || performance.now() - began < READING_ROUND;

  function round(): void {
    began = undefined;
    if (waiting.length === 0) return;
    begin();
    do waiting.shift()?.();
    while (waiting.length > 0 && hasTime());
  }
  function begin(): void {
    began = performance.now();
    setImmediate(round);
  }

  return (work) => {
    if (began === undefined) begin();
    if (waiting.length === 0 && hasTime()) return work();
    return new Promise((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  };
}
