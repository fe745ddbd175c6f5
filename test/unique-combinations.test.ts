/** Combinations of attributes that are unique, by the schema and by a team's own indexes, over HTTP on each engine. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { migrate } from '../templates/runtime/src/migrator/migrate.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { build } from '../src/build.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: unique-combinations
databases: [sqlite, postgres, mysql]
api: { format: v4 }
locales: [en, fr]
contentTypes:
  event:
    attributes:
      name: { type: string }
      bookings: { type: relation, relation: oneToMany, target: booking, mappedBy: event }
  booking:
    draftAndPublish: true
    unique: [[event, guest], [guest, secret]]
    attributes:
      guest: { type: string }
      event: { type: relation, relation: manyToOne, target: event, inversedBy: bookings }
      secret: { type: integer, private: true }
      code: { type: string }
      title: { type: string }
      desk: { type: relation, relation: manyToOne, target: event }
      picture: { type: media }
  page:
    localized: true
    unique: [[path, site], [domain, code]]
    attributes:
      path: { type: string }
      site: { type: string, localized: false }
      domain: { type: string, localized: false }
      code: { type: string, localized: false }
  node:
    unique: [[parent, slug]]
    attributes:
      slug: { type: string }
      parent: { type: relation, relation: manyToOne, target: node, inversedBy: children }
      children: { type: relation, relation: oneToMany, target: node, mappedBy: parent }
users: { attributes: { badge: { type: string } }, register: [badge] }
`;

/** Indexes of hand-written migrations. */
const OWN = [
  'CREATE UNIQUE INDEX own_single ON bookings (code)',
  'CREATE UNIQUE INDEX own_pair ON bookings (title, desk_id)',
  'CREATE UNIQUE INDEX own_badge ON up_users (badge)',
];
const OWN_EXPRESSION = 'CREATE UNIQUE INDEX own_expression ON events (lower(name))';

