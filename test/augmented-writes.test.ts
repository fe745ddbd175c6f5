/** One function sees every write, of whatever kind, and what it adds is kept with it, or neither is. */
import { scryptSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { statement } from '../templates/runtime/src/database/write-plan.ts';
import { NewId } from '../templates/runtime/src/database/new-id.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { raw, sql } from '../templates/runtime/src/database/sql.ts';
import { exportData } from '../templates/runtime/src/features/transfer/export-data.ts';
import { importData } from '../templates/runtime/src/features/transfer/import-data.ts';
import { migrateUp } from '../templates/runtime/src/migrator/migrate.ts';
import { type Augment, augmentedDatabase } from '../templates/runtime/src/write/augment.ts';
import {
  createToken,
  PASSWORD,
  type TestProject,
  type TestServer,
} from '../templates/runtime/test-support/test-project.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { engineSql, testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { pngOf } from '../templates/runtime/test-support/upload-server.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: augmented
databases: [sqlite, postgres, mysql]
locales: [en, de]
contentTypes:
  tag: { attributes: { name: { type: string, unique: true } } }
  article:
    localized: true
    draftAndPublish: true
    attributes:
      title: { type: string, required: true }
      slug: { type: uid, targetField: title, required: true }
      links: { type: component, component: shared.link, repeatable: true }
      tags: { type: relation, relation: manyWay, target: tag }
      cover: { type: media }
  home: { kind: singleType, attributes: { title: { type: string } } }
components:
  shared.link: { attributes: { label: { type: string }, tag: { type: relation, relation: oneWay, target: tag } } }
permissions: { public: { tag: [find] } }
`;

const OUTBOX = 'CREATE TABLE outbox (id {id}, action {string}, type {string}, subject {key})';

/** Adds a row for each subject. */
const outbox: Augment = ({ subjects }) => ({
  after: subjects.map(({ action, type, id }) =>
    statement(sql`INSERT INTO outbox (action, type, subject) VALUES (${action}, ${type}, ${id ?? null})`),
  ),
});

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (engine) => {
  let made: TestDatabase | undefined;
  let url: string;
  let server: TestServer;
  let database: Database;
  let token: string;

  beforeAll(async () => {
    if (engine !== 'sqlite') made = await createDatabase(engine, 'augmented');
    url = made?.url ?? project.urlOf(`augmented-${engine}`);
    // What fills the roles at the first start is a write like others.
    database = await openDatabase(url);
    await migrateUp(database, fileURLToPath(project.definition.migrations));
    await database.script(engineSql(engine, OUTBOX));
    server = await project.start({ DATABASE_URL: url }, {}, engine, [outbox]);
    token = await createToken(database, { kind: 'full-access' });
  });
  afterAll(async () => {
    await server?.close();
    await database?.close();
    await made?.drop();
  });

  /** What was added since the last time, but that the token of this test was used, which is written in the background. */
  async function added(): Promise<unknown[]> {
    const rows = await database.all(
      raw("SELECT action, type, subject FROM outbox WHERE type <> 'token' OR action <> 'update' ORDER BY id"),
    );
    await database.run(raw('DELETE FROM outbox'));
    return rows.map(({ action, type, subject }) => [action, type, subject]);
  }

  async function send(method: string, path: string, body?: unknown, as = token): Promise<any> {
    const answer = await server.send(method, `/api/${path}`, { token: as, body });
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }

  it('sees the roles of the first start', async () => {
    const roles = await database.all(raw('SELECT id FROM user_roles ORDER BY id'));
    expect(await added()).toStrictEqual(roles.map(({ id }) => ['create', 'role', id]));
  });

  it('sees entries that are created, changed and deleted', async () => {
    const tag = (await send('POST', 'tags', { data: { name: 'a' } })).data.id;
    expect(await added()).toStrictEqual([['create', 'tag', tag]]);
    await send('PUT', `tags/${tag}`, { data: { name: 'b' } });
    expect(await added()).toStrictEqual([['update', 'tag', tag]]);
    const links = [{ label: 'l', tag }];
    const article = (await send('POST', 'articles', { data: { title: 't', tags: [tag], links } })).data.id;
    expect(await added()).toStrictEqual([['create', 'article', article]]);
    await send('PUT', `articles/${article}?populate=*`, { data: { title: 'u', tags: { connect: [tag] }, links } });
    expect(await added()).toStrictEqual([['update', 'article', article]]);
    const german = (await send('POST', `articles/${article}/localizations`, { locale: 'de', title: 'd' })).id;
    expect(await added()).toStrictEqual([['create', 'article', german]]);
    await send('PUT', `articles/${german}`, { data: { publishedAt: new Date().toISOString() } });
    expect(await added()).toStrictEqual([['update', 'article', german]]);
    await send('DELETE', `articles/${article}`);
    expect(await added()).toStrictEqual([['delete', 'article', article]]);
  });

  it('sees single types', async () => {
    const { id } = (await send('PUT', 'home', { data: { title: 'one' } })).data;
    await send('PUT', 'home', { data: { title: 'two' } });
    await send('DELETE', 'home');
    expect(await added()).toStrictEqual([
      ['create', 'home', id],
      ['update', 'home', id],
      ['delete', 'home', id],
    ]);
  });

  it('sees users: who registers, changes a password, and is managed', async () => {
    const { jwt, id } = await server.register('ann');
    expect(await added()).toStrictEqual([['create', 'user', id]]);
    const change = { currentPassword: PASSWORD, password: 'new password', passwordConfirmation: 'new password' };
    await send('POST', 'auth/change-password', change, jwt);
    expect(await added()).toStrictEqual([['update', 'user', id]]);
    // A hash of yesterday's parameters is replaced with the next sign-in.
    const salt = Buffer.alloc(16, 1);
    const [text, key] = [salt, scryptSync('new password', salt, 32, { N: 2 ** 10, r: 8, p: 1 })].map((bytes) =>
      bytes.toString('base64').replace(/=+$/u, ''),
    );
    const weak = `$scrypt$ln=10,r=8,p=1$${text}$${key}`;
    await database.run(sql`UPDATE users SET password = ${weak} WHERE id = ${id}`);
    expect((await server.signIn('ann', 'new password')).status).toBe(200);
    expect(await added()).toStrictEqual([['update', 'user', id]]);
    const user = { username: 'bob', email: 'bob@example.org', password: PASSWORD };
    const bob = (await send('POST', 'users', user)).id;
    await send('PUT', `users/${bob}`, { blocked: true });
    await send('DELETE', `users/${bob}`);
    expect(await added()).toStrictEqual([
      ['create', 'user', bob],
      ['update', 'user', bob],
      ['delete', 'user', bob],
    ]);
  });

  it('sees roles and tokens', async () => {
    await send('POST', 'users-permissions/roles', { name: 'Night', permissions: ['tag.find'] });
    const { roles } = await send('GET', 'users-permissions/roles');
    const { id } = roles.at(-1);
    await send('PUT', `users-permissions/roles/${id}`, { description: 'd', permissions: ['tag.findOne'] });
    const permissions = ['tag.find', 'tokens.create', 'tokens.destroy'];
    await send('PUT', `users-permissions/roles/${id}`, { permissions });
    const user = await server.register('tess');
    await send('PUT', `users/${user.id}`, { role: id });
    const token = { name: 'n', kind: 'custom', permissions: ['tag.find'] };
    const made = await send('POST', 'users-permissions/tokens', token, user.jwt);
    await send('DELETE', `users-permissions/tokens/${made.id}`, undefined, user.jwt);
    await send('DELETE', `users-permissions/roles/${id}`);
    const seen = (await added()).filter(([, type]: any) => type !== 'user');
    expect(seen).toStrictEqual([
      ['create', 'role', id],
      ['update', 'role', id],
      ['update', 'role', id],
      ['create', 'token', made.id],
      ['delete', 'token', made.id],
      ['delete', 'role', id],
    ]);
  });

  it('sees files', async () => {
    const form = new FormData();
    for (const name of ['a.png', 'b.png']) form.append('files', new Blob([pngOf(3, 3)]), name);
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${server.origin}/api/upload`, { method: 'POST', body: form, headers });
    const [a, b] = ((await answer.json()) as { id: number }[]).map(({ id }) => id);
    expect(await added()).toStrictEqual([
      ['create', 'file', a],
      ['create', 'file', b],
    ]);
    const info = new FormData();
    info.append('fileInfo', JSON.stringify({ caption: 'c' }));
    await fetch(`${server.origin}/api/upload?id=${a}`, { method: 'POST', body: info, headers });
    await send('DELETE', `upload/files/${b}`);
    expect(await added()).toStrictEqual([
      ['update', 'file', a],
      ['delete', 'file', b],
    ]);
  });

  it('adds nothing to what is refused, and undoes what it is refused for', async () => {
    await send('POST', 'tags', { data: { name: 'taken' } });
    await added();
    const refused = async (method: string, path: string, body?: object) =>
      (await server.send(method, `/api/${path}`, { token, body })).status;
    expect(await refused('POST', 'tags', { data: { name: 'taken' } })).toBe(400);
    expect(await refused('PUT', 'tags/999999', { data: { name: 'x' } })).toBe(404);
    expect(await refused('PUT', 'tags/999999', { data: {} })).toBe(404);
    expect(await refused('DELETE', 'tags/999999')).toBe(404);
    expect(await refused('POST', 'articles', { data: { title: 'x', tags: [999_999] } })).toBe(400);
    expect(await refused('PUT', 'users/999999', { blocked: true })).toBe(404);
    expect(await refused('DELETE', 'users-permissions/tokens/999999')).toBe(404);
    expect(await added()).toStrictEqual([]);
    const tags = await database.all(raw('SELECT name FROM tags ORDER BY id'));
    const failing: Augment = ({ subjects: [subject] }) => {
      if (subject?.id instanceof NewId) expect(subject.id.known).toBeUndefined();
      return { after: [() => Promise.reject(new Error('no room'))] };
    };
    const other = await project.start({ DATABASE_URL: url }, {}, engine, [outbox, failing]);
    try {
      const write = { token, body: { data: { name: 'undone' } } };
      expect((await other.send('POST', '/api/tags', write)).status).toBe(500);
      expect((await other.send('PUT', '/api/home', write)).status).toBeGreaterThanOrEqual(400);
    } finally {
      await other.close();
    }
    expect(await database.all(raw('SELECT name FROM tags ORDER BY id'))).toStrictEqual(tags);
    expect(await added()).toStrictEqual([]);
  });

  it('sees imports', async () => {
    const { definition } = project;
    const context = {
      name: definition.name,
      contentTypes: definition.contentTypes,
      schema: definition,
      accounts: { registration: true, emailConfirmation: false },
      migrations: fileURLToPath(definition.migrations),
      storage: undefined,
      progress: { report: () => undefined, end: () => undefined } as never,
      signal: new AbortController().signal,
    };
    await database.run(raw('DELETE FROM files'));
    const chunks: Buffer[] = [];
    await exportData({ ...context, database }, async (text) => {
      for await (const chunk of text) chunks.push(Buffer.from(chunk));
    });
    const empty = await openDatabase(project.urlOf(`import-${engine}`));
    try {
      await migrateUp(empty, context.migrations);
      await empty.script(engineSql('sqlite', OUTBOX));
      await importData({ ...context, database: augmentedDatabase(empty, [outbox]) }, Readable.from(chunks), undefined);
      const rows = await empty.all(raw("SELECT DISTINCT type FROM outbox WHERE action = 'import' ORDER BY type"));
      expect(rows.map(({ type }) => type)).toEqual(expect.arrayContaining(['articles', 'tags', 'users']));
    } finally {
      await empty.close();
    }
  });
});
