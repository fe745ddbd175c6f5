/**
 * Every hook of a generated project: fixtures/comments/every-hook.ts, installed, compiled and called over HTTP. Each has its effect, and
 * refuses and fails with nothing kept, or, once it is committed, with all.
 */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile, contentGen, install, root, type RunningServer, start } from './support/project.ts';
import { temporaryFolder } from '../templates/runtime/test-support/temporary-folder.ts';

const FIXTURE = join(root, 'fixtures/comments');
const ENVIRONMENT = { LOG_LEVEL: 'info', AUTH_REGISTRATION: 'true', AUTH_RATE_LIMIT: '0', AUTH_PASSWORD_COST: '8' };

interface Call {
  readonly hook: string;
  readonly by: string;
  readonly request: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let project: string;
let server: RunningServer;
let token: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  project = join(folder.path, 'project');
  const built = await contentGen(['build', join(FIXTURE, 'schema.yaml'), '--out', project], folder.path);
  expect(built.exitCode, built.stderr).toBe(0);
  await cp(join(FIXTURE, 'every-hook.ts'), join(project, 'src/extensions/index.ts'));
  await cp(join(FIXTURE, 'extensions.ts'), join(project, 'src/extensions/comments.ts'));
  await cp(join(FIXTURE, 'own-articles.ts'), join(project, 'src/extensions/own-articles.ts'));
  for (const name of ['comments.test.ts', 'own-articles.test.ts']) {
    await cp(join(FIXTURE, name), join(project, 'test', name));
  }
  await install(project);
  await compile(project);
  const create = ['runtime/bin/command.js', 'token', 'create', '--name', 'admin', '--type', 'full-access'];
  token = (await execa(process.execPath, create, { cwd: project, env: ENVIRONMENT })).stdout.trim();
  server = await start(project, ENVIRONMENT);
}, 300_000);
afterAll(async () => {
  await server?.stop();
  await folder?.remove();
});

