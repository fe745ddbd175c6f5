/** The history as a person works with it: consent, branches that are merged, and SQL of their own. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { main } from '../cli/main.ts';
import { raw } from '../../templates/runtime/src/database/sql.ts';
import { openSqlite } from '../../templates/runtime/src/database/sqlite.ts';
import { migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'content-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A text with the names of migrations as they are without their hashes. */
const plain = (text: string): string => text.replaceAll(/_[0-9a-f]{8}(?=__|\b)/gu, '');

/** What the command line says, with plain names. */
async function run(...args: readonly string[]) {
  const text = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({ write: (chunk: string) => (text[name] += chunk) });
  const io = { stdout: output('stdout'), stderr: output('stderr'), cwd: folder, env: {} };
  const code = await main(args, io);
  return { code, stdout: plain(text.stdout), stderr: plain(text.stderr) };
}

function write(...attributes: readonly string[]): void {
  const lines = attributes.map((attribute) => `      ${attribute}\n`).join('');
  const schema = `name: blog\ndatabases: [sqlite]\ncontentTypes:\n  article:\n    attributes:\n${lines}`;
  writeFileSync(join(folder, 'schema.yaml'), schema);
}

const build = (...flags: readonly string[]) => run('build', 'schema.yaml', '--out', 'blog', ...flags);
const migrations = (...args: readonly string[]) => run('migrations', ...args, '--out', 'blog');
const root = (): string => join(folder, 'blog', 'migrations');
const fullNames = (): readonly string[] => readdirSync(root()).filter((name) => name !== 'migrations.sum');
const names = (): readonly string[] => fullNames().map(plain);
/** The name of a migration with its hash. */
const full = (name: string): string => fullNames().find((one) => plain(one) === name) ?? name;
/** A file of a migration, by its plain name. */
const path = (name = '', ...parts: readonly string[]): string => join(root(), full(name), ...parts);
const sum = (): string => readFileSync(path('migrations.sum'), 'utf8');

const [TITLE, BODY, RANK] = ['title: { type: string }', 'body: { type: text }', 'rank: { type: integer }'];

/** Two branches, each with a build of its own, merged with the markers that git leaves. */
async function mergeBranches(ours: readonly string[], theirs: readonly string[], merged: readonly string[]) {
  write(TITLE);
  expect((await build()).code).toBe(0);
  cpSync(join(folder, 'blog'), join(folder, 'other'), { recursive: true });
  write(...theirs);
  expect((await run('build', 'schema.yaml', '--out', 'other')).code).toBe(0);
  write(...ours);
  expect((await build()).code).toBe(0);
  const [first = '', second = ''] = sum().split('\n');
  const [, other = ''] = readFileSync(join(folder, 'other/migrations/migrations.sum'), 'utf8').split('\n');
  cpSync(join(folder, 'other/migrations'), path(), { recursive: true });
  writeFileSync(path('migrations.sum'), `${first}\n<<<<<<< HEAD\n${second}\n=======\n${other}\n>>>>>>> other\n`);
  write(...merged);
}

async function migrated(): Promise<readonly string[]> {
  const database = await openSqlite({ path: join(folder, 'data.db') });
  try {
    return await migrateUp(database, path());
  } finally {
    await database.close();
  }
}

/** Adds a role, as the first start of a server does. */
async function start(): Promise<void> {
  const database = await openSqlite({ path: join(folder, 'data.db') });
  try {
    await database.script(
      "INSERT INTO user_roles (name, type, created_at, updated_at) VALUES ('Public', 'public', '', '')",
    );
  } finally {
    await database.close();
  }
}

describe('a build that would delete data', () => {
  it('stops with exit 3, names the thing and its place, and goes on when it is allowed', async () => {
    write(TITLE, BODY);
    await build();
    write(TITLE);
    const before = sum();
    const refused = await build();
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toMatch(
      /^schema\.yaml:4:3: error migrations\/drops-attribute: 'article\.body' is no longer in/u,
    );
    expect(refused.stderr).toContain('--allow-destructive article.body');
    expect(await build('--allow-destructive', 'article.title')).toMatchObject({ code: 3 });
    expect(sum()).toBe(before);
    expect(await build('--check')).toMatchObject({ code: 4 });
    const allowed = await build('--allow-destructive', 'article.body');
    expect(allowed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('migration 0002_drop_body_from_articles'),
    });
    expect(allowed.stderr).toContain('fails on "articles"."body", which no longer exists');
    const [, name = ''] = names();
    expect(readFileSync(path(name, 'sqlite/down.sql'), 'utf8')).toContain('ADD COLUMN "body" text');
    expect(await build('--check')).toMatchObject({ code: 0 });
  });
});

