/** The admin page: sign-in, sessions, the content model, and attacks from other sites. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/desk/src/generated/app.ts';
import {
  createToken,
  openProject,
  PASSWORD,
  type TestProject,
  type TestServer,
} from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';

const SESSION = '/api/admin/session';
const MODEL = '/api/admin/model';
const SECRET = 'of-the-tests-0123456789-abcdefghijklmn';
const OWN = { 'x-admin-session': '1' };

let project: TestProject;
let server: TestServer;
let database: Database;
let everything: string;

beforeAll(async () => {
  project = await openProject(definition);
  server = await project.start();
  database = await project.open();
  everything = await createToken(database, { kind: 'full-access' });
});
afterAll(async () => {
  await server?.close();
  await database?.close();
  await project?.remove();
});

async function roleId(type: string): Promise<number> {
  const { body } = await server.send('GET', '/api/users-permissions/roles', { token: everything });
  return body.roles.find((role: { readonly type: string }) => role.type === type).id;
}

async function addUser(name: string, role = 'editor'): Promise<number> {
  const about = { username: name, email: `${name}@example.org`, password: PASSWORD, confirmed: true };
  const body = { ...about, role: await roleId(role) };
  const { status, body: answer } = await server.send('POST', '/api/users', { token: everything, body });
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer.id;
}

const change = (id: number, body: object) => server.send('PUT', `/api/users/${id}`, { token: everything, body });

function signIn(identifier: string, headers: Readonly<Record<string, string>> = OWN, at = server) {
  return at.send('POST', SESSION, { body: { identifier, password: PASSWORD }, headers });
}

/** `name=value` of the cookie that a response sets. */
function cookieIn({ headers }: { readonly headers: Headers }): string {
  const [cookie = ''] = headers.getSetCookie();
  return cookie.split(';')[0] ?? '';
}

async function cookieOf(name: string): Promise<string> {
  const answer = await signIn(name);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return cookieIn(answer);
}

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const withCookie = (cookie: string, method: string, path: string, { body, headers = OWN }: Sent = {}) =>
  server.send(method, path, { body, headers: { ...headers, cookie } });

const statusWith = async (cookie: string) => (await withCookie(cookie, 'GET', SESSION)).status;

/** The content model as seen by a role. */
async function modelOf(name: string, role: string) {
  await addUser(name, role);
  return (await withCookie(await cookieOf(name), 'GET', MODEL)).body;
}

describe('a session', () => {
  test('is in a cookie that no script can read, and authenticates requests as its user', async () => {
    const id = await addUser('edith');
    const answer = await signIn('edith');
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^desk_admin=[\w.-]+; path=\/; expires=[^;]+; samesite=strict; httponly$/u),
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatchObject({
      user: { id, username: 'edith', email: 'edith@example.org' },
      role: { name: 'editor', type: 'editor' },
      permissions: { admin: ['access'], author: ['create', 'find', 'findOne'] },
      locales: ['en', 'fr'],
    });
    const cookie = cookieIn(answer);
    expect(answer.text).not.toContain(cookie.split('=')[1]);
    const again = await withCookie(cookie, 'GET', SESSION);
    expect(again.body).toEqual(answer.body);
    expect(again.headers.get('cache-control')).toBe('private, no-store');
    expect(again.headers.get('vary')).toContain('X-Admin-Session');
    const made = await withCookie(cookie, 'POST', '/api/authors', { body: { data: { name: 'Ada' } } });
    expect(made.status).toBe(201);
  });

  test('behind TLS, has the prefix that makes browsers restrict it to this host', async () => {
    const proxied = await project.start({ TRUST_PROXY: 'true' });
    await addUser('secure');
    const answer = await signIn('secure', { ...OWN, 'x-forwarded-proto': 'https' }, proxied);
    await proxied.close();
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-desk_admin=.+; path=\/; .*secure; httponly$/u);
  });

  test('ends on the server at sign-out, and no other session does', async () => {
    await addUser('twice');
    const [cookie, other] = [await cookieOf('twice'), await cookieOf('twice')];
    const left = await withCookie(cookie, 'DELETE', SESSION);
    expect(left.status).toBe(204);
    expect(left.headers.getSetCookie()[0]).toMatch(/^desk_admin=; .*expires=Thu, 01 Jan 1970/u);
    expect(await statusWith(cookie)).toBe(401);
    expect(await statusWith(other)).toBe(200);
    // As on another instance, or on this one after a restart.
    const restarted = await project.start();
    const later = await restarted.send('GET', SESSION, { headers: { ...OWN, cookie } });
    await restarted.close();
    expect(later.status).toBe(401);
    // An old cookie does not prevent a new sign-in.
    expect((await signIn('twice', { ...OWN, cookie })).status).toBe(200);
  });

  test('ends with the password, the block, the role and the user', async () => {
    const id = await addUser('ending');
    const ended = async (body: object): Promise<number> => {
      const cookie = await cookieOf('ending');
      await change(id, body);
      return statusWith(cookie);
    };
    expect(await ended({ password: PASSWORD })).toBe(401);
    expect(await ended({ blocked: true })).toBe(401);
    await change(id, { blocked: false });
    const cookie = await cookieOf('ending');
    await change(id, { role: await roleId('authenticated') });
    expect(await statusWith(cookie)).toBe(403);
    await server.send('DELETE', `/api/users/${id}`, { token: everything });
    expect(await statusWith(cookie)).toBe(401);
  });

  test('continues in a new cookie when its user changes the password', async () => {
    await addUser('changing');
    const cookie = await cookieOf('changing');
    const [currentPassword, password] = [PASSWORD, 'quite another password'];
    const body = { currentPassword, password, passwordConfirmation: password };
    const changed = await withCookie(cookie, 'POST', '/api/auth/change-password', { body });
    expect(changed.status).toBe(200);
    expect(await statusWith(cookie)).toBe(401);
    expect(await statusWith(cookieIn(changed))).toBe(200);
  });
});

