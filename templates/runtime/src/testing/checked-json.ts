/** Parses responses in tests. */
import { HttpError } from '../contract/errors.ts';

interface Failure {
  readonly error?: {
    readonly name: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

/** The parsed body of a response; undefined if it is empty. */
export async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** The parsed body of a successful response. Throws an HttpError for an error response. */
export async function checkedJson(response: Response): Promise<unknown> {
  const body = await jsonOf(response);
  if (response.ok) return body;
  const { error } = (body ?? {}) as Failure;
  const { name = 'Error', message = response.statusText, details = {} } = error ?? {};
  throw new HttpError(response.status, name, message, details);
}
