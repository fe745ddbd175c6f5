/** The one error that the client throws: what the server refused, or why there was no answer. */

/** A value that the server refused, and where it is in `data`. */
export interface Issue {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: string;
}

interface NoDetails {
  readonly [name: string]: unknown;
}

/** The names of errors, and what `details` holds. */
export interface ErrorDetails {
  /** 400. `errors` where values of `data` are refused; `more`: how many are not listed. */
  readonly ValidationError: { readonly errors?: readonly Issue[]; readonly more?: number };
  /** 401: there are no credentials, or they are not valid any more. */
  readonly UnauthorizedError: NoDetails;
  /** 403: not with these credentials. */
  readonly ForbiddenError: NoDetails;
  /** 404 */
  readonly NotFoundError: NoDetails;
  /** 412: the entry is not what `ifMatch` says. `current`: its version; null: there is none. */
  readonly PreconditionFailedError: { readonly current: string | null };
  /** 428: the server asks every change for `ifMatch`. */
  readonly PreconditionRequiredError: NoDetails;
  /** 413 */
  readonly PayloadTooLargeError: NoDetails;
  /** 503: see `retryAfter`. */
  readonly ServiceUnavailableError: NoDetails;
  /** There was no answer: `cause` says why. */
  readonly ConnectionError: NoDetails;
  /** The answer is not one of this API: another server's, perhaps a proxy's. */
  readonly UnexpectedAnswerError: NoDetails;
}

export type ErrorName = keyof ErrorDetails;

/** What is known of a request that failed. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  readonly details?: unknown;
  /** `GET https://…` */
  readonly request: string;
  /** Seconds after which it is worth trying again. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** See `ErrorDetails` for its names. */
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

/** Whether something thrown is of this client, and of this name where one is given. */
export function isApiError<Name extends ErrorName = ErrorName>(error: unknown, name?: Name): error is ApiError<Name> {
  return error instanceof ApiError && (name === undefined || error.name === name);
}
