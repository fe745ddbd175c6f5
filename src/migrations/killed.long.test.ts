/** A process that migrates is killed at each of its statements, on each engine. The next start must leave nothing half done. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, sqliteDatabase, type TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { readContent } from '../../test/support/evolving-data.ts';
import { type Models, modelsOf } from '../../test/support/evolving-model.ts';
import { fillContent } from '../../test/support/evolving-rows.ts';
import { testedEngines } from '../../templates/runtime/test-support/runtime-database.ts';
import { writeProgram } from '../../templates/runtime/test-support/runtime-program.ts';
import { nextPlan, writePlans } from '../../test/support/written-migrations.ts';
import { openDatabase } from '../../templates/runtime/src/database/open-database.ts';
import { migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';
import type { Dialect } from '../model/content-model.ts';

const DATABASES = { name: 'killed', databases: ['sqlite', 'postgres', 'mysql'] };

const BEFORE = modelsOf({
  ...DATABASES,
  contentTypes: {
    article: {
      attributes: {
        title: { type: 'string', required: true, unique: true },
        body: { type: 'text' },
        rank: { type: 'integer' },
        active: { type: 'boolean' },
        author: { type: 'relation', relation: 'manyToOne', target: 'author' },
      },
    },
    author: { attributes: { name: { type: 'string' } } },
  },
});

/** Renames, converts, requires, indexes, adds and drops, and moves links. */
const AFTER = modelsOf({
  ...DATABASES,
  contentTypes: {
    article: {
      attributes: {
        headline: { type: 'string', required: true, unique: true, renamedFrom: 'title' },
        rank: { type: 'integer', required: true, default: 4, index: true },
        active: { type: 'integer' },
        note: { type: 'string', required: true, default: "it's new" },
        author: { type: 'relation', relation: 'manyWay', target: 'author' },
        editor: { type: 'relation', relation: 'manyToOne', target: 'author' },
      },
    },
    author: { attributes: { name: { type: 'string', unique: true, index: true } } },
  },
});

/**
 * Migrates, statement by statement, and kills itself at the one of number `at`: before it reaches the database, or while the
 * database is at work on it. Exits with 0 where there are fewer.
 */
const PROGRAM = `
  import { openDatabase } from './database/open-database.js';
  import { splitStatements } from './contract/sql/statements.js';
  import { migrate } from './migrator/migrate.js';
  const [url, directory, direction, when, at] = process.argv.slice(2);
  const database = await openDatabase(url);
  const die = () => process.kill(process.pid, 'SIGKILL');
  let count = 0;
  const next = (isOwn) => {
    if (when === 'before' || isOwn) count += 1;
    if (count !== Number(at)) return;
    if (when === 'before') die();
    setTimeout(die, 1);
  };
  const isOwn = (text) => !/^(?:BEGIN|START|COMMIT|ROLLBACK|RELEASE|SAVEPOINT)|_migration/.test(text);
  const watched = (session) => ({
    ...session,
    ...(session.atomically && { atomically: (work) => session.atomically((own) => work(watched(own))) }),
    all: (statement) => (next(false), session.all(statement)),
    get: (statement) => (next(false), session.get(statement)),
    run: (statement) => (next(false), session.run(statement)),
    script: async (text) => {
      for (const statement of splitStatements(text, session.dialect.name)) {
        next(isOwn(statement));
        await session.script(statement);
      }
    },
  });
  const migrating = (timeout, work) => database.migrating(timeout, (session) => work(watched(session)));
  await migrate({ ...database, migrating }, { directory, dialect: database.dialect.name }, direction);
  await database.close();`;

/** That a migration is several transactions on PostgreSQL, in both directions. */
async function expectParts(directory: string, name: string): Promise<void> {
  for (const file of ['up.sql', 'down.sql']) {
    const text = await readFile(join(directory, name, 'postgres', file), 'utf8');
    expect(text.match(/^-- content-gen: commit\b/gmu)?.length).toBeGreaterThan(2);
  }
}

interface Kill {
  readonly direction: 'up' | 'down';
  readonly when: 'before' | 'while';
  /** From 1. */
  readonly at: number;
}

/**
 * On database servers, where each statement would take many minutes: every how many statements it is killed, beginning with
 * another one in each run. `npm run test:long` kills more often.
 */
const EVERY = Number(process.env['KILL_EVERY'] ?? 16);

describe.each(await testedEngines())('a migration on %s', (dialect: Dialect) => {
  let folder: string;
  let tested: TestDatabase;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    tested =
      dialect === 'sqlite' ? await sqliteDatabase(join(folder, 'data.db')) : await createDatabase(dialect, 'killed');
  });
  afterEach(async () => {
    await tested.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function stateOf(models: Models): Promise<readonly unknown[]> {
    const catalogue = (await tested.catalogue()).filter((line) => !line.includes('_migration'));
    return [await readContent(tested, models), catalogue];
  }

  // SQLite runs a statement within the process itself: it can't be killed in between.
  const whens = dialect === 'sqlite' ? (['before'] as const) : (['before', 'while'] as const);
  const whole = whens.map((when) => ['is completed or not begun', when, undefined] as const);
  // Few locks a transaction make many transactions of PostgreSQL.
  const parts = whens.map((when) => ['E02: is completed from any of its transactions', when, 20] as const);
  it.each([...whole, ...(dialect === 'postgres' ? parts : [])])(
    '%s when its process is killed %s any of its statements',
    async (_, when, maxLocks) => {
      const every = dialect === 'sqlite' ? 1 : EVERY;
      const start = 1 + Math.floor(Math.random() * every);
      const program = await writeProgram(join(folder, 'program'), PROGRAM);
      const first = nextPlan(BEFORE, [], []);
      const second = nextPlan(AFTER, [first], ['article.body', 'article.active', 'article.author', 'author.name']);
      const database = await openDatabase(tested.url);
      try {
        await migrateUp(database, await writePlans(join(folder, 'one'), [first], maxLocks));
        await fillContent(tested, BEFORE, 0);
        const directory = await writePlans(join(folder, 'both'), [first, second], maxLocks);
        if (maxLocks !== undefined) await expectParts(directory, second.name);
        const options = { directory, dialect };
        const undo = () => migrate(database, options, 'down');
        await migrateUp(database, directory);
        const after = await stateOf(AFTER);
        await undo();
        const before = await stateOf(BEFORE);

        const isKilled = async ({ direction, at }: Kill): Promise<boolean> => {
          const child = spawn(process.execPath, [program, tested.url, directory, direction, when, String(at)], {
            stdio: ['ignore', 'ignore', 'inherit'],
          });
          const [code, signal] = await once(child, 'exit');
          expect([code, signal]).toContain(code === null ? 'SIGKILL' : 0);
          return signal === 'SIGKILL';
        };
        let kills = 0;
        for (let at = start, goesOn = true; goesOn; at += every) {
          const up = await isKilled({ direction: 'up', when, at });
          await migrateUp(database, directory);
          expect([at, await stateOf(AFTER)]).toStrictEqual([at, after]);
          const down = await isKilled({ direction: 'down', when, at });
          await migrateUp(database, directory);
          expect([at, await stateOf(AFTER)]).toStrictEqual([at, after]);
          await undo();
          expect([at, await stateOf(BEFORE)]).toStrictEqual([at, before]);
          goesOn = up || down;
          kills += Number(up) + Number(down);
        }
        expect(kills).toBeGreaterThanOrEqual(Math.floor(20 / every));
      } finally {
        await database.close();
      }
    },
    600_000,
  );
});
