/** What a server on a node of a MySQL or MariaDB cluster needs. Part of the runtime module for MySQL, loaded only there. */
import type { Database } from '../database/database.ts';
import { createSecret } from '../features/auth/secrets.ts';
import { type ReadYourWrites, readYourWrites } from '../http/read-your-writes.ts';
import type { Settings } from './settings.ts';

/** The middleware that gives callers read-your-writes consistency; undefined if nodes can't lag behind. */
export function clusterMiddleware(
  { catchUp }: Database,
  { name }: { readonly name: string },
  { jwtSecret }: Settings,
): ReadYourWrites | undefined {
  return catchUp && readYourWrites({ name, secret: jwtSecret ?? createSecret(), catchUp });
}
