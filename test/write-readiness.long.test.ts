/** `GET /_ready` where the database can be read, but not written. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectSqlite } from '../templates/runtime/src/database/sqlite-connection.ts';
import { createDatabase, sqliteDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { serveProject } from './support/served-project.ts';

const POLLING = { timeout: 30_000, interval: 500 };

/** Has writes fail, and work again. */
interface Fault {
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
}

/** Another process holds the lock. */
function lockOf(path: string): Fault {
  const other = connectSqlite(path, { readOnly: false, busyTimeout: 5000 });
  return {
    begin: () => other.exec('BEGIN IMMEDIATE'),
    end: () => {
      other.exec('ROLLBACK');
      other.close();
    },
  };
}

/** Connections that are open already keep what they were set to: they are ended. */
function readOnlyPostgres(database: TestDatabase): Fault {
  const name = new URL(database.url).pathname.slice(1);
  const set = (value: string) => async () => {
    await database.script('SET default_transaction_read_only = off');
    await database.script(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${value}`);
    await database.rows(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  };
  return { begin: set('on'), end: set('off') };
}

const engines = (await testedEngines()).filter((engine) => engine !== 'mysql');

describe.each(engines)('on %s', (engine) => {
  it('R08: is not ready while writes fail, answers reads, and is ready again after that', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    const path = join(folder, 'data.db');
    const database = engine === 'sqlite' ? await sqliteDatabase(path) : await createDatabase(engine, 'write_readiness');
    const schema = `
name: writes
databases: [${engine}]
permissions: { public: { note: [find] } }
contentTypes: { note: { attributes: { text: { type: string } } } }
`;
    const server = await serveProject(schema, { environment: { DATABASE_URL: database.url } });
    const get = async (where: string) => (await fetch(`${server.origin}${where}`)).status;
    const ready = () => get('/_ready');
    try {
      expect(await ready()).toBe(204);
      expect(await database.rows('SELECT * FROM rate_limits')).toStrictEqual([]);
      const fault = engine === 'sqlite' ? lockOf(path) : readOnlyPostgres(database);
      await fault.begin();
      await expect.poll(ready, POLLING).toBe(503);
      expect(await (await fetch(`${server.origin}/_ready`)).text()).toContain(
        'Not ready: the database is not writable',
      );
      expect([await get('/api/notes'), await get('/_health')]).toStrictEqual([200, 204]);
      await fault.end();
      await expect.poll(ready, POLLING).toBe(204);
    } finally {
      await server.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    }
  }, 90_000);
});
