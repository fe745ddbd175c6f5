/** Temporary databases on all engines. */
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import type { Database } from '../src/database/database.ts';
import type { Executor } from '../src/database/executor.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { openSqlite } from '../src/database/sqlite.ts';
import { raw } from '../src/database/sql.ts';
import type { DialectName } from '../src/database/dialect.ts';

/** A temporary database. */
export interface TestDatabase {
  readonly dialect: DialectName;
  /** `DATABASE_URL` of a server. */
  readonly url: string;
  /** Runs a script. */
  readonly script: (text: string) => Promise<void>;
  /** The rows of a query, each as an array of values. */
  readonly rows: (query: string) => Promise<readonly (readonly unknown[])[]>;
  /** A quoted name. */
  readonly id: (name: string) => string;
  /** All tables, columns, keys and indexes, one per line, sorted. */
  readonly catalogue: () => Promise<readonly string[]>;
  /** A connection of the runtime, which ends with the database. */
  readonly reader: () => Promise<Executor>;
  readonly drop: () => Promise<void>;
}

/** The placeholders without which SQLite adds no column that is not nullable: whether a column has one depends on its history. */
const SQLITE_PLACEHOLDERS = `'''''', '0', '''0''', '''1970-01-01''', '''00:00:00.000''', '''1970-01-01T00:00:00.000Z''', '''null'''`;

const SQLITE_CATALOGUE = `
  SELECT 'table ' || name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
  UNION ALL
  SELECT 'column ' || t.name || ' ' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' ||
    CASE WHEN c."notnull" = 1 AND c.dflt_value IN (${SQLITE_PLACEHOLDERS}) THEN '' ELSE coalesce(c.dflt_value, '') END
    FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'
  UNION ALL
  SELECT 'key ' || t.name || ' ' || k."from" || ' ' || k."table" || ' ' || k.on_delete
    FROM sqlite_schema t, pragma_foreign_key_list(t.name) k WHERE t.type = 'table'
  UNION ALL
  SELECT 'index ' || name || ' ' || sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`;

const POSTGRES_CATALOGUE = `
  SELECT concat_ws(' ', 'column', table_name, column_name, data_type, is_nullable, column_default)
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL
  SELECT concat_ws(' ', 'key', conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
  UNION ALL
  SELECT concat_ws(' ', 'index', indexdef) FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL
  SELECT concat_ws(' ', 'invalid', indexrelid::regclass) FROM pg_index WHERE NOT indisvalid
  UNION ALL
  SELECT concat_ws(' ', 'relation', relkind, relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace`;

const MYSQL_CATALOGUE = `
  SELECT concat_ws(' ', 'column', table_name, column_name, column_type, is_nullable, collation_name, column_default)
    FROM information_schema.columns WHERE table_schema = database()
  UNION ALL
  SELECT concat_ws(' ', 'key', constraint_name, table_name, referenced_table_name, delete_rule)
    FROM information_schema.referential_constraints WHERE constraint_schema = database()
  UNION ALL
  SELECT concat_ws(' ', 'index', table_name, index_name, seq_in_index, column_name, non_unique)
    FROM information_schema.statistics WHERE table_schema = database()`;

/** A database in a file, or in memory. */
export async function sqliteDatabase(path = ':memory:'): Promise<TestDatabase> {
  const database = await openSqlite({ path });
  const rows = async (query: string) => (await database.all(raw(query))).map((row) => Object.values(row));
  return {
    dialect: 'sqlite',
    url: `sqlite:${path}`,
    script: (text) => database.script(text),
    rows,
    id: (name) => `"${name}"`,
    catalogue: async () => (await rows(SQLITE_CATALOGUE)).map(String).sort(),
    reader: () => Promise.resolve(database),
    drop: () => database.close(),
  };
}

/** Opens a database once. */
function openedOnce(url: string): { readonly open: () => Promise<Database>; readonly close: () => Promise<void> } {
  let opened: Promise<Database> | undefined;
  return { open: () => (opened ??= openDatabase(url)), close: async () => (await opened)?.close() };
}

async function postgresDatabase(name: string): Promise<TestDatabase> {
  const server = { host: '127.0.0.1', port: 5432, user: 'root', connectionTimeoutMillis: 2000 };
  const admin = new Client({ ...server, database: 'postgres' });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  await admin.query(`CREATE DATABASE "${name}"`);
  const client = new Client({ ...server, database: name });
  await client.connect();
  const rows = async (query: string) => (await client.query<unknown[]>({ text: query, rowMode: 'array' })).rows;
  const url = `postgres://root@127.0.0.1:5432/${name}`;
  const reader = openedOnce(url);
  return {
    dialect: 'postgres',
    url,
    script: async (text) => void (await client.query(text)),
    rows,
    id: (id) => `"${id}"`,
    catalogue: async () => (await rows(POSTGRES_CATALOGUE)).map(String).sort(),
    reader: reader.open,
    drop: async () => {
      await reader.close();
      await client.end();
      await admin.query(`DROP DATABASE "${name}" WITH (FORCE)`);
      await admin.end();
    },
  };
}

async function mysqlDatabase(name: string): Promise<TestDatabase> {
  const connection = await createConnection({
    host: '127.0.0.1',
    port: 3306,
    user: 'root',
    multipleStatements: true,
    connectTimeout: 2000,
    rowsAsArray: true,
  });
  await connection.query(`DROP DATABASE IF EXISTS \`${name}\``);
  await connection.query(`CREATE DATABASE \`${name}\``);
  await connection.query(`USE \`${name}\``);
  const rows = async (query: string) =>
    (await connection.query(query))[0] as unknown as readonly (readonly unknown[])[];
  const url = `mysql://root@127.0.0.1:3306/${name}`;
  const reader = openedOnce(url);
  return {
    dialect: 'mysql',
    url,
    script: async (text) => void (await connection.query(text)),
    rows,
    id: (id) => `\`${id}\``,
    catalogue: async () => (await rows(MYSQL_CATALOGUE)).map(String).sort(),
    reader: reader.open,
    drop: async () => {
      await reader.close();
      await connection.query(`DROP DATABASE \`${name}\``);
      await connection.end();
    },
  };
}

/** Whether to run on an engine what runs on each: `TEST_ENGINES=sqlite,postgres` names the only ones. */
export function isWanted(dialect: DialectName): boolean {
  return process.env['TEST_ENGINES']?.split(',').includes(dialect) ?? true;
}

/** A new, empty database. `name` must be unique among concurrent tests. Rejects if the engine is not running, or not to be tested. */
export async function createDatabase(dialect: DialectName, name: string): Promise<TestDatabase> {
  if (dialect !== 'sqlite' && !isWanted(dialect)) throw new Error('TEST_ENGINES leaves it out');
  const unique = `content_gen_${name}_${process.pid}`;
  switch (dialect) {
    case 'sqlite':
      return sqliteDatabase();
    case 'postgres':
      return postgresDatabase(unique);
    case 'mysql':
      return mysqlDatabase(unique);
  }
}

/**
 * A new, empty database; undefined if `TEST_ENGINES` leaves the engine out, or if its server is not there. Prints why; in CI, a missing
 * server is an error.
 */
export async function createIfThere(dialect: DialectName, name: string): Promise<TestDatabase | undefined> {
  if (!isWanted(dialect)) return undefined;
  try {
    return await createDatabase(dialect, name);
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    console.log(`${dialect} is not tested: ${String(error)}`);
    return undefined;
  }
}
