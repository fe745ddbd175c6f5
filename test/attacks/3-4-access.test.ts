/** Section 3.4: nothing is open that the schema does not open, by whatever name, method or credentials. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SECRETS } from '../support/attacks/canaries.ts';
import { sendBytes, statusesOf } from '../support/attacks/client.ts';
import { EVERYBODY } from '../support/attacks/guesses.ts';
import { tokenCommand, type Who } from '../support/attacks/seed.ts';
import { type AttackedServer, type Call, startAttacked } from '../support/attacks/server.ts';

let server: AttackedServer;
beforeAll(async () => {
  server = await startAttacked();
});
afterAll(() => server?.stop());

interface Route {
  readonly permission: string;
  readonly method: string;
  readonly path: string;
  readonly call: Call;
}

/** Refused as invalid by who may. */
const BAD: Call = { data: { nothing: 1 } };
const NOBODY = '987654';

function collection(type: string, plural: string): Route[] {
  const [list, one] = [`/api/${plural}`, `/api/${plural}/${NOBODY}`];
  return [
    { permission: `${type}.find`, method: 'GET', path: list, call: {} },
    { permission: `${type}.findOne`, method: 'GET', path: one, call: {} },
    { permission: `${type}.create`, method: 'POST', path: list, call: BAD },
    { permission: `${type}.update`, method: 'PUT', path: one, call: BAD },
    { permission: `${type}.delete`, method: 'DELETE', path: one, call: {} },
  ];
}

function single(type: string): Route[] {
  const path = `/api/${type}`;
  return [
    { permission: `${type}.find`, method: 'GET', path, call: {} },
    { permission: `${type}.update`, method: 'PUT', path, call: BAD },
    // A filter that nothing meets: whoever may delete deletes nothing.
    { permission: `${type}.delete`, method: 'DELETE', path: `${path}?fields=nothing`, call: {} },
  ];
}

function route(permission: string, method: string, path: string, call: Call = {}): Route {
  return { permission, method, path, call };
}

const ROLES = '/api/users-permissions/roles';
const TOKENS = '/api/users-permissions/tokens';
const ROUTES: readonly Route[] = [
  ...collection('article', 'articles'),
  route('article.create', 'POST', `/api/articles/${NOBODY}/localizations`, { json: { locale: 'fr' } }),
  ...collection('author', 'authors'),
  ...collection('tag', 'tags'),
  ...collection('vault', 'vaults'),
  ...single('home'),
  ...single('imprint'),
  route('upload.upload', 'POST', '/api/upload', { body: 'x', headers: { 'Content-Type': 'multipart/form-data' } }),
  route('upload.find', 'GET', '/api/upload/files'),
  route('upload.findOne', 'GET', `/api/upload/files/${NOBODY}`),
  route('upload.destroy', 'DELETE', `/api/upload/files/${NOBODY}`),
  route('locales.find', 'GET', '/api/i18n/locales'),
  route('users.find', 'GET', '/api/users'),
  route('users.find', 'GET', '/api/users/count'),
  route('users.findOne', 'GET', `/api/users/${NOBODY}`),
  route('users.create', 'POST', '/api/users', { json: {} }),
  route('users.update', 'PUT', `/api/users/${NOBODY}`, { json: {} }),
  route('users.destroy', 'DELETE', `/api/users/${NOBODY}`),
  route('users.me', 'GET', '/api/users/me'),
  route('users.me', 'POST', '/api/auth/change-password', { json: {} }),
  route('users.me', 'POST', '/api/auth/refresh', { json: {} }),
  route('roles.find', 'GET', ROLES),
  route('roles.find', 'GET', '/api/users-permissions/permissions'),
  route('roles.findOne', 'GET', `${ROLES}/${NOBODY}`),
  route('roles.create', 'POST', ROLES, { json: {} }),
  route('roles.update', 'PUT', `${ROLES}/${NOBODY}`, { json: {} }),
  route('roles.destroy', 'DELETE', `${ROLES}/${NOBODY}`),
  route('tokens.find', 'GET', TOKENS),
  route('tokens.create', 'POST', TOKENS, { json: {} }),
  route('tokens.destroy', 'DELETE', `${TOKENS}/${NOBODY}`),
];

const all = (test: (permission: string) => boolean) => ROUTES.map(({ permission }) => permission).filter(test);
const READING = all((permission) => /\.find(?:One)?$/.test(permission));

