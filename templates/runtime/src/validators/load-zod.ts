/** Loads zod when somebody asks for a zod type: a server that answers requests needs none. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The module, loaded by the first call. */
export function loadZod(): typeof import('zod') {
  return require('zod') as typeof import('zod');
}
