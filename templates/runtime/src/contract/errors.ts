/**
 * Errors with a response of their own: status, name and `details`. Anything else that is thrown is a bug in the server: it
 * responds with 500, and reveals nothing of the error.
 */
import { MAX_ISSUES } from './limits.ts';

/** Path of an invalid value in the request body: `["tags", "connect", "1"]`. */
export type ErrorPath = readonly string[];

/** One invalid value. */
export interface Issue {
  readonly path: ErrorPath;
  readonly message: string;
  /** For the log: details that the caller must not see. */
  readonly reason?: string;
  /** The failure itself reveals something private: reported only if nothing else is wrong. */
  readonly isPrivate?: true;
}

/** The issues to report. Next to others, private ones are left out, so that a response does not reveal which of them fail. */
function answered(issues: readonly Issue[]): readonly Issue[] {
  const open = issues.filter(({ isPrivate }) => !isPrivate);
  return open.length > 0 ? open : issues.slice(0, 1);
}

/** Base class of all errors that the caller sees. */
export class HttpError extends Error {
  readonly status: number;
  details: Readonly<Record<string, unknown>>;
  /** Additional response headers, such as `Allow`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    name: string,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.name = name;
    this.details = details;
    this.headers = headers;
  }

  /** Adds details, and returns the same error. */
  withDetails(details: Readonly<Record<string, unknown>>): this {
    this.details = { ...this.details, ...details };
    return this;
  }
}

/** Placeholder for an invalid value that is counted but not reported. */
const COUNTED: Issue = Object.freeze({ path: [], message: '' });

/** Adds an issue to a list that one body could fill. Issues beyond `MAX_ISSUES` are only counted; `message` is not called. */
export function addIssue(issues: Issue[], path: ErrorPath, message: () => string): void {
  issues.push(issues.length < MAX_ISSUES ? { path, message: message() } : COUNTED);
}

/** The `details` of a response about issues: the first `MAX_ISSUES`, and how many `more` there are. */
export function shownIssues(issues: readonly Issue[]): { readonly errors: readonly object[]; readonly more?: number } {
  const named = issues.filter(({ message }) => message !== '').slice(0, MAX_ISSUES);
  const errors = named.map(({ path, message }) => ({ path, message, name: 'ValidationError' }));
  const more = issues.length - errors.length;
  return more > 0 ? { errors, more } : { errors };
}

/** 400: the body fails validation. `issues` has all invalid values; the response lists the first `MAX_ISSUES`. */
export class ValidationError extends HttpError {
  readonly issues: readonly Issue[];

  /** @param found At least one. Private ones are dropped if there are others. */
  constructor(found: readonly Issue[]) {
    const issues = answered(found);
    const [only] = issues;
    const message = issues.length === 1 && only ? only.message : `${issues.length} errors occurred`;
    super(400, 'ValidationError', message, { ...shownIssues(issues) });
    this.issues = issues;
  }
}

/** 400: a query parameter, or the request as a whole, is invalid. The message names the parameter. */
export class BadRequestError extends HttpError {
  constructor(message: string) {
    super(400, 'ValidationError', message);
  }
}

/** 401: credentials were sent and are not valid. */
export class UnauthorizedError extends HttpError {
  constructor(message = 'Missing or invalid credentials') {
    super(401, 'UnauthorizedError', message);
  }
}

/** 403: the caller may not do this, whether or not the entry exists. The response has `message`, the log has `reason`. */
export class ForbiddenError extends HttpError {
  readonly reason: string | undefined;

  constructor(what: string | { readonly message?: string | undefined; readonly reason?: string | undefined } = {}) {
    const { message = 'Forbidden', reason } = typeof what === 'string' ? { message: what } : what;
    super(403, 'ForbiddenError', message);
    this.reason = reason;
  }
}

/** 404: no such path or entry. */
export class NotFoundError extends HttpError {
  constructor() {
    super(404, 'NotFoundError', 'Not Found');
  }
}

/**
 * 412: the entry's version is not the one that the write expects. `current` is its version; undefined if there is no entry, or none
 * that the caller may see. Responses have a tag for `If-Match` in its place.
 */
