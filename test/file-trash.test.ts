/** The trash of files: what is deleted is neither found nor served, and comes back with its bytes in all entries that used it. */
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { sweepPending } from '../templates/runtime/src/features/upload/sweeper.ts';
import { localStorage } from '../templates/runtime/src/storage/local-storage.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { type FileServer, openFileServer } from './support/file-server.ts';
import { openSchema } from './support/served-project.ts';

const DAY = 86_400_000;

const SCHEMA = `
name: file-trash
databases: [sqlite, postgres, mysql]
api: { format: v5 }
uploads: { trash: 30d }
contentTypes:
  article:
    draftAndPublish: true
    attributes:
      title: { type: string, unique: true }
      cover: { type: media }
      gallery: { type: media, multiple: true }
      part: { type: component, component: part.one }
components:
  part.one: { attributes: { pictures: { type: media, multiple: true } } }
permissions:
  authenticated: { article: [find], upload: [find, findOne, upload] }
`;

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (engine) => {
  let files: FileServer;
  let database: Database;
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    files = await openFileServer(project, 'file_trash', { engine });
    ({ database, server, admin } = files);
  });
  afterAll(async () => {
    await server?.close();
    await files?.close();
  });

  const send = (method: string, path: string, body?: object, token = admin) =>
    server.send(method, `/api${path}`, { token, ...(body && { body }) });

  function sendForm(path: string, fields: Readonly<Record<string, string | Blob>>): Promise<Response> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, value, 'file.txt');
    }
    const headers = { authorization: `Bearer ${admin}` };
    return fetch(`${server.origin}/api${path}`, { method: 'POST', headers, body: form });
  }
  const text = (name: string): Blob => new Blob([`text of ${name}`], { type: 'text/plain' });
  const upload = async (name: string): Promise<any> =>
    ((await (await sendForm('/upload', { files: text(name) })).json()) as any[])[0];
  const deleted = async () => (await send('GET', '/upload/files/trash')).body.data;
  const stored = async () => (await readdir(files.uploads)).filter((name) => name.endsWith('.txt')).length;
  /** What is found of files, from all sides and in both states. */
  const everything = async () => {
    const populate = 'populate[cover]=true&populate[gallery]=true&populate[part][populate]=pictures';
    const answers = await Promise.all([
      send('GET', '/upload/files?sort=id'),
      ...['draft', 'published'].map((status) => send('GET', `/articles?sort=id&${populate}&status=${status}`)),
    ]);
    return answers.map(({ body }) => body);
  };

  it('hides a file at once, and brings it back where it was', async () => {
    const files = [await upload('a'), await upload('b'), await upload('c')];
    const [a, b, c] = files.map(({ id }) => id);
    const data = { title: 'x', cover: b, gallery: [c, b, a], part: { pictures: [a, b] } };
    const { documentId } = (await send('POST', '/articles', { data })).body.data;
    await send('PUT', `/articles/${documentId}?status=draft`, { data: { gallery: [b, c], title: 'draft' } });
    const before = await everything();
    expect((await send('DELETE', `/upload/files/${b}`)).status).toBe(200);
    expect(JSON.stringify(await everything())).not.toContain(files[1].hash);
    expect([(await server.send('GET', files[1].url)).status, await stored()]).toEqual([404, 3]);
    expect((await server.send('GET', files[0].url)).text).toBe('text of a');
    const [kept, ...others] = await deleted();
    expect(kept).toMatchObject({ id: b, title: 'file.txt', by: { kind: 'token' } });
    expect([others, Date.parse(kept.until) - Date.parse(kept.deletedAt)]).toEqual([[], 30 * DAY]);
    const restored = await send('POST', `/upload/files/${b}/actions/restore`);
    expect([restored.status, restored.body.hash, restored.body.name]).toEqual([200, files[1].hash, 'file.txt']);
    expect(await everything()).toEqual(before);
    expect((await server.send('GET', files[1].url)).text).toBe('text of b');
    expect(await deleted()).toEqual([]);
    expect((await send('POST', `/upload/files/${b}/actions/restore`)).status).toBe(404);
    expect(await database.all(raw('SELECT name FROM pending_files'))).toEqual([]);
    for (const { id } of files) await send('DELETE', `/upload/files/${id}`);
  });

  it('is for who may delete files, and not for those of refused requests', async () => {
    const [count, files] = [(await deleted()).length, await stored()];
    const ann = await server.register(`ann${Date.now()}`);
    expect((await send('GET', '/upload/files/trash', undefined, ann.jwt)).status).toBe(403);
    expect((await send('POST', '/upload/files/1/actions/restore', undefined, ann.jwt)).status).toBe(403);
    const refused = await sendForm('/articles', { data: '{"title":"x"}', 'files.cover': text('z') });
    expect([refused.status, (await deleted()).length, await stored()]).toEqual([400, count, files]);
  });

  it('ends, and takes the bytes with it', async () => {
    const file = await upload('d');
    await send('DELETE', `/upload/files/${file.id}`);
    const storage = await localStorage(files.uploads);
    const context = { database, storage, logger: { warn: () => {} }, fileType: { trash: 30 } };
    const before = await stored();
    await sweepPending(context, Date.now() + 29 * DAY);
    expect(await stored()).toBe(before);
    await server.advance(31 * DAY);
    expect(await deleted()).toEqual([]);
    expect((await send('POST', `/upload/files/${file.id}/actions/restore`)).status).toBe(404);
    await sweepPending(context, Date.now() + 32 * DAY);
    expect(await stored()).toBe(0);
    // Without a trash in the schema, nothing stays in it.
    const other = await upload('e');
    await send('DELETE', `/upload/files/${other.id}`);
    await sweepPending({ ...context, fileType: {} });
    expect(await stored()).toBe(0);
  });
});
