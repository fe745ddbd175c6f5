/** Removes, once a day, what interrupted uploads left behind: stored files without an entry, and temporary files. */
import type { ContentType } from '../../contract/content-type.ts';
import { claimFiles, pendingBefore } from './pending-files.ts';
import { type RemovalContext, removeReleased } from './remove-bytes.ts';
import type { TempFolder } from '../../storage/temp-folder.ts';

export const DAY_MS = 24 * 3_600_000;
/** Delay of the first sweep, so that it does not slow down the start. */
const FIRST_AFTER_MS = 60_000;

interface SweepContext extends RemovalContext {
  readonly fileType?: Pick<ContentType, 'trash'>;
}

interface SweeperContext extends SweepContext {
  readonly temp: TempFolder;
  /** Removes unfinished uploads that have expired, if the server has any. */
  readonly removeExpired?: (() => Promise<void>) | undefined;
}

/**
 * Claims the names that have been due for more than a day, or are in the trash of a schema that has none any longer, and removes their
 * bytes. Safe to run concurrently. Stops when the storage removes nothing. `now` is in milliseconds since 1970. Returns how many files were removed,
 * and how many the storage failed to remove.
 */
export async function sweepPending(
  context: SweepContext,
  now = Date.now(),
): Promise<{ readonly removed: number; readonly left: number }> {
  const { database, storage, fileType } = context;
  const due = { provider: storage.provider, before: now - DAY_MS, withTrash: fileType?.trash === undefined };
  let removed = 0;
  let left = 0;
  for (let after = ''; ;) {
    const names = await pendingBefore(database, { ...due, after });
    const last = names.at(-1);
    if (last === undefined) return { removed, left };
    const claimed = await claimFiles(database, names);
    const gone = await removeReleased(context, claimed);
    removed += gone;
    left += claimed.length - gone;
    // The storage removes nothing: the rest is left to the next sweep.
    if (gone === 0 && claimed.length > 0) return { removed, left };
    after = last;
  }
}

export interface Sweeper {
  /** Cancels further sweeps, and waits for the running one. */
  stop(): Promise<void>;
}

/** Sweeps a minute after the start, and then daily. Errors are logged; the next sweep retries. */
export function startSweeper(context: SweeperContext, { first = FIRST_AFTER_MS, every = DAY_MS } = {}): Sweeper {
  const { logger } = context;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const sweep = async (): Promise<void> => {
    try {
      await context.temp.removeStale();
      await context.removeExpired?.();
      const { removed, left } = await sweepPending(context);
      if (removed > 0 || left > 0) {
        logger.warn({ removed, left }, 'files without an entry were removed from the storage');
      }
    } catch (error) {
      logger.warn({ err: error }, 'could not look for files without an entry');
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
