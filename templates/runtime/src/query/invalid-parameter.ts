/** How a query that can't be understood is refused: one text, whatever the reason, so that it tells nothing. */
import { BadRequestError } from '../errors.ts';

const MAX_NAME_LENGTH = 100;

/** 400 for a name that is unknown or that the caller may not use; both read the same. */
export function invalidParameter(name: string): BadRequestError {
  return new BadRequestError(`Invalid parameter ${name.slice(0, MAX_NAME_LENGTH)}`);
}

/** 400 for a value that can't be used, with what was expected. */
export function invalidValue(name: string, reason: string): BadRequestError {
  return new BadRequestError(`Invalid parameter ${name.slice(0, MAX_NAME_LENGTH)}: ${reason}`);
}
