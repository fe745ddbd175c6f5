/** Background work: responses do not wait for it. */
import type { Logger } from '../../http/log.ts';

export interface Background {
  /** Starts the work; errors are logged. */
  run(work: () => Promise<void>): void;
  /** Resolves when all started work is done. */
  finish(): Promise<void>;
}

export function createBackground(logger: Pick<Logger, 'error'>): Background {
  const running = new Set<Promise<void>>();
  return {
    run(work) {
      const task: Promise<void> = work()
        .catch((error: unknown) => logger.error({ err: error }, 'background work failed'))
        .finally(() => running.delete(task));
      running.add(task);
    },
    async finish() {
      await Promise.all(running);
    },
  };
}
