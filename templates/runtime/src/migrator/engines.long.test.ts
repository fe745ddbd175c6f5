import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engineSql, openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import type { Database, Session } from '../database/database.ts';
import { DEFAULT_DATABASE_SETTINGS } from '../database/database-settings.ts';
import { openDatabase } from '../database/open-database.ts';
import { raw } from '../database/sql.ts';
import { migrate, migrateUp } from './migrate.ts';
import { textHash } from './sum.ts';

const CHAIN: readonly (readonly [name: string, up: string, down: string, plan?: object])[] = [
  [
    '0001_create_a',
    `-- what a; is for
     CREATE TABLE a (id {id}, name {string}, amount {integer} NOT NULL);
     CREATE UNIQUE INDEX a_name ON a (name);
     INSERT INTO a (name, amount) VALUES ('one; -- two', 1), ('it''s "x"', 2);`,
    'DROP TABLE a;',
  ],
  [
    '0002_grow_a',
    `ALTER TABLE a ADD COLUMN total {integer};
     -- doubles
     UPDATE a SET total = amount * 2;
     UPDATE a SET amount = amount + 10;
     CREATE TABLE b (id {id}, a_id {key});
     ALTER TABLE a DROP COLUMN name;
     CREATE INDEX b_a ON b (a_id);`,
    `DROP TABLE b;
     UPDATE a SET amount = amount - 10;
     ALTER TABLE a ADD COLUMN name {string};
     UPDATE a SET name = id;
     ALTER TABLE a DROP COLUMN total;`,
  ],
  ['0003_create_c', 'CREATE TABLE c (id {id});', 'DROP TABLE c;'],
];

