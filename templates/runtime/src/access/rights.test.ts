/** Tests each row of the table of rights: without the right, a request is refused and changes nothing; with it, it succeeds. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definition } from '../../test-support/projects/newspaper/src/generated/app.ts';
import {
  createToken,
  dump,
  openProject,
  PASSWORD,
  type TestProject,
  type TestServer,
} from '../../test-support/test-project.ts';
import { encodeForm, PNG } from '../../test-support/multipart-forms.ts';
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { permissionName } from '../contract/policy/permission-name.ts';
import { knownPermissions } from '../contract/policy/permissions.ts';
import { type RightName, RIGHTS } from '../contract/policy/rights.ts';

let project: TestProject;
let server: TestServer;
let database: Database;
let admin: string;
let uploads: string;

async function admins(method: string, path: string, body?: object) {
  const answer = await server.send(method, path, { token: admin, ...(body && { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function create(plural: string, data: object): Promise<number> {
  return (await admins('POST', `/api/${plural}`, { data })).data.id as number;
}

const users = '/api/users';
const roles = '/api/users-permissions/roles';

async function roleId(type: string): Promise<number> {
  const { roles: all } = await admins('GET', roles);
  return all.find((role: any) => role.type === type).id as number;
}

let names = 0;
function fresh(prefix: string): string {
  names += 1;
  return `${prefix}${names}`;
}

async function createUser(role: string): Promise<number> {
  const username = fresh('user');
  const body = { username, email: `${username}@example.org`, password: PASSWORD, role: await roleId(role) };
  return (await admins('POST', users, body)).id as number;
}

/** A role with a permission that callers lack, unless it is the one to be tested. */
async function createRole(): Promise<number> {
  const name = fresh('strong');
  await admins('POST', roles, { name, permissions: ['vault.delete'] });
  return roleId(name);
}

function send(token: string | undefined, method: string, path: string, body?: object) {
  return server.send(method, path, { token, ...(body && { body }) });
}