/** The same cookie with other claims, as the server would have signed them. */
function changedCookie(cookie: string, claims: Readonly<Record<string, number>>): string {
  const [name = '', token = ''] = cookie.split('=');
  const [header = ''] = token.split('.');
  const payload = Buffer.from(JSON.stringify({ ...claimsOf(cookie), ...claims })).toString('base64url');
  const signature = createHmac('sha256', SECRET).update(`${header}.${payload}`).digest('base64url');
  return `${name}=${header}.${payload}.${signature}`;
}

function claimsOf(cookie: string): Readonly<Record<string, number>> {
  return JSON.parse(Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString());
}

describe('the time of a session', () => {
  const HOUR = 3600;
  const DAY = 24 * HOUR;
  const now = () => Math.floor(Date.now() / 1000);

  test('ends twelve hours after the last request, and seven days after the sign-in', async () => {
    await addUser('idle');
    const fresh = await cookieOf('idle');
    const { iat = 0, exp = 0, sid, auth_time } = claimsOf(fresh);
    expect(exp - iat).toBe(12 * HOUR);
    const used = await withCookie(fresh, 'GET', SESSION);
    expect(used.headers.getSetCookie(), 'not each request sets the cookie').toEqual([]);

    const since = (seconds: number) => ({ iat: now() - seconds, exp: now() - seconds + 12 * HOUR });
    expect(await statusWith(changedCookie(fresh, since(12 * HOUR + 10)))).toBe(401);
    const renewed = await withCookie(changedCookie(fresh, since(11 * HOUR)), 'GET', MODEL);
    const next = claimsOf(cookieIn(renewed));
    expect(next).toMatchObject({ sid, auth_time });
    expect(next['exp']).toBeGreaterThanOrEqual(exp);
    expect(await statusWith(cookieIn(renewed))).toBe(200);

    const started = now() - 7 * DAY + HOUR;
    const last = await withCookie(changedCookie(fresh, { ...since(2 * HOUR), auth_time: started }), 'GET', SESSION);
    expect(claimsOf(cookieIn(last))['exp']).toBe(started + 7 * DAY);
    expect(await statusWith(changedCookie(fresh, { ...since(2 * HOUR), auth_time: now() - 7 * DAY - 10 }))).toBe(401);
    // Signing out is for the session, whichever of its cookies was sent.
    const left = await withCookie(changedCookie(fresh, since(2 * HOUR)), 'DELETE', SESSION);
    expect(left.headers.getSetCookie()).toEqual([expect.stringMatching(/^desk_admin=; /u)]);
    expect(await statusWith(cookieIn(renewed))).toBe(401);
  });

  test('is what the settings say', async () => {
    await addUser('brief');
    const brief = await project.start({ ADMIN_SESSION_IDLE: '15m', ADMIN_SESSION_LIFETIME: '2h' });
    const answer = await signIn('brief', OWN, brief);
    const { iat = 0, exp = 0 } = claimsOf(cookieIn(answer));
    expect(exp - iat).toBe(900);
    const old = changedCookie(cookieIn(answer), { auth_time: now() - 2 * HOUR - 10 });
    expect((await brief.send('GET', SESSION, { headers: { ...OWN, cookie: old } })).status).toBe(401);
    await brief.close();
  });

  test('all sessions of a user end at once, when the user says so', async () => {
    await addUser('everywhere');
    await addUser('bystander');
    const [cookie, other, stranger] = [
      await cookieOf('everywhere'),
      await cookieOf('everywhere'),
      await cookieOf('bystander'),
    ];
    const { jwt } = (await server.signIn('everywhere', PASSWORD)).body;
    const path = '/api/auth/end-sessions';
    for (const body of [{}, { all: false }, { all: 'no' }]) {
      expect((await withCookie(cookie, 'POST', path, { body })).status).toBe(400);
    }
    expect((await server.send('POST', path, { token: everything, body: { all: true } })).status).toBe(401);
    expect((await server.send('POST', path, { body: { all: true } })).status).toBe(403);
    expect(await statusWith(other)).toBe(200);
    const ended = await withCookie(cookie, 'POST', path, { body: { all: true } });
    expect(ended.status).toBe(204);
    expect(ended.headers.getSetCookie()).toEqual([expect.stringMatching(/^desk_admin=; /u)]);
    expect([await statusWith(cookie), await statusWith(other), await statusWith(stranger)]).toEqual([401, 401, 200]);
    expect((await server.send('GET', '/api/users/me', { token: jwt })).status).toBe(401);
    // With a JWT as well, and also the session that a change of the password would have kept.
    const again = (await server.signIn('everywhere', PASSWORD)).body.jwt;
    expect((await server.send('POST', path, { token: again, body: { all: true } })).status).toBe(204);
    expect((await server.send('GET', '/api/users/me', { token: again })).status).toBe(401);
  });
});

