import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeProgram } from '../../test-support/runtime-program.ts';
import { type Database, ForeignKeyViolation, UniqueViolation } from './database.ts';
import type { Executor } from './executor.ts';
import type { Row } from './statement-runner.ts';
import type { Statement } from './write-plan.ts';
import { openDatabase } from './open-database.ts';
import { openSqlite } from './sqlite.ts';
import { connectSqlite } from './sqlite-connection.ts';
import { raw, sql, type Sql } from './sql.ts';

let folder: string;
let database: Database;

const count = sql`SELECT count(*) AS n FROM "notes"`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'content-test-'));
  database = await openSqlite({ path: join(folder, 'data.db') });
  await database.script(`
    CREATE TABLE "notes" ("id" integer PRIMARY KEY AUTOINCREMENT, "title" text UNIQUE, "big" integer, "size" real);
    CREATE TABLE "parts" ("id" integer PRIMARY KEY, "note_id" integer NOT NULL REFERENCES "notes" ("id"), "locale" text);
    CREATE UNIQUE INDEX "parts_note_locale" ON "parts" ("note_id", "locale");
  `);
});

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a writing statement and returns its rows. */
function returned(insert: Sql): Promise<readonly Row[]> {
  const row: Statement = { sql: insert, returns: 'rows' };
  return database.write(() => Promise.resolve({ subjects: [], steps: [row], answer: ({ of }) => of(row).rows }));
}

const pick = ({ table, columns }: UniqueViolation) => ({ table, columns });

