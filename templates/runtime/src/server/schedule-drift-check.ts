/** Compares the database with its migrations some time after the start, so as not to slow the start down. */
import { fileURLToPath } from 'node:url';
import type { Database } from '../database/database.ts';
import type { Logger } from '../http/log.ts';

/** Delay after the server listens, in milliseconds. */
const DELAY = 5000;

interface DriftCheck {
  /** Schedules the check. To be called once the server listens. */
  start(): void;
  /** Cancels the check. Resolves when it no longer uses the database. */
  stop(): Promise<void>;
}

/** Creates the check. `migrations` is the folder of the migrations. */
export function scheduleDriftCheck(database: Database, migrations: URL, logger: Logger): DriftCheck {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const stopping = new AbortController();
  const check = async (): Promise<void> => {
    const { warnOfDrift } = await import('./warn-of-drift.ts');
    await warnOfDrift(database, fileURLToPath(migrations), logger, stopping.signal);
  };
  return {
    start: () => {
      timer = setTimeout(() => {
        running = check();
      }, DELAY).unref();
    },
    stop: () => {
      clearTimeout(timer);
      stopping.abort();
      return running;
    },
  };
}