describe('built-in tables', () => {
  it('E11: stay when the last attribute that needs them goes, until they are named', async () => {
    write(TITLE, 'cover: { type: media }');
    await build();
    write(TITLE);
    const refused = await build();
    expect(refused).toMatchObject({ code: 3 });
    expect(refused.stderr).toContain('--allow-destructive article.cover');
    expect(refused.stderr).not.toContain('--allow-destructive file');
    expect(await build('--allow-destructive', 'article.cover')).toMatchObject({ code: 0 });
    const [, dropped = ''] = names();
    expect(readFileSync(path(dropped, 'sqlite/up.sql'), 'utf8')).not.toContain('DROP TABLE');
    expect(await build('--check')).toMatchObject({ code: 0 });
    expect(await build('--zero-downtime')).toMatchObject({ code: 0 });
    expect(names()).toHaveLength(2);
    const gone = await build('--allow-destructive', 'file');
    expect(gone.stderr).not.toContain('unneeded-consent');
    expect(readFileSync(path(names()[2] ?? '', 'sqlite/up.sql'), 'utf8')).toContain('DROP TABLE "files";');
    expect(await migrated()).toHaveLength(3);
    write(TITLE, 'cover: { type: media }');
    expect(await build()).toMatchObject({ code: 0 });
    expect(readFileSync(path(names()[3] ?? '', 'sqlite/up.sql'), 'utf8')).toContain('CREATE TABLE "files"');
  });
});

describe('names that were exchanged', () => {
  it('E01: are told of as long as they stand in the schema, and can be exchanged again', async () => {
    const swap = ['a: { type: string, renamedFrom: b }', 'b: { type: string, renamedFrom: a }'];
    const plain = ['a: { type: string }', 'b: { type: string }'];
    write(...plain);
    await build();
    write(...swap);
    await build();
    const again = await build();
    expect(again.stderr).toMatch(/schema\.yaml:6:\d+: info migrations\/exchanged: 'a' and 'b' have already exchanged/u);
    expect(names()).toHaveLength(2);
    write(...plain);
    await build();
    write(...swap);
    await build();
    expect(names()).toHaveLength(4);
    expect(readFileSync(path(names()[3] ?? '', 'sqlite/up.sql'), 'utf8')).toContain('RENAME COLUMN');
  });
});

