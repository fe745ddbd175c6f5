/** Maps the server's error messages to form fields. */

interface FieldError {
  readonly path?: readonly (string | number)[];
  readonly message: string;
}

/** Nested like the form values: `{ seo: { links: [{ url: 'must be a URL' }] } }`. */
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

/** Path segments that are part of a relation change, not fields. */
const CHANGES: ReadonlySet<string> = new Set(['connect', 'disconnect', 'set']);

/** The messages in `details.errors[]` by path, with `message` as the error of the whole form. */
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
