/** Endpoints with bytes and limits, commands, and sessions of a project's own. */
import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { definition } from '../../test-support/projects/market/src/generated/app.ts';
import { openProject, PASSWORD, type TestProject, type TestServer } from '../../test-support/test-project.ts';
import { ForbiddenError } from '../contract/errors.ts';
import { runProjectCommand } from './commands.ts';
import { describeServer } from './describe.ts';
import type { CommandTools } from './own-commands.ts';
import type { EndpointTools } from './endpoints.ts';

const SECRET = 'shared with the payment provider';
const sign = (bytes: Buffer | string): string => createHmac('sha256', SECRET).update(bytes).digest('hex');

const endpoints = ({ route, z }: EndpointTools<any>) => [
  route({
    method: 'POST',
    path: '/api/payments',
    permission: null,
    body: 'raw',
    maxSize: 100,
    answer: z.object({ length: z.number() }),
    handler({ body, ctx }) {
      if (sign(body) !== ctx.get('X-Signature')) throw new ForbiddenError('The signature is wrong');
      return { length: body.length };
    },
  }),
  route({
    method: 'POST',
    path: '/api/reversed',
    permission: null,
    body: 'stream',
    answer: 'stream',
    async handler({ body, ctx }) {
      const chunks: Buffer[] = [];
      for await (const chunk of body) chunks.push(chunk as Buffer);
      ctx.type = 'text/plain';
      return Readable.from([Buffer.concat(chunks).reverse()]);
    },
  }),
  route({
    method: 'GET',
    path: '/api/rare',
    permission: null,
    rateLimit: { limit: 2, seconds: 60 },
    use: [
      async (ctx, next) => {
        await next();
        ctx.set('X-Around', 'yes');
      },
    ],
    handler: () => {},
  }),
  route({
    method: 'POST',
    path: '/api/sign-in-by-link',
    permission: null,
    body: z.object({ user: z.number() }),
    answer: z.object({ jwt: z.string() }),
    handler: ({ body, context }) => context.sessions.start(body.user),
  }),
];

const commands = ({ command, z }: CommandTools<any>) => ({
  'add-tags': command({
    summary: 'Adds tags',
    args: z.object({
      name: z.array(z.string()).describe('The name of a tag; repeatable'),
      times: z.coerce.number().int().max(3).default(1),
      dryRun: z.boolean().default(false),
    }),
    async run({ args: { name, times, dryRun }, entries, print }) {
      const all = name.flatMap((each) => Array.from({ length: times }, (_, index) => ({ name: `${each} ${index}` })));
      if (!dryRun) await entries.tag.createMany(all);
      print(`${all.length} tags`);
      return all.length > 3 ? 4 : 0;
    },
  }),
  fails: command({ run: () => Promise.reject(new Error('this went wrong')) }),
});

let project: TestProject;
let server: TestServer;
let own: any;

beforeAll(async () => {
  project = await openProject(definition);
  server = await project.start({}, { endpoints, commands, onStart: (services: unknown) => (own = services) } as any);
});
afterAll(async () => {
  await server?.close();
  await project?.remove();
});

test('endpoints take and answer bytes, and are limited per caller', async () => {
  const pay = (body: string, signature: string) =>
    fetch(`${server.origin}/api/payments`, { method: 'POST', body, headers: { 'X-Signature': signature } });
  const body = '{"paid":  true}';
  expect(await (await pay(body, sign(body))).json()).toEqual({ length: body.length });
  expect((await pay(body, sign('another'))).status).toBe(403);
  expect((await pay('x'.repeat(101), sign('x'.repeat(101)))).status).toBe(413);
  const reversed = await fetch(`${server.origin}/api/reversed`, { method: 'POST', body: 'abc' });
  expect([reversed.headers.get('content-type'), await reversed.text()]).toEqual(['text/plain; charset=utf-8', 'cba']);
  const statuses = [];
  for (let call = 0; call < 3; call += 1) statuses.push((await server.send('GET', '/api/rare')).status);
  expect(statuses).toEqual([204, 204, 429]);
  const text = JSON.stringify(describeServer({ paths: {} }, { endpoints }, new Set<string>()));
  expect(text).toContain('/api/payments');
  expect(text).toContain('"*/*"');
  expect(text).toContain('"429"');
});

