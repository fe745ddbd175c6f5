/** Limits how much heavy work runs concurrently. */
import { ClientGoneError, HttpError } from '../contract/errors.ts';
import type { Client } from './client.ts';

export interface WorkLimit {
  /**
   * Runs `work` when there is a free slot, and settles like it. Throws HttpError 503 if the queue is full, and
   * ClientGoneError, without running `work`, if `client` disconnects first.
   */
  run<T>(work: () => Promise<T>, client?: Client): Promise<T>;
}

/** At most `atOnce` tasks run concurrently, and `waiting` more are queued. */
export function createWorkLimit({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }): WorkLimit {
  // First in, first out; a Set, because clients leave the queue from anywhere.
  const queue = new Set<() => void>();
  let running = 0;

  /** Resolves when a finished task hands over its slot. */
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
