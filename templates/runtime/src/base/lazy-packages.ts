/**
 * CommonJS packages that are loaded lazily, because the start does not need them. ES modules are loaded where they are
 * used, by `lazyImport`.
 */
import type * as busboy from '@fastify/busboy';
import type cors from '@koa/cors';
import type getRawBody from 'raw-body';
import type Qs from 'qs';
import type * as zod from 'zod';
import { lazyRequire } from './lazy-import.ts';
import { loadPackage } from './load-package.ts';

export const loadQs = lazyRequire(() => loadPackage('qs', () => require('qs')) as typeof Qs);

export const loadRawBody = lazyRequire(() => loadPackage('raw-body', () => require('raw-body')) as typeof getRawBody);

export const loadCors = lazyRequire(() => loadPackage('@koa/cors', () => require('@koa/cors')) as typeof cors);

/** For the endpoints that a project declares. */
export const loadZod = lazyRequire(() => loadPackage('zod', () => require('zod')) as typeof zod);

/** For multipart bodies. */
export const loadBusboy = lazyRequire(
  () => loadPackage('@fastify/busboy', () => require('@fastify/busboy')) as typeof busboy,
);

/** Delay after the start, so that the first requests are not held up. In milliseconds. */
const PRELOAD_DELAY = 100;

/**
 * Preloads, soon after a server has begun to listen, the packages that most requests need. A package that fails to load
 * is tried again by the first request that needs it.
 */
export function preloadPackages(): void {
  const loadAll = (): void => {
    try {
      loadQs();
      loadRawBody();
    } catch {
      // The first request that needs the package reports the error.
    }
  };
  setTimeout(loadAll, PRELOAD_DELAY).unref();
}
