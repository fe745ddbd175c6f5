/** Requests that are repeated with an `Idempotency-Key`: each is carried out once, on each engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definition as market } from '../../../test-support/projects/market/src/generated/app.ts';
import { definition as newspaper } from '../../../test-support/projects/newspaper/src/generated/app.ts';
import { PNG } from '../../../test-support/multipart-forms.ts';
import { openProxy } from '../../../test-support/proxy.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import { HttpError } from '../../contract/errors.ts';
import type { Database } from '../../database/database.ts';
import type { DialectName } from '../../database/dialect.ts';
import { raw } from '../../database/sql.ts';
import type { AnyExtensions } from '../../index.ts';
import type { ServerDefinition } from '../../server/definition.ts';
import { keyRows } from './key-rows.ts';

let next = 0;
const newKey = (): string => `key ${(next += 1)}`;

interface Served {
  readonly database: Database;
  readonly drop: () => Promise<void>;
  readonly project: TestProject;
  readonly servers: readonly TestServer[];
  readonly token: string;
}

async function serve(
  engine: DialectName,
  { definition, instances = 1, extensions }: { definition: ServerDefinition; instances?: number; extensions?: object },
): Promise<Served> {
  const project = await openProject(definition);
  const server = engine === 'sqlite' ? undefined : await openEngine(engine, `keys_${definition.name}`);
  const environment = { DATABASE_URL: server?.url ?? project.urlOf('test') };
  const servers: TestServer[] = [];
  for (let index = 0; index < instances; index += 1) {
    servers.push(await project.start(environment, extensions as AnyExtensions));
  }
  const database = server?.database ?? (await project.open());
  const drop = server?.drop ?? (() => database.close());
  return { database, drop, project, servers, token: await createToken(database, { kind: 'full-access' }) };
}

async function close({ servers, project, drop }: Served): Promise<void> {
  for (const server of servers) await server.close();
  await drop();
  await project.remove();
}

describe.each(await testedEngines())('on %s', (engine) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(engine, { definition: newspaper, instances: 2 });
  });
  afterAll(() => close(served));

  const send = (method: string, path: string, key: string | undefined, data?: object, at = 0) =>
    served.servers[at]!.send(method, path, {
      token: served.token,
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
      ...(data && { body: data }),
    });
  const count = async (path: string): Promise<number> =>
    (await send('GET', path, undefined)).body.meta.pagination.total as number;
  const replayed = (headers: Headers) => headers.get('idempotency-replayed');

  it('gives each repetition the answer of the first request, with its ETag', async () => {
    const [first, second] = [newKey(), newKey()];
    const data = { data: { name: 'Ann', handle: `ann ${engine}` } };
    const before = await count('/api/authors');
    const made = await send('POST', '/api/authors', first, data);
    expect([made.status, replayed(made.headers)]).toEqual([201, null]);
    // Without the key, the handle is taken.
    expect((await send('POST', '/api/authors', second, data)).status).toBe(400);
    for (const at of [0, 1]) {
      const again = await send('POST', '/api/authors', `"${first}"`, data, at);
      expect([again.status, again.text, replayed(again.headers)]).toEqual([201, made.text, 'true']);
      expect(again.headers.get('etag')).toBe(made.headers.get('etag'));
      const refused = await send('POST', '/api/authors', second, data, at);
      expect([refused.status, replayed(refused.headers)]).toEqual([400, 'true']);
    }
    expect(await count('/api/authors')).toBe(before + 1);
  });

  it('covers changes, deletions, single types and locales', async () => {
    const { body } = await send('POST', '/api/articles', newKey(), { data: { title: 'One' } });
    const path = `/api/articles/${body.data.id}`;
    const twice = async (method: string, at: string, data?: object) => {
      const key = newKey();
      const [one, two] = [await send(method, at, key, data), await send(method, at, key, data, 1)];
      expect([two.status, two.text, replayed(two.headers)]).toEqual([one.status, one.text, 'true']);
      return one;
    };
    expect((await twice('PUT', path, { data: { title: 'Two' } })).body.data.attributes.title).toBe('Two');
    expect((await twice('POST', `${path}/localizations`, { locale: 'fr', title: 'Deux' })).status).toBe(201);
    expect((await twice('PUT', '/api/home', { data: { text: 'Hello' } })).status).toBe(201);
    expect((await twice('DELETE', '/api/home')).body.data.attributes.text).toBe('Hello');
    expect((await twice('DELETE', path)).status).toBe(200);
    expect((await twice('DELETE', path)).status).toBe(404);
    const user = { username: `u ${engine}`, email: `${engine}@example.org`, password: 'a long password' };
    const account = await twice('POST', '/api/users', user);
    expect(account.status).toBe(201);
    expect((await twice('PUT', `/api/users/${account.body.id}`, { username: `v ${engine}` })).status).toBe(200);
    expect((await twice('DELETE', `/api/users/${account.body.id}`)).status).toBe(200);
  });

  it('refuses another request with a key, and malformed keys', async () => {
    const key = newKey();
    const path = '/api/tags';
    expect((await send('POST', path, key, { data: { name: 'a' } })).status).toBe(201);
    expect((await send('POST', path, key, { data: { name: 'b' } })).status).toBe(422);
    expect((await send('POST', `${path}?populate=*`, key, { data: { name: 'a' } })).status).toBe(422);
    // The same key for another path is another key.
    expect((await send('POST', '/api/pages', key, { data: { title: 'a' } })).status).toBe(201);
    for (const malformed of ['""', ' ', 'x'.repeat(256)]) {
      expect((await send('POST', path, malformed, { data: { name: 'c' } })).status).toBe(400);
    }
  });

  it('writes once, however many instances get the request at once', async () => {
    const before = await count('/api/tags');
    const keys = Array.from({ length: 12 }, newKey);
    const answers = await Promise.all(
      keys.flatMap((key) => [0, 1, 0, 1].map((at) => send('POST', '/api/tags', key, { data: { name: key } }, at))),
    );
    for (const { status, headers } of answers) {
      expect([201, 409, 503]).toContain(status);
      if (status !== 201) expect(headers.get('retry-after')).toBe('1');
    }
    for (const [index, key] of keys.entries()) {
      const final = await send('POST', '/api/tags', key, { data: { name: key } });
      expect([final.status, replayed(final.headers)]).toEqual([201, 'true']);
      const given = answers.slice(4 * index, 4 * index + 4).filter(({ status }) => status === 201);
      for (const { text } of given) expect(text).toBe(final.text);
    }
    expect(await count('/api/tags')).toBe(before + keys.length);
  });

  it('covers uploads, and forms whose boundary is another one each time', async () => {
    const key = newKey();
    const upload = async (path: string, name: string, fields: Record<string, string> = {}) => {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.append(field, value);
      form.append(path === '/api/upload' ? 'files' : 'files.images', new Blob([PNG], { type: 'image/png' }), name);
      const headers = { Authorization: `Bearer ${served.token}`, 'Idempotency-Key': key };
      const response = await fetch(served.servers[0]!.origin + path, { method: 'POST', headers, body: form });
      return { status: response.status, text: await response.text(), headers: response.headers };
    };
    const one = await upload('/api/upload', 'a.png');
    const two = await upload('/api/upload', 'a.png');
    expect([one.status, replayed(one.headers)]).toEqual([200, null]);
    expect([two.status, two.text, replayed(two.headers)]).toEqual([200, one.text, 'true']);
    expect((await upload('/api/upload', 'b.png')).status).toBe(422);
    const data = { data: JSON.stringify({ title: 'With files' }) };
    const page = await upload('/api/pages', 'c.png', data);
    const again = await upload('/api/pages', 'c.png', data);
    expect([page.status, again.status, again.text]).toEqual([201, 201, page.text]);
    const files = await send('GET', '/api/upload/files', undefined);
    expect(files.body.map((file: { name: string }) => file.name).sort()).toEqual(['a.png', 'c.png']);
  });

  it('forgets keys after a day, and keeps nothing of requests without a key', async () => {
    const { database } = served;
    const rows = async () => Number((await database.get(raw('SELECT COUNT(*) AS n FROM idempotency_keys')))?.['n']);
    const before = await rows();
    await send('POST', '/api/tags', undefined, { data: { name: 'none' } });
    expect(await rows()).toBe(before);
    const key = newKey();
    const made = await send('POST', '/api/tags', key, { data: { name: 'day' } });
    await database.run(raw('UPDATE idempotency_keys SET since = since - 86400001'));
    const later = await send('POST', '/api/tags', key, { data: { name: 'day' } });
    expect([later.status, replayed(later.headers), later.body.data.id === made.body.data.id]).toEqual([
      201,
      null,
      false,
    ]);
  });

  it('prunes the keys of former days in parts, and no others', async () => {
    const { database } = served;
    const day = 24 * 3_600_000;
    const now = Date.now() + 10 * day;
    const values = Array.from({ length: 2500 }, (_, index) => `('p${index}', 'x', ${now - day + index - 2400})`);
    await database.run(raw(`INSERT INTO idempotency_keys (request_key, payload, since) VALUES ${values.join(', ')}`));
    const left = async () => Number((await database.get(raw('SELECT COUNT(*) AS n FROM idempotency_keys')))?.['n']);
    const rows = keyRows(database, () => now);
    expect(await rows.find('p2400')).toMatchObject({ payload: 'x', answer: undefined });
    await expect.poll(left, { timeout: 10_000 }).toBe(100);
    expect(await rows.find('p2399')).toBeUndefined();
  });
});

describe.each((await testedEngines()).filter((engine) => engine !== 'sqlite'))(
  'a COMMIT of unknown fate on %s',
  (engine) => {
    it('is settled by the repetition', async () => {
      const opened = await openEngine(engine, 'keys_lost');
      const proxy = await openProxy(opened.url);
      const project = await openProject(newspaper);
      const server = await project.start({ DATABASE_URL: proxy.url });
      try {
        const token = await createToken(opened.database, { kind: 'full-access' });
        const create = (name: string, headers = {}) =>
          server.send('POST', '/api/tags', { token, headers, body: { data: { name } } });
        await create('before');
        for (let round = 0; round < 2; round += 1) {
          let [key, status] = ['', 201];
          let headers = {};
          // A first COMMIT may be that of the deletion of old keys.
          while (status === 201) {
            key = newKey();
            headers = { 'Idempotency-Key': key };
            await create(`${key} warm`, { 'Idempotency-Key': newKey() });
            const lost = proxy.loseAnswerTo('COMMIT');
            const unknown = await create(key, headers);
            await lost;
            ({ status } = unknown);
            expect([201, 503]).toContain(status);
            if (status === 503) expect(unknown.headers.get('retry-after')).toBe('1');
          }
          const settled = await create(key, headers);
          expect([settled.status, settled.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
          const found = await server.send('GET', `/api/tags?filters[name]=${key}`, { token });
          expect(found.body.data.map(({ id }: { id: number }) => id)).toEqual([settled.body.data.id]);
        }
      } finally {
        await server.close();
        await project.remove();
        await proxy.close();
        await opened.drop();
      }
    });
  },
);

describe.each(await testedEngines())("the project's own code on %s", (engine) => {
  let served: Served;
  const calls: string[] = [];
  const extensions = {
    hooks: {
      tag: {
        transform({ entry }: { entry: object }) {
          return { ...entry, shown: calls.push('transform') };
        },
        committed() {
          calls.push('committed');
        },
        async afterCreate({ context }: any) {
          await context.entries.part.create({ name: 'of a tag' });
        },
      },
    },
    actions: {
      product: {
        async create(proceed: any, request: any) {
          const answer = await proceed(request);
          const { context } = request;
          // Writes of its own, while the request is still without an answer.
          await context.entries.part.create({ name: `part of ${answer.data.attributes.title}` });
          if (answer.data.attributes.title === 'refused') throw new HttpError(409, 'ConflictError', 'Not this one');
          if (answer.data.attributes.title === 'broken') throw new Error('a bug');
          return { ...answer, seen: (await context.entries.product.findOne(answer.data.id)).data.attributes.title };
        },
      },
    },
  };
  beforeAll(async () => {
    served = await serve(engine, { definition: market, extensions });
  });
  afterAll(() => close(served));

  const send = (path: string, key: string, data: object) =>
    served.servers[0]!.send('POST', path, {
      token: served.token,
      headers: { 'Idempotency-Key': key },
      body: { data },
    });
  const total = async (path: string): Promise<number> =>
    (await served.servers[0]!.send('GET', path, { token: served.token })).body.meta.pagination.total as number;

  it('runs actions once, and stores what they answer', async () => {
    const key = newKey();
    const one = await send('/api/products', key, { title: 'Lamp' });
    expect([one.status, one.body.seen]).toEqual([201, 'Lamp']);
    const two = await send('/api/products', key, { title: 'Lamp' });
    expect([two.status, two.text, two.headers.get('idempotency-replayed')]).toEqual([201, one.text, 'true']);
    expect([await total('/api/products'), await total('/api/parts')]).toEqual([1, 1]);
  });

  it('repeats what an action refuses, and never repeats a write whose answer is not known', async () => {
    const key = newKey();
    const refusals = [
      await send('/api/products', key, { title: 'refused' }),
      await send('/api/products', key, { title: 'refused' }),
    ];
    expect(refusals.map(({ status, body }) => [status, body.error.message])).toEqual([
      [409, 'Not this one'],
      [409, 'Not this one'],
    ]);
    const other = newKey();
    expect((await send('/api/products', other, { title: 'broken' })).status).toBe(500);
    const products = await total('/api/products');
    expect((await send('/api/products', other, { title: 'broken' })).headers.get('retry-after')).toBe('1');
    await served.database.run(raw('UPDATE idempotency_keys SET since = since - 60001'));
    const lost = await send('/api/products', other, { title: 'broken' });
    expect([lost.status, lost.headers.get('retry-after')]).toEqual([409, null]);
    expect(await total('/api/products')).toBe(products);
  });

  it('runs hooks once', async () => {
    const key = newKey();
    calls.length = 0;
    const one = await send('/api/tags', key, { name: 'x' });
    const two = await send('/api/tags', key, { name: 'x' });
    expect([one.status, one.body.data.shown, two.text]).toEqual([201, 2, one.text]);
    expect(calls).toEqual(['committed', 'transform']);
  });
});
