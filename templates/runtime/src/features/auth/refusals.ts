/** Errors of authentication, with the messages that clients of Strapi expect. */
import { HttpError, UnauthorizedError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';

/** 400 for a well-formed request that can't be fulfilled. */
export function applicationError(message: string): HttpError {
  return new HttpError(400, 'ApplicationError', message);
}

/** 400 for a wrong name or password and for a blocked or unconfirmed user alike, so that it does not reveal which. */
export function wrongCredentials(): HttpError {
  return new HttpError(400, 'ValidationError', 'Invalid identifier or password');
}

export function wrongCode(): HttpError {
  return new HttpError(400, 'ValidationError', 'Incorrect code provided');
}

/** The id of the signed-in user. Throws UnauthorizedError for other callers, such as API tokens. */
export function requireUserId({ userId }: Caller): number {
  if (userId === undefined) throw new UnauthorizedError();
  return userId;
}
