/** The client of a generated server: code that uses it as a frontend does, and the server. */
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngOf } from '../templates/runtime/test-support/upload-server.ts';
import { root } from './support/project.ts';
import { fixtureSchema, type ServedProject, serveProject } from './support/served-project.ts';

type Uses = (...values: unknown[]) => unknown;

let server: ServedProject;
/** What `fixtures/magazine/frontend.ts` exports. */
let frontend: Readonly<Record<'reads' | 'flat' | 'refusals' | 'session' | 'uploads', Uses>>;
let api: string;

/** Puts a file of the fixture into a project, and loads it from there. */
async function loadFrontend<T>(project: string, file: string): Promise<T> {
  const code = join(project, file);
  await cp(join(root, 'fixtures/magazine', file), code);
  return (await import(pathToFileURL(code).href)) as T;
}

beforeAll(async () => {
  const schema = `${await fixtureSchema('magazine')}\n  authenticated:\n    extends: public\n    users: [me]\n`;
  server = await serveProject(schema);
  frontend = await loadFrontend(server.project, 'frontend.ts');
  api = `${server.origin}/api`;
});
afterAll(() => server?.close());

describe('the client', () => {
  it('reads what a query says, to any depth, and walks pages', async () => {
    expect(await frontend.reads(api)).toEqual({
      headlines: ['Tides & waves by Ann', 'Ships by Ann'],
      total: 3,
      others: ['Tides & waves', 'Ships'],
      topics: 1,
      subject: 'sea',
      keywords: { data: null },
      walked: ['Tides & waves', 'Ships', 'Ports'],
      byTitle: ['Ports', 'Ships', 'Tides & waves'],
      count: 1,
      site: 'Sea',
    });
  });

  it('flattens what was populated, and leaves JSON as it is', async () => {
    expect(await frontend.flat(api)).toEqual({
      title: 'Ships',
      author: 'Ann',
      link: 'home',
      names: ['Sea'],
      keywords: { data: null },
      cover: null,
      blocks: ['blocks.text', 'blocks.teasers'],
      all: ['Ann', 0, 0],
      parent: 'Sea',
    });
  });

  it('says by name what went wrong', async () => {
    expect(await frontend.refusals(api)).toEqual([
      ['name'],
      ['NotFoundError', 404],
      ['UnauthorizedError', 401],
      'AbortError',
      ['ConnectionError', 0],
      ['NotFoundError', 404],
    ]);
  });

  it('signs in, and asks for the token of each request', async () => {
    expect(await frontend.session(api)).toEqual(['ann', 'ann@example.org', true]);
  });

  it('uploads with progress, and attaches', async () => {
    expect(await frontend.uploads(api, new Uint8Array(pngOf(40, 30)))).toEqual({
      progress: 1,
      cover: 'the sea',
      caption: 'waves',
      found: 1,
      deleted: 'sea.png',
    });
  });
});