describe('attacks', () => {
  test('requests of another site, which have the cookie but can not have the header, count as anonymous', async () => {
    await addUser('forged');
    const cookie = await cookieOf('forged');
    const body = { data: { name: 'Forged' } };
    for (const headers of [{}, { 'x-admin-session': '0' }, { 'x-admin-session': 'true' }, { 'x-admin-session': '' }]) {
      expect((await withCookie(cookie, 'POST', '/api/authors', { body, headers })).status).toBe(403);
      expect((await withCookie(cookie, 'GET', SESSION, { headers })).status).toBe(403);
      expect((await withCookie(cookie, 'DELETE', SESSION, { headers })).status).toBe(204);
    }
    expect(await statusWith(cookie), 'nobody else signs a person out').toBe(200);
    const origin = { origin: 'https://evil.example.org', 'access-control-request-headers': 'x-admin-session' };
    const open = await project.start({ CORS_ORIGINS: 'https://evil.example.org' });
    const preflight = await open.send('OPTIONS', '/api/authors', {
      headers: { ...origin, 'access-control-request-method': 'POST' },
    });
    await open.close();
    // Even an allowed origin can't send cookies: the browser rejects responses that do not allow credentials.
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('another site can not sign anybody in', async () => {
    await addUser('victim');
    const refused = await signIn('victim', {});
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toContain('X-Admin-Session');
    expect(refused.headers.getSetCookie()).toEqual([]);
  });

  test('a sign-in never reuses an existing session', async () => {
    await addUser('fixed');
    const planted = `desk_admin=${(await cookieOf('fixed')).split('=')[1] ?? ''}`;
    const mine = cookieIn(await signIn('fixed', { ...OWN, cookie: planted }));
    expect(mine).not.toBe(planted);
    await withCookie(planted, 'DELETE', SESSION);
    expect(await statusWith(mine)).toBe(200);
    expect(await statusWith('desk_admin=chosen-by-somebody-else')).toBe(401);
  });

  test('tokens are valid only where they belong: in the cookie or in the header', async () => {
    const { jwt } = await server.register('bearer');
    expect(await statusWith(`desk_admin=${jwt}`)).toBe(401);
    expect(await statusWith(`desk_admin=${everything}`)).toBe(401);
    await addUser('holder');
    const cookie = await cookieOf('holder');
    const token = cookie.split('=')[1] ?? '';
    expect((await server.send('GET', '/api/users/me', { token })).status).toBe(401);
    // Scripts can't exchange a cookie for a token, and an Authorization header takes precedence.
    expect((await withCookie(cookie, 'POST', '/api/auth/refresh')).status).toBe(401);
    const own = await server.send('GET', SESSION, { token: 'nobody', headers: { ...OWN, cookie } });
    expect(own.status).toBe(401);
    expect((await server.send('GET', SESSION, { token: everything })).status).toBe(401);
  });

  test('users without access to the page get no cookie, but the reason; nobody else learns anything', async () => {
    await addUser('reader', 'authenticated');
    const refused = await signIn('reader');
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []]);
    expect(refused.body.error.message).toBe(
      'The role "Authenticated" may not use this page: it lacks the permission admin.access',
    );
    const wrong = { identifier: 'reader', password: 'not the password' };
    const unknown = { identifier: 'nobody-at-all', password: PASSWORD };
    for (const body of [wrong, unknown]) {
      const answer = await server.send('POST', SESSION, { body, headers: OWN });
      expect([answer.status, answer.body.error.message]).toEqual([400, 'Invalid identifier or password']);
    }
    const id = await addUser('barred');
    await change(id, { blocked: true });
    expect((await signIn('barred')).status).toBe(400);
  });

  test('the sign-in tells everybody only whether a new password can be mailed', async () => {
    const sends = await project.start({ PUBLIC_URL: 'https://example.org' });
    const production = await project.start({ NODE_ENV: 'production', AUTH_PASSWORD_COST: '', DRAIN_DELAY: '0' });
    for (const [at, passwordReset] of [
      [sends, true],
      [production, false],
    ] as const) {
      const { status, body, headers } = await at.send('GET', '/api/admin/sign-in');
      expect([status, body, headers.get('cache-control')]).toEqual([200, { passwordReset }, 'no-store']);
      await at.close();
    }
  });

  test('password attempts share their limit with /api/auth/local', async () => {
    const limited = await project.start({ AUTH_RATE_LIMIT: '3' });
    const body = { identifier: 'somebody', password: 'a guess' };
    const tried = [SESSION, '/api/auth/local', SESSION, '/api/auth/local', SESSION];
    const answers: number[] = [];
    for (const path of tried) answers.push((await limited.send('POST', path, { body, headers: OWN })).status);
    await limited.close();
    expect(answers).toEqual([400, 400, 400, 429, 429]);
  });
});

