/** Opens the database of a server, applies migrations, and connects its replicas or sets up what a cluster needs. */
import { fileURLToPath } from 'node:url';
import type { Middleware } from 'koa';
import { explainMissingModule } from '../base/missing-module.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseSettings } from '../database/database-settings.ts';
import { openDatabase } from '../database/open-database.ts';
import { refusingSlowQueries } from '../database/slow-queries.ts';
import type { ReadOptions } from '../database/statement-runner.ts';
import { bothWatches, type StatementWatch } from '../database/statement-watch.ts';
import { timeLimitOf } from '../database/time-limit.ts';
import type { Logger } from '../http/log.ts';
import { type LongPartListener, migrate } from '../migrator/migrate.ts';
import type { ServerDefinition } from './definition.ts';
import type { Replicated } from './replicas.ts';
import type { Settings } from './settings.ts';
import { createSlowStatements } from './slow-statements.ts';

/** A database and, if its replicas or nodes may lag behind, the middleware that gives callers read-your-writes consistency. */
interface Prepared extends Pick<Replicated, 'database'>, Partial<Pick<Replicated, 'positions'>> {
  /** Waits for a node to catch up. Its errors must be handled by the error middleware around it. */
  readonly catchUp?: Middleware;
}

/** Sets up what a cluster needs, if the database is one. */
async function loadCluster(database: Database, definition: ServerDefinition, settings: Settings): Promise<Prepared> {
  if (!database.catchUp) return { database };
  const { clusterMiddleware } = await import('./cluster.ts').catch(explainMissingModule('`databases: [mysql]`'));
  const middleware = clusterMiddleware(database, definition, settings);
  return { database, ...(middleware && { positions: middleware.addToken, catchUp: middleware.waitForNode }) };
}

/** Connects the replicas of a database, if it has any. */
async function loadReplicas(
  database: Database,
  definition: ServerDefinition,
  settings: Settings,
  options: { readonly settings: DatabaseSettings; readonly logger: Logger },
): Promise<Prepared> {
  if (settings.replicas.urls.length === 0) return loadCluster(database, definition, settings);
  const { openReplicas } = await import('./replicas.ts').catch(explainMissingModule('`databases: [postgres]`'));
  return openReplicas(database, definition, settings, options);
}

/** Logs the parts of a migration that take longer than a second, when they end and repeatedly while they run. */
function logLongParts(logger: Logger): LongPartListener {
  return ({ name, what, seconds, isOver, progress }) => {
    const line = { migration: name, part: what, seconds, ...(progress !== undefined && { progress }) };
    logger.info(line, isOver ? 'part of a migration ended' : 'part of a migration is running');
  };
}

/**
 * Prepares the database. `watch` is notified of all statements. Throws an error with a message for users if the database can't be
 * opened or migrated, and closes it.
 */
export async function prepareDatabase(
  definition: ServerDefinition,
  settings: Settings,
  { logger, watch: traced }: { readonly logger: Logger; readonly watch: StatementWatch | undefined },
): Promise<Prepared> {
  const { slowStatement: limit } = settings;
  const slow = limit === undefined ? undefined : createSlowStatements(limit, logger);
  const watch = bothWatches(traced, slow);
  const connecting = { ...settings.database, ...(watch && { watch }) };
  const database = await openDatabase(settings.databaseUrl, connecting);
  slow?.explainBy(database);
  try {
    const directory = fileURLToPath(definition.migrations);
    if (settings.migrateOnStart) {
      const options = { directory, dialect: database.dialect.name, onLongPart: logLongParts(logger) };
      const { changed, unsealed } = await migrate(database, options, 'up');
      for (const name of changed) logger.info({ migration: name }, 'migration applied');
      for (const name of unsealed) {
        logger.warn(
          { migration: name },
          'migration not applied because it is not sealed: npx content-gen migrations seal',
        );
      }
    }
    const prepared = await loadReplicas(database, definition, settings, { settings: connecting, logger });
    const limitOf = ({ client }: ReadOptions): number => timeLimitOf(client, settings.database);
    return { ...prepared, database: refusingSlowQueries(prepared.database, limitOf) };
  } catch (error) {
    await database.close();
    throw error;
  }
}
