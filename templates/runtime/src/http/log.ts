/**
 * Structured logs: one JSON line a request, with its id. Never bodies or headers; query strings at the level `debug`, of
 * requests that ask for a permission: there is no secret in those.
 */
import { randomUUID } from 'node:crypto';
import type { Context, Middleware, Next } from 'koa';
import type { Logger } from 'pino';
import { pino } from '../base/common-js.ts';
import { UnauthorizedError } from '../contract/errors.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { logOutput, type LogOutput } from './log-output.ts';
import * as state from './state.ts';

export type { Logger } from 'pino';

let output: LogOutput | undefined;

/** Of the process: all loggers write there. */
function standardOutput(): LogOutput {
  return (output ??= logOutput(process.stdout));
}

export function createLogger(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, standardOutput());
}

/** Before a process ends: waits until its log is written, `timeout` milliseconds at most. */
export function flushLog(timeout: number): Promise<void> {
  return standardOutput().flush(timeout);
}

/** Who calls, for a line of the log. */
export function identityOf({ role, userId }: Caller): { readonly role: string; readonly userId?: number } {
  return { role, ...(userId !== undefined && { userId }) };
}

/** Who asked for what; undefined for a request that got no answer from the policy. */
function askedOf(ctx: Context) {
  const permission = state.permission.get(ctx);
  const caller = state.caller.get(ctx);
  if (permission === undefined || caller === undefined || caller instanceof UnauthorizedError) return undefined;
  const given = caller.permissions.has(permission);
  return { ...identityOf(caller), permission, given, query: ctx.querystring };
}

const REQUEST_ID = /^[\w.-]{1,64}$/;

/**
 * Gives each request an id — the one of a proxy's `X-Request-Id` where that is plain — answers it in the same header
 * and logs the request when it is done.
 */
export function logRequests(logger: Logger, { trustProxy }: { readonly trustProxy: boolean }): Middleware {
  const detailed = logger.isLevelEnabled('debug');
  const log = async (ctx: Context, next: Next, requestId: string): Promise<void> => {
    const started = performance.now();
    await next();
    const milliseconds = Math.round((performance.now() - started) * 10) / 10;
    logger.info({ requestId, method: ctx.method, path: ctx.path, status: ctx.status, milliseconds }, 'request');
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