describe('a build with --zero-downtime', () => {
  const renamed = 'headline: { type: string, renamedFrom: title }';

  it('writes two migrations, of which a start applies one, and later builds go on from both', async () => {
    write(TITLE);
    await build('--zero-downtime');
    expect(names()).toStrictEqual(['0001_create_article']);
    expect(await migrated()).toHaveLength(1);
    await start();
    write(renamed);
    const built = await build('--zero-downtime', '--json');
    const [, expand = '', contract = ''] = names();
    expect([expand, contract]).toStrictEqual([
      '0002_rename_title_to_headline__expand',
      '0003_rename_title_to_headline__contract',
    ]);
    const { migration, diagnostics } = JSON.parse(plain(built.stdout)) as {
      migration: string;
      diagnostics: readonly { code: string; message: string; hint?: string }[];
    };
    expect(migration).toBe(expand);
    const notes = diagnostics.filter(({ code }) => code === 'migrations/safety');
    expect(
      notes.map(({ message, hint = '' }) => [/__\w+/u.exec(message)?.[0], hint.includes('previous version')]),
    ).toEqual([
      ['__expand', false],
      ['__contract', true],
    ]);
    expect(diagnostics.find(({ code }) => code === 'migrations/contract')?.message).toContain('up --contract');
    expect(readFileSync(path(contract, 'sqlite/up.sql'), 'utf8')).toContain(
      '-- A starting server applies this part only to a database that no server has used.',
    );
    expect(await build('--check')).toMatchObject({ code: 0 });
    expect((await migrations('status')).stdout).toContain(
      `${contract}  waits for: npm run server -- migrate up --contract`,
    );
    expect((await migrated()).map(plain)).toStrictEqual([expand]);

    write(renamed, RANK);
    expect(await build()).toMatchObject({ code: 0, stdout: expect.stringContaining('0004_add_rank_to_articles') });
    await expect(migrated()).rejects.toThrow(/0004_add_rank_to_articles_\w+ comes after 0003_/u);
  });

  it('refuses what has no two parts, by name, with exit 3, and writes nothing', async () => {
    write(TITLE, RANK);
    await build();
    const before = sum();
    write(TITLE, 'rank: { type: float }');
    const { code, stderr, stdout } = await build('--zero-downtime');
    expect({ code, stdout }).toStrictEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(
      /^schema\.yaml:7:\d+: error migrations\/not-splittable: 'article\.rank' can't change without downtime: it changes from integer to float/u,
    );
    expect(stderr).toContain('help: Add an attribute of the new type');
    expect([sum(), names()]).toStrictEqual([before, ['0001_create_article']]);
    expect(await build()).toMatchObject({ code: 0 });
  });
});

describe('two branches that have each added a migration', () => {
  it('are found, with both places; rebase puts one after the other where they commute', async () => {
    await mergeBranches([TITLE, BODY], [TITLE, RANK], [TITLE, BODY, RANK]);
    const refused = await build();
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain(
      'migrations/branches-diverged: two branches have each added a migration after 0001_create_article',
    );
    expect(refused.stderr).toContain('migrations/0002_add_body_to_articles/plan.json');
    expect(refused.stderr).toContain('migrations/0002_add_rank_to_articles/plan.json');
    expect((await migrations('status')).code).toBe(3);
    const { code, stdout } = await migrations('rebase');
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Renamed 0002_add_rank_to_articles to 0003_add_rank_to_articles.'),
    });
    expect(names()).toStrictEqual(['0001_create_article', '0002_add_body_to_articles', '0003_add_rank_to_articles']);
    expect(existsSync(path('0002_add_rank_to_articles'))).toBe(false);
    expect(await migrations('status')).toMatchObject({ code: 0, stdout: expect.stringContaining('0003_add_rank') });
    const built = await build();
    expect(built).toMatchObject({ code: 0 });
    expect(names()).toHaveLength(3);
    expect(await build('--check')).toMatchObject({ code: 0 });
    expect(await migrated()).toStrictEqual(fullNames());
  });

  it('can be put into the other order, by name', async () => {
    await mergeBranches([TITLE, BODY], [TITLE, RANK], [TITLE, BODY, RANK]);
    expect((await migrations('rebase', '0009_nothing')).code).toBe(3);
    expect((await migrations('rebase', full('0002_add_body_to_articles'))).code).toBe(0);
    expect(names()).toStrictEqual(['0001_create_article', '0002_add_rank_to_articles', '0003_add_body_to_articles']);
  });

  it('are refused where they change the same thing, with both places in the schemas', async () => {
    const [text, code] = ['name: { type: text, renamedFrom: title }', 'code: { type: string, renamedFrom: title }'];
    await mergeBranches([text], [code], [text]);
    const before = sum();
    const { code: exit, stderr, stdout } = await migrations('rebase');
    expect({ exit, stdout }).toStrictEqual({ exit: 3, stdout: '' });
    expect(stderr).toMatch(/^schema\.yaml:6:1: error migrations\/conflict: .*both change the column articles\.title/u);
    expect(stderr.match(/schema\.yaml:6/gu)?.length).toBeGreaterThan(1);
    expect(sum()).toBe(before);
  });

  it('are found when the merge has dropped a line of the sum', async () => {
    await mergeBranches([TITLE, BODY], [TITLE, RANK], [TITLE, BODY, RANK]);
    const lines = sum().split('\n');
    writeFileSync(path('migrations.sum'), `${lines[0] ?? ''}\n${lines[2] ?? ''}\n`);
    expect((await build()).stderr).toContain('0002_add_rank_to_articles');
    expect((await migrations('rebase')).code).toBe(0);
    expect((await build()).code).toBe(0);
    expect(names().at(-1)).toBe('0003_add_rank_to_articles');
  });
});

