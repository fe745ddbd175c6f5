/** Checks that the database server is reachable, that its clock agrees, and that it allows enough connections. */
import type { Database } from '../../database/database.ts';
import type { DialectName } from '../../database/dialect.ts';
import { raw, type Sql } from '../../database/sql.ts';
import type { Settings } from '../settings.ts';
import { type Finding, findingsAbout } from './finding.ts';

/** Tolerated difference between the clocks, in milliseconds. */
const CLOCKS_APART = 2000;
/** The share of the database's connections above which this server may leave too few for others. */
const SHARE = 0.8;

const VERSION: Readonly<Record<DialectName, Sql>> = {
  sqlite: raw("SELECT 'SQLite ' || sqlite_version() AS version"),
  postgres: raw("SELECT 'PostgreSQL ' || current_setting('server_version') AS version"),
  mysql: raw('SELECT VERSION() AS version'),
};

/** Selects `now` in milliseconds since 1970, and how many connections are allowed (`most`) and `open`. SQLite has no server. */
const STATE: Readonly<Record<Exclude<DialectName, 'sqlite'>, Sql>> = {
  postgres: raw(
    "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint AS now, current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most, (SELECT COUNT(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS open",
  ),
  mysql: raw(
    'SELECT CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) AS now, @@max_connections AS most, (SELECT COUNT(*) FROM information_schema.processlist) AS open',
  ),
};

async function checkServer(
  database: Database,
  { workers, database: { poolSize } }: Settings,
): Promise<readonly Finding[]> {
  const { name } = database.dialect;
  if (name === 'sqlite') return [];
  const [clock, connections] = [findingsAbout('clock'), findingsAbout('connections')];
  const asked = Date.now();
  const row = await database.get(STATE[name]);
  // Compared with the middle of the round trip.
  const apart = Math.round(Number(row?.['now']) - (asked + Date.now()) / 2);
  const [most, open] = [Number(row?.['most']), Number(row?.['open'])];
  const wanted = workers === 1 ? poolSize : Math.max(poolSize, workers * Math.min(4, poolSize));
  return [
    Math.abs(apart) > CLOCKS_APART
      ? clock.bad(
          `the database is ${Math.abs(apart)} ms ${apart > 0 ? 'ahead of' : 'behind'} this machine: synchronize both, because sessions and rate limits expire by the clock`,
        )
      : clock.good(`differs from that of the database by ${Math.abs(apart)} ms`),
    wanted > most * SHARE
      ? connections.warning(
          `this server may open ${wanted}, but the database allows ${most}: lower DATABASE_POOL_SIZE, or raise the limit of the database`,
        )
      : connections.good(`up to ${wanted} of ${most}; ${open} are open now`),
  ];
}

/** Checks the database. Throws if it can't be queried. */
export async function checkDatabase(database: Database, settings: Settings): Promise<readonly Finding[]> {
  const of = findingsAbout('database');
  const row = await database.get(VERSION[database.dialect.name]);
  const started = performance.now();
  await database.get(raw('SELECT 1 AS one'));
  const milliseconds = (performance.now() - started).toFixed(1);
  return [
    of.good(`${String(row?.['version'])}, responds in ${milliseconds} ms`),
    ...(await checkServer(database, settings)),
  ];
}
