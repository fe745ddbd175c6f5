/** The migration lock on MySQL and MariaDB: one holder at a time, even if each node of a cluster has its own locks. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import { writeProgram } from '../../test-support/runtime-program.ts';
import { connectMysql, type MysqlConnection } from './mysql-connection.ts';
import { lockMigrations } from './mysql-migration-lock.ts';
import { raw } from './sql.ts';

/** Prints when it has acquired the lock, holds it for a while, and prints when it releases it. */
const PROGRAM = `
import { openDatabase } from './database/open-database.js';
const database = await openDatabase(process.argv[2]);
await database.migrating(120_000, async (session) => {
  console.log('locked');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await session.get({ text: 'SELECT 1', params: [] });
  console.log('free');
});
await database.close();
`;

const isTested = (await testedEngines()).includes('mysql');
const TIMES = { lease: 600, renewal: 100 };

describe.runIf(isTested)('the lock of migrations', () => {
  let opened: RuntimeDatabase;
  let folder: string;
  const connections: MysqlConnection[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    opened = await openEngine('mysql', 'migration_lock');
  });
  const closeAll = (): Promise<unknown> => Promise.all(connections.splice(0).map((connection) => connection.close()));
  afterEach(async () => {
    await closeAll();
    await opened.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function connect(): Promise<MysqlConnection> {
    const options = { url: opened.url, setUp: [], statementTimeout: 0, connectTimeout: 5000 };
    const connection = await connectMysql(new Map(), options);
    connections.push(connection);
    return connection;
  }
  const lock = async (timeout: number) => lockMigrations(await connect(), timeout, connect, TIMES);
  const renewals = async (): Promise<unknown> =>
    (await opened.database.get(raw('SELECT renewals FROM _migration_lock')))?.['renewals'];

  it('R15: is held by one of three processes that start at once, and passes to another when that one is killed', async () => {
    const program = await writeProgram(join(folder, 'program'), PROGRAM);
    const said: string[] = [];
    let killed = false;
    const ends = Array.from({ length: 3 }, async (_, index) => {
      const child = spawn(process.execPath, [program, opened.url], { stdio: ['ignore', 'pipe', 'inherit'] });
      const exit = new Promise((resolve) => child.once('close', resolve));
      for await (const line of createInterface(child.stdout)) {
        said.push(`${index} ${line}`);
        if (killed || line !== 'locked') continue;
        killed = true;
        child.kill('SIGKILL');
      }
      return exit;
    });
    expect((await Promise.all(ends)).sort()).toStrictEqual([0, 0, null].sort());
    const [victim, ...others] = said;
    const [second, third] = [others[0]?.split(' ')[0], others[2]?.split(' ')[0]];
    expect(victim).toMatch(/locked$/u);
    expect(others).toStrictEqual([`${second} locked`, `${second} free`, `${third} locked`, `${third} free`]);
    expect(await renewals()).toBeUndefined();
  });

  it('R15: is not taken from a holder on another node that renews it, but from one that does not', async () => {
    const release = await lock(1000);
    // Pretends that the holder is on another node, which does not share the locks of this one.
    await opened.database.run(raw("UPDATE _migration_lock SET node = 'another one'"));
    const before = Number(await renewals());
    await sleep(4 * TIMES.lease);
    expect(Number(await renewals())).toBeGreaterThan(before);
    await release?.();
    expect(await renewals()).toBeUndefined();
    await closeAll();
    await opened.database.run(
      raw("INSERT INTO _migration_lock (id, owner, node, renewals, waiters) VALUES (1, 'dead', 'another one', 7, 0)"),
    );
    expect(await lock(100)).toBeUndefined();
    await closeAll();
    const began = performance.now();
    const taken = await lock(30_000);
    expect(performance.now() - began).toBeGreaterThan(TIMES.lease);
    await taken?.();
    expect(await renewals()).toBeUndefined();
  });

  it('R15: ends the session of a holder whose lock was taken over', async () => {
    const connection = await connect();
    const release = await lockMigrations(connection, 1000, connect, TIMES);
    await opened.database.run(raw("UPDATE _migration_lock SET owner = 'another one'"));
    await expect.poll(() => connection.usable, { timeout: 20_000 }).toBe(false);
    await release?.();
  });
});
