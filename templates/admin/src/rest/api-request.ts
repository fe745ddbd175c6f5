/** A request to the API as the page describes it: its URL, its precondition, and their headers. */
import { type QueryObject, queryString } from './query-string.ts';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/`. */
  readonly path: string;
  readonly query?: QueryObject;
  readonly body?: unknown;
  /** Those that the page sets besides. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The `ETag` of the version that the change is based on. */
  readonly ifMatch?: string | undefined;
  /** Under which the server carries it out once, however often it is sent. */
  readonly key?: string;
  /** Whether the entry must not exist yet. */
  readonly isNew?: boolean;
  /** The format of the query and the response, v4 by default. */
  readonly format?: 'v5';
  /** Whether "Show requests" leaves it out. */
  readonly isUnlisted?: boolean;
  /** For uploads: called with the part of the body that was sent, between 0 and 1. */
  readonly onProgress?: (sent: number) => void;
}

export const FORMAT_HEADER = 'Strapi-Response-Format';

/** The path and query of a request, relative to the origin. */
export function urlOf({ path, query }: ApiRequest): string {
  return `/api/${path}${query ? queryString(query) : ''}`;
}

export interface Condition {
  readonly ifMatch?: string;
  readonly ifNoneMatch?: '*';
}

/** The precondition of a change, which servers may require. Without a known version, any matches. */
export function conditionOf({ method, ifMatch, isNew }: ApiRequest): Condition {
  if (isNew) return { ifNoneMatch: '*' };
  return ifMatch !== undefined || method === 'PUT' || method === 'DELETE' ? { ifMatch: ifMatch ?? '*' } : {};
}

/** The headers of a condition. */
export function conditionHeaders({ ifMatch, ifNoneMatch }: Condition): Readonly<Record<string, string>> {
  return {
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(ifNoneMatch && { 'If-None-Match': ifNoneMatch }),
  };
}
