/** Rules of writes: whose entry it is decides, from whichever side it is changed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { definition as magazine } from '../../test-support/projects/magazine/src/generated/app.ts';
import { createToken, dump, openProject, type TestProject, type TestServer } from '../../test-support/test-project.ts';
import type { Rules } from '../contract/policy/rule.ts';
import type { Database } from '../database/database.ts';

let project: TestProject;
let server: TestServer;
let database: Database;
let admin: string;
let ann: { readonly jwt: string; readonly id: number };
let bob: { readonly jwt: string; readonly id: number };

const mine = { where: { author: '$user' } };
const AUTHENTICATED: Rules = {
  'article.find': { where: { $or: [{ visibility: 'public' }, { author: '$user' }] } },
  'article.findOne': { where: { $or: [{ visibility: 'public' }, { author: '$user' }] } },
  'article.create': { set: { author: '$user' }, except: ['featured'], where: { title: { $ne: 'forbidden' } } },
  'article.update': { ...mine, except: ['featured'] },
  'article.delete': mine,
  // Decides about reads of drafts alone.
  'article.preview': mine,
  'comment.create': { set: { author: '$user' }, except: ['hidden', 'featured'] },
  'comment.update': { ...mine, except: ['featured', 'hidden'] },
  'comment.delete': mine,
  'category.update': {},
  'team.find': { where: { members: '$user' } },
  'team.findOne': { where: { members: '$user' } },
  'team.link': { where: { desk: '$user.desk' } },
};

beforeAll(async () => {
  const { authenticated = [] } = magazine.roles;
  project = await openProject({
    ...magazine,
    roles: {
      ...magazine.roles,
      authenticated: [
        ...new Set([...authenticated, ...Object.keys(AUTHENTICATED), 'category.find', 'category.update', 'users.find']),
      ],
      public: ['article.find'],
    },
    rules: { authenticated: AUTHENTICATED },
  });
  server = await project.start();
  database = await project.open();
  admin = await createToken(database, { kind: 'full-access' });
  ann = await server.register('ann');
  bob = await server.register('bob');
});
afterAll(async () => {
  await server?.close();
  await database?.close();
  await project?.remove();
});

const send = (method: string, path: string, token: string, data?: object) =>
  server.send(method, `/api/${path}`, { token, ...(data && { body: { data } }) });

async function made(path: string, token: string, data: object): Promise<number> {
  const { status, body } = await send('POST', path, token, data);
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data.id;
}

/** Refused with this status, and without a trace. */
async function refused(status: number, request: () => ReturnType<typeof send>) {
  const content = async () => (await dump(database)).replace(/"last_used_at":[^,]*/g, '');
  const before = await content();
  const answer = await request();
  expect(answer.status, answer.text).toBe(status);
  expect((await content()) === before).toBe(true);
  return answer.body.error;
}

async function authorOf(path: string, id: number): Promise<number | undefined> {
  const { body } = await send('GET', `${path}/${id}?populate=author`, admin);
  return body.data.attributes.author.data?.id;
}

let annsArticle: number;
let hidden: number;
beforeEach(async () => {
  annsArticle = await made('articles', ann.jwt, { title: 'of ann' });
  hidden = await made('articles', ann.jwt, { title: 'hidden', visibility: 'team' });
});

