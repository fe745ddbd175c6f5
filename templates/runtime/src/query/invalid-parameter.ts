/**
 * Errors for invalid queries. The message is the same whether a name is unknown, private or forbidden to the caller, so that it
 * reveals nothing about what exists.
 */
import { BadRequestError } from '../contract/errors.ts';
import { nearestName } from './nearest-name.ts';

/** In characters: names and paths from requests are cut to these lengths in messages. */
const MAX_NAME_LENGTH = 100;
const MAX_PATH_LENGTH = 300;

/** 400 for a name that can't be used; each format words it differently. */
export class UnknownNameError extends BadRequestError {
  /** The path of the parameter, such as `filters.author.name`. */
  readonly path: string;
  readonly key: string;
  /** `; did you mean "title"?`, or nothing. */
  readonly hint: string;

  constructor(path: string, key: string, { message, hint }: { readonly message: string; readonly hint: string }) {
    super(message);
    this.path = path;
    this.key = key;
    this.hint = hint;
  }
}

/** Joins the path of a parameter, such as `filters.author.name`. Empty parts are skipped. */
export function pathOf(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('.');
}

/** 400 for a malformed parameter. */
export function invalidParameter(name: string): BadRequestError {
  return new BadRequestError(`Invalid parameter ${name.slice(0, MAX_PATH_LENGTH)}`);
}

/** 400 for an invalid value; `reason` says what was expected. */
export function invalidValue(name: string, reason: string): BadRequestError {
  return new BadRequestError(`Invalid parameter ${name.slice(0, MAX_PATH_LENGTH)}: ${reason}`);
}

function suggestion(name: string, names: Iterable<string>): string {
  const near = nearestName(name, names);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** 400 for a name that `owner`, a type or component, does not have or allow here. Suggests one of the `usable` names. */
export function unknownAttribute(
  path: string,
  name: string,
  { owner, usable }: { readonly owner: string; readonly usable: Iterable<string> },
): BadRequestError {
  const shown = name.slice(0, MAX_NAME_LENGTH);
  const hint = suggestion(name, usable);
  const reason = `${owner} has no attribute "${shown}" that can be used here${hint}`;
  const message = `Invalid parameter ${path.slice(0, MAX_PATH_LENGTH)}: ${reason}`;
  return new UnknownNameError(path, shown, { message, hint });
}

/** 400 for a keyword that is not one of the `known` ones. */
export function unknownWord(path: string, name: string, known: Iterable<string>): BadRequestError {
  return invalidValue(path, `there is no "${name.slice(0, MAX_NAME_LENGTH)}" here${suggestion(name, known)}`);
}