/** What fixtures/attacked/schema.yaml permits, written out. */
const PERMITTED: Readonly<Record<Exclude<Who, 'expiredToken'>, readonly string[]>> = {
  public: ['article.find'],
  plain: ['article.find', 'article.findOne', 'users.me'],
  reader: [
    ...['article', 'author', 'tag'].flatMap((type) => [`${type}.find`, `${type}.findOne`]),
    'home.find',
    'locales.find',
    'users.me',
  ],
  writer: [
    ...all((permission) => /^(?:article|tag)\./.test(permission)),
    ...['author.find', 'author.findOne', 'author.create', 'author.update', 'home.find', 'home.update'],
    ...['upload.upload', 'upload.find', 'upload.findOne', 'users.me'],
  ],
  // A right to API tokens is no part of `*`.
  admin: all((permission) => !permission.startsWith('tokens.')),
  fullToken: all(() => true),
  readOnlyToken: READING,
  customToken: ['article.find', 'article.update', 'tag.find'],
};

describe('every route', () => {
  test('B54, B56, B61: accepts callers that the schema permits, and refuses all others', async () => {
    for (const [who, permitted] of Object.entries(PERMITTED) as [Exclude<Who, 'expiredToken'>, readonly string[]][]) {
      for (const { permission, method, path, call } of ROUTES) {
        const { status, body } = await server.call(who, method, path, call);
        const where = `${who} ${method} ${path}: ${status}`;
        if (permitted.includes(permission)) {
          // A token is no user, who could be asked about.
          const isMe = permission === 'users.me' && who.endsWith('Token');
          expect(isMe ? [401] : [200, 400, 404], where).toContain(status);
        } else {
          expect(status, where).toBe(403);
          expect(body.error).toEqual({ status: 403, name: 'ForbiddenError', message: 'Forbidden', details: {} });
        }
      }
    }
    expect((await server.call('public', 'PUT', '/api/imprint', { data: { text: 'x' } })).status).toBe(403);
    expect(await server.state.rows('SELECT * FROM imprints')).toEqual([]);
  });

  test('B54: is no more open by another spelling of its path', async () => {
    const spellings = (path: string) => [
      ...[
        `${path}/`,
        `${path}//`,
        path.toUpperCase(),
        path.replace('/api', '/API'),
        `/${path}`,
        path.replace('/api/', '/api//'),
      ],
      ...[
        `${path};x`,
        `${path}.json`,
        `${path}%20`,
        `${path}%00`,
        `${path}%2f`,
        path.replace('api', '%61pi'),
        `${path}?`,
        `${path}/.`,
      ],
      ...[
        `/api/articles/..${path.slice(4)}`,
        `/api/articles/%2e%2e${path.slice(4)}`,
        path.replace('/api/', '/api/./'),
        `${path}#x`,
      ],
      ...[`${path}\\`, path.replace('/api/', '/api\\'), `http://x${path}`, `${path}/*`, `/api/articles/../..${path}`],
    ];
    for (const { path, method, call } of ROUTES.filter(({ permission }) => permission !== 'article.find')) {
      for (const spelling of spellings(path.split('?')[0] ?? '')) {
        const { status } = await server.quick('public', method, spelling.replaceAll('\\', '%5c'), call);
        expect([400, 403, 404, 405, 415], `${method} ${spelling}`).toContain(status);
      }
      const head = await server.quick('public', 'HEAD', path);
      expect(head.text).toBe('');
      if (path !== '/api/articles') expect([403, 404, 405], path).toContain(head.status);
      const options = await server.call('public', 'OPTIONS', path);
      expect(options.status).toBe(200);
      expect(options.text).toBe('');
      expect(options.headers.allow).toContain(method);
    }
  });

  test('B55: is chosen by the method, whatever override a request contains', async () => {
    const { first = 0 } = server.seed.ids;
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      const post = await server.call('admin', 'POST', `/api/articles/${first}`, {
        json: {},
        headers: { [name]: 'DELETE' },
      });
      expect(post.status).toBe(405);
      const get = await server.call('admin', 'GET', `/api/articles/${first}`, { headers: { [name]: 'DELETE' } });
      expect(get.status).toBe(200);
      const write = await server.call('public', 'GET', '/api/articles', {
        headers: { [name]: 'POST' },
        json: { data: { title: 'x' } },
      });
      expect(write.status).toBe(200);
    }
    expect(
      (await server.call('admin', 'POST', `/api/articles/${first}?_method=DELETE`, { json: { _method: 'DELETE' } }))
        .status,
    ).toBe(405);
  });

  test('B64: HEAD has no side effects', async () => {
    for (const who of ['admin', 'public'] as const) {
      for (const { path } of ROUTES) {
        const head = await server.call(who, 'HEAD', path);
        const get = await server.call(who, 'GET', path);
        expect(head.status, path).toBe(get.status);
        expect(head.text).toBe('');
      }
    }
    expect((await server.call('public', 'HEAD', '/api/auth/email-confirmation?confirmation=x')).status).toBeLessThan(
      500,
    );
  });
});

