/** Requests with an `Idempotency-Key`, which are carried out once. What others don't need is loaded by the first of them. */
import type { Middleware } from 'koa';
import { lazyImport } from '../base/lazy-import.ts';
import type { AnyAction } from '../contract/policy/caller.ts';
import type { Database } from '../database/database.ts';
import { allow } from './request.ts';
import { onceByKey } from './state.ts';

/** The middleware behind `onceByKey`. `secret`: one that all instances share. */
export function lazyKeyedRequests(database: Database, secret: string): Middleware {
  const load = lazyImport(() => import('./idempotency/run-keyed.ts'));
  let loaded: Middleware | undefined;
  return async (ctx, next) => {
    loaded ??= (await load()).keyedRequests(database, secret);
    return loaded(ctx, next);
  };
}

/** Middleware of routes that write. */
export const keyed: Middleware = (ctx, next) => {
  const once = ctx.req.headers['idempotency-key'] === undefined ? undefined : onceByKey.get(ctx);
  return once ? once(ctx, next) : next();
};

const WRITES: ReadonlySet<AnyAction> = new Set(['create', 'update', 'delete']);

/** Like `allow`, for routes that write once for each `Idempotency-Key`. */
export function allowKeyed(uid: string, action: AnyAction, or?: AnyAction): Middleware {
  const allowed = allow(uid, action, or);
  return WRITES.has(action) ? (ctx, next) => allowed(ctx, () => keyed(ctx, next)) : allowed;
}
