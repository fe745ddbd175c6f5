/** A read-only server that follows the primary with some delay. */
import type { Position, ReadPoint } from '../../base/read-point.ts';
import type { Client } from '../../base/client.ts';
import { type Connection, ConnectionLost } from '../connection.ts';
import type { Executor } from '../executor.ts';
import type { ReadOptions, Row } from '../statement-runner.ts';
import type { DatabaseSettings } from '../database-settings.ts';
import { BEGIN_SNAPSHOT, POSTGRES_ROW_ESTIMATES, type PostgresServer } from '../postgres.ts';
import { postgresDialect } from '../postgres-dialect.ts';
import { cancellable, createServerPool, explainTimeout, withReader } from '../server-pool.ts';
import { runTransaction } from '../server-transactions.ts';
import type { Sql } from '../sql.ts';
import { timeLimitOf } from '../time-limit.ts';
import { watchedConnection } from '../statement-watch.ts';
import { type ServerState, STATE_QUERY, stateIn, stateOf } from './position.ts';

/** A replica can't answer, for a reason that says nothing about the primary. */
export class ReplicaFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ReplicaFailed';
  }
}

export interface Replica {
  /** Host and port. */
  readonly name: string;
  /** How many reads are running on it. */
  running(): number;
  /** The latest log position it has reported. */
  position(): Position;
  /** Sets its current position: a server that was restarted may be at an earlier one. */
  reached(position: Position): void;
  /** Aborts all reads that wait for it. */
  interrupt(): void;
  all(statement: Sql, options: ReadOptions, point: ReadPoint): Promise<Row[]>;
  readTransaction<T>(options: ReadOptions, point: ReadPoint, work: (reader: Executor) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A request's client as a replica sees it: gone when the client disconnects, or when the replica is given up. */
class ReplicaClient implements Client {
  readonly #client: Client | undefined;
  readonly #interrupts: Set<() => void>;
  #isInterrupted = false;

  constructor(client: Client | undefined, interrupts: Set<() => void>) {
    this.#client = client;
    this.#interrupts = interrupts;
  }

  get caller(): string {
    return this.#client?.caller ?? '';
  }

  get isAnonymous(): boolean {
    return this.#client?.isAnonymous === true;
  }

  get gone(): boolean {
    return this.#isInterrupted || this.#client?.gone === true;
  }

  onGone(callback: () => void): () => void {
    const interrupt = (): void => {
      this.#isInterrupted = true;
      callback();
    };
    this.#interrupts.add(interrupt);
    const unsubscribe = this.#client?.onGone(callback);
    return () => {
      this.#interrupts.delete(interrupt);
      unsubscribe?.();
    };
  }
}

/**
 * Throws unless a state is recent enough. The server may have been restarted from an older one, or be no replica any more.
 */
function requireReached({ position, isReplica }: ServerState, point: ReadPoint): void {
  if (!isReplica) throw new ReplicaFailed('it is no longer a replica');
  if (position < (point.required ?? 0)) throw new ReplicaFailed('it has not yet replayed the required position');
}

/** Runs a read, with the server's state before and after it, in one round trip. */
async function provenRead(connection: Connection, statement: Sql, point: ReadPoint): Promise<readonly Row[][]> {
  if (point.required === undefined && !point.isTracked) return [(await connection.read(statement)).rows];
  const ask = { sql: STATE_QUERY, returns: 'rows' } as const;
  const results = await connection.batch([ask, { sql: statement, returns: 'rows' }, ask]);
  const [before, read, after] = results.map(({ rows }) => rows);
  requireReached(stateIn(before?.[0]), point);
  return [read ?? [], after ?? []];
}

export function createReplica(name: string, server: PostgresServer, settings: DatabaseSettings): Replica {
  const { watch } = settings;
  const pool = createServerPool(
    async () => watchedConnection(await server.connect(), watch),
    settings,
    POSTGRES_ROW_ESTIMATES,
  );
  const interrupts = new Set<() => void>();
  let running = 0;
  let known: Position = 0;

  async function run<T>(
    options: ReadOptions,
    isLong: boolean,
    work: (connection: Connection, client: Client) => Promise<T>,
  ): Promise<T> {
    running += 1;
    const client = new ReplicaClient(options.client, interrupts);
    let interrupt = (): void => undefined;
    const interrupted = new Promise<never>((_, reject) => {
      interrupt = client.onGone(() => reject(new ConnectionLost(new Error(`${name} does not respond`))));
    });
    try {
      const reading = withReader(pool, { ...options, client }, isLong, (connection) => work(connection, client));
      return await Promise.race([reading, interrupted]);
    } finally {
      interrupt();
      running -= 1;
    }
  }

  const saw = (point: ReadPoint, { position, visible }: ServerState): void => {
    known = Math.max(known, position);
    if (point.isTracked) point.saw(position, visible);
  };

  return {
    name,
    running: () => running,
    position: () => known,
    reached: (position) => void (known = position),
    interrupt() {
      pool.clear();
      for (const callback of [...interrupts]) callback();
    },
    all: (statement, options, point) =>
      run(options, false, async (connection, client) => {
        const slow = explainTimeout(options, settings);
        const reading = () => provenRead(connection, statement, point);
        const limit = timeLimitOf(client, settings);
        const [rows = [], after] = await cancellable(connection, { client, limit }, reading).catch(slow);
        if (after) saw(point, stateIn(after[0]));
        return rows;
      }),
    readTransaction: (options, point, work) =>
      run(options, true, (connection, client) =>
        cancellable(connection, { client, limit: timeLimitOf(client, settings) }, async () => {
          requireReached(await stateOf(connection), point);
          return runTransaction(
            postgresDialect,
            connection,
            async (tx) => {
              const result = await work(tx);
              saw(point, stateIn(await tx.get(STATE_QUERY)));
              return result;
            },
            BEGIN_SNAPSHOT,
          );
        }).catch(explainTimeout(options, settings)),
      ),
    close: () => pool.close(),
  };
}
