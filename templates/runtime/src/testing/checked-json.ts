/** Answers of a server to tests. */
import { HttpError } from '../contract/errors.ts';

interface Failure {
  readonly error?: {
    readonly name: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

/** The body of an answer; undefined where there is none. */
export async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** The body of an answer that is none of an error. Throws the HttpError that it tells otherwise. */
export async function checkedJson(response: Response): Promise<unknown> {
  const body = await jsonOf(response);
  if (response.ok) return body;
  const { error } = (body ?? {}) as Failure;
  const { name = 'Error', message = response.statusText, details = {} } = error ?? {};
  throw new HttpError(response.status, name, message, details);
}
