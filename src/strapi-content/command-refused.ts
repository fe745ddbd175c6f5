/** A command was refused, and nothing was changed. Errors of a project's runtime that mean this have the same name. */
export class CommandRefused extends Error {
  override name = 'CommandRefused';
}

/** Whether an error means that a command was refused, by this program or by the runtime of a project. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'CommandRefused';
}