async function send(method: string, path: string, body?: unknown, by: string | undefined = token) {
  const isForm = body instanceof FormData;
  const response = await fetch(`${server.origin}${path}`, {
    method,
    headers: {
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...(by === '' ? {} : { authorization: `Bearer ${by}` }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    id: response.headers.get('x-request-id'),
    body: (text === '' ? undefined : JSON.parse(text)) as any,
  };
}

/** What the next calls do, and forgets those that were noted. */
const next = (what: object = {}) => send('POST', '/next', what);

async function called(hook: string): Promise<Call> {
  const calls: Call[] = (await send('GET', '/calls')).body;
  const found = calls.find((call) => call.hook === hook);
  if (!found) throw new Error(`${hook} was not called, but ${calls.map((call) => call.hook).join(', ')}`);
  return found;
}

/** All that there is, as the database has it. */
async function everything(): Promise<unknown> {
  await next();
  const paths = ['articles?publicationState=preview&locale=all&sort=id', 'comments?sort=id', 'users', 'upload/files'];
  const answers = await Promise.all([...paths, 'home'].map((path) => send('GET', `/api/${path}`)));
  return answers.map(({ status, body }) => [status, body]);
}

const names = (() => {
  let count = 0;
  return () => `name${(count += 1)}`;
})();

function formOf(name: string, info?: object): FormData {
  const form = new FormData();
  form.append('files', new Blob(['some text'], { type: 'text/plain' }), name);
  if (info) form.append('fileInfo', JSON.stringify(info));
  return form;
}

const newUser = () => ({ username: names(), email: `${names()}@example.org`, password: 'a long password' });
const register = async () => send('POST', '/api/auth/local/register', newUser(), '');
const makeArticle = async () => (await send('POST', '/api/articles', { data: { title: names() } })).body.data.id;
const makeUser = async () => (await send('POST', '/api/users', newUser())).body.id;
const makeFile = async () => (await send('POST', '/api/upload', formOf('a.txt'))).body[0].id;
const saveHome = () => send('PUT', '/api/home', { data: { title: 'home' } });

type Answer = Awaited<ReturnType<typeof send>>;

/** What calls each hook: made ready with nothing refused, and then done. */
const CALLING: Readonly<Record<string, () => Promise<() => Promise<Answer>>>> = {
  'article.beforeFind': async () => () => send('GET', '/api/articles'),
  'article.beforeCreate': async () => () => send('POST', '/api/articles', { data: { title: 'a' } }),
  'article.afterCreate': async () => () => send('POST', '/api/articles', { data: { title: 'a' } }),
  'article.beforeUpdate': updatingArticle,
  'article.afterUpdate': updatingArticle,
  'article.beforeDelete': deletingArticle,
  'article.afterDelete': deletingArticle,
  'article.transform': async () => {
    const id = await makeArticle();
    return () => send('GET', `/api/articles/${id}`);
  },
  'home.beforeUpdate': async () => saveHome,
  'home.afterUpdate': async () => saveHome,
  'home.beforeDelete': deletingHome,
  'home.afterDelete': deletingHome,
  'user.beforeFind': async () => () => send('GET', '/api/users'),
  'user.beforeRegister': async () => register,
  'user.afterRegister': async () => register,
  'user.beforeCreate': async () => () => send('POST', '/api/users', newUser()),
  'user.afterCreate': async () => () => send('POST', '/api/users', newUser()),
  'user.beforeSignIn': signingIn,
  'user.beforeUpdate': updatingUser,
  'user.afterUpdate': updatingUser,
  'user.beforeDelete': deletingUser,
  'user.afterDelete': deletingUser,
  'user.transform': async () => () => send('GET', '/api/users'),
  'file.beforeFind': async () => () => send('GET', '/api/upload/files'),
  'file.beforeCreate': async () => () => send('POST', '/api/upload', formOf('b.txt')),
  'file.afterCreate': async () => () => send('POST', '/api/upload', formOf('b.txt')),
  'file.beforeUpdate': updatingFile,
  'file.afterUpdate': updatingFile,
  'file.beforeDelete': deletingFile,
  'file.afterDelete': deletingFile,
  'file.transform': async () => {
    await makeFile();
    return () => send('GET', '/api/upload/files');
  },
};

async function updatingArticle() {
  const id = await makeArticle();
  return () => send('PUT', `/api/articles/${id}`, { data: { title: 'changed' } });
}

async function deletingArticle() {
  const id = await makeArticle();
  return () => send('DELETE', `/api/articles/${id}`);
}

async function deletingHome() {
  await saveHome();
  return () => send('DELETE', '/api/home');
}

async function signingIn() {
  const { email, password, ...user } = newUser();
  await send('POST', '/api/users', { ...user, email, password });
  return () => send('POST', '/api/auth/local', { identifier: user.username, password }, '');
}

async function updatingUser() {
  const id = await makeUser();
  return () => send('PUT', `/api/users/${id}`, { username: names() });
}

async function deletingUser() {
  const id = await makeUser();
  return () => send('DELETE', `/api/users/${id}`);
}

async function updatingFile() {
  const id = await makeFile();
  return () => send('POST', `/api/upload?id=${id}`, withInfo({ name: 'renamed.txt' }));
}

async function deletingFile() {
  const id = await makeFile();
  return () => send('DELETE', `/api/upload/files/${id}`);
}

function withInfo(info: object): FormData {
  const form = new FormData();
  form.append('fileInfo', JSON.stringify(info));
  return form;
}

describe.each(Object.keys(CALLING))('%s', (hook) => {
  it('is called, in the request that calls it', async () => {
    const act = await CALLING[hook]!();
    await next();
    const { status, id, body } = await act();
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    expect((await called(hook)).request).toBe(id);
  });

  it.each([
    ['refuses', 403, 'refusing'],
    ['fails', 500, 'failing'],
  ] as const)('%s with %i, and nothing is kept', async (_, expected, what) => {
    const act = await CALLING[hook]!();
    const before = await everything();
    await next({ [what]: hook });
    const { status, body } = await act();
    expect([status, body.error.message]).toEqual([
      expected,
      expected === 403 ? `refused by ${hook}` : 'Internal Server Error',
    ]);
    expect(await everything()).toEqual(before);
  });
});

describe.each([
  ['article', () => send('POST', '/api/articles', { data: { title: 'a' } })],
  ['home', saveHome],
  ['user', () => send('POST', '/api/users', newUser())],
  ['file', () => send('POST', '/api/upload', formOf('c.txt'))],
] as const)('%s.committed', (type, act) => {
  it.each(['refusing', 'failing'] as const)('%s is logged, and what was written stays', async (what) => {
    const before = await everything();
    await next({ [what]: `${type}.committed` });
    const { status, id, body } = await act();
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    const line = () =>
      server
        .output()
        .split('\n')
        .find((text) => text.includes('a hook failed') && text.includes(id!));
    await expect.poll(line).toContain(`${what === 'refusing' ? 'refused by' : 'failed in'} ${type}.committed`);
    if (type !== 'home') expect(await everything()).not.toEqual(before);
  });
});

describe('what hooks of entries see and change', () => {
  it('checked data, the whole entry, and who asks', async () => {
    await next();
    const { body } = await send('POST', '/api/articles?fields=createdAt&locale=en', { data: { title: 'seen' } });
    expect(body.data.attributes).not.toHaveProperty('checkedBy');
    expect(await called('article.beforeCreate')).toMatchObject({ by: 'token', facts: { title: 'seen' } });
    expect((await called('article.afterCreate')).facts).toMatchObject({ title: 'seen', checkedBy: 'beforeCreate' });
    const { id } = body.data;
    await send('PUT', `/api/articles/${id}`, { data: { title: 'again' } });
    expect((await called('article.afterUpdate')).facts).toMatchObject({ title: 'again', checkedBy: 'beforeUpdate' });
    const { body: answer } = await send('DELETE', `/api/articles/${id}`);
    expect(answer.data.attributes.title).toBe('again!');
    expect((await called('article.afterDelete')).facts).toMatchObject({ title: 'again' });
  });

  it('a locale that is added to an entry', async () => {
    const id = await makeArticle();
    await next();
    const { status } = await send('POST', `/api/articles/${id}/localizations`, { locale: 'de', title: 'auf Deutsch' });
    expect(status).toBe(201);
    expect((await called('article.beforeCreate')).facts).toEqual({ title: 'auf Deutsch', localeOf: id });
    const other = await makeArticle();
    const before = await everything();
    await next({ refusing: 'article.afterCreate' });
    const refused = await send('POST', `/api/articles/${other}/localizations`, { locale: 'de', title: 'c' });
    expect(refused.status).toBe(403);
    expect(await everything()).toEqual(before);
  });

  it('their context writes within the transaction, and mails after it', async () => {
    const { meta } = (await send('GET', '/api/comments?filters[text]=by SQL')).body;
    await next();
    await send('POST', '/api/articles', { data: { title: 'mailed' } });
    const after = (await send('GET', '/api/comments?filters[text]=by SQL')).body.meta;
    expect(after.pagination.total).toBe(meta.pagination.total + 1);
    expect((await called('article.committed')).facts).toMatchObject({ action: 'create' });
    await expect.poll(server.output).toContain('Subject: create mailed');
  });

  it('beforeFind narrows lists, entries, filters and what is populated, and changes of what it hides', async () => {
    const { body } = await send('POST', '/api/articles', { data: { title: 'secret', publishedAt: new Date() } });
    const { id } = body.data;
    const comments = (await send('GET', `/api/comments?filters[article]=${id}&populate=article`, undefined, '')).body;
    expect(comments.data).toEqual([]);
    const all = (await send('GET', '/api/comments?populate=article&pagination[pageSize]=100', undefined, '')).body.data;
    expect(all.map((one: any) => one.attributes.article.data?.id)).not.toContain(id);
    expect((await send('GET', `/api/articles/${id}`, undefined, '')).status).toBe(404);
    expect((await send('GET', '/api/articles?filters[title]=secret', undefined, '')).body.meta.pagination.total).toBe(
      0,
    );
    expect((await send('GET', `/api/articles/${id}`)).status).toBe(200);
  });

  it('a single type, whose first update has no id', async () => {
    await saveHome();
    await send('DELETE', '/api/home');
    await next();
    const { body } = await saveHome();
    expect(body.data.attributes.title).toBe('home, checked');
    expect((await called('home.beforeUpdate')).facts).toEqual({});
  });
});

describe('what hooks of users see and change', () => {
  it('registration and sign-in', async () => {
    await next();
    const { body } = await register();
    const { username, email } = body.user;
    expect([username, email]).toEqual([expect.stringMatching(/-r$/), expect.stringContaining('+c@')]);
    expect(await called('user.beforeSignIn')).toMatchObject({ by: 'user', facts: { by: 'registration', email } });
    expect((await called('user.afterRegister')).facts).toMatchObject({ username });
    await next();
    await send('POST', '/api/auth/refresh', {}, body.jwt);
    expect((await called('user.beforeSignIn')).facts).toEqual({ by: 'refresh', email, role: 'authenticated' });
  });

  it('who may not sign in may register, and gets no session by any way', async () => {
    const { password } = newUser();
    const { body: before } = await register();
    await next({ refusing: 'user.beforeSignIn' });
    const { status, body } = await register();
    expect([status, Object.keys(body)]).toEqual([200, ['user']]);
    expect((await send('POST', '/api/auth/refresh', {}, before.jwt)).status).toBe(403);
    const change = { currentPassword: password, password: 'another one', passwordConfirmation: 'another one' };
    expect((await send('POST', '/api/auth/change-password', change, before.jwt)).status).toBe(403);
    await next();
    const identifier = before.user.username;
    expect((await send('POST', '/api/auth/local', { identifier, password }, '')).status).toBe(200);
    await next({ failing: 'user.beforeSignIn' });
    const users = async () => (await send('GET', '/api/users/count')).body;
    const count = await users();
    expect((await register()).status).toBe(500);
    expect(await users()).toBe(count);
    await next();
  });

  it('hooks of users change what is stored, and what is shown', async () => {
    const id = await makeUser();
    await next();
    const { body } = await send('PUT', `/api/users/${id}`, { username: names() });
    expect(body).toMatchObject({ id, blocked: true, provider: 'transformed' });
    const hidden = { ...newUser(), username: 'hidden' };
    expect((await send('POST', '/api/users', hidden)).status).toBe(201);
    expect(JSON.stringify((await send('GET', '/api/users')).body)).not.toContain('hidden');
  });
});

describe('what hooks of files see and change', () => {
  it('what the bytes are, and what is said of them', async () => {
    await next();
    const { body } = await send('POST', '/api/upload', formOf('d.txt', { alternativeText: 'd' }));
    const [file] = body;
    expect(file).toMatchObject({
      name: 'd.txt',
      alternativeText: 'd',
      caption: 'd.txt, checked',
      previewUrl: '/preview',
    });
    expect((await called('file.beforeCreate')).facts).toMatchObject({ name: 'd.txt', mime: 'text/plain', size: 0.01 });
    const { body: replaced } = await send('POST', `/api/upload?id=${file.id}`, formOf('other.txt'));
    expect(replaced).toMatchObject({ name: 'd.txt', alternativeText: 'checked' });
    await send('POST', '/api/upload', formOf('hidden.txt'));
    expect(JSON.stringify((await send('GET', '/api/upload/files')).body)).not.toContain('hidden.txt');
  });

  it('those that come with an entry, or are attached to one', async () => {
    const form = new FormData();
    form.append('data', JSON.stringify({ title: 'with a file' }));
    form.append('files.cover', new Blob(['some text']), 'e.txt');
    await next();
    expect((await send('POST', '/api/articles', form)).status).toBe(201);
    expect((await called('file.beforeCreate')).facts).toMatchObject({ name: 'e.txt' });

    const id = await makeArticle();
    const attached = formOf('f.txt');
    for (const [name, value] of Object.entries({ ref: 'article', refId: String(id), field: 'cover' })) {
      attached.append(name, value);
    }
    const before = await everything();
    for (const hook of ['article.beforeUpdate', 'article.afterUpdate']) {
      await next({ refusing: hook });
      expect((await send('POST', '/api/upload', attached)).status, hook).toBe(403);
      expect(await everything()).toEqual(before);
    }
  });
});

it('an endpoint writes all of it in one transaction, by the rights of its caller, or nothing', async () => {
  await next();
  const count = async () => (await send('GET', '/api/comments')).body.meta.pagination.total;
  const before = await count();
  expect((await send('POST', '/both', { texts: ['one', ''] })).status).toBe(400);
  expect(await count()).toBe(before);
  expect((await send('POST', '/both', { texts: ['one', 'two'] })).status).toBe(204);
  expect(await count()).toBe(before + 2);
});

it('onStart and onStop', async () => {
  const other = await start(project, { ...ENVIRONMENT, DATABASE_URL: 'sqlite:./data/other.db' });
  expect(other.output()).toContain('started by the extensions');
  await other.stop();
  expect(other.output()).toContain('stopped by the extensions');
});

describe('the ten lines of docs/extensions.md', () => {
  it('are in it as they are', async () => {
    const document = await readFile(join(root, 'docs/extensions.md'), 'utf8');
    expect(document).toContain(await readFile(join(FIXTURE, 'extensions.ts'), 'utf8'));
  });

  it('hold, as a test of the project says', async () => {
    const args = ['--conditions=content-gen-source', '--import', 'tsx', '--test'];
    const own = await execa(process.execPath, [...args, 'test/comments.test.ts'], { cwd: project, reject: false });
    expect(own.exitCode, own.stdout).toBe(0);
    expect(own.stdout).toMatch(/pass 3\n/);
  });

  it('are followed by those for articles with drafts, locales and further roles', async () => {
    const recipe = await readFile(join(FIXTURE, 'own-articles.ts'), 'utf8');
    expect(await readFile(join(root, 'docs/extensions.md'), 'utf8')).toContain(recipe);
    const args = ['--conditions=content-gen-source', '--import', 'tsx', '--test', 'test/own-articles.test.ts'];
    const own = await execa(process.execPath, args, { cwd: project, reject: false });
    expect(own.exitCode, own.stdout).toBe(0);
  });

  it('and the test that a new project has for its own code passes', async () => {
    const args = ['--conditions=content-gen-source', '--import', 'tsx', '--test'];
    const own = await execa(process.execPath, [...args, 'test/extensions.test.ts'], { cwd: project, reject: false });
    expect(own.exitCode, own.stdout).toBe(0);
  });
});

it('the tests of a project are checked against its types', async () => {
  const config = { extends: './tsconfig.json', include: ['src/**/*.ts', 'test/**/*.ts'], references: [] };
  const options = { rootDir: '.', noEmit: true, incremental: false, allowImportingTsExtensions: true };
  await writeFile(join(project, 'tsconfig.test.json'), JSON.stringify({ ...config, compilerOptions: options }));
  const checked = await execa('npx', ['tsc', '-p', 'tsconfig.test.json'], { cwd: project, reject: false });
  expect(checked.stdout).toBe('');
});
