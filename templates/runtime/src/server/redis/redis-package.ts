/** The client package of Redis, which only servers with `REDIS_URL` install. */
import type * as Redis from 'redis';
import { loadOptional } from '../../base/load-package.ts';

/** What to do if it is missing. */
export const REDIS_MISSING = 'its package is not installed: npm install redis@6';

/** The package; undefined if it isn't installed. */
export function loadRedis(): typeof Redis | undefined {
  return loadOptional('redis') as typeof Redis | undefined;
}
