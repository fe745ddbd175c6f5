/** Compares the database with its migrations a while after the start, when there is nothing to hold up any more. */
import { fileURLToPath } from 'node:url';
import type { Database } from '../database/database.ts';
import type { Logger } from '../http/log.ts';

/** In milliseconds, from when the server listens. */
const DELAY = 5000;

interface DriftCheck {
  /** Called once the server listens. */
  start(): void;
  /** Resolves when nothing of it uses the database any more. */
  stop(): Promise<void>;
}

/** `migrations`: their folder. */
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
