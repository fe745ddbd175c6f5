/** Errors that end a command without a stack trace. */

/** Invalid arguments: the usage is printed. */
export class UsageError extends Error {}

/** The command was refused, and nothing was changed. */
export class CommandRefused extends Error {}
