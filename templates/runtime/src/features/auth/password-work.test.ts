/** The cost of password hashes: limits per request, and queues. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/accounts/src/generated/app.ts';
import { openProject, PASSWORD, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import { hashPassword, verifyPassword } from '../../base/password.ts';

/** The cost of real servers: with the low one of tests, no hash waits for another. */
const COST = '13';

let project: TestProject;
let server: TestServer;

beforeAll(async () => {
  project = await openProject({ ...definition, roles: { ...definition.roles, public: ['door.find', 'door.create'] } });
  server = await project.start({ AUTH_PASSWORD_COST: COST });
});
afterAll(async () => {
  await server?.close();
  await project?.remove();
});

const keys = (count: number) => Array.from({ length: count }, (_, index) => ({ pin: `${index}-secret` }));
const create = (data: object) => server.send('POST', '/api/doors', { body: { data } });

/** Sends a create request, and disconnects once the server can have read it. */
function leave(data: object): Promise<void> {
  const body = JSON.stringify({ data });
  return new Promise((resolve) => {
    const sent = httpRequest(`${server.origin}/api/doors`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    });
    sent.on('error', () => undefined);
    sent.end(body, () =>
      setTimeout(() => {
        sent.destroy();
        resolve();
      }, 500),
    );
  });
}

test('S04: a request sets at most ten passwords, at any depth; with more, none is hashed', async () => {
  const before = (await server.send('GET', '/api/doors')).body.meta.pagination.total;
  const many: readonly [object, string[]][] = [
    [{ keys: keys(10_000) }, ['keys']],
    [{ keys: keys(11) }, ['keys']],
    [{ code: 'x', ring: { keys: keys(10) } }, ['ring']],
    [{ keys: keys(5), parts: [{ __component: 'access.ring', keys: keys(6) }] }, ['parts']],
  ];
  for (const [data, path] of many) {
    const { status, body } = await create(data);
    expect([status, body.error.details.errors[0].path]).toEqual([400, path]);
    expect(body.error.message).toContain('at most 10 passwords');
  }
  expect((await server.send('GET', '/api/doors')).body.meta.pagination.total).toBe(before);
  expect(
    (await create({ code: 'x', keys: [...keys(9), ...Array.from({ length: 500 }, () => ({ label: 'none' }))] })).status,
  ).toBe(201);
}, 120_000);

test('S04: signing in does not wait for passwords of entries', async () => {
  const hash = await hashPassword(PASSWORD);
  let done = 0;
  const content = Array.from({ length: 20 }, () =>
    hashPassword(PASSWORD, { purpose: 'content' }).then(() => (done += 1)),
  );
  for (let signIn = 1; signIn <= 3; signIn += 1) {
    const before = done;
    expect(await verifyPassword(PASSWORD, hash)).toBe(true);
    // Each hash takes equally long, so one or two of the others finish meanwhile.
    expect(done - before).toBeLessThan(6);
  }
  expect(done).toBeLessThan(16);
  await Promise.all(content);
}, 120_000);

test('S04: the work of a disconnected client is dropped from the queue', async () => {
  const count = async () => (await server.send('GET', '/api/doors')).body.meta.pagination.total as number;
  const alone = performance.now();
  expect((await create({ code: 'alone' })).status).toBe(201);
  const one = performance.now() - alone;
  const before = await count();
  // 300 hashes: many seconds of work.
  await Promise.all(Array.from({ length: 30 }, (_, index) => leave({ name: `left ${index}`, keys: keys(10) })));
  const started = performance.now();
  expect((await create({ code: 'stays' })).status).toBe(201);
  expect(performance.now() - started).toBeLessThan(one * 30 + 1000);
  expect((await count()) - before).toBeLessThan(10);
}, 120_000);

test('S04: the queue is first in, first out, also if a client leaves it', async () => {
  const gone = new Set<() => void>();
  const client = {
    caller: 'a',
    gone: false,
    onGone: (callback: () => void) => (gone.add(callback), () => void gone.delete(callback)),
  };
  const order: number[] = [];
  const tasks = Array.from({ length: 6 }, (_, index) =>
    hashPassword('x', { purpose: 'content', ...(index % 2 === 1 && { client }) }).then(
      () => order.push(index),
      (error: Error) => error.name,
    ),
  );
  await new Promise((resolve) => setTimeout(resolve, 1));
  for (const callback of gone) callback();
  const results = await Promise.all(tasks);
  expect(order).toEqual([0, 2, 4]);
  expect(results.filter((result) => result === 'ClientClosedRequestError')).toHaveLength(3);
  expect(gone.size).toBeLessThanOrEqual(3);
});
