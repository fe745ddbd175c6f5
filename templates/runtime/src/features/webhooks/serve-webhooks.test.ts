/** `/api/_webhooks`: what is told of webhooks, what can be done about them, and who may. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { definition } from '../../../test-support/projects/notices/src/generated/app.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import { receiveWebhooks, SECRET, type WebhookReceiver } from '../../../test-support/webhook-receiver.ts';

const WRITES = [
  ['replay', { receiver: 'SITE_HOOK' }],
  ['test', { receiver: 'SITE_HOOK' }],
  ['disable', { receiver: 'SITE_HOOK' }],
  ['enable', { receiver: 'SITE_HOOK' }],
] as const;

describe('the routes of webhooks', () => {
  let project: TestProject;
  let server: TestServer;
  let site: WebhookReceiver;
  let reader: string;
  let admin: string;

  beforeAll(async () => {
    project = await openProject(definition);
    site = await receiveWebhooks();
    server = await project.start({
      SITE_HOOK: site.url,
      SITE_SECRET: SECRET,
      INDEX_HOOK: site.url,
      INDEX_SECRET: SECRET,
      WEBHOOKS_ALLOW_PRIVATE: 'true',
    });
    const database = await project.open();
    reader = await createToken(database, { kind: 'custom', permissions: ['webhooks.find'] });
    admin = await createToken(database, { kind: 'full-access' });
    await database.close();
  });
  afterAll(async () => {
    await server?.close();
    await site?.close();
    await project?.remove();
  });

  const get = (path: string, token?: string) =>
    server.send('GET', `/api/_webhooks${path}`, { ...(token && { token }) });
  const post = (path: string, body: unknown, token?: string) =>
    server.send('POST', `/api/_webhooks/${path}`, { body, ...(token && { token }) });
  const deliveries = async (state = '') =>
    (await get(`/deliveries?receiver=SITE_HOOK${state === '' ? '' : `&state=${state}`}`, reader)).body.data;
  const stateOf = async (name: string) =>
    (await get('', reader)).body.data.find((one: { readonly name: string }) => one.name === name);

  it('need webhooks.find to read, and webhooks.update to change', async () => {
    for (const path of ['', '/deliveries?receiver=SITE_HOOK']) {
      expect([(await get(path)).status, (await get(path, reader)).status]).toEqual([403, 200]);
    }
    for (const [path, body] of WRITES) {
      expect([(await post(path, body)).status, (await post(path, body, reader)).status]).toEqual([403, 403]);
    }
    expect((await stateOf('SITE_HOOK')).disabledAt).toBe(null);
    expect(site.told).toEqual([]);
  });

  it('tell how an event was told, and tell it again', async () => {
    site.answering(() => 503);
    await server.send('POST', '/api/tags', { body: { data: { name: 'one' } } });
    await vi.waitFor(async () => expect((await deliveries('pending'))[0]?.tries.length).toBeGreaterThan(0));
    const [pending] = await deliveries();
    expect(pending).toMatchObject({ event: 'entry.create', type: 'tag', state: 'pending', dueAt: expect.any(String) });
    expect(pending.tries[0]).toMatchObject({ status: 503, took: expect.any(Number) });
    expect(await stateOf('SITE_HOOK')).toMatchObject({ failures: 1, waiting: 1 });
    site.answering(() => 200);
    await post('enable', { receiver: 'SITE_HOOK' }, admin);
    await post('disable', { receiver: 'SITE_HOOK' }, admin);
    expect(await stateOf('SITE_HOOK')).toMatchObject({
      disabledAt: expect.any(String),
      reason: expect.stringMatching(/^by token \d+$/u),
    });
    await post('enable', { receiver: 'SITE_HOOK' }, admin);
    await vi.waitFor(async () => expect(await deliveries('told')).toHaveLength(1), { timeout: 60_000, interval: 200 });
    const before = site.accepted().length;
    const again = await post('replay', { receiver: 'SITE_HOOK', ids: [pending.id] }, admin);
    expect(again.body.data).toEqual({ count: 1 });
    await vi.waitFor(() => expect(site.accepted().length).toBe(before + 1), { timeout: 20_000, interval: 50 });
  }, 90_000);

  it('send a test, and say how it was answered', async () => {
    const { body } = await post('test', { receiver: 'SITE_HOOK' }, admin);
    expect(body.data).toMatchObject({ status: 200, error: null, took: expect.any(Number) });
    expect(site.told.at(-1)?.event).toBe('trigger-test');
    site.answering(() => (response) => void response.destroy());
    const lost = await post('test', { receiver: 'SITE_HOOK' }, admin);
    expect(lost.body.data).toMatchObject({ status: null, error: expect.any(String) });
  });

  it('refuse what is no webhook, no state and no id, and never show a URL or a secret', async () => {
    for (const path of ['/deliveries', '/deliveries?receiver=OTHER', '/deliveries?receiver=SITE_HOOK&state=lost']) {
      expect((await get(path, admin)).status, path).toBe(400);
    }
    for (const ids of [[], [0], ['1'], 'all', Array.from({ length: 101 }, () => 1)]) {
      expect((await post('replay', { receiver: 'SITE_HOOK', ids }, admin)).status).toBe(400);
    }
    const all = [await get('', admin), await get('/deliveries?receiver=SITE_HOOK', admin)]
      .map(({ text }) => text)
      .join('');
    expect(all).not.toContain(site.url);
    expect(all).not.toContain('whsec_');
  });
});
