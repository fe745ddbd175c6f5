/** One row of the table of routes: everything that is known of a route without running it. */
import type { RightName } from '../policy/rights.ts';
import type { JsonSchema } from './json-schema.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Parameters of the query string that name attributes: each type has its own. */
export type NamingParameter = 'fields' | 'populate' | 'filters' | 'sort';

/** Parameters of the query string. `fileId` is called `id` there, and `search` is `_q`. */
export type QueryParameter =
  NamingParameter | 'pagination' | 'search' | 'locale' | 'publicationState' | 'status' | 'fileId' | 'confirmation';

/** What a request holds: by its content type, or as either of two. */
export interface RouteBody {
  readonly json?: JsonSchema;
  /** `multipart/form-data` */
  readonly form?: JsonSchema;
}

/** What is answered when all goes well. */
export interface RouteAnswer {
  readonly status: 200 | 201 | 204 | 302;
  /** In the v5 format, where it differs. */
  readonly statusInV5?: 201;
  /** Undefined: the summary of the route says it. */
  readonly description?: string;
  /** Undefined for an answer without a body. */
  readonly schema?: JsonSchema;
}

/** `Id` is a literal where handlers are named by it. */
export interface Route<Id extends string = string> {
  /** The name of the handler, and the `operationId` in openapi.json unless that is another. Unique within a server. */
  readonly id: Id;
  readonly operationId?: string;
  readonly method: Method;
  /** `/api/users/{id}` */
  readonly path: string;
  /** The group in openapi.json: the content type, or what the route is about. */
  readonly tag: string;
  readonly summary: string;
  /** What the caller must be permitted: `article.find`. Undefined: everybody may call, but for those with bad credentials. */
  readonly permission?: string | undefined;
  /** Which further rights requests may need, depending on what they say: rows of the table of rights. */
  readonly touches?: readonly RightName[];
  readonly query?: readonly QueryParameter[];
  /** The uid of the type whose attributes the query names. */
  readonly queriedType?: string;
  readonly body?: RouteBody | undefined;
  readonly answers: readonly [RouteAnswer, ...RouteAnswer[]];
  /**
   * It is about one state of entries, which its answer names by `ETag`: it reads them, or makes or changes one. A change takes
   * `If-Match`.
   */
  readonly versions?: 'reads' | 'makes' | 'changes';
  /** It may answer 404 although its path names no id. */
  readonly canBeMissing?: boolean;
  /** It may answer 429: its calls are counted. */
  readonly isCounted?: boolean;
  /** The status of the answer to who may call: to an id that does not exist and a body without content, of an empty database. */
  readonly probe: 200 | 204 | 400 | 404;
}

/** The table of some part of a server. The ids of its rows are in its type, so that the compiler compares handlers with them. */
export function routeTable<Id extends string>(rows: readonly Route<Id>[]): readonly Route<Id>[] {
  return rows;
}

/** Whether the path of a route names one of many. */
export function hasId({ path }: Pick<Route, 'path'>): boolean {
  return path.includes('{id}');
}