describe('SQL of a person', () => {
  it('is added, sealed, kept by later builds, and applied', async () => {
    write(TITLE);
    await build();
    expect((await migrations('new', 'Fill It')).code).toBe(3);
    const { code, stdout } = await migrations('new', 'fill_titles');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('0002_fill_titles') });
    const up = path('0002_fill_titles', 'sqlite/up.sql');
    writeFileSync(up, `INSERT INTO "articles" ("title", "created_at", "updated_at") VALUES ('a', 'x', 'x');\n`);
    const delicate = '-- content-gen: each by itself\nDELETE FROM "articles";\nDELETE FROM "articles";\n';
    writeFileSync(path('0002_fill_titles', 'sqlite/down.sql'), delicate);
    expect(await migrations('seal')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Sealed 0002_fill_titles'),
    });
    const scriptOf = (direction: string): unknown =>
      JSON.parse(readFileSync(path('0002_fill_titles', 'plan.json'), 'utf8')).scripts.sqlite[direction].parts;
    expect([scriptOf('up'), scriptOf('down')]).toStrictEqual([
      [{ runs: 'transaction', statements: 1 }],
      [{ runs: 'each', statements: 2 }],
    ]);
    writeFileSync(path('0002_fill_titles', 'sqlite/down.sql'), '-- nothing to do\n');
    expect((await migrations('seal')).code).toBe(0);
    expect(scriptOf('down')).toStrictEqual([]);
    expect(await migrations('seal')).toMatchObject({
      code: 0,
      stdout: 'Nothing to seal: no migration was added or edited.\n',
    });
    write(TITLE, BODY);
    expect(await build()).toMatchObject({ code: 0 });
    expect(await build('--check')).toMatchObject({ code: 0 });
    expect(readFileSync(up, 'utf8')).toContain('INSERT INTO');
    expect((await migrations('status')).stdout).toMatch(
      /0002_fill_titles {2}handwritten\n0003_add_body_to_articles\n/u,
    );
    expect(await migrated()).toHaveLength(3);
    const database = await openSqlite({ path: join(folder, 'data.db') });
    expect(await database.all(raw('SELECT title FROM articles'))).toHaveLength(1);
    await database.close();
  });

  it('is not sealed while it ends the transaction, and its line is named', async () => {
    write(TITLE);
    await build();
    await migrations('new', 'own');
    const up = path('0002_own', 'sqlite/up.sql');
    writeFileSync(path('0002_own', 'sqlite/down.sql'), 'ROLLBACK');
    writeFileSync(up, `UPDATE "articles" SET "title" = 'COMMIT;';\n-- COMMIT;\n  commit;\nVACUUM;\n`);
    const { code, stderr } = await migrations('seal');
    expect(code).toBe(3);
    expect(stderr.match(/0002_own\/sqlite\/\S+: error migrations\/refused-statement: .*/gu)).toStrictEqual([
      '0002_own/sqlite/down.sql:1:1: error migrations/refused-statement: `ROLLBACK` would end, split or change the transaction in which the migrator runs the migration',
      '0002_own/sqlite/up.sql:3:1: error migrations/refused-statement: `commit` would end, split or change the transaction in which the migrator runs the migration',
      "0002_own/sqlite/up.sql:4:1: error migrations/refused-statement: `VACUUM` can't run in a transaction, and the migrator runs migrations in one",
    ]);
    writeFileSync(up, Buffer.from('SELECT 1;', 'utf16le'));
    expect((await migrations('seal')).stderr).toContain('the file is not UTF-8');
    writeFileSync(up, 'SELECT 1');
    writeFileSync(path('0002_own', 'sqlite/down.sql'), '\uFEFF-- nothing to do');
    expect(await migrations('seal')).toMatchObject({ code: 0 });
  });

  it('E05: has a name that no other branch gives it, also in two parts', async () => {
    write(TITLE);
    await build();
    cpSync(join(folder, 'blog'), join(folder, 'other'), { recursive: true });
    await migrations('new', 'copy_it__contract');
    await run('migrations', 'new', 'copy_it__contract', '--out', 'other');
    const [, ours = ''] = fullNames();
    const [, theirs = ''] = readdirSync(join(folder, 'other/migrations'));
    expect(ours).not.toBe(theirs);
    for (const name of [ours, theirs]) expect(name).toMatch(/^0002_copy_it_[0-9a-f]{8}__contract$/u);
  });

  const INSERT = `INSERT INTO "articles" ("title", "created_at", "updated_at") VALUES ('a', 'x', 'x');\n`;
  const finish = (name: string, dialect = 'sqlite'): void => {
    writeFileSync(path(name, dialect, 'up.sql'), INSERT);
    writeFileSync(path(name, dialect, 'down.sql'), '/* kept */\n  -- Nothing to do: rows stay\n');
  };

  it('N02: is applied by nothing before it is sealed, holds back later ones, and can be given up', async () => {
    write(TITLE);
    await build();
    const before = sum();
    await migrations('new', 'fill_titles');
    expect(sum()).toBe(before);
    expect((await migrations('status')).stdout).toContain('0002_fill_titles  not sealed, so no server applies it');
    expect((await migrated()).map(plain)).toStrictEqual(['0001_create_article']);
    expect(await build()).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('warning migrations/unsealed: 0002_fill_titles is not sealed yet'),
    });
    // It can be written bit by bit while the server is restarted all the time.
    finish('0002_fill_titles');
    expect(await migrated()).toStrictEqual([]);
    write(TITLE, BODY);
    const refused = await build();
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toContain(
      'error migrations/unsealed: 0002_fill_titles is not sealed yet, but the schema needs',
    );
    expect(refused.stderr).toContain(`content-gen migrations drop 0002_fill_titles`);
    expect(await migrations('drop', full('0002_fill_titles'))).toMatchObject({
      code: 0,
      stdout: 'Dropped 0002_fill_titles.\n',
    });
    expect(names()).toStrictEqual(['0001_create_article']);
    expect((await build()).code).toBe(0);
    expect(names()).toStrictEqual(['0001_create_article', '0002_add_body_to_articles']);
    expect(await migrated()).toHaveLength(1);
  });

  it('N02: gets a number after those of a branch that came first', async () => {
    write(TITLE);
    await build();
    cpSync(join(folder, 'blog'), join(folder, 'other'), { recursive: true });
    await migrations('new', 'a_fill');
    finish('0002_a_fill');
    write(TITLE, BODY);
    expect((await run('build', 'schema.yaml', '--out', 'other')).code).toBe(0);
    cpSync(join(folder, 'other'), join(folder, 'blog'), { recursive: true });
    expect(await migrated()).toHaveLength(2);
    expect((await migrations('seal')).stdout).toContain('Sealed 0002_a_fill and renamed it to 0003_a_fill');
    expect(names()).toStrictEqual(['0001_create_article', '0002_add_body_to_articles', '0003_a_fill']);
    expect(readFileSync(path('0003_a_fill', 'sqlite/up.sql'), 'utf8')).toBe(INSERT);
    expect((await build()).code).toBe(0);
    expect((await migrated()).map(plain)).toStrictEqual(['0003_a_fill']);
  });

  it.each(['up', 'down'])(
    'N01: is not sealed while a database of the project has an empty %s script',
    async (direction) => {
      const both = (): void => {
        write(TITLE);
        const text = readFileSync(join(folder, 'schema.yaml'), 'utf8');
        writeFileSync(join(folder, 'schema.yaml'), text.replace('[sqlite]', '[sqlite, postgres]'));
      };
      both();
      await build();
      await migrations('new', 'copy_color');
      finish('0002_copy_color');
      finish('0002_copy_color', 'postgres');
      const script = path('0002_copy_color', 'postgres', `${direction}.sql`);
      const before = sum();
      const texts = [
        '',
        '-- to come\n/* INSERT INTO "articles" */\n',
        '-- If nothing has to be done: -- nothing to do\n',
      ];
      for (const text of texts) {
        writeFileSync(script, text);
        const { code, stderr, stdout } = await migrations('seal');
        expect({ code, stdout }).toStrictEqual({ code: 3, stdout: '' });
        expect(stderr).toContain(
          `migrations/0002_copy_color/postgres/${direction}.sql:1:1: error migrations/unwritten`,
        );
        expect(stderr).toContain('has no statements for PostgreSQL');
        expect(stderr).toContain('-- nothing to do');
      }
      rmSync(script);
      expect((await migrations('seal')).stderr).toContain(`has no ${direction}.sql for PostgreSQL`);
      expect(sum()).toBe(before);
      writeFileSync(script, '-- nothing to do\n');
      expect((await migrations('seal')).code).toBe(0);
      expect((await build()).code).toBe(0);
      expect((await build('--check')).code).toBe(0);
    },
  );

  it('N01: is asked for when a database is added, and nothing is written without it', async () => {
    write(TITLE);
    await build();
    await migrations('new', 'copy_color');
    finish('0002_copy_color');
    expect((await migrations('seal')).code).toBe(0);
    write(TITLE, BODY);
    expect((await build()).code).toBe(0);
    const text = readFileSync(join(folder, 'schema.yaml'), 'utf8');
    writeFileSync(join(folder, 'schema.yaml'), text.replace('[sqlite]', '[sqlite, mysql]'));
    const refused = await build();
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    for (const direction of ['up', 'down']) {
      expect(refused.stderr).toContain(`0002_copy_color has no ${direction}.sql for MySQL and MariaDB`);
      expect(refused.stderr).toContain(`to migrations/0002_copy_color/mysql/${direction}.sql, or the line`);
    }
    expect(refused.stderr).not.toContain('0001_create');
    expect(readdirSync(path('0001_create_article'))).toStrictEqual(['plan.json', 'sqlite']);
    mkdirSync(path('0002_copy_color', 'mysql'));
    finish('0002_copy_color', 'mysql');
    expect(await build()).toMatchObject({ code: 3, stderr: expect.stringContaining('content-gen migrations seal') });
    expect((await migrations('seal')).code).toBe(0);
    expect((await build()).code).toBe(0);
    expect(readFileSync(path('0002_copy_color', 'mysql/up.sql'), 'utf8')).toBe(INSERT);
    expect(readdirSync(path('0003_add_body_to_articles'))).toContain('mysql');
    for (const name of ['0001_create_article', '0003_add_body_to_articles']) {
      expect(JSON.parse(readFileSync(path(name, 'plan.json'), 'utf8'))).toHaveProperty('scripts.mysql.up.parts');
    }
    expect((await build('--check')).code).toBe(0);
  });

  it('is not for folders that hold no project', async () => {
    expect(await run('migrations', 'new', 'x')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no project'),
    });
  });
});

