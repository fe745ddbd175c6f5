/** One connection to PostgreSQL: prepared statements, plain values, errors of ours. */
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { Connection, Result } from './connection.ts';
import { ConnectionLost } from './connection.ts';
import type { Row } from './database.ts';
import { createWatch, withDeadline } from './deadline.ts';
import { numberPlaceholders } from './placeholders.ts';
import { postgresError } from './postgres-errors.ts';
import type { Sql, SqlValue } from './sql.ts';

const MAX_STATEMENTS = 1000;
/** A connection that has prepared so many statements makes room by giving way to a new one. */
const MAX_PREPARED = 400;
/** How long the server has to end a statement by itself, and to take leave, in milliseconds. */
const GRACE = 5000;
const GOODBYE = 2000;

/** A statement as this driver runs it. */
interface Prepared {
  readonly text: string;
  readonly name: string;
  /** What is run once is not worth a place among the prepared. */
  used: boolean;
}

/** The statements of all connections to one database. */
export interface PostgresStatements {
  find(text: string): Prepared;
}

export function createPostgresStatements(): PostgresStatements {
  const known = new LRUCache<string, Prepared>({ max: MAX_STATEMENTS });
  let count = 0;
  return {
    find(text) {
      const found = known.get(text);
      if (found) return found;
      count += 1;
      const made = { text: numberPlaceholders(text), name: `s${count}`, used: false };
      known.set(text, made);
      return made;
    },
  };
}

const INT8 = 20;
const BOOL = 16;
const NUMBERS: ReadonlySet<number> = new Set([21, 23, 26, 700, 701]);

/** Everything else stays the text that it is on the wire. */
function parserOf(type: number): (text: string) => unknown {
  if (NUMBERS.has(type)) return Number;
  if (type === BOOL) return (text) => (text === 't' ? 1 : 0);
  if (type !== INT8) return String;
  return (text) => {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : BigInt(text);
  };
}

const TYPES: pg.CustomTypesConfig = { getTypeParser: parserOf };

/** What the driver answers. */
type Answer = Pick<pg.QueryResult<Row>, 'rows' | 'rowCount'>;

/** Runs text on a client without limits: before there is a connection. */
async function setUp(client: pg.Client, commands: string): Promise<void> {
  await client.query(commands);
}

export interface PostgresOptions {
  readonly url: string;
  /** Text that each connection runs first. */
  readonly setUp: string;
  /** In milliseconds; 0: no limit. */
  readonly statementTimeout: number;
  readonly connectTimeout: number;
}

/** The socket, which the types of the driver leave out. */
function socketOf(client: pg.Client): Socket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
}

/** Answers what holds back what is sent, until all that is ready to be sent by now is: one system call takes it all. */
function createCork(socket: Socket): () => void {
  let corked = false;
  const uncork = (): void => {
    corked = false;
    socket.uncork();
  };
  return () => {
    if (corked) return;
    corked = true;
    socket.cork();
    process.nextTick(uncork);
  };
}

function wrap(client: pg.Client, statements: PostgresStatements, { statementTimeout }: PostgresOptions): Connection {
  const state = { usable: true };
  const prepared = new Set<string>();
  const broken = (): void => {
    state.usable = false;
  };
  // Without a listener an error of a connection that nobody uses would end the process.
  client.on('error', broken);
  client.on('end', broken);

  const socket = socketOf(client);
  const cork = createCork(socket);
  const destroy = (): void => {
    broken();
    socket.destroy();
  };

  const watch = createWatch(statementTimeout === 0 ? 0 : statementTimeout + GRACE, destroy);

  async function run(text: string, values?: SqlValue[], name?: string): Promise<Result> {
    if (!state.usable) throw new ConnectionLost(new Error('the connection has ended'));
    try {
      const { rows, rowCount } = await watch<Answer>((done) => {
        // Given a name of its own: the driver would copy the properties of an object for each query.
        const sent: pg.Query & { name?: string } = new pg.Query(text, values, done);
        if (name !== undefined) sent.name = name;
        cork();
        client.query(sent);
      });
      return { rows, changes: rowCount ?? 0 };
    } catch (error) {
      const translated = postgresError(error);
      if (translated instanceof ConnectionLost) broken();
      throw translated;
    }
  }

  function query({ text, params }: Sql): Promise<Result> {
    const statement = statements.find(text);
    const name = statement.used ? statement.name : undefined;
    if (name !== undefined) prepared.add(name);
    statement.used = true;
    return run(statement.text, [...params], name);
  }

  return {
    query,
    send: query,
    async command(text) {
      await run(text);
    },
    get usable() {
      return state.usable && prepared.size < MAX_PREPARED;
    },
    async close() {
      if (!state.usable) {
        destroy();
        return;
      }
      broken();
      await withDeadline(client.end(), GOODBYE, destroy).catch(destroy);
    },
    destroy,
  };
}

/** Opens a connection. Throws ConnectionLost or ServerUnavailable where there is no server for now. */
export async function connectPostgres(statements: PostgresStatements, options: PostgresOptions): Promise<Connection> {
  const client = new pg.Client({
    connectionString: options.url,
    connectionTimeoutMillis: options.connectTimeout,
    keepAlive: true,
    pipeline: true,
    types: TYPES,
  });
  // Until it is wrapped, what goes wrong is told by the promises.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  try {
    await client.connect();
    await withDeadline(setUp(client, options.setUp), options.connectTimeout, () => void client.end());
  } catch (error) {
    client.end().catch(ignore);
    throw postgresError(error);
  }
  const connection = wrap(client, statements, options);
  client.off('error', ignore);
  return connection;
}
