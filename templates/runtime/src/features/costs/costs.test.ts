/** What requests cost over HTTP: told to whom it concerns, and limited for everybody together. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/costs/src/generated/app.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';
import { raw } from '../../database/sql.ts';
import { WORKER_VARIABLE } from '../../server/workers/messages.ts';

let project: TestProject;
let server: TestServer;
let database: Database;
let admin: string;

beforeAll(async () => {
  project = await openProject(definition);
  // As one of several processes, which count in the database.
  const several = { [WORKER_VARIABLE]: '1/2' };
  const production = { NODE_ENV: 'production', TRUST_PROXY: 'true', AUTH_PASSWORD_COST: '15' };
  server = await project.start({ ...production, ...several });
  database = await project.open();
  admin = await createToken(database, { kind: 'full-access', name: 'importer' });
});
afterAll(async () => {
  await server?.close();
  await database?.close();
  await project?.remove();
});

/** Each test has callers of its own. */
let hosts = 0;
const visitor = (address = `10.1.0.${(hosts += 1)}`) => ({
  get: (path: string) => server.send('GET', path, { headers: { 'x-forwarded-for': address } }),
});
const costOf = ({ headers }: { readonly headers: Headers }) => Number(headers.get('x-cost'));

async function withRole(name: string, role: string): Promise<string> {
  const { jwt, id } = await server.register(name);
  await database.run(
    raw(`UPDATE users SET role_id = (SELECT id FROM user_roles WHERE type = '${role}') WHERE id = ${id}`),
  );
  return jwt;
}

describe('the cost of a request', () => {
  test('is known before, and does not depend on the content', async () => {
    const part = fc.constantFrom(
      'sort=title',
      'sort=day:desc',
      'filters[section]=news',
      'filters[title][$containsi]=x',
      'filters[author][name]=Ann',
      'populate=tags',
      'populate[author][populate]=articles',
      'pagination[pageSize]=3',
      'pagination[withCount]=false',
    );
    const rich = await withRole('priced', 'rich');
    const asked = (path: string) => server.send('GET', path, { token: rich });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(part, { maxLength: 4 }), async (parts) => {
        const path = `/api/articles?${parts.join('&')}`;
        const before = await asked(path);
        const told = await asked(`/api/_costs?of=${encodeURIComponent(path)}`);
        expect([before.status, told.status], path).toEqual([200, 200]);
        await server.send('POST', '/api/articles', {
          token: rich,
          body: { data: { title: 'another', section: 'news' } },
        });
        expect([costOf(before), costOf(await asked(path))]).toEqual([told.body.data.cost, told.body.data.cost]);
      }),
      { numRuns: 40 },
    );
  });

  test('falls with an index, and grows with what is populated', async () => {
    const asked = async (query: string) =>
      (await server.send('GET', `/api/_costs?of=${encodeURIComponent(`/api/articles?${query}`)}`, { token: admin }))
        .body.data;
    const [indexed, scanned] = [
      await asked('filters[section]=news&sort=day:desc'),
      await asked('filters[day]=2026-01-01'),
    ];
    expect(indexed.missing).toEqual([]);
    expect(scanned.missing).toEqual(['[day]']);
    expect(indexed.cost).toBeLessThan(scanned.cost);
    expect(scanned.scans[0].table).toBe('articles');
    const populated = await asked('filters[section]=news&sort=day:desc&populate[author][populate]=articles');
    expect(populated.cost).toBeGreaterThan(indexed.cost + 25 * 8 * 25);
  });

  test('is told to those who have a budget or the right, and times to those who have the right alone', async () => {
    const one = await visitor().get('/api/articles?pagination[pageSize]=1');
    expect(costOf(one)).toBeGreaterThan(0);
    expect(one.headers.get('server-timing')).toBeNull();
    const { jwt } = await server.register('without');
    expect((await server.send('GET', '/api/_costs?of=/api/articles', { token: jwt })).status).toBe(403);
    const path = '/api/articles?filters[author][name]=Ann';
    // The first request of a minute notes that the token is used.
    await server.send('GET', path, { token: admin });
    const timed = await server.send('GET', path, { token: admin });
    const timing = Object.fromEntries(
      [...(timed.headers.get('server-timing') ?? '').matchAll(/(\w+);dur=([\d.]+)/gu)].map(([, name, ms]) => [
        name,
        Number(ms),
      ]),
    ) as Record<string, number>;
    expect(Object.keys(timing)).toEqual(['parse', 'plan', 'db', 'total']);
    expect(timing['parse']! + timing['plan']! + timing['db']!).toBeLessThanOrEqual(timing['total']! + 0.1);
    const body = { data: { title: 'timed' } };
    const written = await server.send('POST', '/api/articles', { token: admin, body });
    expect(written.headers.get('server-timing')).toMatch(/\bwrite;dur=/u);
    expect(costOf(written)).toBeGreaterThan(1000);
    const development = await project.start({ NODE_ENV: 'development' }, {}, 'development');
    const { headers } = await development.send('GET', '/api/articles');
    await development.close();
    expect(headers.get('server-timing')).toMatch(/^parse;dur=.*\btotal;dur=/u);
  });
});