describe('the model', () => {
  test('has the terms of the schema, and what else the page needs', async () => {
    const model = await modelOf('whole', 'admin');
    expect(model).toMatchObject({
      name: 'desk',
      previewUrl: 'https://example.org/preview/{slug}?type={type}&id={id}',
      upload: { sizeLimit: 200 * 1024 * 1024 },
      format: 'v4',
      documentIds: false,
      maxCount: 100_000,
    });
    expect(model.types.map(({ uid }: { uid: string }) => uid)).toEqual(['article', 'author', 'ledger', 'work-place']);
    const [article, author, ledger, place] = model.types;
    expect(article).toMatchObject({
      name: 'api::article.article',
      kind: 'collection',
      endpoint: '/api/articles',
      description: 'A story.',
      pluralDisplayName: 'Stories',
      texts: { de: { plural: 'Berichte' } },
      group: 'Content',
      mainField: 'title',
      columns: ['title', 'author', 'publishedAt'],
      views: [
        {
          name: 'ready',
          displayName: 'Ready',
          texts: { de: 'Fertig' },
          filters: { stage: 'ready' },
          sort: { column: 'author', descending: true },
          columns: ['title', 'owner'],
        },
        { name: 'mine', filters: { owner: '$user' }, state: 'draft' },
      ],
      draftAndPublish: true,
      localized: true,
    });
    expect(article.attributes).toEqual({
      title: { type: 'string', required: true, maxLength: 120 },
      slug: { type: 'uid', required: true, targetField: 'title', localized: false },
      body: { type: 'richtext' },
      note: { type: 'text', private: true },
      stage: { type: 'enumeration', enum: ['idea', 'ready'], default: 'idea', displayName: 'Progress' },
      cover: { type: 'media', multiple: false, allowedTypes: ['images'], displayName: 'Cover picture' },
      seo: { type: 'component', component: 'shared.seo', repeatable: false, displayName: 'Search engines' },
      blocks: { type: 'dynamiczone', components: ['shared.quote'], displayName: 'Content' },
      author: {
        type: 'relation',
        relation: 'manyToOne',
        multiple: false,
        target: 'author',
        targetEndpoint: '/api/authors',
        inversedBy: 'articles',
        displayName: 'Written by',
      },
      owner: {
        type: 'relation',
        relation: 'manyToOne',
        multiple: false,
        target: 'user',
        targetEndpoint: '/api/users',
      },
      about: { type: 'relation', relation: 'morphToMany', multiple: true, targets: ['author', 'ledger'] },
    });
    expect(author.attributes.articles).toMatchObject({ multiple: true, mappedBy: 'author' });
    expect(author).toMatchObject({ displayName: 'Author', mainField: 'name', columns: ['name', 'updatedAt'] });
    expect(ledger.attributes.amount).toEqual({ type: 'decimal', writable: false });
    expect(ledger).toMatchObject({ mainField: 'id', columns: ['id', 'amount', 'entry', 'updatedAt'] });
    expect(place).toMatchObject({ kind: 'single', endpoint: '/api/work-place', displayName: 'Work place' });
    expect(model.components.map(({ displayName }: { displayName: string }) => displayName)).toEqual([
      'Quotation',
      'Seo',
    ]);
    expect(Object.keys(model.users.attributes)).toContain('email');
    expect(JSON.stringify(model.users)).not.toMatch(/[tT]oken|Session|ExpiresAt/u);
  });

  test('leaves out what a role may not see', async () => {
    const model = await modelOf('part', 'editor');
    expect(model.types.map(({ uid }: { uid: string }) => uid)).toEqual(['article', 'author', 'work-place']);
    expect(model.types[0].attributes).not.toHaveProperty('owner');
    expect(model.types[0].attributes.about.targets).toEqual(['author']);
    // Who may not find users can't filter by them either.
    expect(model.types[0].views).toEqual([
      expect.objectContaining({ name: 'ready', columns: ['title'] }),
      { name: 'by-author', filters: { author: { articles: { seo: { title: { $notNull: true } } } } } },
    ]);
    expect(model).not.toHaveProperty('users');
    expect(JSON.stringify(model)).not.toContain('ledger');
    expect((await server.send('GET', MODEL)).status).toBe(403);
  });
});

