/**
 * Long work in libuv's thread pool, such as hashing a password or resizing an image. Files are read in the same pool, so this work
 * leaves a thread free: otherwise, reading a file would wait until an image is resized.
 */
import { createWorkLimit } from './work-limit.ts';

/** Of libuv, unless the environment variable says otherwise. */
const DEFAULT_THREADS = 4;

const threads = Number(process.env['UV_THREADPOOL_SIZE']) || DEFAULT_THREADS;
const limit = createWorkLimit({ atOnce: Math.max(1, threads - 1), waiting: Infinity });

/**
 * Runs work that occupies one thread of the pool until it settles, as soon as it leaves another one free. The callers have limits of
 * their own for how much of it waits.
 */
export function onPoolThread<T>(work: () => Promise<T>): Promise<T> {
  return limit.run(work);
}