describe('relations', () => {
  test('B59: need permission for the side that is written, and visible targets', async () => {
    const { first = 0, ann = 0, red = 0, vault = 0, second = 0 } = server.seed.ids;
    const put = (who: Who, path: string, data: object) => server.call(who, 'PUT', path, { data });
    // May update articles and find tags.
    expect((await put('customToken', `/api/articles/${second}`, { tags: { connect: [red] } })).status).toBe(200);
    for (const data of [{ author: ann }, { vaults: [vault] }, { subject: { id: vault, type: 'vault' } }]) {
      expect((await put('customToken', `/api/articles/${second}`, data)).status).toBe(400);
    }
    expect((await put('customToken', `/api/tags/${red}`, { articles: { set: [] } })).status).toBe(403);
    expect((await put('customToken', `/api/authors/${ann}`, { articles: { connect: [second] } })).status).toBe(403);
    for (const who of ['public', 'plain', 'reader', 'readOnlyToken'] as const) {
      for (const data of [{ tags: { connect: [red] } }, { tags: { disconnect: [red] } }, { author: null }]) {
        expect((await put(who, `/api/articles/${first}`, data)).status).toBe(403);
      }
    }
  });
});

describe('credentials', () => {
  test('B60: an id is valid for its own type only', async () => {
    for (const who of ['fullToken', 'readOnlyToken', 'customToken'] as const) {
      expect([401, 403]).toContain((await server.get(who, '/api/users/me')).status);
      const json = { currentPassword: SECRETS.password, password: 'another1', passwordConfirmation: 'another1' };
      expect([401, 403]).toContain((await server.call(who, 'POST', '/api/auth/change-password', { json })).status);
    }
    for (const who of ['plain', 'reader', 'writer', 'admin'] as const) {
      expect((await server.get(who, '/api/users/me')).body.username).toBe(who);
    }
  });

  test('B65: permissions revoked from a user are gone with the next request', async () => {
    const roles = (await server.get('admin', ROLES)).body.roles as { id: number; type: string }[];
    const roleId = (type: string) => roles.find((role) => role.type === type)?.id ?? 0;
    const json = {
      username: 'shortlived',
      email: 'shortlived@people.example',
      password: SECRETS.password,
      role: roleId('writer'),
    };
    const user = (await server.call('admin', 'POST', '/api/users', { json })).body.id as number;
    const signIn = async () => {
      const login = { identifier: 'shortlived', password: SECRETS.password };
      const { body } = await server.call('public', 'POST', '/api/auth/local', { json: login });
      return { Authorization: `Bearer ${body.jwt}` };
    };
    const change = (body: object) => server.call('admin', 'PUT', `/api/users/${user}`, { json: body });
    const statusOf = async (headers: Record<string, string>) =>
      (await server.call('public', 'POST', '/api/tags', { data: { nothing: 1 }, headers })).status;
    const first = await signIn();
    expect(await statusOf(first)).toBe(400);
    await change({ role: roleId('reader') });
    expect(await statusOf(first)).toBe(403);
    await change({ role: roleId('writer') });
    expect(await statusOf(first)).toBe(400);
    await change({ blocked: true });
    expect(await statusOf(first)).toBe(401);
    await change({ blocked: false });
    // Unblocked again, and still not signed in.
    expect(await statusOf(first)).toBe(401);
    const second = await signIn();
    expect(await statusOf(second)).toBe(400);
    await server.call('admin', 'DELETE', `/api/users/${user}`);
    expect(await statusOf(second)).toBe(401);
  });

  test('B65: so are those revoked from a role', async () => {
    const { body } = await server.get('fullToken', ROLES);
    const reader = body.roles.find((role: any) => role.type === 'reader').id as number;
    const before = (await server.get('fullToken', `${ROLES}/${reader}`)).body.role.permissions;
    expect((await server.get('reader', '/api/tags')).status).toBe(200);
    const taken = { permissions: ['article.find'] };
    expect((await server.call('fullToken', 'PUT', `${ROLES}/${reader}`, { json: taken })).status).toBe(200);
    expect((await server.get('reader', '/api/tags')).status).toBe(403);
    expect((await server.get('reader', '/api/articles?filters[tags][name]=red')).status).toBe(400);
    expect((await server.get('reader', '/api/articles?populate=tags')).body.data[0].attributes).not.toHaveProperty(
      'tags',
    );
    await server.call('fullToken', 'PUT', `${ROLES}/${reader}`, { json: { permissions: before } });
    expect((await server.get('reader', '/api/tags')).status).toBe(200);
  });

  test('B66: a token does what it is for, until it ends', async () => {
    for (const path of ['/api/articles', '/api/tags', '/api/users/me', '/api/imprint']) {
      expect((await server.get('expiredToken', path)).status).toBe(401);
    }
    const create = ['create', '--name', 'for a while', '--type', 'custom', '--permission', 'tag.find'];
    const token = await tokenCommand(server.project, server.env, create);
    const headers = { Authorization: `Bearer ${token}` };
    const read = async (path = '/api/tags') => (await server.call('public', 'GET', path, { headers })).status;
    expect([await read(), await read('/api/articles'), await read('/api/vaults')]).toEqual([200, 403, 403]);
    await tokenCommand(server.project, server.env, ['revoke', '--name', 'for a while']);
    await expect.poll(() => read(), { timeout: 3000 }).toBe(401);
    const json = { name: 'more', kind: 'read-only' };
    expect((await server.call('fullToken', 'POST', TOKENS, { json })).status).toBe(403);
    const gone = await tokenCommand(server.project, server.env, ['create', '--name', 'gone', '--type', 'full-access']);
    const { body } = await server.call('fullToken', 'GET', TOKENS);
    const { id } = body.find(({ name }: { name: string }) => name === 'gone');
    await server.call('fullToken', 'DELETE', `${TOKENS}/${id}`);
    const revoked = { Authorization: `Bearer ${gone}` };
    expect((await server.call('public', 'GET', '/api/tags', { headers: revoked })).status).toBe(401);
  });

  test('B66: nobody grants more than they have, or takes over a user with more', async () => {
    const permissions = [
      'users.find',
      'users.findOne',
      'users.create',
      'users.update',
      'users.destroy',
      'roles.find',
      'roles.create',
      'roles.update',
      'roles.destroy',
      'tokens.create',
      'users.me',
    ];
    const create = ['create', '--name', 'clerk', '--type', 'custom'];
    const given = permissions.flatMap((permission) => ['--permission', permission]);
    const clerk = await tokenCommand(server.project, server.env, [...create, ...given]);
    const headers = { Authorization: `Bearer ${clerk}` };
    const roles = (await server.get('admin', ROLES)).body.roles as { id: number; type: string }[];
    const users = (await server.get('admin', '/api/users?filters[username]=admin')).body as { id: number }[];
    const [adminRole, admin] = [roles.find(({ type }) => type === 'admin')?.id, users[0]?.id];
    const account = { username: 'raised', email: 'raised@people.example', password: SECRETS.password };
    for (const [method, path, json] of [
      ['POST', '/api/users', { ...account, role: adminRole }],
      ['PUT', `/api/users/${admin}`, { password: 'mine-now-1' }],
      ['PUT', `/api/users/${admin}`, { email: 'mine@people.example' }],
      ['PUT', `/api/users/${admin}`, { role: roles[0]?.id }],
      ['POST', ROLES, { name: 'raised', permissions: ['vault.find'] }],
      ['PUT', `${ROLES}/${roles[0]?.id}`, { permissions: ['vault.find'] }],
      ['DELETE', `${ROLES}/${adminRole}`, undefined],
      ['POST', TOKENS, { name: 'raised', kind: 'full-access' }],
      ['POST', TOKENS, { name: 'raised', kind: 'read-only' }],
      ['POST', TOKENS, { name: 'raised', kind: 'custom', permissions: ['vault.find'] }],
    ] as const) {
      const answer = await server.call('public', method, path, { json, headers });
      expect(answer.status, `${method} ${path} ${JSON.stringify(json)}`).toBe(403);
    }
  });

  test('B67: credentials are accepted in their header only', async () => {
    const { admin = '', fullToken = '' } = server.seed.credentials;
    for (const secret of [admin, fullToken]) {
      for (const name of ['access_token', 'token', 'jwt', 'authorization', 'Authorization', 'api_key']) {
        expect((await server.get('public', `/api/vaults?${name}=${secret}`)).status).toBe(403);
      }
      for (const headers of [
        { Cookie: `jwt=${secret}; token=${secret}` },
        { 'X-Api-Key': secret },
        { 'X-Access-Token': secret },
        { Authorization: `Basic ${secret}` },
        { 'Proxy-Authorization': `Bearer ${secret}` },
      ]) {
        expect(
          (await server.call('public', 'GET', '/api/vaults', { headers: headers as Record<string, string> })).status,
        ).toBe(403);
      }
      const json = { identifier: 'x', password: 'x', access_token: secret };
      expect((await server.call('public', 'POST', '/api/auth/local', { json })).status).toBe(400);
    }
    // Twice: Node keeps the first, and so do we.
    const twice = `GET /api/vaults HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nAuthorization: Bearer ${fullToken}\r\nConnection: close\r\n\r\n`;
    expect(statusesOf(await sendBytes(server.port, twice))).toEqual([401]);
    expect(EVERYBODY.length).toBe(Object.keys(PERMITTED).length);
  });
});