test('sessions start, are refreshed and end', async () => {
  const { id, username } = await server.register('ada');
  const { body } = await server.send('POST', '/api/sign-in-by-link', { body: { user: id } });
  const me = async (token: string) => (await server.send('GET', '/api/users/me', { token })).status;
  expect(await me(body.jwt)).toBe(200);
  const { jwt } = await own.sessions.refresh(body.jwt);
  expect(await me(jwt)).toBe(200);
  await own.sessions.end(id);
  expect([await me(jwt), await me(body.jwt)]).toEqual([401, 401]);
  await expect(own.sessions.refresh(jwt)).rejects.toThrow();
  expect((await server.signIn(username, PASSWORD)).status).toBe(200);
  await expect(own.sessions.start(999)).rejects.toThrow('Not Found');
});

test('roles are read and changed, and apply to users who are signed in', async () => {
  const { roles, entries, inTransaction } = own;
  const [role] = (await roles.find()).filter(({ type }: { type: string }) => type === 'authenticated');
  const trader = await roles.create({ name: 'Trader', permissions: ['tag.find', 'part.create'] });
  expect(trader).toMatchObject({ type: 'trader', users: 0, permissions: ['part.create', 'tag.find'] });
  const { jwt, id } = await server.register('tom');
  const create = async () => {
    const sent = await server.send('POST', '/api/parts', { token: jwt, body: { data: { name: 'x' } } });
    return sent.status;
  };
  expect(await create()).toBe(403);
  await entries.user.update(id, { role: trader.id });
  expect([await create(), (await roles.findOne(trader.id)).users]).toEqual([201, 1]);
  expect((await roles.update(trader.id, { permissions: ['tag.find'] })).permissions).toEqual(['tag.find']);
  expect(await create()).toBe(403);
  const inside = inTransaction(async (context: any) => {
    expect(await context.roles.findOne(trader.id)).toMatchObject({ name: 'Trader' });
    await context.roles.delete(trader.id);
  });
  await expect(inside).rejects.toThrow('outside of transactions');
  await expect(roles.create({ name: 'Trader' })).rejects.toThrow('must be unique');
  await expect(roles.update(trader.id, { permissions: ['no.such'] })).rejects.toMatchObject({ status: 400 });
  await expect(roles.delete(role.id)).rejects.toMatchObject({ status: 400 });
  await roles.delete(trader.id);
  const { data } = await entries.user.findOne(id, { populate: ['role'] });
  expect(data.attributes.role.data.id).toBe(role.id);
  await expect(roles.findOne(trader.id)).rejects.toMatchObject({ status: 404 });
});

test('commands have options, help and exit codes', async () => {
  const written: string[] = [];
  const write = process.stdout.write.bind(process.stdout);
  const writeError = process.stderr.write.bind(process.stderr);
  const capture = (text: string | Uint8Array) => Boolean(written.push(String(text)));
  const run = async (...args: readonly string[]) => {
    written.length = 0;
    Object.assign(process.stdout, { write: capture });
    Object.assign(process.stderr, { write: capture });
    const before = { ...process.env };
    const settings = { DATABASE_URL: project.urlOf('test'), JWT_SECRET: 'of-the-tests-0123456789-abcdefghijklmn' };
    Object.assign(process.env, settings);
    try {
      const code = await runProjectCommand({ definition, extensions: async () => ({ commands }) as any }, args);
      return [code, written.join('')] as const;
    } finally {
      Object.assign(process.stdout, { write });
      Object.assign(process.stderr, { write: writeError });
      for (const name of Object.keys(settings)) delete process.env[name];
      Object.assign(process.env, before);
    }
  };
  expect(await run('add-tags', '--name', 'a', '--name', 'b', '--times', '2')).toEqual([4, '4 tags\n']);
  expect(await own.entries.tag.count()).toBe(4);
  expect(await run('add-tags', '--name', 'c', '--dry-run')).toEqual([0, '1 tags\n']);
  expect(await own.entries.tag.count()).toBe(4);
  expect(await run('add-tags', '--name', 'c', '--times', '9')).toMatchObject([2, expect.stringContaining('--times')]);
  expect(await run('add-tags', '--nam', 'c')).toMatchObject([2, expect.stringContaining('did you mean --name?')]);
  const [, usage] = await run('add-tags', '--help');
  expect(usage).toContain('--dry-run');
  expect(usage).toContain('The name of a tag; repeatable');
  expect(await run('fails')).toEqual([1, 'this went wrong\n']);
  expect(await run('add-tag')).toMatchObject([2, expect.stringContaining('did you mean add-tags?')]);
  expect((await run('help'))[1]).toContain('Adds tags');
});
