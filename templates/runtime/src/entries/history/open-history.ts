/** The history of a server: what records its writes, and what is done now and then besides. */
import type { ContentTypes } from '../../contract/content-type.ts';
import type { Database } from '../../database/database.ts';
import { begin } from './begin.ts';
import { followTypes } from './follow-types.ts';
import { prune } from './prune.ts';
import { createRecorder, recordingDatabase } from './record-writes.ts';

/** How often versions are pruned, and types looked for whose history is to begin, in milliseconds. */
const INTERVAL = 600_000;

/** When it is tried again after a failure, in milliseconds. */
const RETRY = 10_000;

export interface OpenedHistory {
  /** A database whose writes leave versions. */
  recording(database: Database): Database;
  /** Begins the history of entries that are older than it, and to prune. Call it once the tables exist. */
  start(database: Database): void;
  stop(): Promise<void>;
}

export function openHistory(types: ContentTypes, failed: (error: unknown) => void): OpenedHistory {
  const recorder = createRecorder(types);
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  let isStopped = false;

  async function tend(database: Database): Promise<void> {
    const isStopping = (): boolean => isStopped;
    await followTypes(database, types, isStopping);
    await begin(database, types, recorder, isStopping);
    await prune(database, types, { now: Date.now(), isStopping });
  }

  return {
    recording: (database) => recordingDatabase(database, recorder),
    start(database) {
      const run = (): void => {
        if (isStopped) return;
        working ??= tend(database)
          .catch((error: unknown) => {
            failed(error);
            setTimeout(run, RETRY).unref();
          })
          .finally(() => (working = undefined));
      };
      timer = setInterval(run, INTERVAL).unref();
      run();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await working;
    },
  };
}
