/** The package by which Redis is spoken to, which only servers with `REDIS_URL` have. */
import type * as Redis from 'redis';
import { loadOptional } from '../../base/load-package.ts';

/** What to do where it is missing. */
export const REDIS_MISSING = 'its package is not installed: npm install redis@6';

/** Undefined where it is not installed. */
export function loadRedis(): typeof Redis | undefined {
  return loadOptional('redis') as typeof Redis | undefined;
}
