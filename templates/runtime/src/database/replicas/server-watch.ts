/** Polls one database server for its log position, over a connection of its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { withDeadline } from '../deadline.ts';
import { type ServerState, stateOf } from './position.ts';

/** The polling interval, and the time limit of a poll, in milliseconds. */
const INTERVAL = 200;
const TIMEOUT = 500;

export interface ServerWatchOptions {
  readonly connect: (timeout: number) => Promise<Connection>;
  /** `asked`: when the poll was sent, by `performance.now()`. The state is at least as new. */
  readonly onState: (state: ServerState, asked: number) => void;
  readonly onFailure: (error: unknown) => void;
}

export interface ServerWatch {
  /** Resolves after the first poll. */
  readonly begun: Promise<void>;
  stop(): Promise<void>;
}

export function watchServer({ connect, onState, onFailure }: ServerWatchOptions): ServerWatch {
  const stopping = new AbortController();
  const { signal } = stopping;
  let connection: Connection | undefined;

  async function ask(): Promise<void> {
    const asked = performance.now();
    try {
      connection = connection?.usable ? connection : await connect(TIMEOUT);
      const asking = connection;
      const state = await withDeadline(stateOf(asking), TIMEOUT, () => asking.destroy());
      onState(state, asked);
    } catch (error) {
      connection?.destroy();
      connection = undefined;
      if (!signal.aborted) onFailure(error);
    }
  }

  async function pollOn(): Promise<void> {
    while (!signal.aborted) {
      await sleep(INTERVAL, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await ask();
    }
    await connection?.close();
  }

  const begun = ask();
  const running = begun.then(pollOn);
  return {
    begun,
    stop() {
      stopping.abort();
      return running;
    },
  };
}
