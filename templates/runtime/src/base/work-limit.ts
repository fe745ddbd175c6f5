/** Lets only so much heavy work run at a time. */
import { ClientGoneError, HttpError } from '../contract/errors.ts';
import type { Client } from './client.ts';

export interface WorkLimit {
  /**
   * Resolves or rejects as `work` does, once there is room for it. Throws HttpError 503 where too many wait already, and
   * ClientGoneError, without running `work`, where `client` is gone before it begins.
   */
  run<T>(work: () => Promise<T>, client?: Client): Promise<T>;
}

export function createWorkLimit({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }): WorkLimit {
  // In the order of their coming, and quick to leave from anywhere.
  const queue = new Set<() => void>();
  let running = 0;

  /** Resolves once another work has handed on its place. */
  function turn(client: Client | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      let unsubscribe = (): void => undefined;
      const start = (): void => {
        unsubscribe();
        resolve();
      };
      queue.add(start);
      if (!client) return;
      unsubscribe = client.onGone(() => {
        if (queue.delete(start)) reject(new ClientGoneError());
      });
    });
  }

  return {
    async run(work, client) {
      if (client?.gone) throw new ClientGoneError();
      if (running >= atOnce) {
        if (queue.size >= waiting) {
          const headers = { 'Retry-After': '5' };
          throw new HttpError(503, 'ServiceUnavailableError', 'The server is busy', {}, headers);
        }
        await turn(client);
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        const [next] = queue;
        if (next) {
          queue.delete(next);
          next();
        } else {
          running -= 1;
        }
      }
    },
  };
}