describe.each(await testedEngines())('migrations on %s', (dialect) => {
  let folder: string;
  let opened: RuntimeDatabase;
  let database: Database;

  async function write(chain: typeof CHAIN = CHAIN): Promise<string> {
    const directory = join(folder, 'migrations');
    let previous = '';
    let sum = '';
    for (const [name, up, down, plan] of chain) {
      const files = [
        [`${dialect}/down.sql`, engineSql(dialect, dialect === 'sqlite' ? sqliteDown(down) : down)],
        [`${dialect}/up.sql`, engineSql(dialect, dialect === 'sqlite' ? sqliteUp(up) : up)],
        ...(plan ? [['plan.json', JSON.stringify(plan)]] : []),
      ]
        .map(([path = '', text = '']) => [path, text] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
      for (const [path, text] of files) {
        await mkdir(dirname(join(directory, name, path)), { recursive: true });
        await writeFile(join(directory, name, path), text);
      }
      previous = textHash(`${previous}\n${files.map(([path, text]) => `${path} ${textHash(text)}\n`).join('')}`);
      sum += `${name} ${previous}\n`;
    }
    await writeFile(join(directory, 'migrations.sum'), sum);
    return directory;
  }

  // SQLite can't drop an indexed column.
  const sqliteUp = (text: string): string =>
    text.replace('ALTER TABLE a DROP', 'DROP INDEX a_name; ALTER TABLE a DROP');
  const sqliteDown = (text: string): string =>
    text.replace('ALTER TABLE a DROP', 'CREATE UNIQUE INDEX a_name ON a (name); ALTER TABLE a DROP');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    opened = await openEngine(dialect, 'migrator');
    ({ database } = opened);
  });
  afterEach(async () => {
    await opened.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const rowsOf = async (on: Database): Promise<unknown> => {
    const rows = await on.all(raw('SELECT amount, total FROM a ORDER BY amount'));
    return rows.map((row) => [Number(row['amount']), Number(row['total'])]);
  };
  const GROWN = [
    [11, 2],
    [12, 4],
  ];

  it('are applied once by concurrently starting processes, which all wait for them', async () => {
    const directory = await write();
    const url = dialect === 'sqlite' ? `sqlite:${join(folder, 'many.db')}` : opened.url;
    const settings = {
      ...DEFAULT_DATABASE_SETTINGS,
      poolSize: 1,
      acquireTimeout: 60_000,
      statementTimeout: 60_000,
      lockTimeout: 60_000,
      connectTimeout: 60_000,
      startTimeout: 60_000,
    };
    const several = await Promise.all(Array.from({ length: 20 }, () => openDatabase(url, settings)));
    try {
      const changed = await Promise.all(
        several.map(async (one) => {
          const names = await migrateUp(one, directory);
          // The migrated tables are usable as soon as the call returns.
          expect(await rowsOf(one)).toStrictEqual(GROWN);
          return names;
        }),
      );
      expect(changed.flat().sort()).toStrictEqual(CHAIN.map(([name]) => name));
    } finally {
      await Promise.all(several.map((one) => one.close()));
    }
  });

  it('name the migration that failed, and resume once its cause is fixed', async () => {
    const directory = await write();
    await database.script(engineSql(dialect, 'CREATE TABLE b (id {id});'));
    const place =
      dialect === 'mysql' ? /0002_grow_a failed at statement 4 of 6\..*kept/u : /0002_grow_a failed, and none/u;
    for (const _ of [1, 2]) await expect(migrateUp(database, directory)).rejects.toThrow(place);
    await database.script('DROP TABLE b;');
    expect(await migrateUp(database, directory)).toStrictEqual(['0002_grow_a', '0003_create_c']);
    expect(await rowsOf(database)).toStrictEqual(GROWN);
  });

  it('E06: name the table, columns and value of duplicate rows, and a query that lists them', async () => {
    const renaming =
      'ALTER TABLE a RENAME COLUMN name TO title;\nALTER TABLE a RENAME TO things;\nCREATE UNIQUE INDEX things_title\n  ON things (title, amount);';
    const plan = {
      format: 3,
      changes: [
        { kind: 'renameColumn', table: 'a', from: 'name', to: 'title' },
        { kind: 'renameTable', from: 'a', to: 'things', hasId: true },
        {
          kind: 'createIndex',
          table: 'things',
          index: { name: 'things_title', columns: ['title', 'amount'], unique: true },
        },
      ],
    };
    const first: (typeof CHAIN)[number] = [
      '0001_create_a',
      "CREATE TABLE a (id {id}, name {string}, amount {integer}); INSERT INTO a (name, amount) VALUES ('x', 1), ('it''s', 7), ('it''s', 7), ('it''s', 8), (NULL, 7), (NULL, 7);",
      'DROP TABLE a;',
    ];
    const directory = await write([first, ['0002_unique', renaming, 'DROP INDEX things_title;', plan]]);
    const failure = await migrateUp(database, directory).then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(failure).toMatch(/things \(title, amount\) must be unique, but 2 rows have 'it's', 7\./u);
    const query = /To list them: (?<query>SELECT .*);/u.exec(failure)?.groups?.['query'] ?? '';
    expect((await database.all(raw(query))).map((row) => Number(row['id']))).toStrictEqual([2, 3]);
    await database.script(`DELETE FROM ${dialect === 'mysql' ? 'things' : 'a'} WHERE id = 3;`);
    expect(await migrateUp(database, directory)).toStrictEqual(['0002_unique']);

    const again = await write([
      first,
      ['0002_unique', renaming, 'DROP INDEX things_title;', plan],
      ['0003_same', "UPDATE things SET title = 'y', amount = 1;", 'SELECT 1;'],
    ]);
    await expect(migrateUp(database, again)).rejects.toThrow(
      /things \(title, amount\) must be unique.*the migration itself/u,
    );
  });

  /** A database whose process dies at call number `last` of its session, before or after that call takes effect. */
  function dying(last: number, when: 'before' | 'after'): { database: Database; calls: () => number } {
    let calls = 0;
    const dead = new Error('killed');
    const counted =
      <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        calls += 1;
        if (calls > last || (calls === last && when === 'before')) throw dead;
        const result = await call(...args);
        if (calls === last) throw dead;
        return result;
      };
    const watched: Database = {
      ...database,
      migrating: (timeout, work) =>
        database.migrating(timeout, (session: Session) =>
          work({
            ...session,
            all: counted(session.all),
            get: counted(session.get),
            run: counted(session.run),
            script: counted(session.script),
          }),
        ),
    };
    return { database: watched, calls: () => calls };
  }

  it.each(['up', 'down'] as const)(
    'are never left half %s, whenever the process is killed',
    async (direction) => {
      // DDL on a server is slow, so only every fourth call is killed; `npm run test:long` kills at each one.
      const every = dialect === 'sqlite' || process.env['EVERYWHERE'] === '1' ? 1 : 4;
      const first = 1 + Math.floor(Math.random() * every);
      const directory = await write(CHAIN.slice(0, 2));
      const options = { directory, dialect };
      await migrateUp(database, directory);
      if (direction === 'up') await migrate(database, options, 'down');
      for (let last = first, over = false; !over; last += every) {
        for (const when of ['before', 'after'] as const) {
          const { database: mortal, calls } = dying(last, when);
          await migrate(mortal, options, direction).then(
            () => (over = true),
            (error: unknown) => expect(String(error)).toContain('killed'),
          );
          expect(calls()).toBeGreaterThan(0);
          await migrateUp(database, directory);
          expect([last, when, await rowsOf(database)]).toStrictEqual([last, when, GROWN]);
          if (direction === 'up') await migrate(database, options, 'down');
        }
      }
    },
    240_000,
  );

  it('restores the settings and variables of the lost session when it resumes', async ({ skip }) => {
    if (dialect !== 'mysql') skip();
    const up = `CREATE TABLE a (id {id}, name {string});
      -- a value, and a setting without which the key of no table is refused
      SET @name = 'kept', foreign_key_checks = 0;
      CREATE TABLE b (id {id}, a_id {key}, FOREIGN KEY (a_id) REFERENCES missing (id));
      INSERT INTO a (name) VALUES (@name);
      CREATE TABLE c (id {id});`;
    const directory = await write([['0001_own', up, 'SET foreign_key_checks = 0; DROP TABLE c, b, a;']]);
    const options = { directory, dialect };
    for (let last = 1, over = false; !over; last += 1) {
      await migrate(dying(last, 'before').database, options, 'up').then(
        () => (over = true),
        (error: unknown) => expect(String(error)).toContain('killed'),
      );
      await migrateUp(database, directory);
      expect(await database.all(raw('SELECT name FROM a'))).toStrictEqual([{ name: 'kept' }]);
      await migrate(database, options, 'down');
    }
  });

  it('does not mistake a manual fix for the effect of a failed statement, nor accept changed statements that were run', async ({
    skip,
  }) => {
    if (dialect !== 'mysql') skip();
    const [first = ['', '', ''], second = ['', '', '']] = CHAIN;
    const directory = await write([first, second]);
    await database.script(engineSql(dialect, 'CREATE TABLE b (id {id});'));
    await expect(migrateUp(database, directory)).rejects.toThrow(/statement 4 of 6/u);
    await write([first, [second[0], second[1].replace('amount * 2', 'amount * 3'), second[2]]]);
    await expect(migrateUp(database, directory)).rejects.toThrow(/The first 3 statements .* were run, but differ/u);
    await write([first, [second[0], second[1].replace('CREATE TABLE b', 'CREATE TABLE d'), second[2]]]);
    await expect(migrateUp(database, directory)).rejects.toThrow(/statement 6 of 6.*a_id/u);
    await database.script('DROP TABLE b; CREATE TABLE b (id int, a_id int);');
    expect(await migrateUp(database, directory)).toStrictEqual([second[0]]);
    expect(await rowsOf(database)).toStrictEqual(GROWN);
  });

  const WAITING: typeof CHAIN = [
    ['0001_create_a', CHAIN[0]?.[1] ?? '', 'DROP TABLE a;'],
    [
      '0002_more__expand',
      'ALTER TABLE a ADD COLUMN total {integer}; CREATE TABLE b (id {id});',
      'DROP TABLE b; ALTER TABLE a DROP COLUMN total;',
    ],
    ['0003_more__contract', 'UPDATE a SET total = amount * 2; CREATE TABLE d (id {id});', 'DROP TABLE d;'],
    ['0004_create_c', 'CREATE TABLE c (id {id});', 'DROP TABLE c;'],
  ];

  it('are all applied to a new database, also if several processes start at once or the first is killed', async () => {
    const [[name, create, drop] = ['', '', ''], ...others] = WAITING;
    const withRoles: (typeof CHAIN)[number] = [
      name,
      `${create} CREATE TABLE user_roles (id {id});`,
      `${drop} DROP TABLE user_roles;`,
    ];
    const directory = await write([withRoles, ...others]);
    const options = { directory, dialect };
    if (dialect === 'mysql') {
      await migrate(dying(8, 'after').database, options, 'up').catch(() => undefined);
      expect((await migrate(database, options, 'status')).migrations[0]?.appliedAt).toBeUndefined();
    }
    const changed = await Promise.all(Array.from({ length: 5 }, () => migrateUp(database, directory)));
    expect(changed.flat().sort()).toStrictEqual(WAITING.map(([name]) => name));
  });

  it('that are contract migrations are completed by the next start if they were interrupted', async () => {
    const directory = await write(WAITING.slice(0, 3));
    const options = { directory, dialect };
    await migrateUp(database, directory);
    const undo = async (): Promise<void> => {
      await migrate(database, options, 'down');
      await database.script('UPDATE a SET total = NULL');
    };
    await undo();
    for (let last = 1, over = false; !over; last += 1) {
      await migrate(dying(last, 'before').database, { ...options, contract: true }, 'up').then(
        () => (over = true),
        () => undefined,
      );
      await migrateUp(database, directory);
      const { migrations } = await migrate(database, options, 'status');
      const rows = await database.all(raw('SELECT total FROM a ORDER BY amount'));
      const isApplied = migrations[2]?.appliedAt !== undefined;
      expect(rows.map(({ total }) => total === null)).toStrictEqual([!isApplied, !isApplied]);
      if (isApplied) await undo();
    }
  });

  it('retries until a locked table is free', async ({ skip }) => {
    if (dialect === 'sqlite') skip();
    const directory = await write();
    await migrate(database, { directory, dialect }, 'up');
    await migrate(database, { directory, dialect }, 'down');
    await migrate(database, { directory, dialect }, 'down');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reading = database.transaction(async (tx) => {
      await tx.all(raw('SELECT * FROM a'));
      await held;
    });
    const migrating = migrateUp(database, directory);
    await new Promise((resolve) => setTimeout(resolve, 6000));
    release();
    await reading;
    expect(await migrating).toStrictEqual(['0002_grow_a', '0003_create_c']);
    expect(await rowsOf(database)).toStrictEqual(GROWN);
  });
});
