/**
 * A real Varnish, with the configuration of docs/cache-tags.md, between readers and a server: after each purge it answers what the server
 * answers. `VARNISH_OPERATIONS` makes longer runs, `CACHE_SEED` others.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { cachedContent, randomOf, requestOf } from '../templates/runtime/test-support/cached-content.ts';
import { freePort } from '../templates/runtime/test-support/free-port.ts';
import { casesOf } from '../templates/runtime/test-support/in-full.ts';
import { definition } from '../templates/runtime/test-support/projects/cached/src/generated/app.ts';
import {
  createToken,
  openProject,
  type TestProject,
  type TestServer,
} from '../templates/runtime/test-support/test-project.ts';
import { hasVarnish, openVarnish, type Varnish } from './support/varnish.ts';

const OPERATIONS = casesOf('VARNISH_OPERATIONS', 400, 1500);
const SEED = Number(process.env['CACHE_SEED'] ?? 11);
/** Reads after each write. */
const READS = 20;

describe.skipIf(!hasVarnish())('behind Varnish', () => {
  let project: TestProject;
  let server: TestServer;
  let database: Database;
  let varnish: Varnish;
  let admin: string;

  const purges = [{ url: 'VARNISH_URL', cache: 'varnish', events: ['cache.purge'], types: [] }] as const;

  beforeAll(async () => {
    project = await openProject({ ...definition, webhooks: purges });
    const [port, own] = [await freePort(), await freePort()];
    server = await project.start({ PORT: String(own), VARNISH_URL: `http://127.0.0.1:${port}` });
    database = await project.open();
    admin = await createToken(database, { kind: 'full-access' });
    varnish = await openVarnish(port, own);
  });
  afterAll(async () => {
    await varnish?.close();
    await server?.close();
    await database?.close();
    await project?.remove();
  });

  const write = async (method: string, path: string, data?: unknown) => {
    const { status, text, body } = await server.send(method, `/api/${path}`, {
      token: admin,
      body: data && { data },
    });
    if (status >= 300) throw new Error(`${status} ${text}`);
    return body?.data ?? body;
  };
  const settled = () =>
    vi.waitFor(
      async () => {
        const row = await database.get(raw('SELECT COUNT(*) AS count FROM outbox WHERE state = 0'));
        expect(Number(row?.['count'])).toBe(0);
      },
      { timeout: 20_000, interval: 3 },
    );
  const from = async (origin: string, path: string) => {
    const { url, headers } = requestOf(path);
    const response = await fetch(origin + url, { headers });
    return { text: `${response.status} ${await response.text()}`, headers: response.headers };
  };

  it(
    'answers nothing that a write has changed, once it is purged',
    async () => {
      const random = randomOf(SEED);
      const content = cachedContent(write, random);
      await content.fill();
      await settled();
      let [operations, hits] = [0, 0];
      while (operations < OPERATIONS) {
        const paths = content.paths();
        const chosen = Array.from({ length: READS }, () => paths[random(paths.length)]!);
        const told: string[] = [];
        // Several at once are purged together.
        for (let count = 0; count <= random(3); count += 1) told.push(await content.write());
        await settled();
        operations += told.length + READS;
        for (const path of chosen) {
          const [seen, now] = [await from(varnish.url, path), await from(server.origin, path)];
          expect(seen.text, `${path} after ${told.join(', ')}; seed ${SEED}`).toBe(now.text);
          expect(seen.headers.get('xkey'), 'its tags stay in Varnish').toBeNull();
          if (seen.headers.get('x-varnish')?.includes(' ')) hits += 1;
        }
      }
      console.log(`${operations} reads and writes, ${hits} answers from Varnish`);
      // Otherwise nothing would be tested.
      expect(hits).toBeGreaterThan(operations / 10);
    },
    60_000 + OPERATIONS * 30,
  );

  it('asks the server for whoever has credentials', async () => {
    const { id } = await write('POST', 'tags', { name: 'secret', hidden: true });
    const own = await server.send('GET', `/api/tags/${id}`, { token: admin });
    const through = (headers: Record<string, string>) => fetch(`${varnish.url}/api/tags/${id}`, { headers });
    expect(await (await through({ authorization: `Bearer ${admin}` })).text()).toBe(own.text);
    expect((await through({})).status).toBe(404);
  });

  it('purges only for those whom the configuration names, and only tags', async () => {
    const purge = (headers: Record<string, string>) => fetch(varnish.url, { method: 'PURGE', headers });
    expect((await purge({ 'xkey-purge': 'unknown' })).status).toBe(200);
    expect((await purge({ 'xkey-softpurge': 'unknown' })).status).toBe(200);
    expect((await purge({})).status).toBe(400);
  });
});