describe('a migration that is given up', () => {
  it('E05: must be the last of its branch, and leaves what the build plans anew', async () => {
    write(TITLE);
    await build();
    write(TITLE, BODY);
    await build();
    const [first, second] = [full('0001_create_article'), full('0002_add_body_to_articles')];
    expect(await migrations('drop', '0009_nothing')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('migration 0009_nothing does not exist'),
    });
    const refused = await migrations('drop', first);
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('because 0002_add_body_to_articles comes after it'),
    });
    const before = sum();
    const dropped = await migrations('drop', second);
    expect(dropped).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Dropped 0002_add_body_to_articles. Servers of this project refuse databases'),
    });
    expect(names()).toStrictEqual(['0001_create_article']);
    expect(await build()).toMatchObject({ code: 0 });
    expect(sum()).toBe(before);
    expect(await build('--check')).toMatchObject({ code: 0 });
  });

  it('is the last one where none is named', async () => {
    write(TITLE);
    await build();
    await migrations('new', 'fill_titles');
    expect((await migrations('drop')).stdout).toContain('Dropped 0002_fill_titles');
    expect(names()).toStrictEqual(['0001_create_article']);
    expect((await migrations('drop')).stdout).toContain('Dropped 0001_create_article.');
    const { code, stderr } = await migrations('drop');
    expect(code).toBe(3);
    expect(stderr).toContain('no migration specified, and no single migration is the last one');
  });

  it('E05: ends a conflict of two branches', async () => {
    const [text, code] = ['name: { type: text, renamedFrom: title }', 'code: { type: string, renamedFrom: title }'];
    await mergeBranches([text], [code], [text]);
    const [, help = ''] = /content-gen migrations (drop \S+)/u.exec((await migrations('rebase')).stderr) ?? [];
    const [, name = ''] = help.split(' ');
    expect((await migrations('drop', full(name))).code).toBe(0);
    expect(sum()).not.toContain('<<<<');
    expect((await build('--allow-destructive', 'article.code', '--allow-destructive', 'article.title')).code).toBe(0);
    expect((await build('--check')).code).toBe(0);
    expect(await migrated()).toStrictEqual(fullNames());
  });
});