describe('requests that fail for a passing reason', () => {
  interface Tags {
    create(data: object, query?: object, options?: object): Promise<{ readonly data: { readonly id: number } }>;
    count(query?: object): Promise<number>;
  }
  type Batch = (operations: readonly object[]) => Promise<{ readonly results: readonly { readonly status: number }[] }>;
  const failing = async (times: number, fail: (url: string, init: RequestInit) => Promise<Response>) => {
    const path = pathToFileURL(join(server.project, 'client/index.js')).href;
    const { createClient } = (await import(path)) as {
      createClient(settings: object): { readonly topics: Tags; batch: Batch };
    };
    const keys = new Set<string | null>();
    let left = times;
    const transport = async (url: string, init: RequestInit): Promise<Response> => {
      keys.add(new Headers(init.headers).get('Idempotency-Key'));
      left -= 1;
      return left < 0 ? fetch(url, init) : fail(url, init);
    };
    return { client: createClient({ baseUrl: api, fetch: transport }), keys };
  };
  const cutAfterwards = async (url: string, init: RequestInit): Promise<Response> => {
    await fetch(url, init);
    throw new TypeError('the connection was cut');
  };

  it('are repeated with their key, and write once', async () => {
    const { client, keys } = await failing(2, cutAfterwards);
    const before = await (await failing(0, cutAfterwards)).client.topics.count();
    const { data } = await client.topics.create({ name: 'once' });
    expect(data.id).toBeGreaterThan(0);
    expect([keys.size, keys.has(null)]).toEqual([1, false]);
    expect(await client.topics.count()).toBe(before + 1);
  });

  it('are one transaction as a batch', async () => {
    const { client } = await failing(1, cutAfterwards);
    const before = await client.topics.count();
    const topic = (name: string) => ({ id: name, method: 'POST', path: '/api/topics', body: { data: { name } } });
    const child = { method: 'POST', path: '/api/topics', body: { data: { name: 'child', parent: '$root' } } };
    const { results } = await client.batch([topic('root'), child]);
    expect(results.map(({ status }) => status)).toEqual([201, 201]);
    await expect(client.batch([topic('other'), topic('root')])).rejects.toMatchObject({ details: { operation: 1 } });
    expect(await client.topics.count()).toBe(before + 2);
  });

  it('are repeated as often as the caller says, and not if the wait is long', async () => {
    const busy = (seconds: string) => async () =>
      new Response(
        JSON.stringify({ data: null, error: { status: 503, name: 'ServiceUnavailableError', message: 'no' } }),
        {
          status: 503,
          headers: { 'Retry-After': seconds },
        },
      );
    const once = await failing(1, busy('0'));
    await expect(once.client.topics.create({ name: 'never' }, {}, { retries: 0 })).rejects.toMatchObject({
      status: 503,
    });
    const long = await failing(1, busy('60'));
    await expect(long.client.topics.create({ name: 'never' })).rejects.toMatchObject({ retryAfter: 60 });
    const short = await failing(1, busy('0'));
    const key = `mine ${Date.now()}`;
    expect((await short.client.topics.create({ name: 'mine' }, {}, { idempotencyKey: key })).data.id).toBeGreaterThan(
      0,
    );
    expect([...short.keys]).toEqual([key]);
  });
});

describe('the client of a server of the v5 format', () => {
  let documents: ServedProject;
  let uses: Readonly<Record<'reads' | 'writes', Uses>>;

  beforeAll(async () => {
    documents = await serveProject((await fixtureSchema('magazine')).replace('maxPopulateDepth: 8', '$&, format: v5'));
    uses = await loadFrontend(documents.project, 'frontend-v5.ts');
  });
  afterAll(() => documents?.close());

  it('reads flat entries, and walks pages', async () => {
    expect(await uses.reads(`${documents.origin}/api`)).toEqual({
      headlines: ['Tides & waves by Ann', 'Ships by Ann'],
      total: 3,
      others: ['Tides & waves', 'Ships'],
      topics: 2,
      subject: 'sea',
      keywords: { data: null },
      walked: ['Tides & waves', 'Ships', 'Ports'],
      published: 'string',
      order: ['Sea', 'Deep sea'],
      count: 1,
      site: 'Sea',
    });
  });

  it('knows drafts and locales', async () => {
    expect(await uses.writes(`${documents.origin}/api`)).toEqual({
      hidden: 'NotFoundError',
      published: true,
      actions: ['Now', 'NotFoundError', 'Now'],
      localizations: ['fr'],
      all: 2,
      titles: ['Now', 'Maintenant'],
      deleted: undefined,
      left: ['NotFoundError', 'NotFoundError'],
    });
  });
});

it('is small: what runs is at most 8 kB, compressed as servers compress it', async () => {
  const files = ['index.js', 'lib/client.js'].map((path) => readFile(join(server.project, 'client', path)));
  const sizes = (await Promise.all(files)).map((code) => gzipSync(code).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(8 * 1024);
});
