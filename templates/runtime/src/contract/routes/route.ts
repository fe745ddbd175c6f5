/** A row of the table of routes: the static description of a route, without its handler. */
import type { RightName } from '../policy/rights.ts';
import type { JsonSchema } from './json-schema.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Query parameters that name attributes, and so depend on the content type. */
export type NamingParameter = 'fields' | 'populate' | 'filters' | 'sort';

/**
 * Query parameters. In the query string, `fileId` and `eventEntry` are called `id`, `fileTag` is called `tag`, `search` is called
 * `_q`, and those of the audit have no `audit` before their names.
 */
export type QueryParameter =
  | NamingParameter
  | 'pagination'
  | 'search'
  | 'locale'
  | 'publicationState'
  | 'status'
  | 'fileId'
  | 'fileTag'
  | 'confirmation'
  | 'eventTypes'
  | 'eventEntry'
  | 'lastEventId'
  | 'auditActor'
  | 'auditEvent'
  | 'auditType'
  | 'auditId'
  | 'auditFrom'
  | 'auditTo'
  | 'auditPageSize'
  | 'auditAfter'
  | 'costOf'
  | 'missing'
  | 'asOf'
  | 'release';

/** The request body in each supported media type. */
export interface RouteBody {
  readonly json?: JsonSchema;
  /** `multipart/form-data` */
  readonly form?: JsonSchema;
  /** Any media type. */
  readonly bytes?: true;
}

/** A successful response. */
export interface RouteAnswer {
  readonly status: 200 | 201 | 204 | 302;
  /** The status in the v5 format, if different. */
  readonly statusInV5?: 201;
  /** Undefined: the summary of the route. */
  readonly description?: string;
  /** Undefined for a response without a body. */
  readonly schema?: JsonSchema;
  /** The body may have any media type. */
  readonly isBytes?: true;
  /** That of `schema`, if it isn't JSON. */
  readonly mediaType?: string;
}

/** `Id` is a literal type if handlers are looked up by it. */
export interface Route<Id extends string = string> {
  /** The name of the handler, unique in a server. */
  readonly id: Id;
  /** The `operationId` in openapi.json. Undefined: `id`. */
  readonly operationId?: string;
  readonly method: Method;
  /** `/api/users/{id}` */
  readonly path: string;
  /** The tag in openapi.json: a content type, or a group of routes. */
  readonly tag: string;
  readonly summary: string;
  /** The permission that the caller needs: `article.find`. Undefined: none, but invalid credentials are still rejected. */
  readonly permission?: string | undefined;
  /** The caller needs one of several permissions, depending on the request. */
  readonly needsAny?: true;
  /** A permission that is enough for a part of what the route does. */
  readonly orPermission?: string;
  /** Further rights that requests may need, depending on their content: rows of the table of rights. */
  readonly touches?: readonly RightName[];
  readonly query?: readonly QueryParameter[];
  /** The uid of the type whose attributes the query parameters name. */
  readonly queriedType?: string;
  readonly body?: RouteBody | undefined;
  readonly answers: readonly [RouteAnswer, ...RouteAnswer[]];
  /**
   * Set if the response has an `ETag` for the version of the entries: the route reads entries, creates one, or changes one. Changes
   * support `If-Match`.
   */
  readonly versions?: 'reads' | 'makes' | 'changes';
  /** Whether requests with an `Idempotency-Key` are carried out once. */
  readonly keyed?: boolean;
  /** The route may respond with 404 although its path has no id. */
  readonly canBeMissing?: boolean;
  /** Calls are rate-limited, so the route may respond with 429. */
  readonly isCounted?: boolean;
  /** For tests: the status with permission, an id that does not exist, an empty body, and an empty database. */
  readonly probe: 200 | 204 | 400 | 404 | 412;
}

/** Routes whose ids are part of the type, so that the compiler checks that each has a handler. */
export function routeTable<Id extends string>(rows: readonly Route<Id>[]): readonly Route<Id>[] {
  return rows;
}

/** Whether the path of a route has an id. */
export function hasId({ path }: Pick<Route, 'path'>): boolean {
  return path.includes('{id}');
}