describe('transactions', () => {
  it('shows uncommitted rows to itself only, and lets others read meanwhile', async () => {
    const seen = await database.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO "notes" ("title") VALUES (${'a'})`);
      return [await tx.get(count), await database.get(count)];
    });
    expect(seen).toStrictEqual([{ n: 1 }, { n: 0 }]);
    expect(await database.all(count)).toStrictEqual([{ n: 1 }]);
  });

  it('gives others a turn between statements that take long, and shows them nothing of it', async () => {
    const slow = (title: string): Statement => ({
      sql: sql`INSERT INTO "notes" ("title", "big") SELECT ${title}, (
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT max(i) FROM n
      )`,
      returns: 'changes',
    });
    const steps = ['a', 'b', 'c', 'd'].map(slow);
    let done = false;
    const written = database.write(() => Promise.resolve({ subjects: [], steps, answer: () => (done = true) }));
    const seen: (Row | undefined)[] = [];
    for (; !done; await nextTurn()) seen.push(await database.get(count));
    await written;
    expect(seen.length).toBeGreaterThan(4);
    expect(new Set(seen.slice(0, -1).map((row) => row?.['n']))).toEqual(new Set([0]));
    expect(await database.get(count)).toEqual({ n: 4 });
  });

  it('rolls back when the work throws, and goes on', async () => {
    const failing = database.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO "notes" ("title") VALUES (${'a'})`);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await database.get(count)).toStrictEqual({ n: 0 });
    expect(await database.run(sql`INSERT INTO "notes" ("title") VALUES (${'b'})`)).toStrictEqual({ changes: 1 });
  });

  it('runs one after the other, in order, also with writes outside of one', async () => {
    const order: string[] = [];
    const slow = (name: string) =>
      database.transaction(async (tx) => {
        order.push(`${name} starts`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        await tx.run(sql`INSERT INTO "notes" ("title") VALUES (${name})`);
        order.push(`${name} ends`);
      });
    const insert = sql`INSERT INTO "notes" ("title") VALUES (${'b'}) RETURNING "id"`;
    const [, [row]] = await Promise.all([slow('a'), returned(insert), slow('c')]);
    expect(order).toStrictEqual(['a starts', 'a ends', 'c starts', 'c ends']);
    expect(row).toStrictEqual({ id: 2 });
  });

  describe('that wait for each other', () => {
    const insert = (title: string) => sql`INSERT INTO "notes" ("title") VALUES (${title})`;
    const titles = async () =>
      (await database.all(sql`SELECT "title" FROM "notes" ORDER BY "id"`)).map((row) => row['title']);

    it('are committed together, and resolve only then', async () => {
      const seen: unknown[] = [];
      const write = (title: string) =>
        database.transaction(async (tx) => {
          await tx.run(insert(title));
          seen.push((await tx.get(count))?.['n'], (await database.get(count))?.['n']);
        });
      // On a busy machine, the group would otherwise be closed before all of them have joined.
      const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
      const asked = ['a', 'b', 'c'].map((title) => write(title).then(() => seen.push('told')));
      await Promise.all(asked).finally(() => clock.mockRestore());
      expect(seen).toStrictEqual([1, 0, 2, 0, 3, 0, 'told', 'told', 'told']);
    });

    it('keep nothing of one that fails, even if it is the first', async () => {
      const failing = (title: string) =>
        database.transaction(async (tx) => {
          await tx.run(insert(title));
          await tx.run(insert(title));
        });
      const ends = await Promise.allSettled([
        failing('a'),
        database.run(insert('b')),
        failing('c'),
        database.transaction((tx) => tx.run(insert('c'))),
        failing('b'),
      ]);
      expect(ends.map(({ status }) => status)).toStrictEqual([
        'rejected',
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
      ]);
      expect(await titles()).toStrictEqual(['b', 'c']);
    });

    it('all fail if one rolls everything back, as a full disk does', async () => {
      const undoing = (tx: Executor) => tx.run(raw('ROLLBACK')).then(() => Promise.reject(new Error('disk full')));
      const ends = await Promise.allSettled([
        database.run(insert('a')),
        database.transaction(undoing),
        database.transaction((tx) => tx.run(insert('b'))),
      ]);
      expect(ends.map((end) => (end.status === 'rejected' ? String(end.reason) : 'kept'))).toStrictEqual([
        'Error: disk full',
        'Error: disk full',
        'kept',
      ]);
      expect(await titles()).toStrictEqual(['b']);
    });

    it('are all executed, however many there are', async () => {
      await Promise.all(Array.from({ length: 500 }, (_, index) => database.run(insert(`note ${index}`))));
      expect(await titles()).toStrictEqual(Array.from({ length: 500 }, (_, index) => `note ${index}`));
    });
  });

  it('refuses work that comes after its end', async () => {
    const late = await database.transaction(async (tx) => () => tx.run(sql`DELETE FROM "notes"`));
    await expect(late()).rejects.toThrow('has ended');
  });

  it('waits for another process that writes, without blocking this one', async () => {
    const other = await openSqlite({ path: join(folder, 'data.db') });
    const finish = new EventEmitter();
    const holding = once(finish, 'now');
    const first = other.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO "notes" ("title") VALUES (${'a'})`);
      await holding;
    });
    const second = database.transaction(async (tx) => tx.get(count));
    await new Promise((resolve) => setTimeout(resolve, 60));
    finish.emit('now');
    await first;
    expect(await second).toStrictEqual({ n: 1 });
    await other.close();
  });
});

describe('reads of one round of the event loop', () => {
  const insert = (title: string) => sql`INSERT INTO "notes" ("title") VALUES (${title})`;
  const nextRound = () => new Promise((resolve) => setImmediate(resolve));

  it('see what this process has written in between', async () => {
    expect(await database.get(count)).toStrictEqual({ n: 0 });
    let inCommit: Promise<Row | undefined> | undefined;
    await Promise.all([database.run(insert('a')).then(() => (inCommit = database.get(count))), database.get(count)]);
    expect(await inCommit).toStrictEqual({ n: 1 });
    await database.script(`INSERT INTO "notes" ("title") VALUES ('b')`);
    expect(await database.get(count)).toStrictEqual({ n: 2 });
    await expect(database.get(sql`SELECT nonsense FROM "notes"`)).rejects.toThrow('nonsense');
    expect(await database.get(count)).toStrictEqual({ n: 2 });
  });

  it.each([
    ['one state, and the next round what another process has written', 1, [0, 0, 1]],
    ['each state where other processes serve the same clients', 2, [0, 1, 1]],
  ])('see %s', async (_, processes, seen) => {
    const path = join(folder, 'data.db');
    const server = await openSqlite({ path, processes });
    const other = connectSqlite(path, { readOnly: false, busyTimeout: 100 });
    await nextRound();
    const states = [await server.get(count)];
    other.run(insert('a'));
    states.push(await server.get(count));
    await nextRound();
    states.push(await server.get(count));
    other.close();
    await server.close();
    expect(states.map((row) => row?.['n'])).toStrictEqual(seen);
  });
});

describe('errors', () => {
  it('names the table and columns of a unique constraint', async () => {
    await database.run(sql`INSERT INTO "notes" ("title") VALUES (${'a'})`);
    await database.run(sql`INSERT INTO "parts" ("note_id", "locale") VALUES (1, 'en')`);
    const again = [
      database.run(sql`INSERT INTO "notes" ("title") VALUES (${'a'})`),
      returned(sql`INSERT INTO "parts" ("note_id", "locale") VALUES (1, 'en') RETURNING "id"`),
    ];
    const errors = await Promise.all(again.map((promise) => promise.catch((error: unknown) => error)));
    expect(errors.every((error) => error instanceof UniqueViolation)).toBe(true);
    expect(errors.map((error) => pick(error as UniqueViolation))).toStrictEqual([
      { table: 'notes', columns: ['title'] },
      { table: 'parts', columns: ['note_id', 'locale'] },
    ]);
  });

  it('reports a violated foreign key', async () => {
    const insert = sql`INSERT INTO "parts" ("note_id") VALUES (${7}) RETURNING "id"`;
    await expect(returned(insert)).rejects.toBeInstanceOf(ForeignKeyViolation);
    await expect(database.transaction((tx) => tx.run(insert))).rejects.toBeInstanceOf(ForeignKeyViolation);
  });

  it('never cuts text at U+0000', async () => {
    await expect(database.all(sql`SELECT ${'a\0b'} AS t`)).rejects.toThrow('U+0000');
  });
});

describe('values', () => {
  it('keeps every number as it is', async () => {
    const numbers = [0, -1, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, 1e-20, 0.1 + 0.2, 1e300];
    for (const number of numbers) {
      const insert = sql`INSERT INTO "notes" ("big", "size") VALUES (${Number.isInteger(number) && number < 1e300 ? number : null}, ${number}) RETURNING "id"`;
      const [inserted] = await returned(insert);
      const row = await database.get(
        sql`SELECT "size", typeof("big") AS t FROM "notes" WHERE "id" = ${inserted?.['id'] ?? 0}`,
      );
      expect(row?.['size']).toBe(number);
      expect(row?.['t']).toBe(Number.isInteger(number) && number < 1e300 ? 'integer' : 'null');
    }
    expect(await database.get(sql`SELECT typeof(${2 ** 40}) AS t`)).toStrictEqual({ t: 'integer' });
  });

  it('reads integers beyond 2^53 as bigint, wherever they come from', async () => {
    const big = 2n ** 62n;
    const insert = sql`INSERT INTO "notes" ("title", "big") VALUES (${'a'}, ${big}) RETURNING "id", "big"`;
    expect(await returned(insert)).toStrictEqual([{ id: 1, big }]);
    const select = sql`SELECT "id", "big" FROM "notes"`;
    expect(await database.all(select)).toStrictEqual([{ id: 1, big }]);
    expect(await database.get(select)).toStrictEqual({ id: 1, big });
  });

  it('have the current column names after another process has changed a table', async () => {
    const read = sql`SELECT * FROM "parts"`;
    const write = sql`INSERT INTO "notes" ("title") VALUES (${null}) RETURNING *`;
    expect(await database.get(read)).toBeUndefined();
    expect(await returned(write)).toStrictEqual([{ id: 1, title: null, big: null, size: null }]);
    const other = connectSqlite(join(folder, 'data.db'), { readOnly: false, busyTimeout: 1000 });
    other.exec(`
      ALTER TABLE "notes" DROP COLUMN "big"; ALTER TABLE "notes" ADD COLUMN "flag" integer DEFAULT 1;
      ALTER TABLE "parts" RENAME COLUMN "locale" TO "language"; INSERT INTO "parts" VALUES (1, 1, 'en');
    `);
    other.close();
    const part = { id: 1, note_id: 1, language: 'en' };
    expect([await database.get(read), await database.all(read)]).toStrictEqual([part, [part]]);
    expect(await returned(write)).toStrictEqual([{ id: 2, title: null, size: null, flag: 1 }]);
  });

  it('refuses to read with a writing statement', async () => {
    await expect(database.all(sql`DELETE FROM "notes" RETURNING "id"`)).rejects.toThrow('readonly');
  });
});

describe('the file', () => {
  it('keeps every acknowledged write when the process is killed', async () => {
    const path = join(folder, 'killed.db');
    const main = await writeProgram(
      join(folder, 'program'),
      `import { openSqlite } from './database/sqlite.js';
       import { sql } from './database/sql.js';
       const database = await openSqlite({ path: ${JSON.stringify(path)} });
       await database.script('CREATE TABLE t (n integer)');
       for (let n = 1; ; n++) {
         await database.transaction((tx) => tx.run(sql\`INSERT INTO t VALUES (\${n})\`));
         process.stdout.write(n + '\\n');
         if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
       }`,
    );
    const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
    let acknowledged = 0;
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      acknowledged = Number(/(?<last>\d+)\n[^\n]*$/u.exec(chunk.toString())?.groups?.['last'] ?? acknowledged);
      if (acknowledged > 500) {
        child.kill('SIGKILL');
      }
    }
    const reopened = await openSqlite({ path });
    const row = await reopened.get(sql`SELECT count(*) AS n FROM t`);
    expect(Number(row?.['n'])).toBeGreaterThanOrEqual(acknowledged);
    expect(await reopened.get(raw('PRAGMA integrity_check'))).toStrictEqual({ integrity_check: 'ok' });
    await reopened.close();
  });

  it('is complete in one file after close', async () => {
    await database.run(sql`INSERT INTO "notes" ("title") VALUES (${'a'})`);
    await database.close();
    const log = join(folder, 'data.db-wal');
    await rm(log, { force: true });
    const reopened = await openDatabase(`sqlite:${join(folder, 'data.db')}`);
    expect(await reopened.get(count)).toStrictEqual({ n: 1 });
    await reopened.close();
  });

  it('gets its folder from the URL; other schemes are refused without showing the URL', async () => {
    const made = await openDatabase(`sqlite:${join(folder, 'a', 'b', 'x.db')}`);
    await made.close();
    expect(existsSync(join(folder, 'a', 'b', 'x.db'))).toBe(true);
    const refused = openDatabase('oracle://root:secret@localhost/db');
    await expect(refused).rejects.toThrow(/has the unknown scheme oracle\. .*sqlite/u);
    await expect(refused).rejects.not.toThrow('secret');
    await expect(openDatabase('sqlite:')).rejects.toThrow('names no file');
  });
});