describe('a refused save', () => {
  test('has a code for each of its messages, by which the panel has a text in its language', async () => {
    await addUser('refused', 'admin');
    const cookie = await cookieOf('refused');
    const save = (method: string, path: string, body: object) => withCookie(cookie, method, `/api/${path}`, { body });
    const created = async (path: string, data: object): Promise<number> =>
      (await save('POST', path, { data })).body.data.id;
    const author = await created('authors', { name: 'Taken' });
    const other = await created('authors', { name: 'Other' });
    const article = await created('articles', { title: 'There', slug: 'there' });
    const about = { username: 'name', email: 'name@example.org', password: PASSWORD };
    const refused: readonly (readonly [string, string, object])[] = [
      [
        'POST',
        'articles',
        { data: { title: 'x'.repeat(121), stage: 'gone', slug: 'ä', seo: { title: 'x'.repeat(61) } } },
      ],
      [
        'POST',
        'articles',
        { data: { title: null, author: 999, owner: 999, cover: 999, blocks: [{ __component: 'x.y' }] } },
      ],
      ['POST', 'articles', { data: { title: 'Twice', slug: 'there', nothing: 1 } }],
      ['PUT', `articles/${article}`, { data: { seo: { id: 999, title: 'x' } } }],
      ['POST', `articles/${article}/localizations`, { locale: 'en', title: 'Again' }],
      ['PUT', `authors/${other}`, { data: { name: 'Taken' } }],
      ['PUT', `authors/${author}`, { data: { articles: { connect: [{ id: article, position: { before: 999 } }] } } }],
      ['PUT', `authors/${author}`, { data: { articles: { connect: [article, article] } } }],
      ['POST', 'ledgers', { data: { entry: 0 } }],
      ['POST', 'ledgers', { data: { amount: 1 } }],
      ['POST', 'ledgers', { data: { entry: 'one' } }],
      ['POST', 'users', { ...about, role: 999 }],
      ['POST', 'users', { ...about, username: ' name', email: 'none' }],
      ['POST', 'users-permissions/roles', { name: '1', description: '' }],
    ];
    for (const [method, path, body] of refused) {
      const { status, body: answer } = await save(method, path, body);
      expect(status, path).toBe(400);
      const { message, details } = answer.error;
      const told = details.errors?.length > 0 ? details.errors : [{ message, code: details.code }];
      expect(
        told.filter(({ code }: { code?: string }) => code === undefined),
        path,
      ).toEqual([]);
    }
  });
});

