/** Who has created an entry, and who has changed it last: set by the server alone, and shown to those who may find users. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { raw, sql } from '../templates/runtime/src/database/sql.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: creators
databases: [sqlite, postgres, mysql]
locales: [en, de]
api: { format: v4 }
contentTypes:
  article:
    creatorFields: true
    draftAndPublish: true
    history: true
    trash: 30d
    attributes:
      title: { type: string, required: true }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
  page:
    creatorFields: true
    localized: true
    attributes:
      title: { type: string }
      code: { type: string, localized: false }
  tag: { attributes: { name: { type: string }, articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags } } }
permissions:
  public: { article: [find] }
  authenticated:
    article: [find, findOne, create, preview, history, { update: { where: { createdBy: $user } } }, delete]
    page: '*'
    tag: '*'
`;

const V5 = { 'Strapi-Response-Format': 'v5' };

let project: TestProject & { readonly folder: string };
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

it('has no column in types without the option, and tells of it in openapi.json and types', async () => {
  const read = (path: string) => readFile(join(project.folder, path), 'utf8');
  const database = await read('src/generated/database.ts');
  expect(database.match(/createdBy/gu)?.length).toBe(2);
  const { schemas } = JSON.parse(await read('openapi.json')).components;
  const named = Object.keys(schemas).filter((name) =>
    JSON.stringify(schemas[name].properties)?.includes('"createdBy"'),
  );
  expect(named.some((name) => /Article/u.test(name))).toBe(true);
  expect(named.filter((name) => /Tag|Request|Input|Create|Update/u.test(name))).toEqual([]);
  const types = await read('client/types.d.ts');
  expect(types).toContain('createdBy?:');
  expect(types).not.toContain('ServerOnly');
});

describe.each(await testedEngines())('on %s', (engine) => {
  let made: TestDatabase | undefined;
  let database: Database;
  let server: TestServer;
  let admin: string;
  const people: Record<string, { id: number; jwt: string }> = {};
  beforeAll(async () => {
    if (engine !== 'sqlite') made = await createDatabase(engine, 'creators');
    const url = made?.url ?? project.urlOf('creators');
    const hooks = {
      article: { beforeUpdate: ({ data }: any) => ({ ...data, createdBy: 1, updatedBy: null }) },
      tag: {
        afterCreate: ({ entry, context }: any) =>
          context.entries.article.update(Number(entry.attributes.name), { title: 'By own code', updatedBy: 1 }),
      },
    };
    server = await project.start({ DATABASE_URL: url }, { hooks } as any);
    database = await openDatabase(url);
    admin = await createToken(database, { kind: 'full-access' });
    for (const name of ['ann', 'bob']) people[name] = await server.register(name);
  });
  afterAll(async () => {
    await server?.close();
    await database?.close();
    await made?.drop();
  });

  const ask = (method: string, path: string, by: string, data?: unknown, headers?: Record<string, string>) =>
    server.send(method, `/api/${path}`, {
      token: people[by]?.jwt ?? admin,
      ...(data !== undefined && { body: { data } }),
      ...(headers && { headers }),
    });
  /** The names of both, in a state, as those see them who may find users. */
  const writers = async (path: string, query = 'publicationState=preview') => {
    const { body } = await ask('GET', `${path}?populate=createdBy,updatedBy&${query}`, 'admin');
    const { createdBy, updatedBy } = body.data.attributes;
    return [createdBy, updatedBy].map((one) => one.data?.attributes.username ?? null);
  };

  it('are set by every write from its caller, whatever the body says', async () => {
    const echo = { createdBy: people['bob']?.id, updatedBy: 1 };
    const { body } = await ask('POST', 'articles', 'ann', { title: 'One', ...echo });
    const { id } = body.data;
    const path = `articles/${id}`;
    expect(await writers(path)).toEqual(['ann', 'ann']);
    expect((await ask('PUT', path, 'bob', { title: 'Two' })).status).toBe(403);
    await ask('PUT', `${path}?status=draft`, 'admin', { title: 'Three', ...echo });
    expect([await writers(path), await writers(path, '')]).toEqual([
      ['ann', null],
      ['ann', 'ann'],
    ]);
    await ask('POST', `${path}/actions/publish`, 'ann');
    // Own code changes no user that is there.
    await ask('POST', 'tags', 'admin', { name: String(id) });
    expect((await ask('GET', path, 'admin')).body.data.attributes.title).toBe('By own code');
    expect(await writers(path, '')).toEqual(['ann', 'ann']);
    const { documentId } = body.data.attributes;
    const refused = await ask('PUT', `articles/${documentId}`, 'admin', { createdBy: 1 }, V5);
    expect([refused.status, refused.body.error.message]).toEqual([400, 'Invalid key createdBy at createdBy']);
    const created = await ask('POST', 'articles?populate=*', 'admin', { title: 'By nobody' });
    expect(created.body.data.attributes.createdBy).toEqual({ data: null });
    await ask('DELETE', path, 'bob');
    await ask('POST', `${path}/actions/restore`, 'admin');
    expect(await writers(path)).toEqual(['ann', 'ann']);
  });

  it('are of each locale, and follow its time of change', async () => {
    const { id } = (await ask('POST', 'pages', 'ann', { title: 'One', code: 'a' })).body.data;
    const other = (
      await server.send('POST', `/api/pages/${id}/localizations`, {
        token: people['bob']?.jwt,
        body: { locale: 'de', title: 'Eins' },
      })
    ).body.id;
    expect([await writers(`pages/${id}`), await writers(`pages/${other}`)]).toEqual([
      ['ann', 'ann'],
      ['bob', 'bob'],
    ]);
    await ask('PUT', `pages/${other}`, 'ann', { title: 'Zwei' });
    expect([await writers(`pages/${id}`), await writers(`pages/${other}`)]).toEqual([
      ['ann', 'ann'],
      ['bob', 'ann'],
    ]);
    await ask('PUT', `pages/${other}`, 'bob', { code: 'b' });
    expect([await writers(`pages/${id}`), await writers(`pages/${other}`)]).toEqual([
      ['ann', 'bob'],
      ['bob', 'bob'],
    ]);
  });

  it('are shown, filtered and sorted by only for those who may find users', async () => {
    await ask('POST', 'articles', 'bob', { title: 'Of Bob' });
    const query = `articles?filters[createdBy][username]=bob`;
    expect((await ask('GET', query, 'admin')).body.data).toHaveLength(1);
    for (const [path, by] of [
      [query, 'ann'],
      ['articles?sort=createdBy.username', 'ann'],
      ['articles?filters[updatedBy][id][$notNull]=true', 'ann'],
    ] as const) {
      expect([path, (await ask('GET', path, by)).status]).toEqual([path, 400]);
    }
    const { body } = await ask('GET', 'articles?populate=*', 'ann');
    expect(body.data.length).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toMatch(/createdBy|updatedBy|bob/u);
    expect(JSON.stringify((await server.send('GET', '/api/articles?populate=*', {})).body)).not.toContain('createdBy');
  });

  it('are in versions and answers of a time, and a user can be deleted whatever they have written', async () => {
    const eve = await server.register('eve');
    people['eve'] = eve;
    const { id } = (await ask('POST', 'articles', 'eve', { title: 'Of Eve' })).body.data;
    await ask('PUT', `articles/${id}`, 'admin', { title: 'Changed' });
    const versions = (await ask('GET', `articles/${id}/history`, 'admin')).body.data;
    const shown = async (version: number) => {
      const { body } = await ask('GET', `articles/${id}/history/${version}?populate=createdBy,updatedBy`, 'admin');
      const { createdBy, updatedBy } = body.data.attributes;
      return [createdBy, updatedBy].map(({ data }) => data?.attributes.username ?? null);
    };
    const first = versions.at(-1).version;
    expect(await shown(first)).toEqual(['eve', 'eve']);
    expect((await ask('POST', `articles/${id}/history/${first}/restore`, 'admin')).status).toBe(200);
    expect(await writers(`articles/${id}`)).toEqual(['eve', null]);
    const asOf = `publicationState=preview&asOf=${new Date().toISOString()}`;
    expect(await writers(`articles/${id}`, asOf)).toEqual(['eve', null]);
    const count = (await ask('GET', `articles/${id}/history`, 'admin')).body.data.length;
    // Whoever may delete users needs no right to change what they have written.
    await database.run(sql`UPDATE users SET role_id = NULL WHERE id = ${eve.id}`);
    const permissions = ['users.destroy'];
    const token = await createToken(database, { kind: 'custom', permissions });
    expect(await server.send('DELETE', `/api/users/${eve.id}`, { token })).toMatchObject({ status: 200 });
    expect(await writers(`articles/${id}`)).toEqual([null, null]);
    expect([await shown(first), await writers(`articles/${id}`, asOf)]).toEqual([
      [null, null],
      [null, null],
    ]);
    expect((await ask('GET', `articles/${id}/history`, 'admin')).body.data).toHaveLength(count);
    const [row] = await database.all(sql`SELECT created_by_id FROM articles WHERE id = ${id}`);
    expect(row?.['created_by_id']).toBe(null);
    expect(await database.all(raw('SELECT * FROM tags WHERE 1 = 0'))).toEqual([]);
  });
});
