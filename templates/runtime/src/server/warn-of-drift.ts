/** Logs a warning, once after a start, if the database isn't as its migrations left it. */
import type { Database } from '../database/database.ts';
import type { Logger } from '../http/log.ts';
import { describeDrift } from '../migrator/drift/describe-drift.ts';
import { findDrift } from '../migrator/drift/find-drift.ts';

/** The maximum number of differences in the log; `npm run migrate -- status` shows all. */
const NAMED = 5;

/**
 * Checks for drift. `directory` contains the migrations. Stops early if `signal` is aborted. Never throws: a failed comparison is
 * not a failure of the server.
 */
export async function warnOfDrift(
  database: Database,
  directory: string,
  logger: Logger,
  signal?: AbortSignal,
): Promise<void> {
  try {
    const { drifted, more } = await findDrift(database, directory, signal);
    if (drifted.length === 0) return;
    const named = drifted.slice(0, NAMED).map((thing) => describeDrift(thing, database.dialect.name));
    const count = more ? `more than ${drifted.length}` : drifted.length;
    logger.warn(
      { count, drift: named },
      'the database differs from what its migrations created: npm run migrate -- status',
    );
  } catch (error) {
    logger.debug({ err: error }, 'the database could not be compared with its migrations');
  }
}
