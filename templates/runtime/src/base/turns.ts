/**
 * Turns on the thread that answers everybody: what takes long begins in a round of the event loop of its own, so that short requests,
 * which arrive between the rounds, do not wait for all of it.
 */
import { ClientGoneError } from '../contract/errors.ts';
import { READING_ROUND } from '../contract/limits.ts';
import type { Client } from './client.ts';

/** Resolves when it is one's turn; undefined where it is already. */
export type Turns = (client?: Client) => Promise<void> | undefined;

/** One a round, first come, first served. Throws ClientGoneError, when it is its turn, where `client` has gone meanwhile. */
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

/** Does `work` now, or where this round has had enough, in a later one, first come, first served. */
export type InRounds = <T>(work: () => T) => T | Promise<T>;

/** However much is to be done at once, a round takes about `READING_ROUND`, and what is not divided. */
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
