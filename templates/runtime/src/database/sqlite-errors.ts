/** Translates errors of SQLite for callers. Only the messages tell them apart. */
import { InsufficientStorageError, ServiceUnavailableError } from '../contract/errors.ts';

/** Another process is writing, or the file can't be written at the moment. */
const PASSING = /^(?:database (?:table )?is locked|attempt to write a readonly database|disk I\/O error)/u;
const FULL = /^database or disk is full/u;
/** The Retry-After of refused requests, in seconds. */
const RETRY_AFTER = 1;

function publicError(error: unknown): unknown {
  const message = error instanceof Error ? error.message : '';
  if (FULL.test(message)) return new InsufficientStorageError(error);
  return PASSING.test(message) ? new ServiceUnavailableError(RETRY_AFTER, error) : error;
}

/** Settles as `work` does, but throws ServiceUnavailableError for temporary failures, and InsufficientStorageError for a full disk. */
export async function translatingErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw publicError(error);
  }
}