const engines = await testedEngines();
const pair = (names: string): string => `The combination of ${names} must be unique`;

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(engines)('on %s', (engine) => {
  let made: TestDatabase | undefined;
  let server: TestServer;
  let token: string;

  beforeAll(async () => {
    if (engine !== 'sqlite') made = await createDatabase(engine, 'unique_combinations');
    const name = `unique-${engine}`;
    const url = made?.url ?? project.urlOf(name);
    server = await project.start({ DATABASE_URL: url }, {}, name);
    const database = await openDatabase(url);
    token = await createToken(database, { kind: 'full-access' });
    const users = project.definition.contentTypes.types['user']?.table ?? '';
    const indexes = [
      ...OWN.map((text) => text.replace('up_users', users)),
      ...(engine === 'mysql' ? [] : [OWN_EXPRESSION]),
    ];
    for (const text of indexes) await database.run(raw(text));
    await database.close();
  });
  afterAll(async () => {
    await server?.close();
    await made?.drop();
  });

  const send = (method: string, path: string, data?: object, v5 = false) =>
    server.send(method, `/api${path}`, {
      token,
      headers: v5 ? { 'strapi-response-format': 'v5' } : {},
      ...(data && { body: { data } }),
    });
  async function create(path: string, data: object): Promise<{ id: number; documentId: string }> {
    const { status, body } = await send('POST', path, data, true);
    expect([status, body.error]).toEqual([201, undefined]);
    return body.data;
  }
  /** The paths and the distinct messages of a refusal. */
  async function refusal(method: string, path: string, data: object, v5 = false): Promise<readonly [string, string]> {
    const { status, body } = await send(method, path, data, v5);
    expect([status, body.error?.name], JSON.stringify(body)).toEqual([400, 'ValidationError']);
    const { errors } = body.error.details;
    const messages = new Set(errors.map(({ message }: any) => message));
    return [errors.map((error: any) => error.path.join('.')).join(' '), [...messages].join()];
  }

  it('refuses an entry with the values of another, in drafts when they are published, and names all attributes', async () => {
    const event = await create('/events', { name: 'a' });
    const other = await create('/events', { name: 'b' });
    const first = await create('/bookings', { event: event.documentId, guest: 'ada' });
    const expected = ['guest event', pair('guest and event')];
    expect(await refusal('POST', '/bookings', { event: event.id, guest: 'ada' })).toEqual(expected);
    expect(await refusal('POST', '/bookings', { event: event.documentId, guest: 'ada' }, true)).toEqual(expected);
    const draft = await send('POST', '/bookings', { event: event.id, guest: 'ada', publishedAt: null });
    expect(draft.status).toBe(201);
    const published = { publishedAt: new Date().toISOString() };
    expect(await refusal('PUT', `/bookings/${draft.body.data.id}`, published)).toEqual(expected);
    expect((await send('DELETE', `/bookings/${draft.body.data.id}`)).status).toBe(200);
    await create('/bookings', { event: null, guest: 'ada' });
    await create('/bookings', { event: null, guest: 'ada' });
    const second = await create('/bookings', { event: other.documentId, guest: 'ada' });
    expect(await refusal('PUT', `/bookings/${second.id}`, { event: event.id })).toEqual(expected);
    const inV5 = await refusal('PUT', `/bookings/${second.documentId}`, { event: { set: [event.documentId] } }, true);
    expect(inV5).toEqual(expected);
    expect((await send('PUT', `/bookings/${first.id}`, { event: event.id, guest: 'ada' })).status).toBe(200);
  });

  it('refuses a write of the other side, at its relation, and leaves everything as it was', async () => {
    const [from, to] = [await create('/events', { name: 'from' }), await create('/events', { name: 'to' })];
    const moved = await create('/bookings', { event: from.documentId, guest: 'eve' });
    const stays = await create('/bookings', { event: to.documentId, guest: 'eve' });
    const expected = ['bookings', `${pair('guest and event')} in booking`];
    const connect = [moved.id];
    expect(await refusal('PUT', `/events/${to.id}`, { name: 'x', bookings: { connect } })).toEqual(expected);
    expect(
      await refusal('PUT', `/events/${to.documentId}`, { bookings: { connect: [moved.documentId] } }, true),
    ).toEqual(expected);
    expect(await refusal('POST', '/events', { name: 'new', bookings: [moved.id, stays.id] })).toEqual(expected);
    const { body } = await send('GET', `/events/${to.id}?populate=bookings`);
    expect([body.data.attributes.name, body.data.attributes.bookings.data.map(({ id }: any) => id)]).toEqual([
      'to',
      [stays.id],
    ]);
    const [parent, a, b] = [
      await create('/nodes', { slug: 'parent' }),
      await create('/nodes', { slug: 'same' }),
      await create('/nodes', { slug: 'same' }),
    ];
    expect(await refusal('PUT', `/nodes/${parent.id}`, { children: [a.id, b.id] })).toEqual([
      'children',
      `${pair('slug and parent')} in node`,
    ]);
  });

  it('does not name a private attribute', async () => {
    const database = await openDatabase(made?.url ?? project.urlOf(`unique-${engine}`));
    const one = await create('/bookings', { guest: 'private' });
    const two = await create('/bookings', { guest: 'other' });
    for (const table of ['bookings', 'bookings_published']) {
      await database.run(raw(`UPDATE ${table} SET secret = 1 WHERE id IN (${one.id}, ${two.id})`));
    }
    await database.close();
    const answer = await refusal('PUT', `/bookings/${two.id}`, { guest: 'private' });
    expect(answer).toEqual(['', "This entry can't be saved"]);
  });

  it('compares within a locale if one of the attributes is localized, else across locales', async () => {
    const first = await create('/pages', { path: '/', site: 's', domain: 'd', code: 'c' });
    expect(await refusal('POST', '/pages', { path: '/', site: 's' })).toEqual(['path site', pair('path and site')]);
    expect((await send('POST', '/pages?locale=fr', { path: '/', site: 's' })).status).toBe(201);
    const everywhere = ['domain code', pair('domain and code')];
    expect(await refusal('POST', '/pages?locale=fr', { domain: 'd', code: 'c' })).toEqual(everywhere);
    expect(await refusal('POST', '/pages', { domain: 'd', code: 'c' })).toEqual(everywhere);
    const french = await send('PUT', `/pages/${first.documentId}?locale=fr`, { path: '/fr' }, true);
    expect([french.status, french.body.data?.code]).toEqual([200, 'c']);
  });

  it("answers 400 for a team's own indexes, at the attributes that they cover", async () => {
    const desk = await create('/events', { name: 'Desk' });
    await create('/bookings', { code: 'x', title: 't', desk: desk.documentId });
    expect(await refusal('POST', '/bookings', { code: 'x' })).toEqual(['code', 'This attribute must be unique']);
    const values = { title: 't', desk: desk.id };
    expect(await refusal('POST', '/bookings', values)).toEqual(['title desk', pair('title and desk')]);
    if (engine !== 'mysql') {
      const expected = ['name', 'This attribute must be unique'];
      expect(await refusal('POST', '/events', { name: 'dESK' })).toEqual(expected);
    }
    const account = (name: string) => ({
      username: name,
      email: `${name}@example.org`,
      password: 'a long password',
      badge: '1',
    });
    const register = (name: string) => server.send('POST', '/api/auth/local/register', { body: account(name) });
    expect((await register('first')).status).toBe(200);
    const { status, body } = await register('second');
    expect([status, body.error.details.errors?.[0]?.path]).toEqual([400, ['badge']]);
  });
});

