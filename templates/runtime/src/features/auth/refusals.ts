/** Errors of signing in, in the words that clients know. */
import { HttpError, UnauthorizedError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';

/** 400 for what is well-formed and can't be done. */
export function refused(message: string): HttpError {
  return new HttpError(400, 'ApplicationError', message);
}

/** 400 for a wrong name or password, a blocked user and one that is not confirmed: nobody learns which. */
export function wrongCredentials(): HttpError {
  return new HttpError(400, 'ValidationError', 'Invalid identifier or password');
}

export function wrongCode(): HttpError {
  return new HttpError(400, 'ValidationError', 'Incorrect code provided');
}

/** The user who is signed in. Throws UnauthorizedError for who is none, such as an API token. */
export function signedIn({ userId }: Caller): number {
  if (userId === undefined) throw new UnauthorizedError();
  return userId;
}