export class PreconditionFailedError extends HttpError {
  readonly current: number | undefined;

  constructor(current: number | undefined) {
    const found = current === undefined ? 'there is none that you may see' : 'it exists in another version';
    super(
      412,
      'PreconditionFailedError',
      `The entry is not in the state that this request expects: ${found}. Nothing was changed`,
      {
        current: current === undefined ? null : String(current),
      },
    );
    this.current = current;
  }
}

/** 428: the settings require every change to name the version of the entry that it expects. */
export class PreconditionRequiredError extends HttpError {
  constructor() {
    const how = 'send If-Match with the ETag of the entry, or If-None-Match: * to create it';
    super(
      428,
      'PreconditionRequiredError',
      `This server requires every change to name the version of the entry: ${how}`,
    );
  }
}

/**
 * 499: the client closed the connection before its work began, so the work is skipped. Nobody receives the response; the status is
 * the one that other servers log in this case.
 */
export class ClientGoneError extends HttpError {
  constructor() {
    super(499, 'ClientClosedRequestError', 'The client closed the connection before the request was complete');
  }
}

/** 503: temporarily unavailable. `retryAfter` is in seconds; undefined if retrying is pointless. `cause` is for the log. */
export class ServiceUnavailableError extends HttpError {
  constructor(retryAfter: number | undefined, cause: unknown, message = 'Service Unavailable') {
    const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
    super(503, 'ServiceUnavailableError', message, {}, headers);
    this.cause = cause;
  }
}

/**
 * 503: the connection to the database was lost before the outcome of a write was known. `retryAfter` only for requests that may be
 * repeated: a client that follows it might otherwise write twice.
 */
export class UnknownOutcomeError extends ServiceUnavailableError {
  constructor(cause: unknown, retryAfter?: number) {
    const lost = 'The connection to the database was lost before it responded. The change may have been made';
    const next =
      retryAfter === undefined
        ? 'check before you repeat the request'
        : 'repeat the request with its Idempotency-Key to find out; nothing is written twice';
    super(retryAfter, cause, `${lost}: ${next}`);
  }
}

/** 409: what the request asks for can't be done now. With `retryAfter`, in seconds, it can be done then. */
export class ConflictError extends HttpError {
  constructor(message: string, retryAfter?: number) {
    const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
    super(409, 'ConflictError', message, {}, headers);
  }
}

/** 422: the request is well-formed, and contradicts an earlier one. */
export class UnprocessableError extends HttpError {
  constructor(message: string) {
    super(422, 'UnprocessableEntityError', message);
  }
}

/** In seconds: space has to be freed by a person. */
const ROOM_RETRY_AFTER = 30;

/** 507: the volume of the database is full. Nothing was written. */
export class InsufficientStorageError extends HttpError {
  constructor(cause: unknown) {
    const message = 'There is no space left on the volume of the database. Nothing was written';
    super(507, 'InsufficientStorageError', message, {}, { 'Retry-After': String(ROOM_RETRY_AFTER) });
    this.cause = cause;
  }
}

/** 400: the response would exceed a limit of the settings or of the database. */
export class AnswerTooLargeError extends BadRequestError {
  constructor(message = 'The response is too large: request fewer entries or fewer attributes') {
    super(message);
    this.name = 'ValidationError';
  }
}

/**
 * 400: a query exceeds the timeout of statements. `limit` is in milliseconds; `refusedFor` as well, if it did so a moment ago and is
 * therefore not even begun.
 */
export class QueryTooSlowError extends BadRequestError {
  readonly limit: number;
  readonly wasKnown: boolean;

  constructor(limit: number, refusedFor?: number) {
    const known =
      refusedFor === undefined
        ? ''
        : ` It did a moment ago, and is refused without a new attempt for ${Math.ceil(refusedFor / 1000)} s.`;
    super(
      `The query takes longer than ${limit / 1000} s.${known} Simplify it: use fewer conditions on text, fewer sort keys through relations, or a filter that matches fewer entries.`,
    );
    this.limit = limit;
    this.wasKnown = refusedFor !== undefined;
  }
}
