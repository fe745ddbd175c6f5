/** Lets only so much heavy work run at a time. */
import { HttpError } from '../errors.ts';

export interface WorkLimit {
  /** Resolves or rejects as `work` does, once there is room for it. Throws HttpError 503 where too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createWorkLimit({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }): WorkLimit {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running >= atOnce) {
        if (queue.length >= waiting) {
          const headers = { 'Retry-After': '5' };
          throw new HttpError(503, 'ServiceUnavailableError', 'The server is busy', {}, headers);
        }
        // Who is called has the place of who was done.
        await new Promise<void>((resolve) => queue.push(resolve));
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