describe('a merge of two migrations of one name, as they were named once', () => {
  it('E05: is one message by every command, and what it says to do leads to a build', async () => {
    write(TITLE);
    await build();
    const ours = new Map<string, string>();
    const merge = (path: string, theirs: string): void => {
      const text = readFileSync(path, 'utf8');
      ours.set(path, text);
      writeFileSync(path, `<<<<<<< HEAD\n${text}=======\n${theirs}>>>>>>> other\n`);
    };
    for (const file of ['plan.json', 'sqlite/up.sql', 'sqlite/down.sql']) {
      merge(path('0001_create_article', file), 'x\n');
    }
    merge(path('migrations.sum'), `${full('0001_create_article')} ${'0'.repeat(64)}\n`);
    const messages: string[] = [];
    for (const command of [
      () => build(),
      () => build('--check'),
      () => migrations('status'),
      () => migrations('seal'),
    ]) {
      const { code, stderr } = await command();
      expect([3, 4]).toContain(code);
      messages.push(stderr);
    }
    for (const text of messages) {
      expect(text.match(/ error /gu)).toHaveLength(1);
      expect(text).toContain('plan.json:1:1: error migrations/branches-merged: merge conflict in 0001_create_article');
      expect(text).toContain('git checkout --ours -- migrations');
    }
    for (const [path, text] of ours) writeFileSync(path, text);
    expect((await build()).code).toBe(0);
  });
});

