/** The generator's migrations, applied by the runtime's migrator. */
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { hashAfter } from './history/sum.ts';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentModel, contentType, richModel, scalar } from '../../test/support/content-model.ts';
import { writeProgram } from '../../templates/runtime/test-support/runtime-program.ts';
import { openSqlite } from '../../templates/runtime/src/database/sqlite.ts';
import { raw } from '../../templates/runtime/src/database/sql.ts';
import { type Direction, isMigrated, migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';
import { runMigrateCommand } from '../../templates/runtime/src/migrator/run-migrate-command.ts';
import { printFile } from '../files/generated-file.ts';
import { buildStorageModel } from '../storage/build-storage-model.ts';
import { layoutOf } from '../storage/compute-layout.ts';
import { emitMigrations } from './emit-migration.ts';
import { planMigration } from './plan/plan-migration.ts';
import type { Database } from '../../templates/runtime/src/database/database.ts';
import type { ContentModel } from '../model/content-model.ts';

let folder: string;
let directory: string;
let database: Database;

/** Writes the migrations of models that follow each other. */
async function writeMigrations(...models: readonly ContentModel[]): Promise<readonly string[]> {
  const history: MigrationPlan[] = [];
  let files: ReadonlyMap<string, string> = new Map();
  for (const model of models) {
    const { value: plan } = planMigration({ history, target: buildStorageModel(model, layoutOf(model)) });
    if (!plan) throw new Error('nothing to do');
    const emitted = emitMigrations({ files, history, added: [plan], databases: ['sqlite', 'postgres'] });
    files = new Map(await Promise.all(emitted.map(async (file) => [file.path, await printFile(file)] as const)));
    history.push(plan);
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return history.map(({ name }) => name);
}

function articles(...attributes: readonly string[]): ContentModel {
  return contentModel([
    contentType(
      'article',
      attributes.map((name) => scalar(name, 'string')),
    ),
  ]);
}

/** Adds text to the end of the SQL of the last migration, and says in the sum that it is meant. */
async function edit(migration: string, added: string): Promise<void> {
  const up = join(migration, 'sqlite/up.sql');
  await writeFile(up, `${await readFile(up, 'utf8')}${added}`);
  const sum = join(directory, 'migrations.sum');
  const lines = (await readFile(sum, 'utf8')).trim().split('\n').slice(0, -1);
  const paths = readdirSync(migration, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('.'));
  const files = new Map(paths.map((path) => [path, readFileSync(join(migration, path), 'utf8')]));
  const hash = hashAfter(lines.at(-1)?.split(' ')[1] ?? '', files);
  await writeFile(sum, `${[...lines, `${basename(migration)} ${hash}`].join('\n')}\n`);
}

/** The folder of the migration of a number. */
const folderOf = (number: string): string =>
  join(directory, readdirSync(directory).find((name) => name.startsWith(number)) ?? '');

const run = (direction: Direction, on = database) => migrate(on, { directory, dialect: 'sqlite' }, direction);

async function tables(): Promise<readonly string[]> {
  const rows = await database.all(
    raw("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"),
  );
  return rows.map((row) => String(row['name']));
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'content-test-'));
  directory = join(folder, 'migrations');
  database = await openSqlite({ path: join(folder, 'data.db') });
});

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

