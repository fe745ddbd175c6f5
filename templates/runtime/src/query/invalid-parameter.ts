/**
 * How a query that can't be understood is refused. A name that is unknown, private, or not for this caller reads the same, so that
 * the text tells nothing of what there is.
 */
import { BadRequestError } from '../contract/errors.ts';
import { nearestName } from './nearest-name.ts';

const MAX_NAME_LENGTH = 100;
const MAX_PATH_LENGTH = 300;

/** 400 for a name that can't be used: formats say it in different words. */
export class UnknownNameError extends BadRequestError {
  /** Of the parameter: `filters.author.name`. */
  readonly path: string;
  readonly key: string;

  constructor(path: string, key: string, message: string) {
    super(message);
    this.path = path;
    this.key = key;
  }
}

/** The path of a parameter: `filters.author.name`. Empty parts are left out. */
export function pathOf(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('.');
}

/** 400 for a form that means nothing. */
export function invalidParameter(name: string): BadRequestError {
  return new BadRequestError(`Invalid parameter ${name.slice(0, MAX_PATH_LENGTH)}`);
}

/** 400 for a value that can't be used, with what was expected. */
export function invalidValue(name: string, reason: string): BadRequestError {
  return new BadRequestError(`Invalid parameter ${name.slice(0, MAX_PATH_LENGTH)}: ${reason}`);
}

function suggestion(name: string, names: Iterable<string>): string {
  const near = nearestName(name, names);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** 400 for a name that `owner`, a type or component, has not, or that can't be used here. `usable` are those that can. */
export function unknownAttribute(
  path: string,
  name: string,
  { owner, usable }: { readonly owner: string; readonly usable: Iterable<string> },
): BadRequestError {
  const shown = name.slice(0, MAX_NAME_LENGTH);
  const reason = `${owner} has no attribute "${shown}" that can be used here${suggestion(name, usable)}`;
  return new UnknownNameError(path, shown, `Invalid parameter ${path.slice(0, MAX_PATH_LENGTH)}: ${reason}`);
}

/** 400 for a word that is none of those that can stand here. */
export function unknownWord(path: string, name: string, known: Iterable<string>): BadRequestError {
  return invalidValue(path, `there is no "${name.slice(0, MAX_NAME_LENGTH)}" here${suggestion(name, known)}`);
}
