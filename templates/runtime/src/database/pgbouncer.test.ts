/** PostgreSQL through PgBouncer in transaction mode: connections keep neither prepared statements nor settings. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPgBouncer, openPgBouncer } from '../../test-support/pgbouncer.ts';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import type { Database } from './database.ts';
import { DEFAULT_DATABASE_SETTINGS } from './database-settings.ts';
import { openDatabase } from './open-database.ts';
import { raw, sql } from './sql.ts';

const isTested = hasPgBouncer() && (await testedEngines()).includes('postgres');

describe.runIf(isTested)('over PgBouncer in transaction mode', () => {
  let opened: RuntimeDatabase;
  let pooler: Awaited<ReturnType<typeof openPgBouncer>>;
  let database: Database;
  const settings = () => ({ ...DEFAULT_DATABASE_SETTINGS, prepared: false, migrateUrl: opened.url, poolSize: 8 });
  beforeAll(async () => {
    const tables = 'CREATE TABLE counters (id {id}, v {integer} NOT NULL); INSERT INTO counters (v) VALUES (0);';
    opened = await openEngine('postgres', 'bouncer', tables);
    // A role setting that must not take effect.
    await opened.database.script(
      "ALTER ROLE root IN DATABASE current SET timezone = 'Asia/Tokyo'".replace(
        'current',
        `"${new URL(opened.url).pathname.slice(1)}"`,
      ),
    );
    pooler = await openPgBouncer(opened.url, 2);
    database = await openDatabase(pooler.url, settings());
  });
  afterAll(async () => {
    await database?.close();
    await pooler?.close();
    await opened?.drop();
  });

  it('reads and writes with more concurrency than there are connections to the server', async () => {
    const add = () =>
      database.transaction(async (tx) => {
        const row = await tx.get(sql`SELECT v FROM counters WHERE id = ${1} FOR UPDATE`);
        await tx.run(sql`UPDATE counters SET v = ${Number(row?.['v']) + 1} WHERE id = ${1}`);
      });
    const read = (value: number) => database.get(sql`SELECT ${value}::int + 1 AS v`);
    const all = Array.from({ length: 60 }, (_, n) => [add(), read(n)]).flat();
    const results = await Promise.all(all);
    expect(results.filter((_, index) => index % 2 === 1)).toEqual(Array.from({ length: 60 }, (_, n) => ({ v: n + 1 })));
    expect(await database.get(raw('SELECT v FROM counters'))).toEqual({ v: 60 });
  });

  it('has its settings in every transaction, and leaves none behind', async () => {
    const shown = raw(
      "SELECT current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS statement, current_setting('jit') AS jit",
    );
    const expected = { zone: 'UTC', statement: '30s', jit: 'off' };
    const states = await Promise.all([
      database.get(shown),
      database.transaction((tx) => tx.get(shown)),
      database.readTransaction(undefined, (reader) => reader.get(shown)),
    ]);
    expect(states).toEqual([expected, expected, expected]);
    expect(await database.snapshot((reader) => reader.get(shown))).toEqual({ ...expected, statement: '0' });
    const plain = await openDatabase(opened.url);
    expect(await plain.get(raw('SELECT 1 AS one'))).toEqual({ one: 1 });
    await plain.close();
  });

  it('ends what takes too long, and rolls back what fails', async () => {
    const short = await openDatabase(pooler.url, { ...settings(), statementTimeout: 300 });
    const started = performance.now();
    await expect(short.get(raw('SELECT pg_sleep(20)'), {})).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(5000);
    await short.close();
    const failing = database.transaction(async (tx) => {
      await tx.run(raw('UPDATE counters SET v = -1'));
      await tx.run(raw('SELECT 1 / 0'));
    });
    await expect(failing).rejects.toThrow(/division by zero/u);
    for (let n = 0; n < 6; n += 1) expect(await database.get(raw('SELECT v FROM counters'))).toEqual({ v: 60 });
  });

  it('migrates over a direct connection, and says what to set if there is none', async () => {
    expect(await database.migrating(1000, (session) => session.get(raw('SELECT 1 AS one')))).toEqual({ one: 1 });
    const unaware = await openDatabase(pooler.url);
    await expect(unaware.migrating(1000, () => Promise.resolve())).rejects.toThrow(
      /DATABASE_URL points to a pooler.*MIGRATE_DATABASE_URL.*DATABASE_PREPARED=false/u,
    );
    await unaware.close();
    await expect(openDatabase(pooler.url, { ...settings(), prepared: true })).rejects.toThrow(
      /DATABASE_URL points to a pooler.*: set DATABASE_PREPARED=false/u,
    );
    const elsewhere = opened.url.replace(/[^/]+$/u, 'postgres');
    await expect(openDatabase(pooler.url, { ...settings(), migrateUrl: elsewhere })).rejects.toThrow(
      'MIGRATE_DATABASE_URL points to a different database than DATABASE_URL.',
    );
  });

  it('fails with what to set if statements are prepared, rather than running the statement of another process', async () => {
    const [one, two] = [await openDatabase(pooler.url), await openDatabase(pooler.url)];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, async (_, n) => {
        const [process, name] = n % 2 === 0 ? ([one, 'one'] as const) : ([two, 'two'] as const);
        const row = await process.get(
          n % 2 === 0 ? sql`SELECT 'one' AS name, ${n}::int AS n` : sql`SELECT 'two' AS name, ${n}::int AS n`,
        );
        return row?.['name'] === name;
      }),
    );
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' && !outcome.value)).toEqual([]);
    const reasons = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [String((outcome.reason as Error).cause)] : [],
    );
    expect(reasons.every((reason) => reason.includes('set DATABASE_PREPARED=false'))).toBe(true);
    await one.close();
    await two.close();
  });
});