describe('a budget', () => {
  const PATH = '/api/articles?pagination[pageSize]=1';

  test('is that of an address without credentials, which then has to wait', async () => {
    const [one, other] = [visitor(), visitor()];
    const cost = costOf(await one.get(PATH));
    let served = 1;
    for (; served <= 2000 / cost + 1; served += 1) {
      const { status, headers, body } = await one.get(PATH);
      if (status === 200) continue;
      expect([status, body.error.name]).toEqual([429, 'RateLimitError']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
      break;
    }
    expect(served).toBe(Math.floor(2000 / cost));
    expect((await other.get(PATH)).status).toBe(200);
  });

  test('refuses at once what it can never pay', async () => {
    const { status, body } = await visitor().get('/api/articles?populate[tags][populate]=articles');
    expect([status, body.error.name]).toEqual([400, 'ValidationError']);
    expect(body.error.message).toContain('more than the 2000 that its caller may spend in a minute');
  });

  test('says which line of the schema would make it payable, by what the caller has named', async () => {
    const refusal = async (query: string) =>
      (await visitor().get(`/api/articles?${query}&populate[tags][populate]=articles`)).body.error.message;
    expect(await refusal('sort=title')).toMatch(
      /; in the schema, `indexes: \[\[title\]\]` of article would make it cheaper$/u,
    );
    expect(await refusal('_q=word')).toContain('; in the schema, `search` of article');
    expect(await refusal('sort=id')).not.toContain('schema');
  });

  test('of a user is also spent by the tokens of the user, whatever they are called', async () => {
    const { jwt, id } = await server.register('owner');
    const token = await createToken(database, { kind: 'read-only', userId: id, name: 'an importer' });
    const spend = async (by: string) => (await server.send('GET', PATH, { token: by })).status;
    let spent = 0;
    while ((await spend(spent % 2 === 0 ? jwt : token)) === 200) spent += 1;
    expect(spent).toBe(Math.floor(2000 / costOf(await visitor().get(PATH))));
    expect([await spend(jwt), await spend(token)]).toEqual([429, 429]);
  });

  test('of a write is spent before anything is written', async () => {
    const { jwt } = await server.register('writer');
    const write = () =>
      server.send('POST', '/api/articles', { token: jwt, body: { data: { title: 'of the writer' } } });
    const answers = [await write(), await write(), await write()].map(({ status }) => status);
    expect(answers).toEqual([201, 429, 429]);
    const found = await database.all(raw(`SELECT id FROM articles WHERE title = 'of the writer'`));
    expect(found).toHaveLength(1);
    const operations = Array.from({ length: 25 }, () => ({
      method: 'POST',
      path: '/api/tags',
      body: { data: { name: 'x' } },
    }));
    const batch = await server.send('POST', '/api/_batch', { token: admin, body: { operations } });
    expect([batch.status, (await database.all(raw('SELECT id FROM tags'))).length]).toEqual([400, 0]);
  });

  test('may be of a role, of a token, and without limit', async () => {
    const rich = await withRole('rich', 'rich');
    const path = '/api/articles?populate[tags][populate]=articles';
    const token = await createToken(database, { kind: 'full-access', name: 'another' });
    const answers = await Promise.all([rich, token].map((by) => server.send('GET', path, { token: by })));
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    expect((await server.send('GET', '/api/articles?populate=*', { token: admin })).status).toBe(200);
  });
});