describe('the first account', () => {
  const FIRST = '/api/admin/first-user';
  const about = { email: 'first@example.org', password: PASSWORD };

  test('is created with a link that works once, on a development server without users', async () => {
    const lines: string[] = [];
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (text: string | Uint8Array) => lines.push(String(text)) > 0;
    const at = await project.start({ LOG_LEVEL: 'info' }, {}, 'first');
    const link = () => /(http:\/\/127\.0\.0\.1:\d+\/admin\/#\/first)\?token=([\w-]+)/u.exec(lines.join(''));
    await expect.poll(link).not.toBeNull();
    process.stdout.write = write;
    const [, url, token = ''] = link() ?? [];
    expect(url).toBe(`${at.origin}/admin/#/first`);
    const send = (body: object, headers: Readonly<Record<string, string>> = OWN) =>
      at.send('POST', FIRST, { body, headers });
    expect((await send({ ...about, token: `${token}x` })).status).toBe(403);
    expect((await send({ ...about, token }, {})).status).toBe(403);
    expect((await send({ ...about, token, password: 'short' })).status).toBe(400);
    expect((await send({ ...about, token, username: 'no' })).status).toBe(400);
    const both = await Promise.all([send({ ...about, token }), send({ ...about, token, email: 'second@example.org' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    const made = both.find(({ status }) => status === 200);
    expect(made?.body).toMatchObject({ user: { username: expect.any(String) }, role: { type: 'admin' } });
    const cookie = cookieIn(made ?? { headers: new Headers() });
    expect((await at.send('GET', MODEL, { headers: { ...OWN, cookie } })).status).toBe(200);
    expect((await send({ ...about, token, email: 'third@example.org' })).status).toBe(403);
    await at.close();
    const users = await project.open('first');
    expect(await users.all(sql`SELECT id FROM users`)).toHaveLength(1);
    await users.close();
  });

  test('can not be created in production, or if there is a user', async () => {
    const lines: string[] = [];
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (text: string | Uint8Array) => lines.push(String(text)) > 0;
    const secret = { NODE_ENV: 'production', AUTH_PASSWORD_COST: '', LOG_LEVEL: 'info', DRAIN_DELAY: '0' };
    for (const at of [
      await project.start(secret, {}, 'production'),
      await project.start({ LOG_LEVEL: 'info' }, {}, 'first'),
    ]) {
      const answer = await at.send('POST', FIRST, { body: { ...about, token: 'undefined' }, headers: OWN });
      await at.close();
      expect(answer.status).toBe(403);
    }
    process.stdout.write = write;
    expect(lines.join('')).not.toContain('/admin/#/first');
  });
});

test('a server without the page has none of its routes', async () => {
  const { admin: _, ...rest } = definition;
  const without = await openProject(rest);
  const at = await without.start();
  try {
    for (const [method, path] of [
      ['POST', SESSION],
      ['GET', SESSION],
      ['GET', MODEL],
      ['GET', '/api/admin/sign-in'],
      ['GET', '/admin'],
      ['GET', '/admin/'],
    ] as const) {
      const answer = await at.send(method, path, { headers: OWN, ...(method === 'POST' && { body: {} }) });
      expect(answer.status, path).toBe(404);
      expect(answer.headers.get('vary') ?? '').not.toContain('X-Admin-Session');
    }
  } finally {
    await at.close();
    await without.remove();
  }
});