describe('a folder migrations/ that is gone', () => {
  it('E12: is noticed by the manifest: nothing begins anew', async () => {
    write(TITLE);
    await build();
    write(TITLE, BODY);
    await build();
    const [first, second] = [full('0001_create_article'), full('0002_add_body_to_articles')];
    cpSync(root(), join(folder, 'kept'), { recursive: true });
    rmSync(root(), { recursive: true });
    for (const command of [
      () => build(),
      () => build('--check'),
      () => migrations('status'),
      () => migrations('new', 'x'),
    ]) {
      const { code, stderr } = await command();
      expect([3, 4]).toContain(code);
      expect(stderr).toContain(
        'error migrations/lost: the folder migrations/ is missing, which contained 0001_create_article and 1 more',
      );
      expect(stderr).toContain('git restore --source=HEAD -- migrations');
    }
    expect(existsSync(root())).toBe(false);
    cpSync(join(folder, 'kept'), root(), { recursive: true });
    expect((await build()).code).toBe(0);

    // One folder and its line.
    rmSync(path('0002_add_body_to_articles'), { recursive: true });
    writeFileSync(path('migrations.sum'), `${sum().split('\n')[0] ?? ''}\n`);
    const { code, stderr } = await build();
    expect(code).toBe(3);
    expect(stderr).toContain('0002_add_body_to_articles is missing from migrations/');
    expect(stderr).toContain('content-gen migrations drop 0002_add_body_to_articles');
    expect((await migrations('drop', second)).code).toBe(0);
    expect((await build()).code).toBe(0);
    expect(fullNames()).toStrictEqual([first, second]);
  });

  it('E12: can be given up, migration by migration', async () => {
    write(TITLE);
    await build();
    const name = full('0001_create_article');
    rmSync(root(), { recursive: true });
    expect((await migrations('drop', name)).code).toBe(0);
    expect((await build()).code).toBe(0);
    expect(fullNames()).toStrictEqual([name]);
  });
});
