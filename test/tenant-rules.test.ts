/** Users reach the entries of their own tenant, and of no other, in every way. */
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { proveRules } from '../templates/runtime/src/testing/prove/prove-rules.ts';
import {
  createToken,
  PASSWORD,
  type TestProject,
  type TestServer,
} from '../templates/runtime/test-support/test-project.ts';
import { modelsOf } from './support/evolving-model.ts';
import { openSchema } from './support/served-project.ts';

const schema = `
name: tenants
contentTypes:
  site:
    attributes: { name: { type: string } }
  page:
    tenant: site
    key: title
    attributes:
      title: { type: string, unique: true }
      hidden: { type: boolean, default: false }
      site: { type: relation, relation: manyToOne, target: site, required: true }
      related: { type: relation, relation: manyToMany, target: page }
users:
  attributes:
    site: { type: relation, relation: manyToOne, target: site }
permissions:
  authenticated: { site: [find], page: [{ find: { where: { hidden: false } } }, findOne, create, update, delete] }
  operator: { tenants: '*', site: '*', page: '*' }
`;

let project: TestProject;
let server: TestServer;
let database: Database;
let token: string;

beforeAll(async () => {
  project = await openSchema(schema);
  server = await project.start();
  database = await project.open();
  token = await createToken(database, { kind: 'full-access' });
});
afterAll(async () => {
  await server?.close();
  await database?.close();
  await project?.remove();
});

/** A request without credentials to a host, as its `Host` says. */
function requestAt(
  origin: string,
  host: string,
  method: string,
  path: string,
  data?: object,
): Promise<{ readonly status: number; readonly body: any }> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json' };
    const sent = request(`${origin}${path}`, { method, headers }, (response) => {
      const { statusCode = 0 } = response;
      json(response).then((body) => resolve({ status: statusCode, body }), reject);
    });
    sent.on('error', reject);
    sent.end(data && JSON.stringify({ data }));
  });
}

async function userOf(name: string, site: number | null, role: string): Promise<string> {
  const { body: all } = await server.send('GET', '/api/users-permissions/roles', { token });
  const { id } = all.roles.find(({ type }: any) => type === role);
  const body = { username: name, email: `${name}@example.org`, password: PASSWORD, role: id, site };
  expect((await server.send('POST', '/api/users', { token, body })).status).toBe(201);
  return (await server.signIn(name, PASSWORD)).body.jwt;
}

it('keeps tenants apart', async () => {
  const site = async (name: string): Promise<number> =>
    (await server.send('POST', '/api/sites', { token, body: { data: { name } } })).body.data.id;
  const [first, second] = [await site('first'), await site('second')];
  const ann = await userOf('ann', first, 'authenticated');
  const bob = await userOf('bob', second, 'authenticated');
  const operator = await userOf('ops', null, 'operator');
  const nobody = await userOf('nobody', null, 'authenticated');
  const send = (who: string, method: string, path: string, data?: object) =>
    server.send(method, path, { token: who, ...(data && { body: { data } }) });
  const titles = async (who: string) =>
    (await send(who, 'GET', '/api/pages?sort=id')).body.data.map(({ attributes }: any) => attributes.title);

  const page = (await send(ann, 'POST', '/api/pages', { title: 'same' })).body.data;
  expect((await send(bob, 'POST', '/api/pages', { title: 'same' })).status).toBe(201);
  expect((await send(ann, 'POST', '/api/pages', { title: 'other', site: second })).status).toBe(400);
  expect((await send(nobody, 'POST', '/api/pages', { title: 'none' })).status).toBeGreaterThanOrEqual(400);
  expect([await titles(ann), await titles(bob), await titles(operator), await titles(nobody)]).toEqual([
    ['same'],
    ['same'],
    ['same', 'same'],
    [],
  ]);

  const named = async (who: string) => (await send(who, 'GET', '/api/pages/same')).body.data?.id;
  expect([await named(ann), (await named(bob)) === page.id, await named(nobody)]).toEqual([page.id, false, undefined]);
  expect(await named(bob)).toBeGreaterThan(0);

  const path = `/api/pages/${page.id}`;
  for (const [method, data] of [['GET'], ['PUT', { title: 'taken' }], ['DELETE']] as const) {
    expect((await send(bob, method, path, data)).status, method).toBe(404);
  }
  const moved = await send(ann, 'PUT', path, { site: second });
  expect([moved.status, moved.body.error.details.errors[0].path]).toEqual([400, ['site']]);
  expect((await send(bob, 'POST', '/api/pages', { title: 'r', related: [page.id] })).status).toBe(400);
  await send(ann, 'PUT', path, { hidden: true });
  expect(await titles(ann)).toEqual([]);
  expect((await send(operator, 'PUT', path, { site: second, title: 'moved' })).status).toBe(200);
  expect((await send(ann, 'GET', path)).status).toBe(404);
});

