/** Maps disk errors to HTTP errors that say what is wrong. */
import { HttpError } from '../contract/errors.ts';

const DISK_FULL: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const NOT_WRITABLE: ReadonlySet<string | undefined> = new Set([
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
/** In seconds. Long, since an operator has to fix it. */
const RETRY_AFTER = 30;

/** What is wrong with the disk, as text for messages; undefined for any other error. */
export function describeFault(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (DISK_FULL.has(code)) return 'there is no space left for files';
  return NOT_WRITABLE.has(code) ? 'the folder of uploads is not writable' : undefined;
}

/** HttpError 507 if the disk is full, 503 if the folder is missing or not writable; any other error unchanged. */
export function storageFault(error: unknown): unknown {
  const problem = describeFault(error);
  if (problem === undefined) return error;
  const isFull = DISK_FULL.has((error as NodeJS.ErrnoException).code);
  const headers = isFull ? {} : { 'Retry-After': String(RETRY_AFTER) };
  const [status, name] = isFull ? [507, 'InsufficientStorageError'] : [503, 'ServiceUnavailableError'];
  const fault = new HttpError(status, name, `The file was not stored: ${problem}`, {}, headers);
  fault.cause = error;
  return fault;
}
