/** SQL that a team writes itself: it can't end the transaction of its migration, and may have bodies. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeOwnMigrations } from '../../test-support/own-migrations.ts';
import { engineSql, openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import { ConnectionLost } from '../database/connection.ts';
import type { Database, Session } from '../database/database.ts';
import { raw } from '../database/sql.ts';
import { migrate, migrateUp } from './migrate.ts';

const INSERT = "INSERT INTO a (name) VALUES ('y');";
const FIRST = {
  name: '0001_first',
  up: 'CREATE TABLE a (id {id}, name {string}, copy {string}); CREATE TABLE log (text {string});',
};

/** A session that loses its connection when it runs SQL that begins so. */
function losing(session: Session, start: string): Session {
  const { atomically } = session;
  return {
    ...session,
    script: (text) =>
      text.startsWith(start) ? Promise.reject(new ConnectionLost('connection lost')) : session.script(text),
    ...(atomically && { atomically: (work) => atomically((own) => work(losing(own, start))) }),
  };
}

describe.each(await testedEngines())('SQL of a team on %s', (dialect) => {
  let folder: string;
  let opened: RuntimeDatabase;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    opened = await openEngine(dialect, 'own_sql');
  });
  afterEach(async () => {
    await opened.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const applied = async (): Promise<readonly unknown[]> =>
    (await opened.database.all(raw('SELECT name FROM _migrations ORDER BY number'))).map((row) => row['name']);
  const names = async (table = 'a', column = 'name'): Promise<readonly unknown[]> =>
    (await opened.database.all(raw(`SELECT ${column} AS it FROM ${table} ORDER BY 1`))).map((row) => row['it']);
  /** Applies the first migration, and writes another one. */
  async function prepare(up: string, down?: string): Promise<string> {
    const first = { ...FIRST, up: engineSql(dialect, FIRST.up) };
    await migrateUp(opened.database, await writeOwnMigrations(folder, dialect, [first]));
    await opened.database.script("INSERT INTO a (name) VALUES ('x')");
    const second = { name: '0002_own', up, ...(down !== undefined && { down }) };
    return writeOwnMigrations(folder, dialect, [first, second]);
  }

  it.each([
    "UPDATE a SET name = 'y';\nCOMMIT;\nUPDATE nosuch SET name = 'z';",
    "BEGIN;\nROLLBACK;\nUPDATE a SET name = 'y';",
    "UPDATE a SET name = 'y';\nROLLBACK;",
  ])('is refused before anything if it ends the transaction: %j', async (up) => {
    const directory = await prepare(up);
    const line = up.startsWith('BEGIN') ? 1 : 2;
    await expect(migrateUp(opened.database, directory)).rejects.toThrow(
      `0002_own was not applied: migrations/0002_own/${dialect}/up.sql:${line}: `,
    );
    expect([await names(), await applied()]).toStrictEqual([['x'], ['0001_first']]);
  });

  it('is refused when it is undone, too', async () => {
    const directory = await prepare("UPDATE a SET name = 'y'", "UPDATE a SET name = 'x';\n\nCOMMIT");
    await migrateUp(opened.database, directory);
    await expect(migrate(opened.database, { directory, dialect }, 'down')).rejects.toThrow(/down\.sql:3: /u);
    expect([await names(), await applied()]).toStrictEqual([['y'], ['0001_first', '0002_own']]);
  });

  it.skipIf(dialect !== 'postgres').each(['COMMIT', 'ROLLBACK', 'COMMIT; BEGIN'])(
    'is found to have ended the transaction where that is hidden: %s',
    async (hidden) => {
      const off = 'SET standard_conforming_strings = off;\n-- content-gen: commit\n';
      const directory = await prepare(`${off}SELECT '\\''; ${hidden}; SELECT 1; -- '\nUPDATE a SET name = 'y';`);
      await expect(migrateUp(opened.database, directory)).rejects.toThrow('its SQL has ended the transaction');
      expect(await applied()).toStrictEqual(['0001_first']);
    },
  );

  it.skipIf(dialect === 'mysql')(
    'is not said to have ended the transaction if the connection is lost at its end',
    async () => {
      const directory = await prepare(INSERT);
      const { database } = opened;
      const lossy: Database = {
        ...database,
        migrating: (timeout, work) =>
          database.migrating(timeout, (session) => work(losing(session, 'RELEASE SAVEPOINT'))),
      };
      await expect(migrateUp(lossy, directory)).rejects.toThrow(
        /none of it was kept: the database can't be reached: connection lost$/u,
      );
      expect([await names(), await applied()]).toStrictEqual([['x'], ['0001_first']]);
      expect(await migrateUp(database, directory)).toStrictEqual(['0002_own']);
    },
  );

  it.skipIf(dialect !== 'postgres')('is run once where it keeps the record from being written', async () => {
    const directory = await prepare(`CREATE FUNCTION f() RETURNS trigger AS 'BEGIN RETURN NULL; END' LANGUAGE plpgsql;
      CREATE TRIGGER t BEFORE INSERT ON _migrations FOR EACH ROW EXECUTE FUNCTION f(); ${INSERT}`);
    await expect(migrateUp(opened.database, directory)).rejects.toThrow('does not record it as applied');
    expect(await names()).toStrictEqual(['x', 'y']);
  });

  it('may begin with a byte order mark, and end without a semicolon', async () => {
    const directory = await prepare(
      "\uFEFFUPDATE a SET copy = name;\nUPDATE a SET name = 'y' -- done",
      'DELETE FROM a',
    );
    await migrateUp(opened.database, directory);
    expect([await names(), await names('a', 'copy')]).toStrictEqual([['y'], ['x']]);
    await migrate(opened.database, { directory, dialect }, 'down');
    expect([await names(), await applied()]).toStrictEqual([[], ['0001_first']]);
  });

  it.each(['', '-- content-gen: commit\n'])('may insert rows with ids: the next ones are free (%j)', async (parts) => {
    const directory = await prepare(`${parts}INSERT INTO a (id, name) VALUES (2, 'y'), (41, 'z');`);
    await migrateUp(opened.database, directory);
    await opened.database.script("INSERT INTO a (name) VALUES ('next'); INSERT INTO log (text) VALUES ('none')");
    expect(await names('a', 'id')).toStrictEqual([1, 2, 41, 42]);
  });

  /** The changes of a migration that makes the table `a`, with a component in `copy`, and one in a former state of its plan. */
  const CHANGES = [
    { kind: 'defineComponent', to: { uid: 'shared.old', members: [] } },
    {
      kind: 'defineComponent',
      to: {
        uid: 'shared.whole',
        members: [{ name: 'parts', kind: 'component', component: 'shared.old', repeatable: true }],
      },
    },
    {
      kind: 'createTable',
      table: {
        name: 'b',
        columns: [{ name: 'id' }, { name: 'body', holds: { kind: 'zone', components: ['shared.whole'] } }],
      },
    },
    {
      kind: 'addColumn',
      table: 'b',
      column: { name: 'copy', holds: { kind: 'component', component: 'shared.old', repeatable: false } },
    },
    { kind: 'renameTable', from: 'b', to: 'a' },
    { kind: 'renameColumn', table: 'a', from: 'body', to: 'name' },
  ];

  it.each(['', '-- content-gen: commit\n'])('may write components without ids, which they get (%j)', async (parts) => {
    const tables = 'CREATE TABLE a (id {id}, name {string}, copy {string}); CREATE TABLE component_ids (id {id});';
    const first = { ...FIRST, up: engineSql(dialect, tables), plan: { format: 3, changes: CHANGES } };
    await migrateUp(opened.database, await writeOwnMigrations(folder, dialect, [first]));
    await opened.database.transaction((tx) => tx.dialect.takeIds(tx, 'component_ids', 70));
    const zone =
      '[{"__component":"shared.whole","id":3,"parts":[{"x":1.50},{"id":4,"x":"é"},{"id":null}]},{"__component":"gone"}]';
    const up = `${parts}INSERT INTO a (name, copy) VALUES ('${zone}', '{"x":2}'), (NULL, NULL), ('[]', '{"id":9,"x":3}');`;
    const directory = await writeOwnMigrations(folder, dialect, [first, { name: '0002_own', up }]);
    await migrateUp(opened.database, directory);
    const rows = await opened.database.all(raw('SELECT name, copy FROM a ORDER BY id'));
    const values = rows.map((row) => [row['name'], row['copy']].map((text) => JSON.parse(String(text)) as unknown));
    const made = /"id":\d{2,}/gu;
    expect(new Set(JSON.stringify(values).match(made)).size).toBe(4);
    expect(JSON.parse(JSON.stringify(values).replaceAll(made, '"id":"new"'))).toStrictEqual([
      [
        [
          { __component: 'shared.whole', id: 3, parts: [{ id: 'new', x: 1.5 }, { id: 4, x: 'é' }, { id: 'new' }] },
          { __component: 'gone', id: 'new' },
        ],
        { id: 'new', x: 2 },
      ],
      [null, null],
      [[], { id: 9, x: 3 }],
    ]);
  });

  it.skipIf(dialect === 'sqlite')('is told in which rows a batch failed', async () => {
    const batch = `-- content-gen: in batches of a.id.\nUPDATE a SET name = 'same' WHERE id BETWEEN 0 AND 9223372036854775807;`;
    const directory = await prepare(`CREATE UNIQUE INDEX a_name ON a (name);\n${INSERT}\n${batch}`);
    await expect(migrateUp(opened.database, directory)).rejects.toThrow('at rows of a with id from 0 to 2: ');
  });

  it('is told where it writes a component that is no JSON', async () => {
    const first = { ...FIRST, up: engineSql(dialect, FIRST.up), plan: { format: 3, changes: CHANGES } };
    const own = { name: '0002_own', up: "INSERT INTO a (copy) VALUES ('{id: 1}')" };
    const directory = await writeOwnMigrations(folder, dialect, [first, own]);
    await expect(migrateUp(opened.database, directory)).rejects.toThrow(
      'a.copy of the row with the id 1 is not JSON, which components are stored as',
    );
  });

  const BODY =
    "INSERT INTO log (text) VALUES (NEW.name); INSERT INTO log (text) VALUES (CASE WHEN NEW.name = 'y' THEN 'is y' END);";
  const TRIGGERS = {
    sqlite: `CREATE TRIGGER t AFTER INSERT ON a BEGIN ${BODY} END;`,
    postgres: `CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN ${BODY} RETURN NULL; END $$ LANGUAGE plpgsql;
      CREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW EXECUTE FUNCTION f();`,
    mysql: `CREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW BEGIN ${BODY} END;`,
  };

  it('may have triggers with bodies', async () => {
    await migrateUp(opened.database, await prepare(`${TRIGGERS[dialect]} ${INSERT}`));
    expect([await names('log', 'text'), await applied()]).toStrictEqual([
      ['is y', 'y'],
      ['0001_first', '0002_own'],
    ]);
  });

  it.skipIf(dialect !== 'mysql')('may have delimiters, procedures and prepared statements', async () => {
    const directory = await prepare(`DELIMITER //
      ${TRIGGERS.mysql.replace(/;$/u, '')}//
      CREATE PROCEDURE fill(n INT) BEGIN WHILE n > 0 DO ${INSERT} SET n = n - 1; END WHILE; END//
      DELIMITER ;
      CALL fill(1);
      DROP PROCEDURE fill;
      SET @sql = IF(1, 'ALTER TABLE a ADD COLUMN more INT', 'SELECT 1');
      PREPARE s FROM @sql;
      EXECUTE s;
      SET STATEMENT max_statement_time = 60 FOR UPDATE a SET more = 7;`);
    await migrateUp(opened.database, directory);
    expect([await names('log', 'text'), await names('a', 'more')]).toStrictEqual([
      ['is y', 'y'],
      [7, 7],
    ]);
  });

  it.skipIf(dialect !== 'mysql')('keeps nothing of a procedure that fails, and calls it again', async () => {
    const directory = await prepare(`
      CREATE PROCEDURE fill() BEGIN ${INSERT} INSERT INTO missing (name) VALUES ('z'); END;
      CALL fill();`);
    await expect(migrateUp(opened.database, directory)).rejects.toThrow('failed at statement 2 of 2');
    expect(await names()).toStrictEqual(['x']);
    await opened.database.script('CREATE TABLE missing (name varchar(9))');
    await migrateUp(opened.database, directory);
    expect([await names(), await names('missing')]).toStrictEqual([['x', 'y'], ['z']]);
  });
});
