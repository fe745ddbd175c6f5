/** Schedules, releases and the trash after a migration has renamed what they are about: nothing is forgotten, and nothing overwritten. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openNextSchema, openSchema } from './support/served-project.ts';

const HOUR = 3_600_000;

const SCHEMA = `
name: planned
databases: [sqlite, postgres, mysql]
api: { format: v5 }
schedules: true
contentTypes:
  event:
    draftAndPublish: true
    trash: 7d
    attributes:
      name: { type: string, required: true }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: events }
  article:
    draftAndPublish: true
    attributes:
      title: { type: string }
      parts: { type: component, component: part.one, repeatable: true }
      tags: { type: relation, relation: manyWay, target: tag }
  page:
    draftAndPublish: true
    attributes:
      parts: { type: component, component: part.one, repeatable: true }
  tag:
    attributes:
      name: { type: string }
      events: { type: relation, relation: manyToMany, target: event, mappedBy: tags }
components:
  part.one: { attributes: { text: { type: string } } }
`;

const NEXT = SCHEMA.replace('  event:\n', '  happening:\n    renamedFrom: event\n')
  .replace('target: event, mappedBy', 'target: happening, mappedBy')
  .replace('title: { type: string }', 'headline: { type: string, renamedFrom: title }')
  .replace('{ text: { type: string } }', '{ words: { type: string, renamedFrom: text } }');

let project: TestProject & { readonly folder: string };
let next: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
  next = await openNextSchema(project, NEXT);
});
afterAll(async () => {
  await next?.remove();
  await project?.remove();
});

describe.each(await testedEngines())('on %s', (engine) => {
  let made: TestDatabase | undefined;
  let database: Database;
  let server: TestServer;
  let admin: string;
  const ids: Record<string, any> = {};

  const send = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await server.send(method, `/api${path}`, { token: admin, ...(body && { body }) });
    return { status, data: answer?.data, error: answer?.error };
  };
  const ok = async (method: string, path: string, body?: object) => {
    const { status, data, error } = await send(method, path, body);
    if (status > 299) throw new Error(`${method} ${path}: ${JSON.stringify(error)}`);
    return data;
  };
  const make = async (types: string, data: object, more = '') =>
    (await ok('POST', `/${types}${more}`, { data })).documentId as string;
  const release = async (type: string, id: string) =>
    (await ok('POST', '/releases', { name: 'Spring', items: [{ type, id, action: 'publish' }] })).id as number;
  const publishRelease = async (type: string, id: string) => {
    const made_ = await release(type, id);
    await ok('POST', `/releases/${made_}/actions/publish`);
    return made_;
  };

  beforeAll(async () => {
    if (engine !== 'sqlite') made = await createDatabase(engine, 'renamed_planned');
    const url = made?.url ?? project.urlOf('planned');
    server = await project.start({ DATABASE_URL: url });
    database = await openDatabase(url);
    admin = await createToken(database, { kind: 'full-access' });
    const tag = await make('tags', { name: 't' });

    ids['planned'] = await make('events', { name: 'planned' }, '?status=draft');
    const publishAt = new Date(Date.now() + HOUR).toISOString();
    await ok('PUT', `/events/${ids['planned']}/schedule`, { publishAt });
    ids['open'] = await release('event', ids['planned']);
    ids['event'] = await make('events', { name: 'before', tags: [tag] });
    await ok('PUT', `/events/${ids['event']}?status=draft`, { data: { name: 'after', tags: [] } });
    ids['reverted'] = await publishRelease('event', ids['event']);
    ids['deleted'] = await make('events', { name: 'deleted', tags: [tag] });
    await ok('DELETE', `/events/${ids['deleted']}`);

    ids['article'] = await make('articles', { title: 'before' });
    await ok('PUT', `/articles/${ids['article']}?status=draft`, { data: { title: 'after' } });
    ids['ofArticle'] = await publishRelease('article', ids['article']);
    ids['page'] = await make('pages', { parts: [{ text: 'before' }] });
    await ok('PUT', `/pages/${ids['page']}?status=draft`, { data: { parts: [{ text: 'after' }] } });
    ids['ofPage'] = await publishRelease('page', ids['page']);

    await server.close();
    server = await next.start({ DATABASE_URL: url });
  });
  afterAll(async () => {
    await server?.close();
    await database?.close();
    await made?.drop();
  });

  it('refuses to revert what has no place any more', async () => {
    const refused = await send('POST', `/releases/${ids['ofArticle']}/actions/revert`);
    expect(refused).toMatchObject({ status: 400, error: { details: { refusals: [{ item: 0 }] } } });
    expect(refused.error.details.refusals[0].message).toMatch(
      /migration has renamed.* articles_published\.title since/u,
    );
    expect((await ok('GET', `/articles/${ids['article']}`)).headline).toBe('after');

    const component = await send('POST', `/releases/${ids['ofPage']}/actions/revert`);
    expect(component.status).toBe(400);
    expect(component.error.details.refusals[0].message).toContain('part.one.text');
    expect((await ok('GET', `/pages/${ids['page']}?populate=parts`)).parts).toMatchObject([{ words: 'after' }]);
  });

  it('follows a type that is called otherwise', async () => {
    const { publishAt } = await ok('GET', `/happenings/${ids['planned']}/schedule`);
    expect(Date.parse(publishAt)).toBeGreaterThan(Date.now());
    const { items, hidden } = await ok('GET', `/releases/${ids['open']}`);
    expect([items[0].type, items[0].documentId, hidden]).toEqual(['happening', ids['planned'], 0]);
    await server.advance(2 * HOUR);
    expect((await ok('GET', `/happenings/${ids['planned']}`)).name).toBe('planned');
    await ok('POST', `/releases/${ids['open']}/actions/publish`);

    expect(await ok('GET', `/happenings/${ids['event']}?populate=tags`)).toMatchObject({ name: 'after', tags: [] });
    await ok('POST', `/releases/${ids['reverted']}/actions/revert`);
    const reverted = await ok('GET', `/happenings/${ids['event']}?populate=tags`);
    expect(reverted).toMatchObject({ name: 'before', tags: [{ name: 't' }] });

    const [deleted] = await ok('GET', '/happenings/trash');
    expect(deleted.documentId).toBe(ids['deleted']);
    await ok('POST', `/happenings/${ids['deleted']}/actions/restore`);
    const restored = await ok('GET', `/happenings/${ids['deleted']}?populate=tags`);
    expect(restored).toMatchObject({ name: 'deleted', tags: [{ name: 't' }] });
  });
});
