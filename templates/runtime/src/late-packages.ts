/** Packages that a start does not need: each is loaded by its first use. */
import { createRequire } from 'node:module';
import type getRawBody from 'raw-body';
import type Qs from 'qs';
import type * as zod from 'zod';

const require = createRequire(import.meta.url);

let qs: typeof Qs | undefined;
let rawBody: typeof getRawBody | undefined;

/** For the zod types of validators. No request needs one: what a body may hold is checked without. */
export function loadZod(): typeof zod {
  return require('zod') as typeof zod;
}

/** For query strings. */
export function loadQs(): typeof Qs {
  return (qs ??= require('qs') as typeof Qs);
}

/** For bodies. */
export function loadRawBody(): typeof getRawBody {
  return (rawBody ??= require('raw-body') as typeof getRawBody);
}

/** After a start, and not before it has answered who waits: in milliseconds. */
const PAUSE = 100;

/** Has loaded what most requests need soon, so that none of them waits for it. For a server that listens. */
export function loadSoon(): void {
  const load = (): void => {
    loadQs();
    loadRawBody();
  };
  setTimeout(load, PAUSE).unref();
}
