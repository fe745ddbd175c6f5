/** Maps the server's error messages to form fields, in the language of the panel. */

/** The code of a message, by which the panel has a text of its own, and what the text mentions. */
interface Coded {
  readonly code?: string;
  readonly params?: Readonly<Record<string, string>>;
}

interface FieldError extends Coded {
  readonly path?: readonly (string | number)[];
  readonly message: string;
}

/** Nested like the form values: `{ seo: { links: [{ url: 'must be a URL' }] } }`. */
export type Messages = { [name: string]: string | Messages };

/** A text of the panel, as react-admin's fields show it: a translation key with its arguments. */
const KEY_WITH_ARGUMENTS = '@@react-admin@@';

/** How the server names a value at the beginning of a message: `links[0].label must be defined`. */
const PLACE = /^[\w.[\]]+ (?=must |can|is |has |names )/u;

/** The text for a coded message, or the message without the path that the field shows anyway. */
export function toldMessage({ message, code, params }: FieldError): string {
  if (code === undefined) return message.replace(PLACE, '');
  return `${KEY_WITH_ARGUMENTS}${JSON.stringify({ message: `rules.${code}`, args: params })}`;
}

type Translate = (key: string, args?: Readonly<Record<string, unknown>>) => string;

/** Translates the message of a field. */
export function translateMessage(message: string, translate: Translate): string {
  if (!message.startsWith(KEY_WITH_ARGUMENTS)) return translate(message, { _: message });
  const { message: key, args } = JSON.parse(message.slice(KEY_WITH_ARGUMENTS.length)) as { message: string; args: {} };
  return translate(key, args);
}

function place(messages: Messages, path: readonly string[], message: string): void {
  const [name = '', ...rest] = path;
  const there = messages[name];
  // The first message of a value is enough: a message in another language can't be appended.
  if (typeof there === 'string') return;
  if (rest.length === 0) {
    messages[name] = message;
    return;
  }
  const inner = there ?? {};
  messages[name] = inner;
  place(inner, rest, message);
}

/** The errors of a response, with `details.errors`, or the response as a whole. */
export function errorsIn(details: unknown): readonly FieldError[] {
  const errors = (details as { errors?: unknown } | undefined)?.errors;
  return Array.isArray(errors) ? (errors as FieldError[]) : [];
}

/** As `errorsIn`, of what `rest/request.ts` keeps of a response. */
export function errorsInBody(body: unknown): readonly FieldError[] {
  return errorsIn((body as { readonly details?: unknown } | undefined)?.details);
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
    if (field.length > 0) place(messages, field, toldMessage(error));
  }
  messages['root'] = { serverError: message };
  return messages;
}
