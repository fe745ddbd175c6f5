/**
 * The errors that an answer can carry. Each knows its status, its name on the wire and what `details` holds.
 * Anything else that is thrown is a defect of the server: 500, and nothing of it in the answer.
 */
import { MAX_ISSUES } from './limits.ts';

/** Where in the request body a value failed: `["tags", "connect", "1"]`. */
export type ErrorPath = readonly string[];

/** One failing value. */
export interface Issue {
  readonly path: ErrorPath;
  readonly message: string;
  /** More than the caller may know, for the log. */
  readonly reason?: string;
  /** That it fails tells something private: it is only answered where nothing else is wrong. */
  readonly isPrivate?: true;
}

/** What of the issues is answered: nobody learns from an answer which private attributes fail beside others. */
function answered(issues: readonly Issue[]): readonly Issue[] {
  const open = issues.filter(({ isPrivate }) => !isPrivate);
  return open.length > 0 ? open : issues.slice(0, 1);
}

/** Base of all errors that are shown to the caller. */
export class HttpError extends Error {
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  /** Further headers of the answer, such as `Allow`. */
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
}

/** Stands for a failing value that is counted and not named. */
const COUNTED: Issue = Object.freeze({ path: [], message: '' });

/** Adds an issue to a list that one body can fill: beyond `MAX_ISSUES` it is only counted, and its message never made. */
export function addIssue(issues: Issue[], path: ErrorPath, message: () => string): void {
  issues.push(issues.length < MAX_ISSUES ? { path, message: message() } : COUNTED);
}

/** What of a list an answer has, and how many more there are. */
function shown(issues: readonly Issue[]): { readonly errors: readonly object[]; readonly more?: number } {
  const named = issues.filter(({ message }) => message !== '').slice(0, MAX_ISSUES);
  const errors = named.map(({ path, message }) => ({ path, message, name: 'ValidationError' }));
  const more = issues.length - errors.length;
  return more > 0 ? { errors, more } : { errors };
}

/** 400: the body fails validation. `issues` are all failing values; the answer names the first `MAX_ISSUES` of them. */
export class ValidationError extends HttpError {
  readonly issues: readonly Issue[];

  /** @param found At least one; those of private attributes are left out where there are others. */
  constructor(found: readonly Issue[]) {
    const issues = answered(found);
    const [only] = issues;
    const message = issues.length === 1 && only ? only.message : `${issues.length} errors occurred`;
    super(400, 'ValidationError', message, { ...shown(issues) });
    this.issues = issues;
  }
}

/** 400: a query parameter, or the request as a whole, can't be understood. The message names the parameter. */
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

/** 403: the caller may not do this, whether or not the entry exists. `message`, or a text alone, is answered; `reason` is for the log. */
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

/** 412: the entry is in another version than the one that the write is meant for. `current` is that of now; undefined: there is no entry. */
export class PreconditionFailedError extends HttpError {
  readonly current: number | undefined;

  constructor(current: number | undefined) {
    const found = current === undefined ? 'there is none' : `it is in version ${current} now`;
    super(
      412,
      'PreconditionFailedError',
      `The entry is not as this request expects it: ${found}. Nothing was changed`,
      {
        current: current === undefined ? null : String(current),
      },
    );
    this.current = current;
  }
}

/** 428: the settings ask every change to name the version of the entry that it is meant for. */
export class PreconditionRequiredError extends HttpError {
  constructor() {
    const how = 'send If-Match with the ETag of the entry, or If-None-Match: * to create it';
    super(428, 'PreconditionRequiredError', `A change must say which version of the entry it is meant for: ${how}`);
  }
}

/**
 * 499: the client closed its connection before its work was begun, so that it is not done. Nobody gets the answer; the status is
 * the one that other servers log for it.
 */
export class ClientGoneError extends HttpError {
  constructor() {
    super(499, 'ClientClosedRequestError', 'The client closed the connection before the request was done');
  }
}

/** 503: not now, for a reason that passes. `retryAfter` is in seconds, if it is worth coming again; `cause` is for the log. */
export class ServiceUnavailableError extends HttpError {
  constructor(retryAfter: number | undefined, cause: unknown, message = 'Service Unavailable') {
    const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
    super(503, 'ServiceUnavailableError', message, {}, headers);
    this.cause = cause;
  }
}

/**
 * 503: the database went away before it said whether a write was done. Without `Retry-After`, since a client that obeyed it might
 * write twice.
 */
export class UnknownOutcomeError extends ServiceUnavailableError {
  constructor(cause: unknown) {
    const message =
      'The connection to the database was lost before it answered. The change may have been made: look before you send it again';
    super(undefined, cause, message);
  }
}

/** Seconds after which it is worth looking whether somebody has made room. */
const ROOM_RETRY_AFTER = 30;

/** 507: there is no space left where the database stores what it is given. Nothing was written. */
export class InsufficientStorageError extends HttpError {
  constructor(cause: unknown) {
    const message = 'There is no space left on the volume of the database. Nothing was written';
    super(507, 'InsufficientStorageError', message, {}, { 'Retry-After': String(ROOM_RETRY_AFTER) });
    this.cause = cause;
  }
}

/** 400: an answer that is larger than the settings, or the database, let it be. */
export class AnswerTooLargeError extends BadRequestError {
  constructor(message = 'The answer is too large: ask for fewer entries, or for less of each') {
    super(message);
    this.name = 'ValidationError';
  }
}

/** 400: a query that takes longer than a statement may. `limit` is in milliseconds. */
export class QueryTooSlowError extends BadRequestError {
  constructor(limit: number) {
    super(
      `The query takes longer than ${limit / 1000} s. Ask for less at once: fewer conditions on text, fewer sort keys through relations, or a filter that leaves fewer entries.`,
    );
  }
}
