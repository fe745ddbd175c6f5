/** What is said of arguments that a command does not understand. */
import { UsageError } from '../../base/command-errors.ts';
import { nearestName } from '../../query/nearest-name.ts';

function orNearest(name: string, known: Iterable<string>): string {
  const near = nearestName(name, known);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** There is no command of that name among the `known` ones, or none is given. */
export function unknownCommand(name: string | undefined, known: Iterable<string>): UsageError {
  if (name === undefined) return new UsageError('A command is missing');
  return new UsageError(`There is no command ${name}${orNearest(name, known)}`);
}

/** The error of `parseArgs` in one line, with the option of `usage` that an unknown one comes close to. */
export function wrongOption(message: string, usage: string): string {
  const unknown = /^Unknown option '(?<name>[^']+)'/u.exec(message);
  const name = unknown?.groups?.['name'];
  if (unknown === null || name === undefined) return message;
  return `${unknown[0]}${orNearest(name, usage.match(/--[a-z][a-z-]*/gu) ?? [])}`;
}
