/** Unique values are unique within a tenant, in the database and in messages, on each engine; and become so with the rows kept. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { migrate, migrateUp } from '../templates/runtime/src/migrator/migrate.ts';
import { createDatabase, sqliteDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { driftAfter, filesOfPlans } from './support/drift.ts';
import { modelsOf } from './support/evolving-model.ts';
import { openSchema } from './support/served-project.ts';
import { nextPlan, readBack, writePlans } from './support/written-migrations.ts';

const schemaOf = (tenant: string) => `
name: tenants
databases: [sqlite, postgres, mysql]
locales: [en, fr]
contentTypes:
  site:
    attributes:
      name: { type: string }
  page:
    ${tenant}
    unique: [[kind, rank]]
    indexes: [[rank, -kind]]
    attributes:
      title: { type: string }
      slug: { type: uid, targetField: title, required: true }
      code: { type: string, unique: true }
      kind: { type: string }
      rank: { type: integer, index: true }
      site: { type: relation, relation: manyToOne, target: site, required: true }
  product:
    localized: true
    ${tenant}
    attributes:
      title: { type: string }
      sku: { type: string, unique: true, localized: false }
      site: { type: relation, relation: manyToOne, target: site, required: true, localized: false }
`;
const PLAIN = modelsOf(schemaOf(''));
const WITHIN = modelsOf(schemaOf('tenant: site'));

describe.each(await testedEngines())('tenants on %s', (engine) => {
  let project: TestProject;
  let opened: TestDatabase | undefined;
  let server: TestServer;
  let rows: Database;
  let token: string;

  beforeAll(async () => {
    project = await openSchema(schemaOf('tenant: site'));
    if (engine !== 'sqlite') opened = await createDatabase(engine, `tenants_${process.pid}`);
    const url = opened?.url ?? project.urlOf('test');
    server = await project.start({ DATABASE_URL: url });
    rows = await openDatabase(url);
    token = await createToken(rows, { kind: 'full-access' });
  }, 120_000);
  afterAll(async () => {
    await rows?.close();
    await server?.close();
    await opened?.drop();
    await project?.remove();
  });

  const send = (method: string, path: string, data: object) =>
    server.send(method, `/api/${path}`, { token, body: { data } });
  async function create(path: string, data: object) {
    const answer = await send('POST', path, data);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  }
  const messagesOf = async (answer: ReturnType<typeof send>) => {
    const { status, body, text } = await answer;
    expect(status, text).toBe(400);
    return (body.error.details.errors ?? []).map(({ message }: { message: string }) => message);
  };
  const TAKEN = ['This attribute must be unique'];

  it('have unique values and uids of their own', async () => {
    const [one, two] = [(await create('sites', {})).id, (await create('sites', {})).id];
    const first = await create('pages', { title: 'Hello', code: 'a', kind: 'x', rank: 1, site: one });
    const second = await create('pages', { title: 'Hello', code: 'a', kind: 'x', rank: 1, site: two });
    expect([first.attributes.slug, second.attributes.slug]).toEqual(['hello', 'hello']);
    expect((await create('pages', { title: 'Hello', site: two })).attributes.slug).toBe('hello-1');
    expect(await messagesOf(send('POST', 'pages', { code: 'a', site: one }))).toEqual(TAKEN);
    expect(await messagesOf(send('PUT', `pages/${(await create('pages', { site: one })).id}`, { code: 'a' }))).toEqual(
      TAKEN,
    );
    expect(await messagesOf(send('PUT', `pages/${first.id}`, { site: two, slug: 'other', kind: 'y' }))).toHaveLength(1);
    expect(await messagesOf(send('POST', 'pages', { kind: 'x', rank: 1, site: one }))).toEqual([
      'The combination of kind and rank must be unique',
      'The combination of kind and rank must be unique',
    ]);
    expect((await send('PUT', `pages/${first.id}`, { code: 'b', title: 'New' })).status).toBe(200);
  });

  it('have shared values of localized types of their own', async () => {
    const [one, two] = [(await create('sites', {})).id, (await create('sites', {})).id];
    const first = await create('products', { sku: 's', site: one });
    await create('products', { sku: 's', site: two });
    expect(await messagesOf(send('POST', 'products', { sku: 's', site: one }))).toEqual(TAKEN);
    const added = await server.send('POST', `/api/products/${first.id}/localizations`, {
      token,
      body: { locale: 'fr' },
    });
    expect(added.status, added.text).toBe(201);
  });

  it('come and go by migrations that keep all rows', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    const database =
      engine === 'sqlite'
        ? await sqliteDatabase(join(folder, 'data.db'))
        : await createDatabase(engine, `tenants_m_${process.pid}`);
    const created = nextPlan(PLAIN, [], []);
    const plans = readBack([], [created, nextPlan(WITHIN, [created], [])]);
    const run = async (work: 'up' | 'down', some: typeof plans) => {
      await rm(join(folder, 'migrations'), { recursive: true, force: true });
      const directory = await writePlans(folder, some);
      const at = await openDatabase(database.url);
      try {
        if (work === 'up') await migrateUp(at, directory);
        else await migrate(at, { directory, dialect: engine }, 'down');
      } finally {
        await at.close();
      }
    };
    try {
      await run('up', plans.slice(0, 1));
      const now = engine === 'mysql' ? "'2024-01-01 00:00:00'" : "'2024-01-01T00:00:00.000Z'";
      const insert = (table: string, columns: string, values: string) =>
        database.script(`INSERT INTO ${table} (created_at, updated_at, ${columns}) VALUES (${now}, ${now}, ${values})`);
      const page = (id: number, site: number) => insert('pages', 'id, slug, code, site_id', `${id}, 's', 'c', ${site}`);
      await insert('sites', 'id', '1');
      await insert('sites', 'id', '2');
      await page(1, 1);
      await expect(page(2, 2)).rejects.toThrow();
      await run('up', plans);
      expect(await driftAfter(database, filesOfPlans(plans, engine))).toEqual([]);
      await page(2, 2);
      await expect(page(3, 2)).rejects.toThrow();
      await expect(run('down', plans)).rejects.toThrow();
      await database.script('DELETE FROM pages WHERE id = 2');
      await run('down', plans);
      expect(await driftAfter(database, filesOfPlans(plans.slice(0, 1), engine))).toEqual([]);
      expect(await database.rows('SELECT id FROM pages')).toHaveLength(1);
    } finally {
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('are the first column of each index, and in the descriptor', () => {
    const { tables } = WITHIN.storage;
    const indexes = tables.find(({ name }) => name === 'pages')?.indexes.map(({ columns }) => columns.join()) ?? [];
    expect(indexes.toSorted()).toEqual([
      'site_id',
      'site_id,code',
      'site_id,kind,rank',
      'site_id,rank,id',
      'site_id,rank,kind,id',
      'site_id,slug',
    ]);
    expect(project.definition.contentTypes.types['page']).toMatchObject({
      tenant: 'site',
      unique: [['site', 'kind', 'rank']],
      indexes: [['site', 'rank'], ['site', 'rank', '-kind']], // prettier-ignore
    });
    expect(
      nextPlan(PLAIN, [nextPlan(WITHIN, [], [])], ['page.slug', 'page.code', 'page.kind+rank', 'product.sku']),
    ).toBeDefined();
    expect(() => nextPlan(PLAIN, [nextPlan(WITHIN, [], [])], [])).toThrow("'page.slug' becomes unique");
  });
});
