/** Webhooks on each engine: what is told of each kind of write, and how receivers that fail are told again. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { definition } from '../../../test-support/projects/notices/src/generated/app.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import { receiveWebhooks, SECRET, type WebhookReceiver } from '../../../test-support/webhook-receiver.ts';
import type { Database } from '../../database/database.ts';
import { raw } from '../../database/sql.ts';

const OTHER_SECRET = `whsec_${Buffer.from('another secret of these tests...').toString('base64')}`;
const FORMER_SECRET = `whsec_${Buffer.from('the former secret of these tests').toString('base64')}`;

describe.each(await testedEngines())('on %s', (engine) => {
  let project: TestProject;
  let server: TestServer;
  let database: Database;
  let site: WebhookReceiver;
  let index: WebhookReceiver;
  let close: () => Promise<void>;
  let environment: Record<string, string>;

  beforeAll(async () => {
    project = await openProject(definition);
    const opened = engine === 'sqlite' ? undefined : await openEngine(engine, 'webhooks');
    [site, index] = [await receiveWebhooks(), await receiveWebhooks(FORMER_SECRET)];
    environment = {
      DATABASE_URL: opened?.url ?? project.urlOf('test'),
      SITE_HOOK: site.url,
      SITE_SECRET: SECRET,
      INDEX_HOOK: index.url,
      // While the secret is replaced, a receiver that knows one of them is satisfied.
      INDEX_SECRET: `${OTHER_SECRET} ${FORMER_SECRET}`,
      WEBHOOKS_ALLOW_PRIVATE: 'true',
    };
    server = await project.start(environment);
    database = opened?.database ?? (await project.open());
    close = async () => {
      await server.close();
      await Promise.all([site.close(), index.close()]);
      await (opened ? opened.drop() : database.close());
      await project.remove();
    };
  });
  afterAll(() => close?.());

  const send = async (method: string, path: string, data?: unknown, headers: Record<string, string> = {}) => {
    const { status, body, text } = await server.send(method, `/api/${path}`, {
      ...(data !== undefined && { body: path === '_batch' ? data : { data } }),
      headers,
    });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return body?.data;
  };
  const pending = async (): Promise<number> => {
    const row = await database.get(raw('SELECT COUNT(*) AS count FROM outbox WHERE state = 0'));
    return Number(row?.['count']);
  };
  const settled = () => vi.waitFor(async () => expect(await pending()).toBe(0), { timeout: 10_000, interval: 20 });
  /** What the site is told during some work. */
  const toldOf = async (work: () => Promise<unknown>) => {
    await settled();
    const before = site.told.length;
    await work();
    await settled();
    return site.told.slice(before).map(({ body, event }) => {
      expect(event).toBe(body.event);
      return body;
    });
  };
  const named = (bodies: readonly any[]) =>
    bodies.map(({ event, model, entry }) => `${event} ${model} ${entry.title ?? entry.name}`).sort();

  it('tells the content as it was written, without private attributes', async () => {
    const tag = await send('POST', 'tags', { name: 'first' });
    const told = await toldOf(() =>
      send(
        'POST',
        'articles',
        {
          title: 'Hello',
          note: 'secret',
          tags: [tag.id],
          facts: [{ text: 'a fact', about: tag.id }],
          body: [{ __component: 'shared.fact', text: 'b' }],
        },
        { 'X-Request-Id': 'request-1' },
      ),
    );
    const [create] = told.filter(({ event }) => event === 'entry.create');
    expect(create).toMatchObject({
      event: 'entry.create',
      model: 'article',
      uid: 'api::article.article',
      version: 1,
      actor: { kind: 'public' },
      entry: {
        title: 'Hello',
        tags: [{ id: tag.id }],
        facts: [{ text: 'a fact', about: { id: tag.id } }],
        body: [{ text: 'b' }],
        cover: null,
        author: null,
      },
    });
    expect(create.entry).not.toHaveProperty('note');
    expect(Object.keys(create.entry.tags[0]).filter((name) => name !== 'documentId')).toEqual(['id']);
    expect(create.id).toMatch(/^evt_\d+$/u);
    expect(new Date(create.createdAt).toISOString()).toBe(create.createdAt);
    expect(named(told)).toEqual(['entry.create article Hello', 'entry.publish article Hello']);
    expect(index.told.map(({ body }) => body.event)).toEqual(['entry.publish']);
  });

  it('tells updates, publication and deletion, in the order of the writes', async () => {
    const { id } = await send('POST', 'articles', { title: 'one', publishedAt: null });
    const told = await toldOf(async () => {
      await send('PUT', `articles/${id}`, { title: 'two' });
      await send('PUT', `articles/${id}`, { publishedAt: new Date().toISOString() });
      await send('PUT', `articles/${id}`, { publishedAt: null, title: 'three' });
      await send('DELETE', `articles/${id}`);
    });
    expect(told.map(({ event, entry }) => `${event} ${entry.title}`)).toEqual([
      'entry.update two',
      'entry.update two',
      'entry.publish two',
      'entry.update three',
      'entry.unpublish three',
      'entry.delete three',
    ]);
    expect(told.map(({ version }) => version)).toEqual([...told.map(({ version }) => version)].sort((a, b) => a - b));
  });

  it('tells of the entries on the other side of a relation', async () => {
    const first = await send('POST', 'articles', { title: 'A' });
    const second = await send('POST', 'articles', { title: 'B' });
    let author = 0;
    const created = await toldOf(async () => {
      author = (await send('POST', 'authors', { name: 'Ann', articles: [first.id, second.id] })).id;
    });
    expect(named(created)).toEqual(['entry.create author Ann', 'entry.update article A', 'entry.update article B']);
    expect(created.find(({ model }) => model === 'article').entry.author).toMatchObject({ id: author });
    const deleted = await toldOf(() => send('DELETE', `authors/${author}`));
    expect(named(deleted)).toEqual(['entry.delete author Ann', 'entry.update article A', 'entry.update article B']);
    expect(deleted.find(({ model }) => model === 'article').entry.author).toBeNull();
  });

  it('tells nothing of what is undone, and all of a batch', async () => {
    const refused = await toldOf(async () => {
      const operations = [
        { method: 'POST', path: '/api/tags', body: { data: { name: 'undone' } } },
        { method: 'PUT', path: '/api/tags/999999', body: { data: { name: 'none' } } },
      ];
      await expect(send('POST', '_batch', { operations })).rejects.toThrow('404');
    });
    expect(refused).toEqual([]);
    const done = await toldOf(() =>
      send('POST', '_batch', {
        operations: ['x', 'y'].map((name) => ({ method: 'POST', path: '/api/tags', body: { data: { name } } })),
      }),
    );
    expect(named(done)).toEqual(['entry.create tag x', 'entry.create tag y']);
  });

  it('tells a repeated request with a key once, and each locale', async () => {
    const told = await toldOf(async () => {
      await send('POST', 'tags', { name: 'once' }, { 'Idempotency-Key': 'k' });
      await send('POST', 'tags', { name: 'once' }, { 'Idempotency-Key': 'k' });
    });
    expect(named(told)).toEqual(['entry.create tag once']);
    const { id } = await send('POST', 'pages', { name: 'page' });
    const [page] = await toldOf(() => send('PUT', `pages/${id}`, { name: 'changed' }));
    expect(page).toMatchObject({ locale: 'en', entry: { locale: 'en', name: 'changed' } });
  });

  it('tells again what a receiver refuses, in the order of each entry', async () => {
    const refusedIds = new Set<string>();
    site.answering(({ id }) => {
      if (refusedIds.has(id)) return 200;
      refusedIds.add(id);
      return 500;
    });
    const { id } = await send('POST', 'tags', { name: 'v1' });
    for (const name of ['v2', 'v3']) await send('PUT', `tags/${id}`, { name });
    await vi.waitFor(() => expect(site.told.some(({ body }) => body.entry.name === 'v1')).toBe(true), 5000);
    expect(site.told.some(({ body }) => body.entry.name === 'v2')).toBe(false);
    site.answering(() => 200);
    // The wait is five seconds: they are made due.
    await vi.waitFor(async () => {
      await database.run(raw('UPDATE outbox SET due_at = 0 WHERE state = 0 AND lease IS NULL'));
      expect(await pending()).toBe(0);
    }, 10_000);
    const accepted = site.accepted().filter(({ body }) => body.model === 'tag' && body.entry.id === id);
    expect(accepted.map(({ body }) => body.entry.name)).toEqual(['v1', 'v2', 'v3']);
    const tries = site.told.filter(({ body }) => body.entry.name === 'v1');
    expect(new Set(tries.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const row = await database.get(
      raw('SELECT tries, attempts FROM outbox WHERE attempts = 2 ORDER BY id DESC LIMIT 1'),
    );
    expect(JSON.parse(String(row?.['tries'])).map(({ status }: any) => status)).toEqual([500, 200]);
  });

  it('does not follow redirects, nor wait for an endless answer', async () => {
    await settled();
    site.answering(() => (response) => response.writeHead(302, { location: index.url }).end());
    const before = index.told.length;
    await send('POST', 'tags', { name: 'moved' });
    await vi.waitFor(() => expect(site.told.at(-1)?.body.entry.name).toBe('moved'), 5000);
    expect(index.told.length).toBe(before);
    let isCut = false;
    site.answering(() => (response) => {
      response.writeHead(200);
      response.on('close', () => (isCut = true));
      const flood = setInterval(() => (isCut ? clearInterval(flood) : response.write('x'.repeat(16_384))), 1);
    });
    await database.run(raw('UPDATE outbox SET due_at = 0 WHERE state = 0 AND lease IS NULL'));
    await settled();
    await vi.waitFor(() => expect(isCut).toBe(true), 5000);
    site.answering(() => 200);
  });

  it('does not let a receiver that stalls delay another one', async () => {
    await settled();
    site.answering(() => 'stall');
    const before = index.told.length;
    for (let count = 0; count < 20; count += 1) await send('POST', 'articles', { title: `stalled ${count}` });
    await vi.waitFor(() => expect(index.told.length).toBe(before + 20), 5000);
    site.answering(() => 200);
    await server.close();
    server = await project.start(environment);
    await vi.waitFor(async () => {
      await database.run(raw('UPDATE outbox SET due_at = 0 WHERE state = 0 AND lease IS NULL'));
      await database.run(raw('UPDATE outbox_receivers SET paused_until = 0, failures = 0'));
      expect(await pending()).toBe(0);
    }, 10_000);
  }, 40_000);

  it('disables a receiver that answers 410', async () => {
    site.answering(() => 410);
    await send('POST', 'tags', { name: 'gone' });
    const disabled = async () =>
      (await database.get(raw('SELECT reason FROM outbox_receivers WHERE disabled_at IS NOT NULL')))?.['reason'];
    await vi.waitFor(async () => expect(await disabled()).toBe('it has answered 410 Gone'), 5000);
    await send('POST', 'tags', { name: 'waits' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(site.told.at(-1)?.body.entry.name).toBe('gone');
    site.answering(() => 200);
    await database.run(raw('UPDATE outbox_receivers SET disabled_at = NULL, failures = 0, paused_until = 0'));
    await vi.waitFor(async () => {
      await database.run(raw('UPDATE outbox SET due_at = 0 WHERE state = 0 AND lease IS NULL'));
      expect(await pending()).toBe(0);
    }, 5000);
    expect(
      site
        .accepted()
        .slice(-2)
        .map(({ body }) => body.entry.name)
        .sort(),
    ).toEqual(['gone', 'waits']);
  });
});

describe('a server', () => {
  it('refuses to start without its variables, and says which', async () => {
    const project = await openProject(definition);
    try {
      await expect(project.start({ SITE_HOOK: 'ftp://x', SITE_SECRET: 'short' })).rejects.toThrow(
        /SITE_HOOK must be the URL[\s\S]*SITE_SECRET must be whsec_[\s\S]*INDEX_HOOK is not set[\s\S]*INDEX_SECRET is not set/u,
      );
    } finally {
      await project.remove();
    }
  });
});
