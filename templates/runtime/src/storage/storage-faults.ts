/** What a disk says when it can't take a file, as answers that say what is wrong. */
import { HttpError } from '../contract/errors.ts';

const NO_ROOM: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const OUT_OF_REACH: ReadonlySet<string | undefined> = new Set([
  'EACCES',
  'EBUSY',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ENOENT',
  'ENOTDIR',
  'ENXIO',
  'EPERM',
  'EROFS',
  'ESTALE',
]);
/** Seconds; somebody has to do something about it. */
const RETRY_AFTER = 30;

/** What is wrong with the place of files, for people; undefined for any other error. */
export function describeFault(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (NO_ROOM.has(code)) return 'there is no room for files';
  return OUT_OF_REACH.has(code) ? "the folder of uploads can't be written" : undefined;
}

/** 507 where there is no room, 503 where the folder is gone or can't be written; any other error as it is. */
export function storageFault(error: unknown): unknown {
  const problem = describeFault(error);
  if (problem === undefined) return error;
  const isFull = NO_ROOM.has((error as NodeJS.ErrnoException).code);
  const headers = isFull ? {} : { 'Retry-After': String(RETRY_AFTER) };
  const [status, name] = isFull ? [507, 'InsufficientStorageError'] : [503, 'ServiceUnavailableError'];
  const fault = new HttpError(status, name, `The file was not stored: ${problem}`, {}, headers);
  fault.cause = error;
  return fault;
}
