// The database engines, and temporary databases in them.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { output } from './paths.js';

/**
 * @typedef {object} BenchDatabase
 * @property {string} url `DATABASE_URL` of a server.
 * @property {(statement: string) => Promise<void>} run
 * @property {() => Promise<void>} drop
 *
 * @typedef {object} Engine
 * @property {string} title
 * @property {() => Promise<string>} version Rejects if the engine is not running.
 * @property {(name: string) => Promise<BenchDatabase>} create Creates an empty database; drops an existing one.
 * @property {(count: number) => string} numbers Rows of the one column `i`, from 1 to `count`.
 * @property {(time: string) => string} instant A literal of a time in ISO 8601.
 * @property {(table: string) => string | undefined} analyze Statement that updates the statistics of a table.
 */

const unique = (name) => `content_gen_bench_${name}_${process.pid}`;

const sqlite = {
  title: 'SQLite',
  version: async () => {
    const database = new DatabaseSync(':memory:');
    const { version } = database.prepare('SELECT sqlite_version() AS version').get();
    database.close();
    return version;
  },
  create: async (name) => {
    const folder = join(output, 'databases');
    const path = join(folder, `${unique(name)}.db`);
    const remove = () => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    };
    mkdirSync(folder, { recursive: true });
    remove();
    let database;
    return {
      url: `sqlite:${path}`,
      run: async (statement) => {
        database ??= new DatabaseSync(path);
        database.exec(statement);
      },
      drop: async () => {
        database?.close();
        remove();
      },
    };
  },
  numbers: (count) =>
    `(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n) AS n`,
  instant: (time) => `'${time}'`,
  analyze: () => undefined,
};

const POSTGRES = { host: '127.0.0.1', port: 5432, user: 'root', connectionTimeoutMillis: 2000 };

async function postgresClient(database) {
  const client = new pg.Client({ ...POSTGRES, database });
  await client.connect();
  return client;
}

const postgres = {
  title: 'PostgreSQL',
  version: async () => {
    const client = await postgresClient('postgres');
    const { rows } = await client.query('SHOW server_version');
    await client.end();
    return rows[0].server_version.split(' ')[0];
  },
  create: async (name) => {
    const admin = await postgresClient('postgres');
    const drop = () => admin.query(`DROP DATABASE IF EXISTS ${unique(name)} WITH (FORCE)`);
    await drop();
    await admin.query(`CREATE DATABASE ${unique(name)}`);
    const client = await postgresClient(unique(name));
    return {
      url: `postgres://${POSTGRES.user}@${POSTGRES.host}:${POSTGRES.port}/${unique(name)}`,
      run: async (statement) => void (await client.query(statement)),
      drop: async () => {
        await client.end();
        await drop();
        await admin.end();
      },
    };
  },
  numbers: (count) => `generate_series(1::bigint, ${count}) AS n (i)`,
  instant: (time) => `'${time}'`,
  analyze: (table) => `VACUUM ANALYZE ${table}`,
};

const MARIADB = { host: '127.0.0.1', port: 3306, user: 'root', connectTimeout: 2000 };

const mariadb = {
  title: 'MariaDB',
  version: async () => {
    const connection = await mysql.createConnection(MARIADB);
    const [rows] = await connection.query('SELECT VERSION() AS version');
    await connection.end();
    return rows[0].version.split('-')[0];
  },
  create: async (name) => {
    const connection = await mysql.createConnection({ ...MARIADB, multipleStatements: true });
    const drop = () => connection.query(`DROP DATABASE IF EXISTS ${unique(name)}`);
    await drop();
    await connection.query(`CREATE DATABASE ${unique(name)}; USE ${unique(name)}`);
    await connection.query("SET sql_mode = CONCAT(@@sql_mode, ',PIPES_AS_CONCAT')");
    return {
      url: `mysql://${MARIADB.user}@${MARIADB.host}:${MARIADB.port}/${unique(name)}`,
      run: async (statement) => void (await connection.query(statement)),
      drop: async () => {
        await drop();
        await connection.end();
      },
    };
  },
  numbers: (count) => `(SELECT seq AS i FROM seq_1_to_${count}) AS n`,
  instant: (time) => `'${time.replace('T', ' ').replace('Z', '')}'`,
  analyze: (table) => `ANALYZE TABLE ${table}`,
};

/** @type {Readonly<Record<string, Engine>>} */
export const engines = { sqlite, postgres, mariadb };
