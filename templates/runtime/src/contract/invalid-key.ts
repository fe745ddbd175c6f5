/** The v5 format's error for an invalid key in a body or query. */
import { HttpError, type Issue, shownIssues } from './errors.ts';

/** Where the key is. */
export interface KeyLocation {
  readonly source: 'body' | 'query';
  /** Path of the object that has the key, without list indexes; null at the top level; undefined: not reported. */
  readonly path: string | null | undefined;
  /** The query parameter, if `source` is `query`. */
  readonly param?: string;
}

/** What helps to correct the request. */
export interface KeyHelp {
  /** Appended to the message, such as `; did you mean "title"?`. */
  readonly hint?: string;
  /** All invalid keys of the request, if there are several. */
  readonly errors?: readonly Issue[];
}

/** The message about an invalid key. */
export function invalidKeyMessage(key: string, path: string | null | undefined, hint = ''): string {
  return `Invalid key ${key}${typeof path === 'string' ? ` at ${path}` : ''}${hint}`;
}

/** 400: the key is invalid. */
export function invalidKey(
  key: string,
  { source, path, param }: KeyLocation,
  { hint, errors }: KeyHelp = {},
): HttpError {
  return new HttpError(400, 'ValidationError', invalidKeyMessage(key, path, hint), {
    key,
    ...(path !== undefined && { path }),
    source,
    ...(param !== undefined && { param }),
    ...(errors && shownIssues(errors)),
  });
}
