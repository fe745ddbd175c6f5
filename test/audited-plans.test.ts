/** The audit says who has planned what: times of entries, releases, and which webhooks are told. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import type { TestProject } from '../templates/runtime/test-support/test-project.ts';
import { SECRET } from '../templates/runtime/test-support/webhook-receiver.ts';
import { type EngineServer, startOn } from './support/engine-server.ts';
import { openSchema } from './support/served-project.ts';

const DAY = 86_400_000;

const SCHEMA = `
name: planned
databases: [sqlite, postgres, mysql]
api: { format: v5 }
audit: true
schedules: true
webhooks: [{ url: $SITE_HOOK, secret: $SITE_SECRET, types: [article] }]
contentTypes:
  article: { draftAndPublish: true, attributes: { title: { type: string, required: true } } }
`;

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (engine) => {
  let site: EngineServer;
  beforeAll(async () => {
    const hook = { SITE_HOOK: 'http://127.0.0.1:9/', SITE_SECRET: SECRET, WEBHOOKS_ALLOW_PRIVATE: 'true' };
    site = await startOn(engine, project, 'planned', hook);
  });
  afterAll(() => site?.close());

  const send = (method: string, path: string, body?: object) =>
    site.server.send(method, `/api${path}`, { token: site.admin, ...(body && { body }) });
  /** What is recorded during some work, besides its entries. */
  const during = async (work: () => Promise<unknown>): Promise<readonly any[]> => {
    const last = (await send('GET', '/_audit?pageSize=1')).body.data[0]?.id ?? 0;
    await work();
    const { data } = (await send('GET', '/_audit?pageSize=100')).body;
    return data.filter(({ id, event }: any) => id > last && !event.startsWith('entry.')).toReversed();
  };
  const told = (rows: readonly any[]) =>
    rows.map(({ event, type, subjectId, documentId, actor, details }) => {
      const by = actor.kind === 'server' ? 'server' : `${actor.kind} ${typeof actor.id}`;
      return [event, type, subjectId, documentId, by, details];
    });
  const draft = async () => {
    const { body } = await send('POST', '/articles?status=draft', { data: { title: 'A' } });
    return body.data as { id: number; documentId: string };
  };
  const inTime = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

  it('who sets when an entry is published, unless that is refused', async () => {
    const { id, documentId } = await draft();
    const [publishAt, unpublishAt] = [inTime(DAY), inTime(2 * DAY)];
    const path = `/articles/${documentId}/schedule`;
    const rows = await during(async () => {
      expect((await send('PUT', path, { publishAt, unpublishAt })).status).toBe(200);
      expect((await send('PUT', path, { publishAt: inTime(3 * DAY) })).status).toBe(400);
      expect((await send('PUT', path, { publishAt: null })).status).toBe(200);
    });
    const by = ['article', id, documentId, 'token number'];
    expect(told(rows)).toEqual([
      ['schedule.set', ...by, { publishAt, unpublishAt }],
      ['schedule.set', ...by, { publishAt: null }],
    ]);
    expect(rows[0].requestId).toMatch(/^[0-9a-f-]{36}$/u);
    expect((await send('GET', `/_audit?type=article&id=${id}&event=schedule.set`)).body.data).toHaveLength(2);
  });

  it('who makes, changes, publishes, reverts and deletes a release', async () => {
    const { documentId } = await draft();
    const items = [{ type: 'article', id: documentId, action: 'publish' }];
    const at = inTime(DAY);
    let id = 0;
    const rows = await during(async () => {
      ({ id } = (await send('POST', '/releases', { name: 'Spring', items })).body.data);
      expect((await send('PUT', `/releases/${id}`, { at })).status).toBe(200);
      expect((await send('PUT', `/releases/${id}`, { at: null, version: 1 })).status).toBe(412);
      expect((await send('POST', `/releases/${id}/actions/publish`)).status).toBe(200);
      expect((await send('POST', `/releases/${id}/actions/revert`)).status).toBe(200);
      expect((await send('DELETE', `/releases/${id}`)).status).toBe(204);
      expect((await send('DELETE', `/releases/${id}`)).status).toBe(404);
    });
    const by = ['releases', id, null, 'token number'];
    expect(told(rows)).toEqual([
      ['release.create', ...by, { at: null }],
      ['release.update', ...by, { at }],
      ['release.publish', ...by, null],
      ['release.revert', ...by, null],
      ['release.delete', ...by, null],
    ]);
  });

  it('who disables and enables a webhook, once', async () => {
    const rows = await during(async () => {
      for (const action of ['disable', 'disable', 'enable', 'enable']) {
        expect((await send('POST', `/_webhooks/${action}`, { receiver: 'SITE_HOOK' })).status).toBe(204);
      }
    });
    const by = ['webhooks', null, null, 'token number', { receiver: 'SITE_HOOK' }];
    expect(told(rows)).toEqual([
      ['webhook.disable', ...by],
      ['webhook.enable', ...by],
    ]);
  });
});
