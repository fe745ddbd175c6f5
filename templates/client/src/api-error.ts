/** The error class of the client, for error responses and for requests without a response. */

/** An invalid value in a request, and its path in `data`. */
export interface Issue {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: string;
}

interface NoDetails {
  readonly [name: string]: unknown;
}

/** Error names, with the type of `details`. */
export interface ErrorDetails {
  /** 400. `errors` lists invalid values in `data`; `more` counts those that are not listed. */
  readonly ValidationError: { readonly errors?: readonly Issue[]; readonly more?: number };
  /** 400: well formed, but it can't be fulfilled; see `message`. */
  readonly ApplicationError: NoDetails;
  /** 401: credentials are missing, invalid or expired. */
  readonly UnauthorizedError: NoDetails;
  /** 403: not allowed with these credentials. */
  readonly ForbiddenError: NoDetails;
  /** 404 */
  readonly NotFoundError: NoDetails;
  /** 409: see `message`; with `retryAfter`, the same request is still being carried out. */
  readonly ConflictError: NoDetails;
  /** 412: the entry does not match `ifMatch`. `current`: its current version; null if it does not exist. */
  readonly PreconditionFailedError: { readonly current: string | null };
  /** 422: the key was used for another request. */
  readonly UnprocessableEntityError: NoDetails;
  /** 428: the server requires `ifMatch` for every change. */
  readonly PreconditionRequiredError: NoDetails;
  /** 405 */
  readonly MethodNotAllowedError: NoDetails;
  /** 413 */
  readonly PayloadTooLargeError: NoDetails;
  /** 415 */
  readonly UnsupportedMediaTypeError: NoDetails;
  /** 429: see `retryAfter`. */
  readonly RateLimitError: NoDetails;
  /** 500: a bug. The log of the server has the error under this id. */
  readonly InternalServerError: { readonly requestId?: string };
  /** 503: see `retryAfter`. */
  readonly ServiceUnavailableError: NoDetails;
  /** 507: the server has no room for an upload. */
  readonly InsufficientStorageError: NoDetails;
  /** There was no response; see `cause`. */
  readonly ConnectionError: NoDetails;
  /** The response is not from this API but from another server, perhaps a proxy. */
  readonly UnexpectedAnswerError: NoDetails;
}

export type ErrorName = keyof ErrorDetails;

/** The facts about a failed request. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly details?: unknown;
  /** `GET https://…` */
  readonly request: string;
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** See `ErrorDetails` for possible names. */
export class ApiError<Name extends string = string> extends Error {
  override readonly name: Name;
  readonly status: number;
  readonly details: Name extends ErrorName ? ErrorDetails[Name] : NoDetails;
  readonly request: string;
  readonly retryAfter: number | undefined;

  constructor({ name, message, status, details, request, retryAfter, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = name as Name;
    this.status = status;
    this.details = (details ?? {}) as never;
    this.request = request;
    this.retryAfter = retryAfter;
  }
}

/** Whether an error was thrown by this client and, if `name` is given, has this name. */
export function isApiError<Name extends ErrorName = ErrorName>(error: unknown, name?: Name): error is ApiError<Name> {
  return error instanceof ApiError && (name === undefined || error.name === name);
}
