/** Chooses where attempts are counted. */
import type { Database } from '../../database/database.ts';
import type { AttemptCounter } from './attempt-counter.ts';
import { databaseAttemptCounter } from './database-attempt-counter.ts';
import { memoryAttemptCounter } from './memory-attempt-counter.ts';

/** All processes of a server count together: in memory only if there is just one, on SQLite without workers. */
export function createAttemptCounter(
  database: Database,
  { worker }: { readonly worker: object | undefined },
): AttemptCounter {
  const isAlone = database.dialect.name === 'sqlite' && !worker;
  return isAlone ? memoryAttemptCounter() : databaseAttemptCounter(database);
}
