/** Errors of GraphQL answers, with the codes of the plugin. */
import { GraphQLError } from 'graphql';
import { ForbiddenError, HttpError } from '../../contract/errors.ts';
import type { Logger } from '../../http/log.ts';

/** An error in an answer. */
export interface AnswerError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** Codes of errors of the server that clients of the plugin know by another name than that of the error. */
const CODES: Readonly<Record<string, string>> = {
  ValidationError: 'BAD_USER_INPUT',
  ForbiddenError: 'FORBIDDEN',
  UnauthorizedError: 'UNAUTHENTICATED',
  TooManyRequestsError: 'STRAPI_RATE_LIMIT_ERROR',
};

const NAMES: Readonly<Record<string, string>> = { TooManyRequestsError: 'RateLimitError' };

/** `NotFoundError` → `STRAPI_NOT_FOUND_ERROR` */
function codeOf(name: string): string {
  return CODES[name] ?? `STRAPI_${name.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, '_').toUpperCase()}`;
}

/** 400 of a page that is asked for in two ways at once. */
export class PaginationError extends HttpError {
  constructor() {
    super(400, 'PaginationError', 'Cannot use both page & offset pagination in the same query');
  }
}

/** 400 of a document or variables: nothing of the request is run. */
export class RequestError extends Error {
  readonly errors: readonly AnswerError[];
  readonly status: number;

  constructor(errors: readonly AnswerError[], status = 400) {
    super(errors[0]?.message ?? 'The request is invalid');
    this.errors = errors;
    this.status = status;
  }
}

export function requestError(message: string, code = 'BAD_REQUEST', status = 400): RequestError {
  return new RequestError([{ message, extensions: { code } }], status);
}

/** The errors of parsing, validation or of variables. */
export function documentErrors(
  errors: readonly Pick<GraphQLError, 'message' | 'locations'>[],
  code: string,
): RequestError {
  const answered = errors.map(({ message, locations }) => ({
    message,
    ...(locations && { locations }),
    extensions: { code },
  }));
  return new RequestError(answered);
}

function shown(error: HttpError): Readonly<Record<string, unknown>> {
  const name = NAMES[error.name] ?? error.name;
  const message = error instanceof ForbiddenError ? 'Forbidden access' : error.message;
  return {
    code: codeOf(name === 'RateLimitError' ? 'TooManyRequestsError' : name),
    error: { name, message, details: error.details },
  };
}

/** The error of a field. Anything that is not meant for callers is logged, and told without its message. */
export function fieldError(
  error: unknown,
  path: readonly (string | number)[],
  about: { readonly logger: Logger; readonly requestId: string | undefined },
): AnswerError {
  if (error instanceof GraphQLError) {
    return { message: error.message, path, extensions: { code: 'INTERNAL_SERVER_ERROR', ...error.extensions } };
  }
  if (error instanceof HttpError && error.status < 500) {
    const extensions = shown(error);
    return { message: (extensions['error'] as { message: string }).message, path, extensions };
  }
  const isKnown = error instanceof HttpError;
  about.logger[isKnown ? 'warn' : 'error']({ err: error, requestId: about.requestId, path }, 'a field failed');
  const message = isKnown ? error.message : 'Internal Server Error';
  return { message, path, extensions: { code: isKnown ? codeOf(error.name) : 'INTERNAL_SERVER_ERROR' } };
}
