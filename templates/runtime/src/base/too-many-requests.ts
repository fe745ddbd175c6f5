/** The error for a caller that has to wait. */
import { HttpError } from '../contract/errors.ts';

/** HttpError 429 with `Retry-After`; `wait` is in milliseconds. */
export function tooManyRequests(wait: number, message = 'Too many requests, please try again later.'): HttpError {
  const seconds = Math.ceil(wait / 1000);
  return new HttpError(429, 'RateLimitError', message, {}, { 'Retry-After': String(seconds) });
}
