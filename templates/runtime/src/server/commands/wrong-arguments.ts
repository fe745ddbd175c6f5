/** The errors for arguments that a command does not know. */
import { UsageError } from '../../base/command-errors.ts';
import { nearestName } from '../../query/nearest-name.ts';

/** The end of a message about an unknown name: a similar one, if there is any. */
export function orNearest(name: string, known: Iterable<string>): string {
  const near = nearestName(name, known);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** The error for a command that is missing, or is not among the `known` ones. */
export function unknownCommand(name: string | undefined, known: Iterable<string>): UsageError {
  if (name === undefined) return new UsageError('A command is missing');
  return new UsageError(`There is no command ${name}${orNearest(name, known)}`);
}

/** The message of an error of `parseArgs`, in one line. For an unknown option, it suggests a similar one from `usage`. */
export function wrongOption(message: string, usage: string): string {
  const unknown = /^Unknown option '(?<name>[^']+)'/u.exec(message);
  const name = unknown?.groups?.['name'];
  if (unknown === null || name === undefined) return message;
  return `${unknown[0]}${orNearest(name, usage.match(/--[a-z][a-z-]*/gu) ?? [])}`;
}
