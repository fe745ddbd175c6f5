/** Paths of generated code. */
import { posix } from 'node:path';
import { pathSegment } from './escape.ts';

/** `src/generated/routes/article.ts` */
export function routesPath(uid: string): string {
  return `src/generated/routes/${pathSegment(uid)}.ts`;
}

/** The types that the client uses: declarations only, so that the client needs no compilation. */
export const CLIENT_TYPES = 'client/types.d.ts';

/** The types that the server's code uses. */
export const SERVER_TYPES = 'src/generated/types.ts';

/** The specifier with which the file `from` imports the file `path`. */
export function importPath(from: string, path: string): string {
  const relative = posix.relative(posix.dirname(from), path);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** Who uses types: the server's code or its client; `documents`: the client for the v5 format. */
export type Home = 'server' | 'client' | 'documents';
