/**
 * A database of version 0.2.0 with content in all states gets published versions beside its drafts. The rows and the answers in
 * `histories/drafts-0.2` are those of a server of that version. `ENTRIES` is how many there are: copies of the recorded ones.
 */
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { migrate } from '../templates/runtime/src/migrator/migrate.ts';
import { createDatabase, sqliteDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import {
  createToken,
  openProject,
  type TestProject,
  type TestServer,
} from '../templates/runtime/test-support/test-project.ts';
import { copyOf, originalAnswer, requestOfCopy, type Rows } from './support/copied-rows.ts';
import { root } from './support/project.ts';
import { buildAfterOld } from './support/served-project.ts';

const HISTORY = join(root, 'test/histories/drafts-0.2');

async function recorded<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(join(HISTORY, file), 'utf8')) as T;
}

const rows = await recorded<Rows>('rows.json');
const answers = await recorded<Readonly<Record<string, unknown>>>('answers.json');

/** Recorded entries of collection types. */
const RECORDED = ['stories', 'authors', 'topics', 'tags', 'desks'].flatMap((table) => rows[table] ?? []).length;
const COPIES = Math.ceil(Number(process.env['ENTRIES'] ?? RECORDED) / RECORDED);
/** The copies whose answers are compared. */
const COMPARED = [...new Set([0, Math.floor(COPIES / 2), COPIES - 1])];
const COPIES_AT_ONCE = 100;
const TIMEOUT = 60_000 + COPIES * 500;

/** A value as any column takes it. */
function literal(value: unknown, dialect: TestDatabase['dialect']): string {
  if (value === null) return 'NULL';
  const text = String(value).replaceAll("'", "''");
  if (dialect !== 'mysql') return `'${text}'`;
  return `'${text.replaceAll('\\', '\\\\').replace(/^(\d{4}-\d\d-\d\d)T([\d:.]+)Z$/u, '$1 $2')}'`;
}

const UNCHECKED = {
  sqlite: ['PRAGMA foreign_keys = OFF', 'PRAGMA foreign_keys = ON'],
  postgres: ['SET session_replication_role = replica', 'SET session_replication_role = DEFAULT'],
  mysql: ['SET foreign_key_checks = 0', 'SET foreign_key_checks = 1'],
} as const;

/** Statements for the recorded rows and their copies, in tables that refer to each other in circles. */
function* filling({ dialect, id }: TestDatabase): Generator<string> {
  const [first, last] = UNCHECKED[dialect];
  for (let start = 0; start < COPIES; start += COPIES_AT_ONCE) {
    const count = Math.min(COPIES_AT_ONCE, COPIES - start);
    const copies = Array.from({ length: count }, (_, index) => copyOf(rows, start + index));
    const inserts = Object.entries(rows).flatMap(([table, [one = {}]]) => {
      const all = copies.flatMap((copy) => copy[table] ?? []);
      if (all.length === 0) return [];
      const values = all.map(
        (row) =>
          `(${Object.values(row)
            .map((value) => literal(value, dialect))
            .join(', ')})`,
      );
      return [`INSERT INTO ${id(table)} (${Object.keys(one).map(id).join(', ')}) VALUES ${values.join(', ')}`];
    });
    yield [first, ...inserts, last].join(';\n');
  }
}

/** The rows of a table, in an order of their own. */
async function rowsOf({ rows: all, id }: TestDatabase, table: string): Promise<readonly string[]> {
  const columns = Object.keys(rows[table]?.[0] ?? {}).map(id);
  const found = await all(`SELECT ${columns.join(', ')} FROM ${id(table)}`);
  return found
    .map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? Number(value) : value)))
    .sort();
}

/** The rows of all tables that had content before; of many, a hash. */
async function contentOf(database: TestDatabase): Promise<unknown> {
  const content: unknown[] = [];
  for (const table of Object.keys(rows)) {
    const found = await rowsOf(database, table);
    const isMany = found.length > 1000;
    content.push([table, found.length, isMany ? createHash('sha256').update(found.join('\n')).digest('hex') : found]);
  }
  return content;
}

describe.each(await testedEngines())('content of version 0.2.0 on %s', (dialect) => {
  let folder: string;
  let made: TestDatabase;
  let database: Database;
  let project: TestProject;
  let server: TestServer;
  let token: string;
  let before: unknown;
  let catalogue: readonly string[];
  let first: string;
  const directory = (): string => join(folder, 'project/migrations');
  /** All but what migrations keep for themselves. */
  const catalogueNow = async () => (await made.catalogue()).filter((line) => !line.includes('_migration_progress'));

  beforeAll(async () => {
    folder = await mkdtemp(join(root, '.tmp', 'drafts-of-former-'));
    made = dialect === 'sqlite' ? await sqliteDatabase(join(folder, 'data.db')) : await createDatabase(dialect, 'former_drafts'); // prettier-ignore
    database = await openDatabase(made.url);
    await cp(join(HISTORY, 'migrations'), directory(), { recursive: true });
    [first = ''] = (await readdir(directory())).filter((name) => name.startsWith('0'));
    await migrate(database, { directory: directory(), dialect }, 'up');
    for (const script of filling(made)) await made.script(script);
    before = await contentOf(made);
    catalogue = await catalogueNow();
    await buildAfterOld(join(HISTORY, 'schema.yaml'), folder);
    await migrate(database, { directory: directory(), dialect }, 'up');
    const app = (await import(pathToFileURL(join(folder, 'project/src/generated/app.ts')).href)) as {
      definition: TestProject['definition'];
    };
    project = await openProject(app.definition);
    server = await project.start({ DATABASE_URL: made.url });
    token = await createToken(database, { kind: 'full-access' });
  }, TIMEOUT);
  afterAll(async () => {
    await server?.close();
    await project?.remove();
    await database?.close();
    await made?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const down = () => migrate(database, { directory: directory(), dialect, to: first, keepsContent: true }, 'down');

  it('is answered as before, to visitors and editors, in both formats', async () => {
    for (const [request, expected] of Object.entries(answers)) {
      const [format = '', path = ''] = request.split(/ (.*)/su);
      const headers = { 'Strapi-Response-Format': format };
      // Single types have no copies, and names in copies are others.
      const copies = path.startsWith('/home') || path.includes('Ada') ? [0] : COMPARED;
      for (const copy of copies) {
        const ofCopy = COPIES > 1 && !path.startsWith('/home') ? requestOfCopy(path, copy) : path;
        const { body } = await server.send('GET', `/api${ofCopy}`, { token, headers });
        expect(copy === 0 ? body : originalAnswer(body, rows, copy), `${ofCopy}`).toEqual(expected);
      }
    }
  });

  it(
    'is as it was after the migration is undone, and is migrated again',
    async () => {
      await down();
      expect(await contentOf(made)).toEqual(before);
      expect(await catalogueNow()).toEqual(catalogue);
      await migrate(database, { directory: directory(), dialect }, 'up');
    },
    TIMEOUT,
  );

  it('is not taken back once a draft differs from what is published', async () => {
    const put = async (path: string, data: object) =>
      (await server.send('PUT', `/api${path}`, { token, body: { data } })).status;
    expect(await put('/topics/1?status=draft', { stories: { connect: [6] } })).toBe(200);
    await expect(down()).rejects.toThrow(/drafts: everyone could read 1 row of stories_topics_links$/mu);
    expect(await put('/stories/1?status=draft', { title: 'Changed' })).toBe(200);
    await expect(down()).rejects.toThrow('published versions of entries whose drafts have changed since');
  });
});
