/**
 * Fair scheduling on the event loop: expensive work is spread over several turns of the loop, so that short requests, which arrive
 * in between, don't wait for all of it.
 */
import { ClientGoneError } from '../contract/errors.ts';
import { READ_TIME_PER_TURN } from '../contract/limits.ts';
import type { Client } from './client.ts';

/** Runs `work` now, or in a later turn of the event loop if this one has no room for it. First come, first served. */
export type TurnScheduler = <T>(work: () => T) => T | Promise<T>;

/** Each turn of the event loop runs one piece of work, and more while it `hasRoom`, given the time at which it began. */
function createQueue(hasRoom: (began: number) => boolean): TurnScheduler {
  const waiting: (() => void)[] = [];
  let began: number | undefined;

  function begin(): number {
    setImmediate(next);
    began = performance.now();
    return began;
  }
  function next(): void {
    began = undefined;
    if (waiting.length === 0) return;
    const start = begin();
    do waiting.shift()?.();
    while (waiting.length > 0 && hasRoom(start));
  }

  return (work) => {
    if (began === undefined) {
      begin();
      return work();
    }
    if (waiting.length === 0 && hasRoom(began)) return work();
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

/** A limit of about `READ_TIME_PER_TURN` per turn of the event loop; a single piece of work that takes longer is not interrupted. */
export function createTurnScheduler(): TurnScheduler {
  return createQueue((began) => performance.now() - began < READ_TIME_PER_TURN);
}

/** Resolves when it is the caller's turn; returns undefined if that is now. */
export type TurnQueue = (client?: Client) => Promise<void> | undefined;

/** A queue that admits one caller per turn of the event loop. Rejects with ClientGoneError if `client` has disconnected meanwhile. */
export function createTurnQueue(): TurnQueue {
  const oneEach = createQueue(() => false);
  return (client) =>
    oneEach(() => undefined)?.then(() => {
      if (client?.gone) throw new ClientGoneError();
    });
}