/** A multipart request with one image. */
async function sendImage(
  token: string,
  method: string,
  path: string,
  { field, fields = {} }: { readonly field: string; readonly fields?: Readonly<Record<string, string>> },
) {
  const texts = Object.entries(fields).map(([name, content]) => ({ name, content }));
  const file = { name: field, filename: 'one.png', type: 'image/png', content: PNG };
  const { body, type } = encodeForm([...texts, file]);
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  const response = await fetch(server.origin + path, { method, headers, body: new Uint8Array(body) });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function createFile(): Promise<number> {
  return (await sendImage(admin, 'POST', '/api/upload', { field: 'files' })).body[0].id as number;
}

interface Answer {
  readonly status: number;
  readonly body: any;
}

interface Scenario {
  /** The type or endpoint of the right. */
  readonly of: string;
  /** Other permissions that the request needs. */
  readonly besides: readonly string[];
  /** Creates the content, with all permissions. Returns a function that sends the request with a token, and is called several times. */
  prepare(): Promise<(token: string) => Promise<Answer>>;
}

const STRONG = 'vault.delete';

const SCENARIOS: Readonly<Record<RightName, Scenario>> = {
  drafts: {
    of: 'article',
    besides: ['article.find'],
    prepare: async () => (token) => send(token, 'GET', '/api/articles?publicationState=preview'),
  },
  related: {
    of: 'author',
    besides: ['article.find'],
    prepare: async () => (token) => send(token, 'GET', '/api/articles?filters[author][name]=x'),
  },
  targets: {
    of: 'author',
    besides: ['article.create'],
    prepare: async () => {
      const author = await create('authors', { name: 'a' });
      return (token) => send(token, 'POST', '/api/articles', { data: { author } });
    },
  },
  otherSides: {
    of: 'article',
    besides: ['author.create', 'article.find'],
    prepare: async () => {
      const author = await create('authors', { name: 'a' });
      const article = await create('articles', { title: 'x', author, publishedAt: null });
      return (token) => send(token, 'POST', '/api/authors', { data: { name: 't', articles: [article] } });
    },
  },
  referrers: {
    of: 'article',
    besides: ['author.delete'],
    prepare: async () => {
      const authors: number[] = [];
      for (let made = 0; made < 3; made += 1) {
        const author = await create('authors', { name: 'a' });
        await create('articles', { title: 'x', author, publishedAt: null });
        authors.push(author);
      }
      return async (token) => {
        const answer = await send(token, 'DELETE', `/api/authors/${authors[0]}`);
        if (answer.status === 200) authors.shift();
        return answer;
      };
    },
  },
  cascaded: {
    of: 'remark',
    besides: ['page.delete'],
    prepare: async () => {
      const pages: number[] = [];
      for (let made = 0; made < 3; made += 1) {
        const page = await create('pages', { title: 'a' });
        await create('remarks', { text: 'x', page });
        pages.push(page);
      }
      return async (token) => {
        const answer = await send(token, 'DELETE', `/api/pages/${pages[0]}`);
        if (answer.status === 200) pages.shift();
        return answer;
      };
    },
  },
  formerOwners: {
    of: 'passport',
    besides: ['passport.create', 'author.find'],
    prepare: async () => {
      const holder = await create('authors', { name: 'a' });
      await create('passports', { number: '1', holder });
      return (token) => send(token, 'POST', '/api/passports', { data: { number: '2', holder } });
    },
  },
  namedFiles: {
    of: 'upload',
    besides: ['article.create'],
    prepare: async () => {
      const gallery = [await createFile()];
      return (token) => send(token, 'POST', '/api/articles?populate=gallery', { data: { gallery } });
    },
  },
  newFiles: {
    of: 'upload',
    besides: ['article.create'],
    prepare: async () => (token) =>
      sendImage(token, 'POST', '/api/articles', { field: 'files.cover', fields: { data: '{"title":"t"}' } }),
  },
  replacedFiles: {
    of: 'upload',
    besides: ['upload.upload'],
    prepare: async () => {
      const file = await createFile();
      return (token) => sendImage(token, 'POST', `/api/upload?id=${file}`, { field: 'files' });
    },
  },
  attachedEntries: {
    of: 'article',
    besides: ['upload.upload'],
    prepare: async () => {
      const refId = String(await create('articles', { title: 'x' }));
      const fields = { ref: 'article', refId, field: 'cover' };
      return (token) => sendImage(token, 'POST', '/api/upload', { field: 'files', fields });
    },
  },
  sourceLocales: {
    of: 'article',
    besides: ['article.create'],
    prepare: async () => {
      const free = ['fr', 'it'];
      const article = await create('articles', { title: 'x', sku: 's' });
      return async (token) => {
        const answer = await send(token, 'POST', `/api/articles/${article}/localizations`, { locale: free[0] });
        if (answer.status === 201) free.shift();
        return answer;
      };
    },
  },
  sourceDrafts: {
    of: 'article',
    besides: ['article.create', 'article.find', 'article.findOne'],
    prepare: async () => {
      const article = await create('articles', { title: 'x', sku: 's', publishedAt: null });
      return (token) => send(token, 'POST', `/api/articles/${article}/localizations`, { locale: 'fr' });
    },
  },
  sharedAttributes: {
    of: 'article',
    besides: ['article.create', 'article.find', 'tag.find'],
    prepare: async () => {
      const [red, blue] = [await create('tags', { name: 'red' }), await create('tags', { name: 'blue' })];
      const article = await create('articles', { title: 'x', sku: 's', tags: [red, blue] });
      const body = { locale: 'fr', sku: 'HACKED', tags: [blue] };
      return (token) => send(token, 'POST', `/api/articles/${article}/localizations`, body);
    },
  },
  users: {
    of: 'vault',
    besides: ['users.update', 'users.me'],
    prepare: async () => {
      const user = await createUser('boss');
      return (token) => send(token, 'PUT', `${users}/${user}`, { blocked: true });
    },
  },
  givenRoles: {
    of: 'vault',
    besides: ['users.create', 'users.me'],
    prepare: async () => {
      const role = await roleId('boss');
      const username = fresh('new');
      return (token) =>
        send(token, 'POST', users, { username, email: `${username}@example.org`, password: PASSWORD, role });
    },
  },
  roles: {
    of: 'vault',
    besides: ['roles.update'],
    prepare: async () => {
      const role = await createRole();
      return (token) => send(token, 'PUT', `${roles}/${role}`, { permissions: [] });
    },
  },
  givenPermissions: {
    of: 'vault',
    besides: ['roles.create'],
    prepare: async () => {
      const name = fresh('given');
      return (token) => send(token, 'POST', roles, { name, permissions: [STRONG] });
    },
  },
  tokens: {
    of: 'vault',
    besides: ['tokens.destroy'],
    prepare: async () => {
      const name = fresh('token');
      await createToken(database, { kind: 'custom', permissions: [STRONG], name });
      const id = (await database.get(sql`SELECT id FROM api_tokens WHERE name = ${name}`))?.['id'];
      return (token) => send(token, 'DELETE', `/api/users-permissions/tokens/${String(id)}`);
    },
  },
};

beforeAll(async () => {
  project = await openProject(definition);
  uploads = await mkdtemp(join(tmpdir(), 'content-gen-rights-'));
  server = await project.start({ UPLOAD_DIR: uploads });
  database = await project.open();
  admin = await createToken(database, { kind: 'full-access' });
}, 60_000);
afterAll(async () => {
  await server?.close();
  await database?.close();
  await project?.remove();
  await rm(uploads, { recursive: true, force: true });
});

/** Everything that is stored, except for API tokens, which have the time of their last use. */
async function state(): Promise<string> {
  const tables = JSON.parse(await dump(database)) as [string, unknown][];
  const files = (await readdir(uploads, { recursive: true })).sort();
  return JSON.stringify([tables.filter(([name]) => name !== 'api_tokens'), files]);
}

const tokenOf = (permissions: readonly string[]) => createToken(database, { kind: 'custom', permissions });

describe('the table of rights', () => {
  it.each(Object.keys(RIGHTS) as RightName[])('%s', async (name) => {
    const { needs, without } = RIGHTS[name];
    const { of, besides, prepare } = SCENARIOS[name];
    const needed = needs === 'everything' ? [STRONG] : needs.map((action) => permissionName(of, action));
    const request = await prepare();
    const others = knownPermissions(project.definition.contentTypes);
    // With all permissions except for this one, and with only the other ones that the request needs.
    for (const permissions of [others, besides]) {
      const token = await tokenOf(permissions.filter((permission) => !needed.includes(permission)));
      const before = await state();
      const answer = await request(token);
      expect(answer.status, JSON.stringify(answer.body)).toBe(without);
      expect((await state()) === before, 'nothing has changed').toBe(true);
    }
    for (const permission of needed) {
      const answer = await request(await tokenOf([...besides, permission]));
      expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
    }
  });
});

describe('S03: a locale that is added without the right to update', () => {
  const ADDS = ['article.create', 'article.find', 'tag.find', 'upload.find'];

  it('keeps the values that all locales share, even if they are sent back', async () => {
    const [red, blue] = [await create('tags', { name: 'red' }), await create('tags', { name: 'blue' })];
    const cover = await createFile();
    const shared = { sku: 's', size: 1.5, cover, gallery: [cover], tags: [red, blue], seo: { metaTitle: 'm' } };
    const article = await create('articles', { title: 'x', ...shared });
    const path = `/api/articles/${article}/localizations`;
    const token = await tokenOf(ADDS);
    const { status, body } = await send(token, 'POST', path, { locale: 'fr', title: 'y', ...shared });
    expect([status, body.sku, body.size, body.title]).toEqual([201, 's', 1.5, 'y']);
    const before = await state();
    for (const [name, value] of Object.entries({
      ...{ sku: 'HACKED', size: 2, cover: null, gallery: [], tags: [blue, red], seo: { metaTitle: 'n' } },
    })) {
      const refused = await send(token, 'POST', path, { locale: 'it', ...shared, [name]: value });
      expect([refused.status, refused.body.error.message]).toEqual([
        403,
        `All locales of an entry share ${name}: to change that, the caller needs the permission to update the entry`,
      ]);
    }
    expect((await state()) === before, 'nothing has changed').toBe(true);
  });

  it('shows no drafts: neither the original entry, nor other locales', async () => {
    const article = await create('articles', { title: 'x', sku: 's' });
    const path = `/api/articles/${article}/localizations`;
    await admins('POST', path, { locale: 'fr', title: 'a draft' });
    const token = await tokenOf(ADDS);
    const { body } = await send(token, 'POST', path, { locale: 'it', title: 'y' });
    expect(body.localizations.map(({ locale }: any) => locale)).toEqual(['en']);
    const draft = await create('articles', { title: 'x', sku: 'hidden', publishedAt: null });
    const refused = await send(token, 'POST', `/api/articles/${draft}/localizations`, { locale: 'fr' });
    expect([refused.status, refused.body.error.message]).toEqual([404, 'Entity not found']);
  });
});

describe('S10: drafts', () => {
  it.each([
    '/api/articles?publicationState=preview',
    '/api/articles/1?publicationState=preview',
    '/api/home?publicationState=preview',
    '/api/authors?publicationState=preview&populate=articles',
    '/api/authors?populate[articles][publicationState]=preview',
    '/api/authors?publicationState=preview&filters[articles][title]=x',
    '/api/authors?publicationState=preview&sort=articles.title',
    '/api/articles?populate[localizations][publicationState]=preview',
  ])('are shown by %s to whoever may preview them', async (path) => {
    const reading = knownPermissions(project.definition.contentTypes).filter((name) => /\.find(One)?$/.test(name));
    const refused = await send(await tokenOf(reading), 'GET', path);
    expect([refused.status, refused.body.error.name]).toEqual([403, 'ForbiddenError']);
    const previewing = await tokenOf([...reading, 'article.preview', 'home.preview']);
    expect([200, 404]).toContain((await send(previewing, 'GET', path)).status);
    // For types without drafts, everybody may use the parameter.
    expect((await send(await tokenOf(reading), 'GET', '/api/authors?publicationState=preview')).status).toBe(200);
  });
});

describe('S11: relations and private values of other entries', () => {
  it('relations of a type that the caller may not update are neither removed nor added', async () => {
    const [ann, bob] = [await create('authors', { name: 'Ann' }), await create('authors', { name: 'Bob' })];
    const article = await create('articles', { title: 'x', author: ann });
    const passport = await create('passports', { number: '1', holder: ann });
    const all = knownPermissions(project.definition.contentTypes);
    const token = await tokenOf(all.filter((name) => name !== 'article.update' && name !== 'passport.update'));
    const before = await state();
    for (const data of [
      { articles: [article] },
      { articles: { connect: [article] } },
      { articles: { disconnect: [article] } },
      { articles: { set: [] } },
      { articles: null },
      { passport },
      { passport: null },
    ]) {
      for (const id of [ann, bob]) {
        const { status, body } = await send(token, 'PUT', `/api/authors/${id}`, { data });
        expect([status, body.error?.name], JSON.stringify(data)).toEqual([400, 'ValidationError']);
      }
    }
    expect((await state()) === before, 'nothing has changed').toBe(true);
    // A new entry has no relations that could be removed.
    const made = { name: 'n', articles: [], passport: null };
    expect((await send(token, 'POST', '/api/authors', { data: made })).status).toBe(201);
  });

  it('a private attribute that is unique does not reveal its values', async () => {
    const taken = { email: 'secret@example.org', handle: 'h', card: { code: 'c' } };
    await create('authors', { name: 'x', ...taken });
    const errors = async (data: object) => (await send(admin, 'POST', '/api/authors', { data })).body.error;
    const general = {
      status: 400,
      message: "This entry can't be saved",
      details: { errors: [{ path: [], message: "This entry can't be saved", name: 'ValidationError' }] },
    };
    expect(await errors({ name: 'y', email: taken.email })).toMatchObject(general);
    expect(await errors({ name: 'y', card: taken.card })).toMatchObject(general);
    // Next to errors that are not private, it is not mentioned.
    for (const email of [taken.email, 'free@example.org']) {
      const found = [await errors({ name: 'y', email, handle: 'h' }), await errors({ email })];
      expect(found.map(({ details }) => details.errors.map(({ path }: any) => path))).toEqual([
        [['handle']],
        [['name']],
      ]);
    }
  });
});
