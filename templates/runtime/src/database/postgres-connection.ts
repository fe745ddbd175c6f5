/** One connection to PostgreSQL: prepared statements, plain values, errors of ours. */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { type Connection, ConnectionLost, NOTHING, ServerReadsOnly } from './connection.ts';
import { createWatch, withDeadline } from './deadline.ts';
import { createHeartbeat, type Liveness, type ServerSession, sessionIn } from './liveness.ts';
import { numberPlaceholders } from './placeholders.ts';
import { type KeptStatements, PostgresBatch, type PostgresStatement } from './postgres-batch.ts';
import { cancelPostgres } from './postgres-cancel.ts';
import { postgresError } from './postgres-errors.ts';
import { createPooled } from './postgres-pooled.ts';
import type { Row } from './statement-runner.ts';
import type { Result } from './write-plan.ts';
import { raw, type Sql } from './sql.ts';

const MAX_STATEMENTS = 1000;
/** A connection that has prepared so many statements makes room by giving way to a new one. */
const MAX_PREPARED = 400;
/** How long the server has to end a statement by itself, and to take leave, in milliseconds. */
const GRACE = 5000;
const GOODBYE = 2000;
/** After how long a connection on which nothing happens is probed by TCP, in milliseconds. */
const KEEP_ALIVE_DELAY = 10_000;

/** The statements of all connections to one database. */
export interface PostgresStatements {
  prepare(statement: Sql): PostgresStatement;
}

/**
 * Names have a part that no other process has: what a pooler mixes up then fails, where it would run the statement of another process.
 * `named`: whether the server keeps statements.
 */
export function createPostgresStatements(named = true): PostgresStatements {
  const prefix = randomBytes(4).toString('hex');
  const known = new LRUCache<string, Pick<PostgresStatement, 'text' | 'name'>>({ max: MAX_STATEMENTS });
  let count = 0;
  return {
    prepare({ text, params }) {
      const found = known.get(text);
      if (found) return { params, ...found };
      count += 1;
      const made = { text: numberPlaceholders(text), name: named ? `s${prefix}_${count}` : undefined };
      known.set(text, made);
      // What is run once is not worth a place among those that the server keeps.
      return { text: made.text, name: undefined, params };
    },
  };
}

/** Identifies a server as long as it is not restarted; it is the same over a pooler. */
const SERVER = 'EXTRACT(EPOCH FROM pg_postmaster_start_time())::text AS server';
const SESSION = `SELECT ${SERVER}, pg_backend_pid() AS id`;
/** See `LivenessOptions`. The state is not known where `track_activities` is off. */
export const POSTGRES_ACTIVITY: Sql = raw(
  `SELECT ${SERVER}, pid AS id FROM pg_stat_activity WHERE datname = current_database() AND (state IS NULL OR state NOT LIKE 'idle%')`,
);

/**
 * Has a client keep its settings, before there is a connection, and answers how the server knows it. Over a pooler there is nothing to
 * keep, and nobody to be known by.
 */
async function setUp(
  client: pg.Client,
  { settings, pooled }: Pick<PostgresOptions, 'settings' | 'pooled'>,
): Promise<ServerSession | undefined> {
  if (pooled) return undefined;
  await client.query(
    Object.entries(settings)
      .map(([name, value]) => `SET ${name} = '${value}'`)
      .join('; '),
  );
  const { rows } = await client.query<Row>(SESSION);
  return sessionIn(rows[0]);
}

export interface PostgresOptions {
  readonly url: string;
  /** What each connection has, by the names of PostgreSQL. */
  readonly settings: Readonly<Record<string, string>>;
  /** Whether a pooler gives each transaction a connection of its own. */
  readonly pooled: boolean;
  /** In milliseconds; 0: no limit. */
  readonly statementTimeout: number;
  readonly connectTimeout: number;
  /** What tells whether a statement that takes long may still be answered; undefined where it is waited for in any case. */
  readonly liveness?: Liveness;
}

/** The socket, which the types of the driver leave out. */
function socketOf(client: pg.Client): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
}

function wrap(
  client: pg.Client,
  statements: PostgresStatements,
  { statementTimeout, liveness, settings, pooled: isPooled }: PostgresOptions,
  session: ServerSession | undefined,
): Connection {
  const socket = socketOf(client);
  let usable = true;
  const kept: KeptStatements = new Map();
  const pooled = isPooled ? createPooled(settings) : undefined;
  const broken = (): void => {
    usable = false;
  };
  // Without a listener an error of a connection that nobody uses would end the process.
  client.on('error', broken);
  client.on('end', broken);

  const destroy = (): void => {
    broken();
    socket.destroy();
  };

  const watch = createWatch({
    limit: statementTimeout === 0 ? 0 : statementTimeout + GRACE,
    giveUp: destroy,
    isAlive: liveness && createHeartbeat(liveness, session, () => socket.bytesRead),
  });

  async function watched<T>(start: Parameters<typeof watch<T>>[0]): Promise<T> {
    if (!usable) throw new ConnectionLost(new Error('the connection has ended'));
    try {
      return await watch(start);
    } catch (error) {
      const translated = postgresError(error);
      if (translated instanceof ConnectionLost || translated instanceof ServerReadsOnly) broken();
      throw translated;
    }
  }

  async function run(prepared: readonly PostgresStatement[]): Promise<readonly Result[]> {
    if (!pooled) return watched<Result[]>((done) => void client.query(new PostgresBatch(prepared, kept, done)));
    const sent = pooled.wrap(prepared);
    const results = await watched<Result[]>((done) => void client.query(new PostgresBatch(sent, kept, done)));
    return pooled.unwrap(sent, results);
  }

  async function query(statement: Sql): Promise<Result> {
    const [result] = await run([statements.prepare(statement)]);
    return result ?? NOTHING;
  }

  return {
    query,
    read: query,
    batch: (batch) => run(batch.map(({ sql }) => statements.prepare(sql))),
    async command(text) {
      await query(raw(text));
    },
    script: (text: string): Promise<void> => watched((done) => client.query(text, (error) => done(error))),
    get usable() {
      return usable && kept.size < MAX_PREPARED;
    },
    async close() {
      if (!usable) {
        destroy();
        return;
      }
      broken();
      await withDeadline(client.end(), GOODBYE, destroy).catch(destroy);
    },
    destroy,
    cancel() {
      destroy();
      cancelPostgres(client);
    },
  };
}

/** Opens a connection. Throws ConnectionLost or ServerUnavailable where there is no server for now. */
export async function connectPostgres(statements: PostgresStatements, options: PostgresOptions): Promise<Connection> {
  const connectTimeout = options.liveness?.connectTimeout() ?? options.connectTimeout;
  const client = new pg.Client({
    connectionString: options.url,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
  });
  // Until it is wrapped, what goes wrong is told by the promises.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  try {
    await client.connect();
    const preparing = setUp(client, options);
    const session = await withDeadline(preparing, connectTimeout, () => socketOf(client).destroy());
    options.liveness?.reached();
    const connection = wrap(client, statements, options, session);
    client.off('error', ignore);
    return connection;
  } catch (error) {
    client.end().catch(ignore);
    throw postgresError(error);
  }
}