it('proves it', async () => {
  const proof = await proveRules(project.definition, { cases: 200, seed: 3 });
  expect(proof).toMatchObject({ cases: 200, failures: [] });
}, 60_000);

it('tells visitors apart by the host', async () => {
  const byHost = schema
    .replace('{ name: { type: string } }', '{ name: { type: string }, domain: { type: string, unique: true } }')
    .replace('tenant: site\n', 'tenant: site\n    tenantHost: domain\n')
    .replace('permissions:\n', 'permissions:\n  public: { site: [find], page: [find, findOne, create] }\n');
  const own = await openSchema(byHost);
  const running = await own.start();
  const owned = await own.open();
  try {
    const admin = await createToken(owned, { kind: 'full-access' });
    for (const domain of ['one.example.org', 'two.example.org']) {
      const { body } = await running.send('POST', '/api/sites', {
        token: admin,
        body: { data: { name: domain, domain } },
      });
      const data = { title: `page of ${domain}`, site: body.data.id };
      await running.send('POST', '/api/pages', { token: admin, body: { data } });
    }
    const titlesAt = async (host: string) => {
      const { body } = await requestAt(running.origin, host, 'GET', '/api/pages?sort=id&populate=site');
      return body.data.map(({ attributes }: any) => [attributes.title, attributes.site.data.attributes.name]);
    };
    const [one, two] = ['one.example.org', 'two.example.org'];
    expect(await titlesAt(one)).toEqual([[`page of ${one}`, one]]);
    expect(await titlesAt('TWO.example.org:1337')).toEqual([[`page of ${two}`, two]]);
    expect(await titlesAt('three.example.org')).toEqual([]);
    expect((await requestAt(running.origin, one, 'GET', '/api/pages/2')).status).toBe(404);

    const made = await requestAt(running.origin, two, 'POST', '/api/pages', { title: 'made' });
    expect(made.status).toBe(201);
    expect(await titlesAt(two)).toHaveLength(2);
    expect((await requestAt(running.origin, two, 'POST', '/api/pages', { title: 'x', site: 1 })).status).toBe(400);
    expect((await requestAt(running.origin, 'three.example.org', 'POST', '/api/pages', { title: 'x' })).status).toBe(
      400,
    );
  } finally {
    await running.close();
    await owned.close();
    await own.remove();
  }
});

it('needs users to have a tenant, unless every role reaches all', () => {
  const without = schema.replace(/users:\n(?: {2}.*\n)+/u, '');
  expect(() => modelsOf(without)).toThrow('but users have none');
  expect(() => modelsOf(without.replace('authenticated: {', "authenticated: { tenants: '*',"))).not.toThrow();
  const byHost = without.replace('tenant: site\n', 'tenant: site\n    tenantHost: domain\n');
  expect(() => modelsOf(byHost)).toThrow('which does not exist');
  const domain = (options: string): string =>
    byHost.replace('{ name: { type: string } }', `{ domain: { type: string${options} } }`);
  expect(() => modelsOf(domain(''))).toThrow('which is not unique');
  expect(() => modelsOf(domain(', unique: true'))).not.toThrow();
});