describe('migrate', () => {
  it('applies what is missing, in order, and undoes one at a time', async () => {
    const names = await writeMigrations(
      richModel(),
      contentModel([...richModel().contentTypes, contentType('label', [])], richModel().components),
    );
    expect(await isMigrated(database, directory)).toBe(false);
    expect((await run('status')).migrations.map(({ appliedAt }) => appliedAt)).toStrictEqual([undefined, undefined]);
    expect(await tables()).toStrictEqual([]);
    expect((await run('up')).changed).toStrictEqual(names);
    expect(await isMigrated(database, directory)).toBe(true);
    expect(await migrateUp(database, directory)).toStrictEqual([]);
    expect(await tables()).toContain('labels');
    const { changed, migrations } = await run('down');
    expect(changed).toStrictEqual([names[1]]);
    expect(migrations.map(({ appliedAt }) => appliedAt === undefined)).toStrictEqual([false, true]);
    expect(await tables()).not.toContain('labels');
    expect((await run('down')).changed).toStrictEqual([names[0]]);
    expect((await run('down')).changed).toStrictEqual([]);
    expect(await tables()).toStrictEqual(['_migrations']);
    expect(await migrateUp(database, directory)).toStrictEqual(names);
  });

  it('costs one statement that reads when there is nothing to do', async () => {
    await writeMigrations(articles('a'), articles('a', 'b'));
    await run('up');
    const calls: string[] = [];
    const counted = new Proxy(database, {
      get(target, name, receiver) {
        if (typeof name === 'string' && name !== 'dialect') calls.push(name);
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
    await run('up', counted);
    expect(calls).toStrictEqual(['all']);
  });

  it('keeps nothing of a migration that fails', async () => {
    await writeMigrations(articles('a'), articles('a', 'b'));
    await database.script('CREATE TABLE "articles" ("id" integer)');
    await expect(run('up')).rejects.toThrow(/0001_create_article_\w+ failed.*none of it was kept.*already exists/u);
    expect(await tables()).toStrictEqual(['articles']);
    await database.script('DROP TABLE "articles"');
    expect((await run('up')).changed).toHaveLength(2);
  });

  it.each<readonly [string, () => Promise<unknown>, RegExp]>([
    [
      'a script was edited',
      () => writeFile(join(folderOf('0001'), 'sqlite/up.sql'), 'SELECT 1;'),
      /0001_create_article_\w+ was changed/u,
    ],
    ['a migration is gone', () => rm(folderOf('0002'), { recursive: true }), /0002_.*missing/u],
    ['the sum is gone', () => rm(join(directory, 'migrations.sum')), /can't be read/u],
    ['the sum is broken', () => writeFile(join(directory, 'migrations.sum'), 'hello\n'), /an invalid line/u],
    [
      'E05: the sum is merged',
      () => writeFile(join(directory, 'migrations.sum'), '<<<<<<< x\n'),
      /merge conflict markers/u,
    ],
    ['a folder is not listed', () => mkdir(join(directory, '0003_x')), /0003_x is not in migrations\.sum/u],
    ['the first is gone', () => rm(folderOf('0001'), { recursive: true }), /0001_.*missing/u],
  ])('refuses when %s', async (_, spoil, message) => {
    await writeMigrations(articles('a'), articles('a', 'b'));
    await run('up');
    await spoil();
    for (const direction of ['up', 'status', 'down'] as const) await expect(run(direction)).rejects.toThrow(message);
  });

  it('refuses a database that is newer, of another branch, or with other SQL', async () => {
    await writeMigrations(articles('a'), articles('a', 'b'));
    await run('up');
    await rm(directory, { recursive: true });
    await writeMigrations(articles('a'));
    await expect(run('up')).rejects.toThrow(/newer than this server.*0002_add_b_to_articles/u);
    await rm(directory, { recursive: true });
    await writeMigrations(articles('a'), articles('a', 'c'));
    await expect(run('up')).rejects.toThrow(/different branches.*run npm run server -- migrate down --to 0001_/u);
    await rm(directory, { recursive: true });
    await writeMigrations(articles('a'), articles('a', 'b'));
    await edit(folderOf('0002'), '-- edited\n');
    await expect(run('up')).rejects.toThrow(/applied to the database with different SQL/u);
  });

  it('says which database a project has no SQL for', async () => {
    await writeMigrations(articles('a'));
    await expect(migrate(database, { directory, dialect: 'mysql' }, 'up')).rejects.toThrow(/no SQL for mysql/u);
  });

  it('applies each migration once when processes start at the same time', async () => {
    const models = Array.from({ length: 12 }, (_, index) =>
      articles(...Array.from({ length: index + 1 }, (__, attribute) => `a${attribute}`)),
    );
    const names = await writeMigrations(...models);
    const program = await writeProgram(
      join(folder, 'program'),
      `import { openSqlite } from './database/sqlite.js';
       import { migrateUp } from './migrator/migrate.js';
       const database = await openSqlite({ path: ${JSON.stringify(join(folder, 'data.db'))} });
       console.log(JSON.stringify(await migrateUp(database, ${JSON.stringify(directory)})));
       await database.close();`,
    );
    const started = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, [program]));
    const changed = (await Promise.all(started)).flatMap(({ stdout }) => JSON.parse(stdout) as string[]);
    expect(changed.sort()).toStrictEqual(names);
    expect(await isMigrated(database, directory)).toBe(true);
  });
});

const command = async (...args: readonly string[]): Promise<readonly [number, string]> => {
  let output = '';
  const write = (text: string): void => void (output += text);
  const databaseUrl = `sqlite:${join(folder, 'other', 'data.db')}`;
  return [await runMigrateCommand({ args, directory, databaseUrl, write }), output];
};

describe('the command', () => {
  it('shows on a terminal which migration runs, and nothing of that elsewhere', async () => {
    const [first = ''] = await writeMigrations(articles('a'));
    const databaseUrl = `sqlite:${join(folder, 'other', 'data.db')}`;
    let [shown, output] = ['', ''];
    const write = (text: string): void => void (output += text);
    const terminal = (text: string): void => void (shown += text);
    const run = (args: readonly string[]) => runMigrateCommand({ args, directory, databaseUrl, write, terminal });
    expect([await run(['up']), await run(['status']), await run(['down'])]).toEqual([0, 0, 0]);
    const erase = '\r\u001B[K';
    expect(shown).toBe(`${erase}Applying ${first} (1 of 1)${erase}${erase}Undoing ${first} (1 of 1)${erase}`);
    expect(output).not.toContain(erase);
  });

  it('says what waits, and applies it when it is asked to', async () => {
    const names = await writeMigrations(articles('a'));
    expect((await command('up'))[0]).toBe(0);
    const [first = ''] = names;
    const later = '0002_end__contract';
    await mkdir(join(directory, later, 'sqlite'), { recursive: true });
    const texts = ['DROP TABLE "gone";', 'DROP TABLE "articles";'];
    for (const [index, file] of ['down.sql', 'up.sql'].entries()) {
      await writeFile(join(directory, later, 'sqlite', file), texts[index] ?? '');
    }
    const sum = join(directory, 'migrations.sum');
    const before = await readFile(sum, 'utf8');
    const hash = hashAfter(
      before.trim().split(' ')[1] ?? '',
      new Map([
        ['sqlite/down.sql', texts[0] ?? ''],
        ['sqlite/up.sql', texts[1] ?? ''],
      ]),
    );
    await writeFile(sum, `${before}${later} ${hash}\n`);
    const waits = `${later} waits until no server of the previous version is running: npm run server -- migrate up --contract\n`;
    expect(await command('up')).toStrictEqual([0, `The database is up to date.\n${waits}`]);
    expect((await command('status'))[1]).toMatch(
      new RegExp(`^${first}  applied .*\n${later}  waits for: npm run server -- migrate up --contract\n$`, 'u'),
    );
    expect(await command('down', '--contract')).toMatchObject([2, expect.stringContaining('Usage')]);
    expect(await command('up', '--contract')).toStrictEqual([0, `Applied ${later}\n`]);
    expect(await command('up', '--contract')).toStrictEqual([0, 'The database is up to date.\n']);
  });

  it('N02: names what is not sealed, and applies none of it', async () => {
    const [name = ''] = await writeMigrations(articles('a'));
    const open = '0002_fill_1f2e3d4c';
    const up = async (text: string): Promise<void> => {
      await mkdir(join(directory, open, 'sqlite'), { recursive: true });
      await writeFile(
        join(directory, open, 'plan.json'),
        `{"format":1,"name":"${open}","handWritten":true,"changes":[]}`,
      );
      for (const file of ['up.sql', 'down.sql']) await writeFile(join(directory, open, 'sqlite', file), text);
    };
    const says = `${open} is not sealed and was not applied. Write its SQL, then run: npx content-gen migrations seal\n`;
    await up('-- to come\n');
    expect(await command('up')).toStrictEqual([1, `Applied ${name}\n${says}`]);
    await up('DROP TABLE "articles";\n');
    expect(await command('up')).toStrictEqual([1, `The database is up to date.\n${says}`]);
    expect(await command('status')).toStrictEqual([
      0,
      expect.stringMatching(new RegExp(`^${name}  applied .*\n${open}  not sealed: it is not applied\n$`, 'u')),
    ]);
    expect(await command('down')).toStrictEqual([0, `Undid ${name}\n`]);
  });

  it('deletes content only when it is told to', async () => {
    const [name = ''] = await writeMigrations(articles('a'));
    await command('up');
    const migrated = await openSqlite({ path: join(folder, 'other', 'data.db') });
    await migrated.script(
      "INSERT INTO articles (created_at, updated_at) VALUES ('2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z')",
    );
    await migrated.close();
    expect(await command('down')).toMatchObject([
      1,
      expect.stringMatching(new RegExp(`1 row of articles\\n[^]*migrate down ${name} --allow-destructive`, 'u')),
    ]);
    expect(await command('up', '--allow-destructive')).toMatchObject([2, expect.stringContaining('Usage')]);
    expect(await command('down', '--allow-destructive')).toMatchObject([
      2,
      expect.stringContaining('needs the name of the migration'),
    ]);
    expect(await command('down', name, '--allow-destructive')).toStrictEqual([0, `Undid ${name}\n`]);
  });

  it('applies, shows and undoes, and explains itself', async () => {
    const [name = ''] = await writeMigrations(articles('a'));
    expect(await command()).toMatchObject([2, expect.stringContaining('Usage')]);
    expect(await command('up', 'now')).toMatchObject([2, expect.stringContaining('Usage')]);
    expect(await command('status')).toStrictEqual([0, `${name}  pending\n`]);
    expect(await command('up')).toStrictEqual([0, `Applied ${name}\n`]);
    expect(await command('up')).toStrictEqual([0, 'The database is up to date.\n']);
    expect(await command('status')).toMatchObject([
      0,
      expect.stringMatching(/^0001_create_article_\w+ {2}applied \d{4}-/u),
    ]);
    expect(await command('down')).toStrictEqual([0, `Undid ${name}\n`]);
    expect(await command('down')).toStrictEqual([0, 'There is nothing to undo.\n']);
    const sum = join(directory, 'migrations.sum');
    await writeFile(sum, (await readFile(sum, 'utf8')).replace(/[0-9a-f]{4}\n/u, '0000\n'));
    expect(await command('up')).toMatchObject([1, expect.stringContaining('was changed')]);
  });
});
