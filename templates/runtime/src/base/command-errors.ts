/** Errors that end a command without a stack trace. */

/** Invalid arguments: the usage is printed. */
export class UsageError extends Error {}

/** The command was refused, and nothing was changed. Tools beside a project, which have no access to the class, know it by its name. */
export class CommandRefused extends Error {
  override name = 'CommandRefused';
}