/** Builds the project of a folder from the text of a schema. */
async function buildNext(folder: string, schema: string, allowDestructive: readonly string[] = []) {
  await writeFile(join(folder, 'schema.yaml'), schema);
  const options = {
    cwd: folder,
    mode: 'write',
    diff: false,
    overwrite: [],
    zeroDowntime: false,
    onWait: () => {},
  } as const;
  return build({ ...options, schema: ['schema.yaml'], out: join(folder, 'project'), allowDestructive });
}

const BEFORE = `
name: becomes-unique
databases: [sqlite, postgres, mysql]
contentTypes:
  booking: { attributes: { guest: { type: string, index: true }, day: { type: date } } }
`;
const AFTER = BEFORE.replace('booking: {', 'booking: { unique: [[guest, day]],');
const RENAMED = AFTER.replace('[guest, day]', '[visitor, day]').replace('guest: {', 'visitor: { renamedFrom: guest,');

describe.each(engines)('migrations on %s', (engine) => {
  it('need consent, refuse rows that violate the combination, with their number, and follow renames', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'unique-'));
    const made = engine === 'sqlite' ? undefined : await createDatabase(engine, 'becomes_unique');
    const database: Database = await openDatabase(made?.url ?? `sqlite:${join(folder, 'data.db')}`);
    try {
      await buildNext(folder, BEFORE);
      const stopped = await buildNext(folder, AFTER);
      expect(stopped.outcome).toBe('stopped');
      const [diagnostic] = stopped.diagnostics;
      expect(diagnostic?.code).toBe('migrations/unique');
      expect(diagnostic?.message).toContain("'booking.guest' and 'booking.day' become unique together");
      const consent = 'booking.guest+day';
      expect(diagnostic?.hint).toContain(`--allow-destructive ${consent}`);
      const how = { directory: join(folder, 'project/migrations'), dialect: engine };
      await migrate(database, how, 'up');
      const time = database.dialect.bind('datetime', '2020-01-01T00:00:00.000Z');
      const insert = (guest: string | null, day: string | null) => ({
        text: 'INSERT INTO bookings (guest, day, created_at, updated_at) VALUES (?, ?, ?, ?)',
        params: [guest, day, time, time],
      });
      for (const day of ['2024-01-01', '2024-01-01', '2024-01-01', '2024-01-02', null, null]) {
        await database.run(insert('ada', day));
      }
      await buildNext(folder, AFTER, [consent]);
      const refused = engine === 'mysql' ? 'booking.guest+day is unique, but rows have the same value' : '3 rows';
      await expect(migrate(database, how, 'up')).rejects.toThrow(refused);
      await database.run(raw("DELETE FROM bookings WHERE day = '2024-01-01' AND id > 1"));
      await migrate(database, how, 'up');
      await expect(database.run(insert('ada', '2024-01-02'))).rejects.toThrow('unique');
      expect((await buildNext(folder, RENAMED)).outcome).toBe('written');
      await migrate(database, how, 'up');
      const renamed = insert('ada', '2024-01-02');
      await expect(database.run({ ...renamed, text: renamed.text.replace('guest', 'visitor') })).rejects.toThrow(
        'unique',
      );
    } finally {
      await database.close();
      await made?.drop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
