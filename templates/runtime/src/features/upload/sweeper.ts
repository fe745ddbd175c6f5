/** Removes, once a day, what uploads left that died: bytes that no entry has, and files that were arriving. */
import { claimFiles, pendingBefore } from './pending-files.ts';
import { removeReleased, type RemovalContext } from './remove-bytes.ts';
import type { TempFolder } from '../../storage/temp-folder.ts';

export const DAY_MS = 24 * 3_600_000;
/** After a start, once the server has other things behind it. */
const FIRST_AFTER_MS = 60_000;

/**
 * Settles the names that are in the journal for more than a day: the bytes of those that no entry has are removed. Several may do
 * so at once. `now` is in milliseconds since 1970. Answers how many files were removed, and how many names are left because the
 * storage did not let go of them.
 */
export async function sweepPending(
  context: RemovalContext,
  now = Date.now(),
): Promise<{ readonly removed: number; readonly left: number }> {
  const { database, storage } = context;
  let removed = 0;
  let left = 0;
  for (let after = ''; ;) {
    const names = await pendingBefore(database, { provider: storage.provider, before: now - DAY_MS, after });
    const last = names.at(-1);
    if (last === undefined) return { removed, left };
    const claimed = await claimFiles(database, names);
    const gone = await removeReleased(context, claimed);
    removed += gone;
    left += claimed.length - gone;
    after = last;
  }
}

export interface Sweeper {
  /** Waits for what it does; it begins nothing any more. */
  stop(): Promise<void>;
}

/** Sweeps a minute after a start, and then each day. Failures are logged, and tried again the next day. */
export function startSweeper(
  context: RemovalContext & { readonly temp: TempFolder },
  { first = FIRST_AFTER_MS, every = DAY_MS } = {},
): Sweeper {
  const { logger } = context;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const sweep = async (): Promise<void> => {
    try {
      await context.temp.removeStale();
      const { removed, left } = await sweepPending(context);
      if (removed > 0 || left > 0)
        logger.warn({ removed, left }, 'files that no entry has were removed from the storage');
    } catch (error) {
      logger.warn({ err: error }, 'files that no entry has could not be looked for');
    }
  };
  const plan = (delay: number): void => {
    timer = setTimeout(() => {
      plan(every);
      running = running.then(sweep);
    }, delay).unref();
  };
  plan(first);
  return {
    stop: () => {
      clearTimeout(timer);
      return running;
    },
  };
}
