/** Messages of the server, where the form shows them: at their fields. */

interface FieldError {
  readonly path?: readonly (string | number)[];
  readonly message: string;
}

/** Nested as the values of the form are: `{ seo: { links: [{ url: 'must be a URL' }] } }`. */
export type Messages = { [name: string]: string | Messages };

function place(messages: Messages, path: readonly string[], message: string): void {
  const [name = '', ...rest] = path;
  const there = messages[name];
  if (rest.length === 0 || typeof there === 'string') {
    messages[name] = typeof there === 'string' ? `${there}. ${message}` : message;
    return;
  }
  const inner = there ?? {};
  messages[name] = inner;
  place(inner, rest, message);
}

function errorsIn(details: unknown): readonly FieldError[] {
  const errors = (details as { errors?: unknown } | undefined)?.errors;
  return Array.isArray(errors) ? (errors as FieldError[]) : [];
}

/** What in a path belongs to a change of a relation, and not to a field of its own. */
const CHANGES: ReadonlySet<string> = new Set(['connect', 'disconnect', 'set']);

/** The messages in `details.errors[]`; what has no path is a message about the whole form. */
export function messagesAtFields(details: unknown, message: string): Messages {
  const messages: Messages = {};
  for (const error of errorsIn(details)) {
    const path = (error.path ?? []).map(String);
    const change = path.findIndex((name) => CHANGES.has(name));
    const field = change === -1 ? path : path.slice(0, change);
    if (field.length > 0) place(messages, field, error.message);
  }
  messages['root'] = { serverError: message };
  return messages;
}
