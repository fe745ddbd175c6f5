/** The v5 format's error for an invalid key in a body or query. */
import { HttpError } from './errors.ts';

/** Where the key is. */
export interface KeyLocation {
  readonly source: 'body' | 'query';
  /** Path of the object that has the key, without list indexes; null at the top level; undefined: not reported. */
  readonly path: string | null | undefined;
  /** The query parameter, if `source` is `query`. */
  readonly param?: string;
}

/** 400: the key is invalid. */
export function invalidKey(key: string, { source, path, param }: KeyLocation): HttpError {
  const at = typeof path === 'string' ? ` at ${path}` : '';
  return new HttpError(400, 'ValidationError', `Invalid key ${key}${at}`, {
    key,
    ...(path !== undefined && { path }),
    source,
    ...(param !== undefined && { param }),
  });
}