describe('the entry itself', () => {
  test('is set to be of who creates it', async () => {
    expect(await authorOf('articles', annsArticle)).toBe(ann.id);
    const error = await refused(400, () => send('POST', 'articles', bob.jwt, { title: 'x', author: ann.id }));
    expect(error.message).toBe('author is not an attribute');
    const other = await refused(400, () => send('POST', 'articles', bob.jwt, { title: 'x', nope: 1 }));
    expect(JSON.stringify(error).replaceAll('author', 'nope')).toBe(JSON.stringify(other));
    await refused(403, () => send('POST', 'articles', bob.jwt, { title: 'forbidden' }));
  });

  test('is changed and deleted by nobody else, who may not know that it is there', async () => {
    expect((await send('PUT', `articles/${annsArticle}`, ann.jwt, { title: 'new' })).status).toBe(200);
    await refused(403, () => send('PUT', `articles/${annsArticle}`, bob.jwt, { title: 'bobs' }));
    await refused(403, () => send('DELETE', `articles/${annsArticle}`, bob.jwt));
    const gone = await refused(404, () => send('PUT', 'articles/99999', bob.jwt, { title: 'bobs' }));
    expect(await refused(404, () => send('PUT', `articles/${hidden}`, bob.jwt, { title: 'bobs' }))).toEqual(gone);
    await refused(404, () => send('DELETE', `articles/${hidden}`, bob.jwt));
    expect((await send('DELETE', `articles/${hidden}`, ann.jwt)).status).toBe(200);
  });

  test('is changed, connected and told of by who finds it as it is published, whoever may see its draft', async () => {
    const comment = await made('comments', bob.jwt, { text: 'nice', article: annsArticle });
    expect(
      (await send('GET', `comments/${comment}?populate=article`, bob.jwt)).body.data.attributes.article.data.id,
    ).toBe(annsArticle);
    const { id } = (await send('POST', 'articles', ann.jwt, { title: 'draft', publishedAt: null })).body.data;
    const draft = (path: string) => send('PUT', path, bob.jwt, { title: 'bobs' });
    await refused(404, () => draft(`articles/${id}`));
    await refused(400, () => send('POST', 'comments', bob.jwt, { text: 'x', article: id }));
    expect((await send('PUT', `articles/${annsArticle}?status=draft`, ann.jwt, { visibility: 'team' })).status).toBe(
      200,
    );
    await refused(403, () => draft(`articles/${annsArticle}`));
  });

  test('stays within the rule', async () => {
    await refused(403, () => send('PUT', `articles/${annsArticle}`, ann.jwt, { author: bob.id }));
    await refused(400, () => send('PUT', `articles/${annsArticle}`, ann.jwt, { featured: true }));
  });
});

describe('the other side', () => {
  test('takes nothing from others', async () => {
    const category = await made('categories', admin, { name: `of ${annsArticle}` });
    const connect = (token: string, id: number) =>
      send('PUT', `categories/${category}`, token, { articles: { connect: [id] } });
    await refused(403, () => connect(bob.jwt, annsArticle));
    const missing = await refused(400, () => connect(bob.jwt, 99_999));
    const error = await refused(400, () => connect(bob.jwt, hidden));
    expect(JSON.stringify(error).replaceAll(String(hidden), '99999')).toBe(JSON.stringify(missing));
    expect((await connect(ann.jwt, annsArticle)).status).toBe(200);
    await refused(403, () => send('PUT', `categories/${category}`, bob.jwt, { articles: [] }));
    await refused(403, () => send('DELETE', `articles/${annsArticle}`, bob.jwt));
  });

  test('a deletion takes nothing from the entries of others', async () => {
    await made('comments', bob.jwt, { text: 'of bob', article: annsArticle });
    await refused(403, () => send('DELETE', `articles/${annsArticle}`, ann.jwt));
  });

  test('connects only what may be found, and linked', async () => {
    const north = await made('teams', admin, { name: 'N', desk: 'north', members: [ann.id, bob.id] });
    await database.script("UPDATE users SET desk = 'north' WHERE username = 'ann'");
    expect((await send('PUT', `articles/${annsArticle}`, ann.jwt, { team: north })).status).toBe(200);
    const bobs = await made('articles', bob.jwt, { title: 'of bob' });
    const error = await refused(400, () => send('PUT', `articles/${bobs}`, bob.jwt, { team: north }));
    const missing = await refused(400, () => send('PUT', `articles/${bobs}`, bob.jwt, { team: 99_999 }));
    expect(JSON.stringify(error).replaceAll(String(north), '99999')).toBe(JSON.stringify(missing));
  });
});

test('an upload with a ref is an update of the entry', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const upload = async (token: string, refId: number) => {
    const form = new FormData();
    for (const [name, value] of [
      ['ref', 'article'],
      ['refId', String(refId)],
      ['field', 'cover'],
    ] as const) {
      form.append(name, value);
    }
    form.append('files', new Blob([png], { type: 'image/png' }), 'a.png');
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${server.origin}/api/upload`, { method: 'POST', headers, body: form })).status;
  };
  expect([
    await upload(ann.jwt, annsArticle),
    await upload(bob.jwt, annsArticle),
    await upload(bob.jwt, hidden),
  ]).toEqual([200, 403, 400]);
});
