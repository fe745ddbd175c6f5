/**
 * CommonJS packages that a start does not need: each is loaded by its first use. Those that are ES modules are imported where they are
 * used, by `late`.
 */
import type * as busboy from '@fastify/busboy';
import type cors from '@koa/cors';
import type * as rateLimiter from 'rate-limiter-flexible';
import type getRawBody from 'raw-body';
import type Qs from 'qs';
import type * as zod from 'zod';
import { lateNow } from './late.ts';
import { loadPackage } from './load-package.ts';

/** For the zod types of validators. No request needs one: what a body may hold is checked without. */
export const loadZod = lateNow(() => loadPackage('zod', () => require('zod')) as typeof zod);

/** For query strings. */
export const loadQs = lateNow(() => loadPackage('qs', () => require('qs')) as typeof Qs);

/** For bodies. */
export const loadRawBody = lateNow(() => loadPackage('raw-body', () => require('raw-body')) as typeof getRawBody);

/** For CORS. */
export const loadCors = lateNow(() => loadPackage('@koa/cors', () => require('@koa/cors')) as typeof cors);

/** For forms with files. */
export const loadBusboy = lateNow(
  () => loadPackage('@fastify/busboy', () => require('@fastify/busboy')) as typeof busboy,
);

/** For tries to sign in. */
export const loadRateLimiter = lateNow(
  () => loadPackage('rate-limiter-flexible', () => require('rate-limiter-flexible')) as typeof rateLimiter,
);

/** After a start, and not before it has answered who waits: in milliseconds. */
const PAUSE = 100;

/**
 * Has loaded what most requests need soon, so that none of them waits for it. For a server that listens. What can't be loaded now
 * is tried again by the first request that needs it.
 */
export function loadSoon(): void {
  const loadAll = (): void => {
    try {
      loadQs();
      loadRawBody();
    } catch {
      // Whoever needs it is told.
    }
  };
  setTimeout(loadAll, PAUSE).unref();
}
