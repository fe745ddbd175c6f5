/** One connection to MySQL or MariaDB: prepared statements, plain values, and errors of this package. */
import type { Socket } from 'node:net';
import mysql, { type Connection as Driver, type ResultSetHeader, type RowDataPacket } from 'mysql2';
import { Conflict, type Connection, ConnectionLost, ServerNotReady } from './connection.ts';
import { UniqueViolation } from './database.ts';
import type { Row } from './statement-runner.ts';
import type { Result, Statement } from './write-plan.ts';
import { createWatch, withDeadline } from './deadline.ts';
import { createHeartbeat, type Liveness, type ServerSession, sessionIn } from './liveness.ts';
import { textsIn } from './mysql-compound.ts';
import { DuplicateKey, mysqlError } from './mysql-errors.ts';
import { withSortMemory } from './mysql-sort-memory.ts';
import { splitStatements } from '../contract/sql/statements.ts';
import { NewId } from './new-id.ts';
import { createRecentTexts } from './recent-texts.ts';
import { raw, type Sql, type SqlParam, type SqlValue } from './sql.ts';

/** Per connection; servers allow some thousands in total. */
const MAX_STATEMENTS = 200;
/** How long the server has to end a statement by itself, and to close a connection, in milliseconds. */
const GRACE = 5000;
const GOODBYE = 2000;
/** How long a connection is idle before TCP probes it, in milliseconds. */
const KEEP_ALIVE_DELAY = 10_000;

const SESSIONS =
  "SELECT CONCAT_WS(':', @@hostname, @@port, @@server_id) AS server, id FROM information_schema.processlist";
/** Returns no row behind a proxy that numbers connections itself. */
const SESSION = `${SESSIONS} WHERE id = CONNECTION_ID()`;
/** See `LivenessOptions`. */
export const MYSQL_ACTIVITY: Sql = raw(`${SESSIONS} WHERE db = DATABASE() AND command <> 'Sleep'`);

/**
 * The driver compiles a function for each row shape, and by default caches 15,000 of them, some kilobytes each. Its types
 * lack this function.
 */
const MAX_PARSERS = 500;
(mysql as unknown as { setMaxParserCache(max: number): void }).setMaxParserCache(MAX_PARSERS);

export interface MysqlOptions {
  readonly url: string;
  /** Statements that each connection runs first. */
  readonly setUp: readonly string[];
  /** In milliseconds; 0: no limit. */
  readonly statementTimeout: number;
  readonly connectTimeout: number;
  /** Tells whether a long statement may still return; undefined to wait for it in any case. */
  readonly liveness?: Liveness;
}

/** Read once: this getter of the driver loads a module on each access. */
const { LONGLONG } = mysql.TypedParameter;

/** Parameters that count rows have to be integers. */
const COUNTS_ROWS = /\b(?:LIMIT|OFFSET|FIRST|NEXT)\s+\?/iu;
/** An order by several columns is that of an index whose first ones are equal to integers, but not to floating point numbers. */
const ORDERS_BY_SEVERAL = /\bORDER\s+BY\s[^()]*,/iu;

const needsIntegers = createRecentTexts((text) => COUNTS_ROWS.test(text) || ORDERS_BY_SEVERAL.test(text));

/**
 * The driver sends numbers as floating point, unless they are declared as integers, which takes it ten times as long. For the integers
 * that a number holds, that makes no difference elsewhere.
 */
function bound(param: SqlParam, isInteger: boolean): unknown {
  const value = param instanceof NewId ? param.value : param;
  if (typeof value === 'bigint') return LONGLONG(value);
  return isInteger && typeof value === 'number' && Number.isSafeInteger(value) ? LONGLONG(value) : value;
}

