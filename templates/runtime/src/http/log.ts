/**
 * Structured logs: one JSON line per request, with its id, client and user. Never bodies or headers. Query strings only at level
 * `debug`, and only of routes with a permission, whose queries contain no secrets.
 */
import { randomUUID } from 'node:crypto';
import type { Context, Middleware, Next } from 'koa';
import type { Logger } from 'pino';
import { pino } from '../base/common-js.ts';
import { UnauthorizedError } from '../contract/errors.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { logOutput, type LogOutput } from './log-output.ts';
import { readableOutput } from './readable-log.ts';
import * as state from './state.ts';

export type { Logger } from 'pino';

let output: LogOutput | undefined;

/** The shared output of all loggers of the process. */
function standardOutput(): LogOutput {
  return (output ??= logOutput(process.stdout));
}

/** `json`: for programs; `text`: for people. */
export type LogFormat = 'json' | 'text';

/** `base`: members of each line. */
export function createLogger(
  level: string,
  format: LogFormat = 'json',
  base: Readonly<Record<string, unknown>> | null = null,
): Logger {
  const destination = format === 'text' ? readableOutput(standardOutput()) : standardOutput();
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

/** Waits until the log is written, for at most `timeout` milliseconds. Call it before the process exits. */
export function flushLog(timeout: number): Promise<void> {
  return standardOutput().flush(timeout);
}

/** The caller, for the log. */
export function identityOf({ role, userId }: Caller): { readonly role: string; readonly userId?: number } {
  return { role, ...(userId !== undefined && { userId }) };
}

/** Caller, permission and query; undefined for a request that did not reach the policy. */
function askedOf(ctx: Context) {
  const permission = state.permission.get(ctx);
  const caller = state.caller.get(ctx);
  if (permission === undefined || caller === undefined || caller instanceof UnauthorizedError) return undefined;
  const given = caller.permissions.has(permission);
  return { ...identityOf(caller), permission, given, query: ctx.querystring };
}

const REQUEST_ID = /^[\w.-]{1,64}$/;

/**
 * Assigns each request an id (a well-formed `X-Request-Id` of a trusted proxy, or a new one), returns it in the same
 * header, and logs the request when it is done.
 */
export function logRequests(logger: Logger, { trustProxy }: { readonly trustProxy: boolean }): Middleware {
  const detailed = logger.isLevelEnabled('debug');
  const log = async (ctx: Context, next: Next, requestId: string): Promise<void> => {
    const started = performance.now();
    await next();
    if (state.unlogged.get(ctx)) return;
    const milliseconds = Math.round((performance.now() - started) * 10) / 10;
    const caller = state.caller.get(ctx);
    const user = caller instanceof UnauthorizedError ? undefined : caller?.userId;
    const bytes = ctx.method === 'HEAD' ? 0 : (ctx.length ?? 0);
    const { method, path, status, ip: client } = ctx;
    const trace = state.traceId.get(ctx);
    logger.info({ requestId, traceId: trace, method, path, status, milliseconds, bytes, client, user }, 'request');
    if (!detailed) return;
    const asked = askedOf(ctx);
    if (asked) logger.debug({ requestId, ...asked }, 'asked');
  };
  const logged = logger.isLevelEnabled('info');
  return (ctx, next) => {
    const given = trustProxy ? ctx.get('x-request-id') : '';
    const id = REQUEST_ID.test(given) ? given : randomUUID();
    state.requestId.set(ctx, id);
    ctx.res.setHeader('X-Request-Id', id);
    return logged ? log(ctx, next, id) : next();
  };
}
