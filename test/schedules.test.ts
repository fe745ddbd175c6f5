/** Drafts that are published, and taken back, at a time: once, by whichever instance, or refused for a reason that is kept. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

const SCHEMA = `
name: schedules
databases: [sqlite, postgres, mysql]
api: { format: v5 }
locales: [en, de]
schedules: true
contentTypes:
  article:
    draftAndPublish: true
    trash: 7d
    attributes:
      title: { type: string, required: true }
      slug: { type: string, unique: true }
      owner: { type: relation, relation: manyToOne, target: user }
  home: { kind: singleType, draftAndPublish: true, localized: true, attributes: { title: { type: string } } }
  note: { attributes: { text: { type: string } } }
permissions:
  public: { article: [find, findOne], home: [find] }
  authenticated:
    extends: public
    article: [preview, draft, { update: { where: { owner: $user } } }]
`;

let project: TestProject & { readonly folder: string };
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (engine) => {
  let made: TestDatabase | undefined;
  let database: Database;
  let servers: TestServer[];
  let admin: string;
  let written: string[] = [];
  const url = () => made?.url ?? project.urlOf('schedules');
  const hooks = {
    article: {
      async afterUpdate({ entry }: any) {
        written.push(entry.attributes.title);
        if (entry.attributes.title === 'refused by a hook') throw new Error('a defect of a hook');
      },
    },
  };
  const start = () => project.start({ DATABASE_URL: url() }, { hooks } as any);
  beforeAll(async () => {
    if (engine !== 'sqlite') made = await createDatabase(engine, 'schedules');
    servers = [await start(), await start()];
    database = await openDatabase(url());
    admin = await createToken(database, { kind: 'full-access' });
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server.close();
    await database?.close();
    await made?.drop();
  });
  beforeEach(async () => {
    await database.run(raw('DELETE FROM scheduled_publications'));
    written = [];
  });

  const V5 = { 'strapi-response-format': 'v5' };
  const send = (method: string, path: string, body?: object, token = admin, at = 0) =>
    servers[at]!.send(method, `/api${path}`, { token, headers: V5, ...(body && { body }) });
  const draft = async (data: object) =>
    (await send('POST', '/articles?status=draft', { data })).body.data as { id: number; documentId: string };
  const inTime = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
  const shown = async (documentId: string) => (await send('GET', `/articles/${documentId}`)).body.data?.title;
  const schedule = async (documentId: string, body?: object) => {
    const path = `/articles/${documentId}/schedule`;
    return (await (body ? send('PUT', path, body) : send('GET', path))).body.data;
  };

  it('publishes at the time and takes back at another, and says what is planned', async () => {
    const { id, documentId } = await draft({ title: 'first' });
    const [publishAt, unpublishAt] = [inTime(HOUR), inTime(DAY)];
    expect(await schedule(documentId, { publishAt, unpublishAt })).toEqual({ publishAt, unpublishAt, refusals: [] });
    const listed = (await send('GET', '/_schedules')).body.data;
    expect(listed).toEqual([{ type: 'article', id, documentId, publishAt, unpublishAt, refusals: [] }]);
    await send('PUT', `/articles/${documentId}?status=draft`, { data: { title: 'as it is then' } });
    written = [];
    await servers[0]!.advance(30 * MINUTE);
    expect(await shown(documentId)).toBeUndefined();
    await servers[0]!.advance(31 * MINUTE);
    expect(await shown(documentId)).toBe('as it is then');
    expect(await schedule(documentId)).toEqual({ publishAt: null, unpublishAt, refusals: [] });
    await servers[0]!.advance(DAY);
    expect(await shown(documentId)).toBeUndefined();
    expect(written).toEqual(['as it is then', 'as it is then']);
    expect((await send('GET', '/_schedules')).body.data).toEqual([]);
  });

  it('is set by the typed client, and what was deleted restored', async () => {
    const { createClient } = await import(pathToFileURL(join(project.folder, 'client/index.js')).href);
    const client = createClient({ baseUrl: `${servers[0]!.origin}/api`, token: admin });
    const { documentId } = await draft({ title: 'by the client' });
    const publishAt = inTime(9000 * DAY);
    const { data } = await client.articles.setSchedule(documentId, { publishAt });
    expect([data.publishAt, (await client.articles.schedule(documentId)).data.publishAt]).toEqual([
      publishAt,
      publishAt,
    ]);
    await client.articles.delete(documentId);
    const [deleted] = (await client.articles.deleted()).data;
    expect(deleted.documentId).toBe(documentId);
    expect((await client.articles.restoreDeleted(documentId)).data.documentId).toBe(documentId);
    expect((await client.articles.setSchedule(documentId, { publishAt: null })).data.publishAt).toBeNull();
    const declared = await readFile(join(project.folder, 'client/index.d.ts'), 'utf8');
    expect(declared).toContain('CollectionSchedules<string>');
  });

  it('is done once by two instances, one of which is ahead', async () => {
    const all = await Promise.all([...Array(20)].map((_, index) => draft({ title: `once ${index}` })));
    for (const { documentId } of all) await schedule(documentId, { publishAt: inTime(30 * DAY) });
    written = [];
    await Promise.all(servers.map((server) => server.advance(40 * DAY)));
    expect(written.toSorted()).toEqual(all.map((_, index) => `once ${index}`).toSorted());
    for (const { documentId } of all) expect(await shown(documentId)).toMatch(/^once/u);
  });

  it('does at the start what was due while nothing ran', async () => {
    const { documentId } = await draft({ title: 'missed' });
    await schedule(documentId, { publishAt: inTime(365 * DAY) });
    await database.run(raw('UPDATE scheduled_publications SET due_at = 1'));
    const third = await start();
    await expect.poll(() => shown(documentId), { timeout: 10_000 }).toBe('missed');
    await third.close();
  });

  it('keeps what is refused with its reason, and nothing of it is done', async () => {
    const taken = await draft({ title: 'taken', slug: 'same' });
    await send('POST', `/articles/${taken.documentId}/actions/publish`);
    const incomplete = await draft({ slug: 'incomplete' });
    const again = await draft({ title: 'again', slug: 'same' });
    const gone = await draft({ title: 'gone' });
    const at = inTime(400 * DAY);
    for (const { documentId } of [incomplete, again, gone]) await schedule(documentId, { publishAt: at });
    await send('DELETE', `/articles/${gone.documentId}`);
    await servers[1]!.advance(401 * DAY);
    const refusals = async (documentId: string) => (await schedule(documentId)).refusals;
    expect(await refusals(incomplete.documentId)).toEqual([
      expect.objectContaining({ action: 'publish', at, errors: [expect.objectContaining({ path: ['title'] })] }),
    ]);
    expect(await refusals(again.documentId)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/slug|unique/u) }),
    ]);
    expect(await shown(again.documentId)).toBeUndefined();
    const left = (await send('GET', '/_schedules')).body.data.map(({ documentId }: any) => documentId);
    expect(left.toSorted()).toEqual([incomplete.documentId, again.documentId].toSorted());
    expect(await schedule(again.documentId, { publishAt: null })).toMatchObject({ refusals: [] });
    expect(await schedule(incomplete.documentId, { publishAt: inTime(1000 * DAY) })).toMatchObject({ refusals: [] });
  });

  it('tries again what fails for another reason', async () => {
    const { documentId } = await draft({ title: 'refused by a hook' });
    await schedule(documentId, { publishAt: inTime(500 * DAY) });
    await servers[0]!.advance(501 * DAY);
    expect(await shown(documentId)).toBeUndefined();
    const [row] = await database.all(raw('SELECT state, attempts, lease FROM scheduled_publications'));
    expect([row?.['state'], row?.['attempts'], row?.['lease']].map((value) => value && Number(value))).toEqual([
      0,
      1,
      null,
    ]);
    await database.run(raw("UPDATE articles SET title = 'repaired'"));
    await servers[0]!.advance(DAY);
    expect(await shown(documentId)).toBe('repaired');
  });

  it('refuses times that are wrong, and whoever may not publish', async () => {
    const ann = await servers[0]!.register('ann');
    const theirs = await draft({ title: 'theirs' });
    const hers = await draft({ title: 'hers', owner: ann.id });
    const put = async (documentId: string, body: object, token?: string) =>
      (await send('PUT', `/articles/${documentId}/schedule`, body, token)).status;
    for (const body of [
      { publishAt: '2026' },
      { publishAt: inTime(-HOUR) },
      { publishAt: '2999-01-01T00:00:00' },
      { publishAt: '2996-02-30T00:00:00Z' },
      { publishAt: '2999-02-29T00:00:00+01:00' },
      { unpublishAt: '2999-01-01T24:00:00Z' },
      { at: inTime(HOUR) },
      { publishAt: inTime(9000 * DAY), unpublishAt: inTime(8000 * DAY) },
    ]) {
      expect(await put(theirs.documentId, body)).toBe(400);
    }
    const inMinutes = await send('PUT', `/articles/${theirs.documentId}/schedule`, {
      publishAt: '2996-02-29T09:30+01:00',
    });
    expect(inMinutes.body.data.publishAt).toBe('2996-02-29T08:30:00.000Z');
    await put(theirs.documentId, { publishAt: null });
    const release = { name: 'Never', items: [{ type: 'article', id: theirs.documentId, action: 'publish' }] };
    expect((await send('POST', '/releases', { ...release, at: '2999-02-29T00:00:00Z' })).status).toBe(400);
    const body = { publishAt: inTime(9000 * DAY) };
    expect(await put('missing00000000000000000', body)).toBe(404);
    expect(await put(theirs.documentId, body, ann.jwt)).toBe(403);
    expect(await put(hers.documentId, body, ann.jwt)).toBe(200);
    expect((await send('GET', `/articles/${theirs.documentId}/schedule`, undefined, ann.jwt)).status).toBe(403);
    await put(theirs.documentId, body);
    const listed = (await send('GET', '/_schedules', undefined, ann.jwt)).body.data;
    expect(listed.map(({ documentId }: any) => documentId)).toEqual([hers.documentId]);
    const anonymous = await fetch(`${servers[0]!.origin}/api/_schedules`);
    expect((await anonymous.json()) as object).toMatchObject({ data: [] });
    expect((await fetch(`${servers[0]!.origin}/api/articles/${hers.documentId}/schedule`)).status).toBe(403);
    expect((await send('GET', '/notes/1/schedule')).status).toBe(404);
  });

  it('is about one locale of a single type, and follows If-Match', async () => {
    await send('PUT', '/home?status=draft', { data: { title: 'Hello' } });
    const german = await send('PUT', '/home?status=draft&locale=de', { data: { title: 'Hallo' } });
    const stale = await servers[0]!.send('PUT', '/api/home/schedule?locale=de', {
      token: admin,
      headers: { ...V5, 'if-match': '"0-stale"' },
      body: { publishAt: inTime(9000 * DAY) },
    });
    expect(stale.status).toBe(412);
    const fresh = await servers[0]!.send('PUT', '/api/home/schedule?locale=de', {
      token: admin,
      headers: { ...V5, 'if-match': german.headers.get('etag')! },
      body: { publishAt: inTime(9000 * DAY) },
    });
    expect(fresh.status).toBe(200);
    expect((await send('GET', '/home/schedule')).body.data.publishAt).toBeNull();
    await servers[0]!.advance(9001 * DAY);
    expect((await send('GET', '/home?locale=de')).body.data.title).toBe('Hallo');
    expect((await send('GET', '/home')).status).toBe(404);
  });
});

it('counts what waits in the metrics', async () => {
  const secret = 'a-long-token-of-the-tests';
  const own = await openSchema(
    'name: waiting\ndatabases: [sqlite]\nschedules: true\ncontentTypes: { article: { draftAndPublish: true, attributes: { title: { type: string } } } }\n',
  );
  const server = await own.start({ METRICS: 'true', METRICS_TOKEN: secret });
  const database = await openDatabase(own.urlOf('test'));
  const token = await createToken(database, { kind: 'full-access' });
  const { body } = await server.send('POST', '/api/articles?status=draft', { token, body: { data: { title: 'x' } } });
  const times = { publishAt: '2099-01-01T00:00:00Z', unpublishAt: '2099-02-01T00:00:00Z' };
  await server.send('PUT', `/api/articles/${body.data.id}/schedule`, { token, body: times });
  await server.send('POST', '/api/releases', { token, body: { name: 'r', items: [], at: times.publishAt } });
  const { text } = await server.send('GET', '/_metrics', { token: secret });
  expect(text).toMatch(/^schedules_waiting 3$/mu);
  await server.close();
  await database.close();
  await own.remove();
});
