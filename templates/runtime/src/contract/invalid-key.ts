/** How the v5 format refuses a name that a request must not use. */
import { HttpError } from './errors.ts';

/** Where the name stands: `path` names what holds it, without places in lists; null at the top. */
export interface KeyPlace {
  readonly source: 'body' | 'query';
  /** Undefined: not said. */
  readonly path: string | null | undefined;
  /** Of a query. */
  readonly param?: string;
}

/** 400, naming one key. */
export function invalidKey(key: string, { source, path, param }: KeyPlace): HttpError {
  const at = typeof path === 'string' ? ` at ${path}` : '';
  return new HttpError(400, 'ValidationError', `Invalid key ${key}${at}`, {
    key,
    ...(path !== undefined && { path }),
    source,
    ...(param !== undefined && { param }),
  });
}
