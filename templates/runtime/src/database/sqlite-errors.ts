/** What the errors of SQLite tell a caller. Only their messages say what they are. */
import { InsufficientStorageError, ServiceUnavailableError } from '../contract/errors.ts';

/** Another process writes, or the file can't be written for now. */
const PASSING = /^(?:database (?:table )?is locked|attempt to write a readonly database|disk I\/O error)/u;
const FULL = /^database or disk is full/u;
/** Seconds after which a refused client may come again. */
const RETRY_AFTER = 1;

function publicError(error: unknown): unknown {
  const message = error instanceof Error ? error.message : '';
  if (FULL.test(message)) return new InsufficientStorageError(error);
  return PASSING.test(message) ? new ServiceUnavailableError(RETRY_AFTER, error) : error;
}

/** Has what can't be done for now fail as such. */
export async function telling<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw publicError(error);
  }
}
