/**
 * The property of cache tags, on each engine: if a write changes the bytes of an answer, at least one of its tags is purged, and few others are.
 * With random reads and writes; `CACHE_SEED` and `CACHE_WRITES` make others.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type CachedContent,
  cachedContent,
  randomOf,
  requestOf,
  type SendWrite,
} from '../../../test-support/cached-content.ts';
import { casesOf } from '../../../test-support/in-full.ts';
import { definition as cached } from '../../../test-support/projects/cached/src/generated/app.ts';
import { definition as weblog } from '../../../test-support/projects/weblog/src/generated/app.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import { receiveWebhooks, SECRET, type WebhookReceiver } from '../../../test-support/webhook-receiver.ts';
import { weblogContent } from '../../../test-support/weblog-content.ts';
import type { Database } from '../../database/database.ts';
import { raw } from '../../database/sql.ts';

const SEED = Number(process.env['CACHE_SEED'] ?? 7);
/** A third of them on other engines than SQLite. */
const WRITES = casesOf('CACHE_WRITES', 12, 30);
/** The most answers that may be purged for each that changes, on the content of the benchmark. */
const MOST_PURGED = 1.2;

const tagsOf = (headers: Headers) => new Set((headers.get('cache-tag') ?? '').split(',').filter((tag) => tag !== ''));

interface Case {
  readonly name: string;
  readonly definition: typeof cached;
  readonly content: (write: SendWrite, random: (below: number) => number) => CachedContent;
  readonly most: number;
}

const CASES: readonly Case[] = [
  // Localized types, searches, items of components and relations to several types: answers depend on whole types.
  { name: 'cached', definition: cached, content: cachedContent, most: 3.5 },
  { name: 'weblog', definition: weblog, content: weblogContent, most: MOST_PURGED },
];

const engines = await testedEngines();

describe.each(engines.flatMap((engine) => CASES.map((one) => ({ engine, ...one }))))(
  '$name on $engine',
  ({ engine, name, definition, content: contentOf, most }) => {
    let project: TestProject;
    let server: TestServer;
    let database: Database;
    let cdn: WebhookReceiver;
    let admin: string;
    let close: () => Promise<void>;

    beforeAll(async () => {
      project = await openProject(definition);
      const opened = engine === 'sqlite' ? undefined : await openEngine(engine, `tags_${name}`);
      cdn = await receiveWebhooks();
      server = await project.start({
        DATABASE_URL: opened?.url ?? project.urlOf('test'),
        CDN_HOOK: cdn.url,
        CDN_SECRET: SECRET,
        WEBHOOKS_ALLOW_PRIVATE: 'true',
      });
      database = opened?.database ?? (await project.open());
      admin = await createToken(database, { kind: 'full-access' });
      close = async () => {
        await server.close();
        await cdn.close();
        await (opened ? opened.drop() : database.close());
        await project.remove();
      };
    });
    afterAll(() => close?.());

    /** The data of an answer; a refused write would test nothing. */
    const write: SendWrite = async (method, path, data) => {
      const { status, body, text } = await server.send(method, `/api/${path}`, {
        token: admin,
        ...(data !== undefined && { body: { data } }),
      });
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
      return body?.data ?? body;
    };

    /** The tags that were purged since the last call. */
    let seen = 0;
    async function purged(): Promise<ReadonlySet<string>> {
      const rows = await database.all(raw(`SELECT id, entry FROM outbox WHERE id > ${seen} ORDER BY id`));
      seen = Number(rows.at(-1)?.['id'] ?? seen);
      return new Set(rows.flatMap(({ entry }) => JSON.parse(String(entry)) as string[]));
    }

    const read = async (path: string) => {
      const request = requestOf(path);
      const { status, text, headers } = await server.send('GET', request.url, request);
      return { text: `${status} ${text}`, tags: tagsOf(headers), status };
    };

    it('purges a tag of each answer that a write changes, and of few others', async () => {
      const content = contentOf(write, randomOf(SEED));
      await content.fill();
      const answers = new Map<string, Awaited<ReturnType<typeof read>>>();
      let [changed, dropped, most_tags] = [0, 0, 0];
      const excess = new Map<string, number>();
      for (let count = 0; count < (engine === 'sqlite' ? WRITES : WRITES / 3); count += 1) {
        const paths = content.paths();
        for (const path of paths) if (!answers.has(path)) answers.set(path, await read(path));
        await purged();
        const written = await content.write();
        const tags = await purged();
        most_tags = Math.max(most_tags, tags.size);
        for (const path of paths) {
          const before = answers.get(path)!;
          const after = await read(path);
          answers.set(path, after);
          if (before.status >= 500 || before.status === 400) throw new Error(`${path}: ${before.text}`);
          if (before.status !== 200) continue;
          expect(before.tags.size, `${path} has tags`).toBeGreaterThan(0);
          const isChanged = before.text !== after.text;
          const isPurged = [...before.tags].some((tag) => tags.has(tag));
          if (isChanged) changed += 1;
          if (isPurged) dropped += 1;
          if (isPurged && !isChanged) {
            const kind = `${path.replaceAll(/\d+/gu, 'N')} by ${written.replaceAll(/\d+/gu, 'N').slice(0, 60)}`;
            excess.set(kind, (excess.get(kind) ?? 0) + 1);
          }
          expect(!isChanged || isPurged, `${path}, changed by ${written}, write ${count} of seed ${SEED}`).toBe(true);
        }
      }
      const ratio = dropped / changed;
      console.log(`${name} on ${engine}: ${changed} answers changed, ${dropped} were purged: ${ratio.toFixed(2)}`);
      if (process.env['CACHE_EXCESS']) console.log([...excess].sort((a, b) => b[1] - a[1]).slice(0, 25), most_tags);
      expect(ratio).toBeLessThanOrEqual(most);
    }, 600_000);

    it('tells the receiver, and tags only what is the same for everybody', async () => {
      const { id } = await write('POST', 'tags', { name: 'told' });
      const { headers } = await server.send('GET', `/api/tags/${id}`);
      expect(tagsOf(headers).size).toBeGreaterThan(1);
      const told = cdn.told.length;
      await write('PUT', `tags/${id}`, { name: 'changed' });
      const isTold = () =>
        cdn.told
          .slice(told)
          .some(
            ({ body }) => body.event === 'cache.purge' && body.tags.some((tag: string) => tagsOf(headers).has(tag)),
          );
      await vi.waitFor(() => expect(isTold()).toBe(true), { timeout: 5000 });
      const own = await server.send('GET', `/api/tags/${id}`, { token: admin });
      expect([own.headers.get('cache-tag'), own.headers.get('cache-control')]).toEqual([null, 'private, no-cache']);
      for (const path of [`tags/${id + 999}`, 'tags?asOf=2020-01-01', '_audit']) {
        expect((await server.send('GET', `/api/${path}`)).headers.get('cache-tag')).toBeNull();
      }
    });

    it('purges everything once visitors may find something else', async () => {
      const { headers } = await server.send('GET', '/api/tags');
      await purged();
      const { body } = await server.send('GET', '/api/users-permissions/roles', { token: admin });
      const { id } = body.roles.find(({ type }: any) => type === 'public');
      await server.send('PUT', `/api/users-permissions/roles/${id}`, { token: admin, body: { description: 'all' } });
      const tags = await purged();
      expect([...tagsOf(headers)].some((tag) => tags.has(tag))).toBe(true);
    });
  },
);
