/** Maps all errors to one response format: `{data: null, error: {…}}`. */
import { STATUS_CODES } from 'node:http';
import type { Context, Middleware } from 'koa';
import {
  ForbiddenError,
  HttpError,
  PreconditionFailedError,
  UnauthorizedError,
  ValidationError,
} from '../contract/errors.ts';
import { codeOf } from '../contract/message-codes.ts';
import { versionIn } from './conditions.ts';
import { identityOf, type Logger } from './log.ts';
import { isOfPage } from './page-request.ts';
import * as state from './state.ts';

/** Error names for the statuses that Koa or its router set. */
const NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  404: 'NotFoundError',
  405: 'MethodNotAllowedError',
  413: 'PayloadTooLargeError',
  415: 'UnsupportedMediaTypeError',
  503: 'ServiceUnavailableError',
};

interface ErrorParts {
  readonly name: string;
  readonly message: string;
  readonly details: object;
}

function envelope(status: number, error: ErrorParts): string {
  return JSON.stringify({ data: null, error: { status, ...error } });
}

function answer(ctx: Context, status: number, error: ErrorParts): void {
  ctx.status = status;
  ctx.type = 'application/json; charset=utf-8';
  ctx.body = envelope(status, error);
}

/** For the log: why a request was refused, if the response does not say so. */
function reasonsOf(error: HttpError): readonly string[] {
  if (error instanceof ForbiddenError) return [error.reason ?? error.message];
  return error instanceof ValidationError ? error.issues.flatMap(({ reason }) => reason ?? []) : [];
}

function logReasons(ctx: Context, error: HttpError, logger: Logger): void {
  const reasons = reasonsOf(error);
  if (reasons.length === 0) return;
  const caller = state.caller.get(ctx);
  const who = caller === undefined || caller instanceof UnauthorizedError ? {} : identityOf(caller);
  logger.info({ requestId: state.requestId.get(ctx), ...who, reasons }, 'refused');
}

/** The details with the codes of the messages, for the admin panel. All other clients get what the API specifies. */
function withCodes(message: string, details: object): object {
  const { errors } = details as { readonly errors?: readonly { readonly message: string }[] };
  const coded = errors && { errors: errors.map((one) => ({ ...one, ...codeOf(one.message) })) };
  return { ...details, ...coded, ...codeOf(message) };
}

function answerHttpError(ctx: Context, error: HttpError, logger: Logger): void {
  logReasons(ctx, error, logger);
  if (error.status >= 500) {
    logger.warn({ err: error.cause ?? error, requestId: state.requestId.get(ctx) }, 'a request could not be served');
  }
  ctx.set(error.headers);
  answer(ctx, error.status, partsOf(ctx, error));
}

function partsOf(ctx: Context, error: HttpError): ErrorParts {
  const { name, message } = error;
  const details = detailsOf(ctx, error);
  return { name, message, details: isOfPage(ctx) ? withCodes(message, details) : details };
}

/** An error as a part of a response. */
export function errorPart(ctx: Context, error: HttpError): object {
  return { status: error.status, ...partsOf(ctx, error) };
}

/** The body of the response to an error. */
export function errorBody(ctx: Context, error: HttpError): string {
  return envelope(error.status, partsOf(ctx, error));
}

/** Versions are shown only as tags. */
function detailsOf(ctx: Context, error: HttpError): object {
  if (!(error instanceof PreconditionFailedError)) return error.details;
  return { ...error.details, current: error.current === undefined ? null : versionIn(ctx, error.current) };
}

/** An internal error: the cause is logged, and the response has only the request id. */
function answerDefect(ctx: Context, error: unknown, logger: Logger): void {
  const requestId = state.requestId.get(ctx);
  logger.error({ err: error, requestId, method: ctx.method, path: ctx.path }, 'unexpected error');
  answer(ctx, 500, { name: 'InternalServerError', message: 'Internal Server Error', details: { requestId } });
}

/** Catches all errors of later middleware, and adds a body to errors without one (404, 405, …). */
export function errorEnvelope(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status >= 400 && (ctx.body === undefined || ctx.body === null)) {
        const { status } = ctx;
        answer(ctx, status, { name: NAMES[status] ?? 'Error', message: STATUS_CODES[status] ?? 'Error', details: {} });
      }
    } catch (error) {
      if (error instanceof HttpError) answerHttpError(ctx, error, logger);
      else answerDefect(ctx, error, logger);
    }
  };
}
