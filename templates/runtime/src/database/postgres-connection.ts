/** One connection to PostgreSQL: prepared statements, plain values, and errors of this package. */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { type Connection, ConnectionLost, EMPTY_RESULT, ServerReadsOnly } from './connection.ts';
import { createWatch, withDeadline } from './deadline.ts';
import { createHeartbeat, type Liveness, type ServerSession, sessionIn } from './liveness.ts';
import { numberPlaceholders } from './placeholders.ts';
import { type KeptStatements, PostgresBatch, type PostgresStatement } from './postgres-batch.ts';
import { cancelPostgres } from './postgres-cancel.ts';
import { postgresError } from './postgres-errors.ts';
import { createTransactionPooling } from './postgres-transaction-pooling.ts';
import { createSameTexts } from './recent-texts.ts';
import type { Row } from './statement-runner.ts';
import type { Result } from './write-plan.ts';
import { raw, type Sql } from './sql.ts';

const MAX_STATEMENTS = 1000;
/** A connection that has prepared this many statements is replaced by a new one, which frees them. */
const MAX_PREPARED = 400;
/** How long the server has to end a statement by itself, and to close a connection, in milliseconds. */
const GRACE = 5000;
const GOODBYE = 2000;
/** How long a connection is idle before TCP probes it, in milliseconds. */
const KEEP_ALIVE_DELAY = 10_000;

/** The prepared statements of all connections to one database. */
export interface PostgresStatements {
  prepare(statement: Sql): PostgresStatement;
}

/**
 * Statement names have a prefix unique to this process: if a pooler mixes up its clients, the statement fails instead of
 * running that of another process. `named`: whether the server keeps prepared statements.
 */
export function createPostgresStatements(named = true): PostgresStatements {
  const prefix = randomBytes(4).toString('hex');
  const known = new LRUCache<string, Pick<PostgresStatement, 'text' | 'name'>>({ max: MAX_STATEMENTS });
  const same = createSameTexts();
  let count = 0;
  return {
    prepare({ text: given, params }) {
      const text = same(given);
      const found = known.get(text);
      if (found) return { params, ...found };
      count += 1;
      const made = { text: numberPlaceholders(text), name: named ? `s${prefix}_${count}` : undefined };
      known.set(text, made);
      // A statement is only named when it runs again: one that runs once is not worth preparing.
      return { text: made.text, name: undefined, params };
    },
  };
}

/** Identifies a server until it restarts, also over a pooler. */
const SERVER = 'EXTRACT(EPOCH FROM pg_postmaster_start_time())::text AS server';
const SESSION = `SELECT ${SERVER}, pg_backend_pid() AS id`;
/** See `LivenessOptions`. The state is NULL if `track_activities` is off. */
export const POSTGRES_ACTIVITY: Sql = raw(
  `SELECT ${SERVER}, pid AS id FROM pg_stat_activity WHERE datname = current_database() AND (state IS NULL OR state NOT LIKE 'idle%')`,
);

/**
 * Applies the settings of a new connection, and returns its identity on the server. Over a pooler, settings would not last
 * and sessions are shared.
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
  /** Settings of each connection, by their PostgreSQL names. */
  readonly settings: Readonly<Record<string, string>>;
  /** Whether the connection goes through a pooler in transaction mode. */
  readonly pooled: boolean;
  /** In milliseconds; 0: no limit. */
  readonly statementTimeout: number;
  readonly connectTimeout: number;
  /** Tells whether a long statement may still return; undefined to wait for it in any case. */
  readonly liveness?: Liveness;
}

/** The socket, which the driver's types leave out. */
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
  const pooled = isPooled ? createTransactionPooling(settings) : undefined;
  const broken = (): void => {
    usable = false;
  };
  // Without a listener, an error of an idle connection would crash the process.
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
    if (!usable) throw new ConnectionLost(new Error('the connection is closed'));
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
    return result ?? EMPTY_RESULT;
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

/** Opens a connection. Throws ConnectionLost or ServerUnavailable if the server is not available. */
export async function connectPostgres(statements: PostgresStatements, options: PostgresOptions): Promise<Connection> {
  const connectTimeout = options.liveness?.connectTimeout() ?? options.connectTimeout;
  const client = new pg.Client({
    connectionString: options.url,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
  });
  // Until the connection is wrapped, errors are reported by the promises.
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
