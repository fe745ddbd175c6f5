/** Where files are used, on each engine: whoever asks is told of the entries that they may find. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIfThere, isWanted, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: library
databases: [sqlite, postgres, mysql]
locales: [en, fr]
contentTypes:
  article:
    draftAndPublish: true
    localized: true
    attributes:
      title: { type: string, required: true }
      cover: { type: media }
      gallery: { type: media, multiple: true }
      seo: { type: component, component: shared.seo }
      sections: { type: dynamiczone, components: [shared.seo] }
  note:
    attributes:
      text: { type: string }
      files: { type: media, multiple: true }
  draft:
    attributes:
      text: { type: string }
      secret: { type: media, private: true }
      secrets: { type: media, multiple: true, private: true }
      part: { type: component, component: shared.part }
components:
  shared.seo:
    attributes: { image: { type: media } }
  shared.part:
    attributes: { inner: { type: component, component: shared.inner } }
  shared.inner:
    attributes: { secret: { type: media, private: true } }
`;

describe.each(['sqlite', 'postgres', 'mysql'] as const)('the uses of a file, on %s', (dialect) => {
  let database: TestDatabase | undefined;
  let project: TestProject;
  let server: TestServer;
  let admin: string;
  let reader: string;

  beforeAll(async () => {
    if (!isWanted(dialect)) return;
    project = await openSchema(SCHEMA);
    if (dialect !== 'sqlite') {
      database = await createIfThere(dialect, 'uses');
      if (!database) return;
    }
    const url = database?.url ?? project.urlOf('test');
    server = await project.start({ DATABASE_URL: url });
    const opened = await openDatabase(url);
    admin = await createToken(opened, { kind: 'full-access' });
    reader = await createToken(opened, { kind: 'custom', permissions: ['upload.findOne', 'article.find'] });
    await opened.close();
  });
  afterAll(async () => {
    await server?.close();
    await database?.drop();
    await project?.remove();
  });

  const upload = async (): Promise<number> => {
    const form = new FormData();
    form.append('files', new Blob(['hello'], { type: 'text/plain' }), 'a.txt');
    const answer = await fetch(`${server.origin}/api/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}` },
      body: form,
    });
    return ((await answer.json()) as [{ id: number }])[0].id;
  };
  const create = async (path: string, data: object, query = ''): Promise<number> => {
    const { body, status } = await server.send('POST', `/api/${path}${query}`, { token: admin, body: { data } });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.data.id;
  };
  const uses = async (file: number, token: string) =>
    (await server.send('GET', `/api/upload/files/${file}/uses`, { token })).body;
  const articles = (...ids: readonly number[]) => ids.map((id) => ({ type: 'article', id }));

  it('are the entries that have it, in whatever place, locale and state', async ({ skip }) => {
    if (!server) return skip();
    const [file, other] = [await upload(), await upload()];
    const ids = [
      await create('articles', { title: 'cover', cover: file }),
      await create('articles', { title: 'gallery', gallery: [other, file], cover: file }),
      await create('articles', { title: 'component', seo: { image: file } }),
      await create('articles', { title: 'zone', sections: [{ __component: 'shared.seo', image: file }] }),
      await create('articles', { title: 'français', cover: file }, '?locale=fr'),
    ];
    const draft = await create('articles', { title: 'draft', cover: file, publishedAt: null });
    await create('articles', { title: 'none' });
    const note = await create('notes', { files: [file] });
    expect(await uses(file, admin)).toEqual([...articles(draft, ...ids.toReversed()), { type: 'note', id: note }]);
    expect(await uses(other, admin)).toEqual(articles(ids[1] ?? 0));
    expect(await uses(file, reader)).toEqual(articles(...ids.toReversed()));
  });

  it('leave out private attributes, which nothing else shows either', async ({ skip }) => {
    if (!server) return skip();
    const file = await upload();
    await create('drafts', { secret: file });
    await create('drafts', { secrets: [file] });
    await create('drafts', { part: { inner: { secret: file } } });
    expect(await uses(file, admin)).toEqual([]);
  });

  it('are none of a file that nothing has, and there is no such answer about a file that is not there', async ({
    skip,
  }) => {
    if (!server) return skip();
    expect(await uses(await upload(), admin)).toEqual([]);
    expect((await server.send('GET', '/api/upload/files/999/uses', { token: admin })).status).toBe(404);
    expect((await server.send('GET', '/api/upload/files/1/uses')).status).toBe(403);
  });
});
