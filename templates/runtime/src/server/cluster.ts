/** What a server needs whose database is a node of a cluster: a part of the module of MySQL, run only there. */
import type { Database } from '../database/database.ts';
import { createSecret } from '../features/auth/secrets.ts';
import { type OwnWrites, ownWrites } from '../http/own-writes.ts';
import type { Settings } from './settings.ts';

/** The middleware by which callers see what they have written; undefined where no node can be behind. */
export function clusterMiddleware(
  { catchUp }: Database,
  { name }: { readonly name: string },
  { jwtSecret }: Settings,
): OwnWrites | undefined {
  return catchUp && ownWrites({ name, secret: jwtSecret ?? createSecret(), catchUp });
}