const WRITTEN = /^\s*(?:INSERT\s+INTO|UPDATE)\s+`?(?<table>(?:[^`\s(]|``)+)/iu;
/** An UPDATE from other rows, which come first in the join. */
const WRITTEN_FROM_ROWS = /^\s*UPDATE\s.*?\sSTRAIGHT_JOIN\s+`(?<table>(?:[^`]|``)+)`/isu;

/** The table that a statement writes. */
function writtenTable(text: string): string | undefined {
  return (WRITTEN_FROM_ROWS.exec(text) ?? WRITTEN.exec(text))?.groups?.['table'];
}

const KEY_COLUMNS =
  'SELECT column_name AS name FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? AND index_name = ? ORDER BY seq_in_index';

/** A cache of the columns of unique keys, by table and key name. */
export type KnownKeys = Map<string, readonly string[]>;

/** The columns of a unique key; empty if the table has no key of that name. */
async function keyColumns(driver: Driver, keys: KnownKeys, table: string, key: string): Promise<readonly string[]> {
  const known = keys.get(`${table} ${key}`);
  if (known) return known;
  const [rows] = await driver.promise().execute<RowDataPacket[]>(KEY_COLUMNS, [table, key]);
  // An expression in a key of MySQL 8 has no column.
  const columns = rows.flatMap((row) => (row['name'] === null ? [] : [String(row['name'])]));
  // Not cached if there are none: a migration may still add such a key.
  if (columns.length > 0) keys.set(`${table} ${key}`, columns);
  return columns;
}

/** The violation behind a duplicate key. For a batch, it names the first written table that has such a key. */
async function violation(driver: Driver, keys: KnownKeys, text: string, duplicate: DuplicateKey): Promise<unknown> {
  const { key, cause } = duplicate;
  const tables = textsIn(text).flatMap((part) => writtenTable(part) ?? []);
  if (key !== undefined) {
    for (const table of tables) {
      const columns = await keyColumns(driver, keys, table, key);
      if (columns.length > 0) return new UniqueViolation(table, columns, cause);
    }
  }
  return new UniqueViolation(tables[0], [], cause);
}

function resultOf(answer: unknown): Result {
  if (Array.isArray(answer)) return { rows: answer as Row[], changes: answer.length };
  const { affectedRows: changes, insertId } = answer as ResultSetHeader;
  return { rows: [], changes, insertId };
}

function resultsOf(answer: unknown): Result[] {
  return Array.isArray(answer) ? answer.map(resultOf) : [resultOf(answer)];
}

export interface MysqlConnection extends Connection {
  /** Runs a compound statement: returns the results of its reading statements, and finally its own. */
  answers(statement: Sql): Promise<Result[]>;
}

/** The socket, which the driver's types leave out. */
function socketOf(driver: Driver): Socket {
  return (driver as unknown as { readonly stream: Socket }).stream;
}

function wrap(
  driver: Driver,
  keys: KnownKeys,
  options: MysqlOptions,
  session: ServerSession | undefined,
): MysqlConnection {
  const { statementTimeout, liveness } = options;
  const socket = socketOf(driver);
  let usable = true;
  const broken = (): void => {
    usable = false;
  };
  // Without a listener, an error of an idle connection would crash the process.
  driver.on('error', broken);
  driver.on('end', broken);
  const destroy = (): void => {
    broken();
    driver.destroy();
  };

  async function translated(error: unknown, text: string): Promise<unknown> {
    const meaning = mysqlError(error);
    if (meaning instanceof ConnectionLost || meaning instanceof ServerNotReady) broken();
    if (!(meaning instanceof DuplicateKey)) return meaning;
    return violation(driver, keys, text, meaning).catch(mysqlError);
  }

  const watch = createWatch({
    limit: statementTimeout === 0 ? 0 : statementTimeout + GRACE,
    giveUp: destroy,
    isAlive: liveness && createHeartbeat(liveness, session, () => socket.bytesRead),
  });

  async function run(start: (done: (error: Error | null, answer: unknown) => void) => void, text: string) {
    if (!usable) throw new ConnectionLost(new Error('the connection is closed'));
    try {
      return await watch<unknown>(start);
    } catch (error) {
      throw await translated(error, text);
    }
  }

  function execute({ text, params }: Sql): Promise<unknown> {
    const isInteger = needsIntegers(text);
    const values = params.map((param) => bound(param, isInteger)) as SqlValue[];
    return run((done) => void driver.execute(text, values, done), text);
  }

  async function command(text: string): Promise<void> {
    await run((done) => void driver.query(text, done), text);
  }

  async function query(statement: Sql): Promise<Result> {
    const result = resultOf(await withSortMemory(() => execute(statement), command));
    const left = result.changes === 0 ? statement.remaining : undefined;
    if (left && Number(resultOf(await execute(left)).rows[0]?.['count']) > 0) {
      throw new Conflict(new Error('a DELETE was interrupted'));
    }
    return result;
  }

  return {
    query,
    read: query,
    async batch(statements: readonly Pick<Statement, 'sql' | 'generatedId'>[]) {
      const results: Result[] = [];
      for (const { sql, generatedId } of statements) {
        const result = await query(sql);
        // Later statements may use the id.
        if (result.insertId !== undefined) generatedId?.set(result.insertId);
        results.push(result);
      }
      return results;
    },
    answers: async (statement) => resultsOf(await execute(statement)),
    command,
    async script(text) {
      for (const statement of splitStatements(text, 'mysql')) await command(statement);
    },
    get usable() {
      return usable;
    },
    async close() {
      if (!usable) {
        driver.destroy();
        return;
      }
      broken();
      await withDeadline(driver.promise().end(), GOODBYE, () => driver.destroy()).catch(() => driver.destroy());
    },
    destroy,
    cancel() {
      const { threadId } = driver;
      destroy();
      void killMysql(options, threadId);
    },
  };
}

/**
 * Kills a connection on the server from another one: the server would not notice the closed socket until the statement is
 * done. Never throws.
 */
async function killMysql(options: MysqlOptions, threadId: number): Promise<void> {
  const killer = openDriver(options);
  killer.on('error', () => undefined);
  try {
    await withDeadline(killer.promise().query(`KILL ${threadId}`), options.connectTimeout, () => killer.destroy());
    await killer.promise().end();
  } catch {
    // The server's own time limit ends the statement.
    killer.destroy();
  }
}

/** Runs the first statements of a connection; returns its identity on the server. */
async function setUp(
  driver: Driver,
  { setUp: statements, liveness }: MysqlOptions,
): Promise<ServerSession | undefined> {
  await driver.promise().connect();
  for (const statement of statements) await driver.promise().query(statement);
  if (!liveness) return undefined;
  const [rows] = await driver.promise().query<RowDataPacket[]>(SESSION);
  const session = sessionIn(rows[0]);
  return session?.id === driver.threadId ? session : undefined;
}

/** Opens a connection. Throws ConnectionLost or ServerUnavailable if the server is not available. */
export async function connectMysql(keys: KnownKeys, options: MysqlOptions): Promise<MysqlConnection> {
  const connectTimeout = options.liveness?.connectTimeout() ?? options.connectTimeout;
  const driver = openDriver({ ...options, connectTimeout });
  // Until the connection is wrapped, errors are reported by the promises.
  driver.on('error', () => undefined);
  try {
    const session = await withDeadline(setUp(driver, options), connectTimeout, () => driver.destroy());
    options.liveness?.reached();
    return wrap(driver, keys, options, session);
  } catch (error) {
    driver.destroy();
    throw mysqlError(error);
  }
}

function openDriver(options: Pick<MysqlOptions, 'url' | 'connectTimeout'>): Driver {
  return mysql.createConnection({
    uri: options.url.replace(/^mariadb:/u, 'mysql:'),
    connectTimeout: options.connectTimeout,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    multipleStatements: false,
    maxPreparedStatements: MAX_STATEMENTS,
    // It would record the origin of every statement, only for the stack of an error.
    trace: false,
    enableKeepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_DELAY,
  });
}
