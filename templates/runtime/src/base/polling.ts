/** Work that is done again and again: soon after somebody says that there is some, and from time to time, as other processes make some. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Polling {
  start(): void;
  /** There is work. */
  nudge(): void;
  /** Resolves once no work is under way. */
  stop(): Promise<void>;
}

interface PollingOptions {
  /** In milliseconds. */
  readonly interval: number;
  /** How long to wait after a nudge, so that more can be done at once, in milliseconds. */
  readonly collecting: number;
  readonly work: () => Promise<void>;
  /** Told what `work` throws, which is tried again a little later. */
  readonly failed: (error: unknown) => void;
}

/** After a failure, in milliseconds. */
const RECOVERY = 5000;

export function createPolling({ interval, collecting, work, failed }: PollingOptions): Polling {
  let isStopped = false;
  let isNudged = false;
  let rouse: () => void = () => undefined;
  let loop: Promise<void> = Promise.resolve();

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      rouse = () => {
        clearTimeout(timer);
        resolve();
      };
      if (isNudged || isStopped) rouse();
    });
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      isNudged = false;
      try {
        await work();
        await pause(interval);
        if (!isStopped) await sleep(collecting);
      } catch (error) {
        if (isStopped) return;
        failed(error);
        isNudged = false;
        await pause(RECOVERY);
      }
    }
  }

  return {
    start() {
      loop = run();
    },
    nudge() {
      isNudged = true;
      rouse();
    },
    async stop() {
      isStopped = true;
      rouse();
      await loop;
    },
  };
}
