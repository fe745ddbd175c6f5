/** What a server with replicas of its database needs. Part of the runtime module for PostgreSQL, loaded only with the setting. */
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { DatabaseSettings } from '../database/database-settings.ts';
import { withReplicas } from '../database/replicas/open-replicas.ts';
import { createSecret } from '../features/auth/secrets.ts';
import { contentPosition } from '../http/content-position.ts';
import type { Settings } from './settings.ts';

/** A database that also reads from replicas, and the middleware that gives callers read-your-writes consistency. */
export interface Replicated {
  readonly database: Database;
  readonly positions: Middleware;
}

/** Opens the replicas. One that can't be reached is only logged. */
export async function openReplicas(
  primary: Database,
  { name }: { readonly name: string },
  { databaseUrl, replicas, jwtSecret }: Settings,
  { settings, logger }: { readonly settings: DatabaseSettings; readonly logger: Logger },
): Promise<Replicated> {
  const { database, latestPosition } = await withReplicas(primary, {
    url: databaseUrl,
    settings,
    replicas,
    news: {
      left: (replica, reason) => logger.warn({ replica, reason }, 'a replica is not used for reads'),
      returned: (replica) => logger.info({ replica }, 'a replica is used for reads again'),
    },
  });
  return { database, positions: contentPosition({ name, secret: jwtSecret ?? createSecret(), latestPosition }) };
}
