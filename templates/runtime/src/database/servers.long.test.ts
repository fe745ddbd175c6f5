/** What databases on servers have in common: pools, retried transactions, and servers that go away. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openPooler } from '../../test-support/pooler.ts';
import { openProxy, type Proxy } from '../../test-support/proxy.ts';
import { engineSql, openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import { ServiceUnavailableError } from '../contract/errors.ts';
import { type Database, ForeignKeyViolation, UniqueViolation } from './database.ts';
import type { Executor } from './executor.ts';
import { type DatabaseSettings, DEFAULT_DATABASE_SETTINGS } from './database-settings.ts';
import { openDatabase } from './open-database.ts';
import { raw, sql } from './sql.ts';

const TABLES = `
CREATE TABLE counters (id {id}, v {integer} NOT NULL);
INSERT INTO counters (v) VALUES (0), (0), (0);
CREATE TABLE parents (id {id}, code {string}, locale {string});
CREATE UNIQUE INDEX parents_code_unique ON parents (code, locale);
CREATE TABLE children (id {id}, parent_id {key}, "order" {string});
CREATE UNIQUE INDEX children_order_unique ON children ("order");
ALTER TABLE children ADD CONSTRAINT children_parent FOREIGN KEY (parent_id) REFERENCES parents (id) ON DELETE CASCADE;
`;

const servers = (await testedEngines()).filter((engine) => engine !== 'sqlite');
if (servers.length === 0) it.skip('needs PostgreSQL or MariaDB', () => undefined);

describe.each(servers)('a database on %s', (engine) => {
  const quote = engine === 'mysql' ? '`' : '"';
  let opened: RuntimeDatabase;
  let database: Database;
  const others: Database[] = [];
  let proxy: Proxy;

  beforeAll(async () => {
    opened = await openEngine(engine, 'servers', TABLES.replaceAll('"', quote));
    ({ database } = opened);
    proxy = await openProxy(opened.url);
  });
  afterEach(async () => {
    await proxy.restore();
    await Promise.all(others.splice(0).map((other) => other.close()));
  });
  afterAll(async () => {
    await proxy.close();
    await opened.drop();
  });

  async function open(settings: Partial<DatabaseSettings> = {}, url = proxy.url): Promise<Database> {
    const other = await openDatabase(url, { ...DEFAULT_DATABASE_SETTINGS, ...settings });
    others.push(other);
    return other;
  }

  const sleeping = (seconds: number): string =>
    engine === 'postgres' ? `SELECT pg_sleep(${seconds}) AS s` : `SELECT SLEEP(${seconds}) AS s`;
  const add = (tx: Executor, id: number, by = 1) => tx.run(sql`UPDATE counters SET v = v + ${by} WHERE id = ${id}`);
  const counter = async (id: number): Promise<number> =>
    Number((await database.get(sql`SELECT v FROM counters WHERE id = ${id}`))?.['v']);
  const reset = () => database.run(raw('UPDATE counters SET v = 0'));
  const one = (on: Executor = database) => on.get(raw('SELECT 1 AS one'));

  async function reasonOf(work: Promise<unknown>): Promise<unknown> {
    return work.then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  async function expectUnavailable(work: Promise<unknown>): Promise<void> {
    const reason = await reasonOf(work);
    expect(reason).toBeInstanceOf(ServiceUnavailableError);
    expect((reason as ServiceUnavailableError).status).toBe(503);
    expect((reason as ServiceUnavailableError).headers).toStrictEqual({ 'Retry-After': '1' });
  }

  it('names the constraint that refused a row', async () => {
    const insert = () => database.run(raw("INSERT INTO parents (code, locale) VALUES ('a', 'en')"));
    await insert();
    expect(await reasonOf(insert())).toMatchObject({ table: 'parents', columns: ['code', 'locale'] });
    const order = sql`INSERT INTO children (${database.dialect.id('order')}) VALUES ('(x)=(y)')`;
    await database.run(order);
    const reason = await reasonOf(database.transaction((tx) => tx.run(order)));
    expect(reason).toBeInstanceOf(UniqueViolation);
    expect(reason).toMatchObject({ table: 'children', columns: ['order'] });
    const twice = sql`INSERT INTO parents (id, code) VALUES (1, 'b')`;
    expect(await reasonOf(database.run(twice))).toMatchObject({ table: 'parents', columns: ['id'] });
    const orphan = database.run(raw('INSERT INTO children (parent_id) VALUES (12345)'));
    expect(await reasonOf(orphan)).toBeInstanceOf(ForeignKeyViolation);
  });

  it('keeps all of a transaction or nothing', async () => {
    await reset();
    await database.transaction((tx) => add(tx, 1));
    const failing = database.transaction(async (tx) => {
      await add(tx, 1);
      throw new Error('mine');
    });
    expect(String(await reasonOf(failing))).toBe('Error: mine');
    // Even if `work` ignores an error, later statements must not succeed.
    const careless = database.transaction(async (tx) => {
      await add(tx, 1);
      await tx.run(raw('SELECT nonsense FROM nowhere')).catch(() => undefined);
      await add(tx, 1).catch(() => undefined);
    });
    expect(String(await reasonOf(careless))).toMatch(/nowhere/u);
    expect(await counter(1)).toBe(1);
    let late: Executor | undefined;
    await database.transaction(async (tx) => {
      late = tx;
      await one(tx);
    });
    await expect(late?.run(raw('UPDATE counters SET v = 99'))).rejects.toThrow('has ended');
    const { changes } = await database.run(raw('UPDATE counters SET v = 1'));
    expect(changes).toBe(3);
    expect((await database.run(raw('UPDATE counters SET v = 1'))).changes).toBe(3);
  });

  it('retries transactions that deadlock', async () => {
    await reset();
    let runs = 0;
    // Resolved once both have locked a row; retries need not wait.
    let unlock = (): void => undefined;
    const bothLock = new Promise<void>((resolve) => {
      unlock = resolve;
    });
    const swap = (from: number, to: number) =>
      database.transaction(async (tx) => {
        runs += 1;
        await add(tx, from);
        if (runs === 2) unlock();
        await bothLock;
        await add(tx, to);
      });
    await Promise.all([swap(1, 2), swap(2, 1)]);
    expect(runs).toBeGreaterThan(2);
    expect([await counter(1), await counter(2)]).toStrictEqual([2, 2]);
  });

  it('R12: retries deadlocked transactions until all of them are done', async () => {
    await reset();
    const patient = await open({ lockTimeout: 60_000, acquireTimeout: 60_000 });
    const work = (from: number, to: number) =>
      patient.transaction(async (tx) => {
        await add(tx, from);
        await new Promise((resolve) => setTimeout(resolve, 10));
        await add(tx, to);
      });
    // PostgreSQL takes a second to notice a deadlock.
    const count = engine === 'postgres' ? 4 : 16;
    const writers = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? work(1, 2) : work(2, 1)));
    await Promise.all(writers);
    expect([await counter(1), await counter(2)]).toStrictEqual([count, count]);
  });

  it('R14: reports an unknown outcome for a write that may have been done, and for no other', async () => {
    const away = await open({ poolSize: 3 });
    await one(away);
    const unknown = away.transaction(async (tx) => {
      await add(tx, 1);
      // Everything sent from here on is lost.
      proxy.silence();
      setTimeout(() => void proxy.cut(), 50);
    });
    expect(await reasonOf(unknown)).toMatchObject({
      status: 503,
      headers: {},
      message: expect.stringMatching(/may have been made/u),
    });
    await proxy.restore();
    await one(away);
    proxy.silence();
    setTimeout(() => void proxy.cut(), 50);
    expect(await reasonOf(add(away, 1))).toMatchObject({ status: 503, headers: {} });
    await proxy.restore();
    await one(away);
    const undone = away.transaction(async (tx) => {
      await add(tx, 1);
      await proxy.cut();
      await add(tx, 1);
    });
    await expectUnavailable(undone);
  });

  it('R13: caches a bounded number of row shapes', async ({ skip }) => {
    if (engine !== 'mysql') skip('its driver compiles nothing');
    const few = await open({ poolSize: 1 });
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heapAfter = async (first: number, count: number): Promise<number> => {
      for (let index = first; index < first + count; index += 1) {
        const columns = Array.from({ length: 20 }, (_, column) => `${column} AS name_${index}_${column}`).join(', ');
        await few.get(raw(`SELECT ${columns}`));
      }
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = await heapAfter(0, 550);
    expect((await heapAfter(550, 1000)) - before).toBeLessThan(4_000_000);
  });

  it('serves many more callers than it has connections, each exclusively', async () => {
    await reset();
    const small = await open({ poolSize: 3 });
    await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        index % 2 === 0 ? one(small) : small.transaction((tx) => add(tx, 1 + (index % 3))),
      ),
    );
    expect((await counter(1)) + (await counter(2)) + (await counter(3))).toBe(60);
    expect(proxy.connections()).toBeLessThanOrEqual(3);
  });

  it('refuses a caller that waits too long, and serves the next one', async () => {
    const small = await open({ poolSize: 1, acquireTimeout: 200 });
    const slow = small.get(raw(sleeping(1)));
    await expectUnavailable(one(small));
    await slow;
    expect(await one(small)).toStrictEqual({ one: 1 });
  });

  it('R06: goes on reading while all writers wait for one row', async () => {
    const busy = await open({ poolSize: 5 });
    let free: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (free = resolve));
    let isHeld: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (isHeld = resolve));
    const holding = database.transaction(async (tx) => {
      await add(tx, 1, 0);
      isHeld();
      await until;
    });
    await held;
    let waiting = 14;
    const writers = Array.from({ length: waiting }, async (_, index) => {
      // Half of them are transactions, the others single statements.
      await (index % 2 === 0 ? busy.transaction((tx) => add(tx, 1)) : add(busy, 1));
      waiting -= 1;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (let turn = 0; turn < 20; turn += 1) {
      const reads = [one(busy), one(busy), one(busy)];
      expect(await Promise.all(reads)).toStrictEqual([{ one: 1 }, { one: 1 }, { one: 1 }]);
    }
    expect(waiting).toBe(14);
    free();
    await Promise.all([holding, ...writers]);
  });

  it('ends statements that take too long', async () => {
    const strict = await open({ statementTimeout: 300 });
    const reason = await reasonOf(strict.get(raw(sleeping(20))));
    // MariaDB and MySQL interrupt SLEEP without an error.
    if (engine === 'postgres') expect(reason).toBeInstanceOf(ServiceUnavailableError);
    const numbers = Array.from({ length: 8 }, (_, index) => `(${many}) AS t${index}`).join(', ');
    await expectUnavailable(strict.get(raw(`SELECT COUNT(*) AS n FROM ${numbers}`)));
    expect(await one(strict)).toStrictEqual({ one: 1 });
  });
  const many = Array.from({ length: 60 }, (_, index) => `SELECT ${index} AS n`).join(' UNION ALL ');

  it('goes on after all its connections were ended, idle and busy ones', async () => {
    // Two of the connections are reserved for reads.
    const victim = await open({ poolSize: 6 });
    const mine = engine === 'postgres' ? 'SELECT pg_backend_pid() AS id' : 'SELECT CONNECTION_ID() AS id';
    for (let round = 0; round < 5; round += 1) {
      const ids = new Set<number>();
      const held = Promise.allSettled(
        Array.from({ length: 4 }, () =>
          victim.transaction(async (tx) => {
            ids.add(Number((await tx.get(raw(mine)))?.['id']));
            await new Promise((resolve) => setTimeout(resolve, 50));
            await one(tx);
          }),
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, round % 2 === 0 ? 40 : 300));
      for (const id of ids) {
        const kill = engine === 'postgres' ? `SELECT pg_terminate_backend(${id}) AS k` : `KILL ${id}`;
        await reasonOf(database.run(raw(kill)));
      }
      // Interrupted work is retried once or refused; there are no other outcomes.
      for (const result of await held) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(ServiceUnavailableError);
      }
      for (let turn = 0; turn < 6; turn += 1) expect(await one(victim)).toStrictEqual({ one: 1 });
    }
    await Promise.all(Array.from({ length: 8 }, () => victim.transaction((tx) => add(tx, 1))));
  });

  it('refuses while the server is down, and serves again when it is back', async () => {
    const away = await open({ poolSize: 3 });
    await Promise.all([1, 2, 3].map(() => one(away)));
    await proxy.cut();
    for (let turn = 0; turn < 5; turn += 1) {
      await expectUnavailable(one(away));
      await expectUnavailable(away.transaction((tx) => add(tx, 1)));
    }
    await proxy.restore();
    expect(await one(away)).toStrictEqual({ one: 1 });
    await away.transaction((tx) => add(tx, 1));
  });

  it('gives up on a server that does not respond at all', async () => {
    const silent = await open({ poolSize: 2, statementTimeout: 200, connectTimeout: 500, acquireTimeout: 1000 });
    await Promise.all([one(silent), one(silent)]);
    proxy.silence();
    const started = performance.now();
    await Promise.all([1, 2, 3].map(() => expectUnavailable(one(silent))));
    expect(performance.now() - started).toBeLessThan(15_000);
    await proxy.restore();
    expect(await one(silent)).toStrictEqual({ one: 1 });
  }, 30_000);

  it.each([300, 8000])(
    'R07: gives up on a network that drops packets for %d ms, and recovers soon after it heals',
    async (silence) => {
      const away = await open({ poolSize: 4 });
      await Promise.all([1, 2, 3, 4].map(() => one(away)));
      proxy.silence();
      const started = performance.now();
      const healed = new Promise<number>((resolve) => {
        setTimeout(() => {
          proxy.heal();
          resolve(performance.now());
        }, silence);
      });
      const outcomes = await Promise.all([
        reasonOf(one(away)),
        reasonOf(away.transaction((tx) => add(tx, 1))),
        reasonOf(add(away, 1)),
      ]);
      // Without the probes it was 35 s: the statement timeout, and the grace period after it.
      expect(performance.now() - started).toBeLessThan(15_000);
      for (const reason of outcomes) if (reason !== undefined) expect(reason).toBeInstanceOf(ServiceUnavailableError);
      if (silence > 5000) expect(outcomes.every((reason) => reason !== undefined)).toBe(true);
      const since = await healed;
      for (;;) {
        const answers = await Promise.all([1, 2].map(() => reasonOf(one(away))));
        if (answers.includes(undefined)) break;
      }
      expect(performance.now() - Math.max(since, started)).toBeLessThan(silence > 5000 ? 5000 : 8000);
      await away.transaction((tx) => add(tx, 1));
    },
    60_000,
  );

  it('R07: waits for a long statement, though the connection is silent', async () => {
    const slow = await open();
    const locked = async () => {
      await slow.transaction(async (tx) => {
        await add(tx, 2);
        await tx.get(raw(sleeping(6)));
      });
      return 'done';
    };
    const blocked = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await add(slow, 2);
    };
    await Promise.all([locked(), blocked(), slow.get(raw(sleeping(20))), slow.get(raw(sleeping(8)))]);
  }, 60_000);

  it('refuses to migrate over a pooler that shares its connections', async ({ skip }) => {
    if (engine !== 'postgres') skip();
    const pooler = await openPooler(opened.url);
    const pooled = await openDatabase(pooler.url);
    try {
      const migrating = pooled.migrating(1000, () => Promise.resolve('done'));
      await expect(migrating).rejects.toThrow(/pooler.*pool_mode = session/u);
      expect(await database.migrating(1000, () => Promise.resolve('done'))).toBe('done');
    } finally {
      await pooled.close();
      await pooler.close();
    }
  });

  it('waits at startup for a server that is still starting, but not for a wrong one', async () => {
    await proxy.cut();
    const starting = open({ startTimeout: 20_000 });
    setTimeout(() => void proxy.restore(), 700);
    expect(await one(await starting)).toStrictEqual({ one: 1 });
    const wrong = opened.url.replace(/[^/]+$/u, 'no_such_database_at_all');
    const started = performance.now();
    await expect(openDatabase(wrong, { ...DEFAULT_DATABASE_SETTINGS, startTimeout: 20_000 })).rejects.toThrow(
      /no_such_database_at_all.*Create it, or correct its name in DATABASE_URL/u,
    );
    expect(performance.now() - started).toBeLessThan(10_000);
    await proxy.cut();
    const nobody = openDatabase(proxy.url.replace('root@', 'root:secret@'), {
      ...DEFAULT_DATABASE_SETTINGS,
      startTimeout: 0,
    });
    const reason = String(await reasonOf(nobody));
    expect(reason).toMatch(/can't be reached: .*Start the database, or correct its address in DATABASE_URL\./u);
    expect(reason).not.toContain('secret');
  }, 30_000);

  it('runs more statements than it caches, and survives changes of the tables that cached ones use', async () => {
    const few = await open({ poolSize: 1 });
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 500; index += 1) {
        expect(await few.get(sql`SELECT ${raw(String(index))} AS n, v FROM counters WHERE id = ${3}`)).toMatchObject({
          n: index,
        });
      }
    }
    const all = raw('SELECT * FROM parents WHERE id = 1');
    for (let turn = 0; turn < 3; turn += 1) await few.get(all);
    await database.script(engineSql(engine, 'ALTER TABLE parents ADD COLUMN added {integer};'));
    expect(await few.get(all)).toHaveProperty('added', null);
    await few.transaction(async (tx) => expect(await tx.get(all)).toHaveProperty('added', null));
  }, 60_000);

  it('has the same clock in whatever time zone the server is', async () => {
    const elsewhere =
      engine === 'postgres'
        ? `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = ''America/New_York''', current_database()); EXECUTE format('ALTER DATABASE %I SET datestyle = ''German''', current_database()); END $$`
        : undefined;
    if (elsewhere !== undefined) await database.script(elsewhere);
    const there = await open();
    await there.script(engineSql(engine, 'CREATE TABLE times (id {id}, d {date}, t {time}, i {datetime});'));
    const { bind, jsonScalar, jsonObject, jsonText } = there.dialect;
    const given = { d: '2024-03-10', t: '02:30:00.000', i: '2024-03-10T07:30:00.000Z' };
    await there.run(
      sql`INSERT INTO times (d, t, i) VALUES (${bind('date', given.d)}, ${bind('time', given.t)}, ${bind('datetime', given.i)})`,
    );
    const json = jsonObject([
      ['d', jsonScalar('date', raw('d'))],
      ['t', jsonScalar('time', raw('t'))],
      ['i', jsonScalar('datetime', raw('i'))],
    ]);
    const row = await there.get(sql`SELECT ${jsonText(json)} AS data FROM times`);
    expect(JSON.parse(String(row?.['data']))).toStrictEqual(given);
  });

  it('closes when all work is done, and then refuses', async () => {
    const closing = await open({ poolSize: 2 });
    const running = closing.transaction(async (tx) => {
      await one(tx);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return one(tx);
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = closing.close();
    expect(await running).toStrictEqual({ one: 1 });
    await closed;
    await closing.close();
    await expectUnavailable(one(closing));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(proxy.connections()).toBe(0);
  });
});
