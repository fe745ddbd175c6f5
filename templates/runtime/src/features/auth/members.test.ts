/** Users with attributes added by the schema, and the inverse side of polymorphic relations. */
import { describe, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/members/src/generated/app.ts';
import {
  createToken,
  PASSWORD,
  serveDuringTests,
  type TestProject,
  type TestServer,
} from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';

let project: TestProject;
let server: TestServer;
let database: Database;
let admin: string;
serveDuringTests(definition, (served) => ({ project, server, database, admin } = served));

const paths = (answer: { body: any }) => answer.body.error.details.errors.map((error: any) => error.path.join('.'));

async function make(path: string, data: object): Promise<number> {
  const { status, body } = await server.send('POST', `/api/${path}`, { body: { data }, token: admin });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

function registration(name: string, further: object = {}) {
  const body = { username: name, email: `${name}@example.org`, password: PASSWORD, ...further };
  return server.send('POST', '/api/auth/local/register', { body });
}

async function member(name: string, values: object = {}): Promise<number> {
  const { body } = await registration(name);
  const changed = await server.send('PUT', `/api/users/${body.user.id}`, { body: values, token: admin });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  return body.user.id;
}

describe('registration', () => {
  test('accepts the attributes that the schema allows, and gives the others their defaults', async () => {
    const { status, body } = await registration('ann', { nickname: 'Annie', code: 'A1' });
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ username: 'ann', nickname: 'Annie', code: 'A1', level: 1, checked: null });
    for (const hidden of ['karma', 'shelf', 'address', 'password']) expect(body.user).not.toHaveProperty(hidden);
    const me = await server.send('GET', '/api/users/me', { token: body.jwt });
    expect(me.body).toEqual(body.user);
    expect((await server.signIn('ann', PASSWORD)).body.user).toEqual(body.user);
    const row = await database.get(sql`SELECT karma, level FROM users WHERE id = ${body.user.id}`);
    expect(row).toMatchObject({ karma: 7, level: 1 });
  });

  test('refuses other attributes, and values that break a rule', async () => {
    for (const [name, value] of Object.entries({ karma: 9, level: 3, checked: true, shelf: [1], address: {} })) {
      expect(paths(await registration('eve', { [name]: value })), name).toEqual([name]);
    }
    expect(paths(await registration('eve', { nickname: 'x'.repeat(21), code: 5 }))).toEqual(['nickname', 'code']);
  });

  test('says which further attribute is taken', async () => {
    expect((await registration('one', { code: 'same' })).status).toBe(200);
    const answer = await registration('two', { code: 'same' });
    expect(answer.status).toBe(400);
    expect(paths(answer)).toEqual(['code']);
  });
});

describe('users', () => {
  test('are changed, populated, filtered and sorted by further attributes', async () => {
    const article = await make('articles', { title: 'One' });
    const friend = await member('friend');
    const id = await member('carl', {
      nickname: 'Charly',
      karma: 3,
      extra: { data: { id: 1 } },
      shelf: [article],
      friend,
      address: { city: 'Rome', pin: '1234' },
    });
    const read = (query: string) => server.send('GET', `/api/users/${query}`, { token: admin });
    const { body } = await read(`${id}?populate[0]=shelf&populate[1]=friend&populate[2]=address`);
    expect(body).toMatchObject({
      nickname: 'Charly',
      extra: { data: { id: 1 } },
      shelf: [{ id: article, title: 'One' }],
      friend: { id: friend, username: 'friend' },
      address: { city: 'Rome' },
    });
    expect(body.address).not.toHaveProperty('pin');
    expect((await read('?filters[shelf][title][$eq]=One')).body.map((user: any) => user.id)).toEqual([id]);
    expect((await read('?filters[nickname][$eq]=Charly&sort=level:desc')).body).toHaveLength(1);
    expect((await read('?filters[karma][$eq]=3')).status).toBe(400);
    const populated = await server.send('GET', `/api/articles/${article}?populate=savedBy`, { token: admin });
    expect(populated.body.data.attributes.savedBy.data.map((user: any) => user.id)).toEqual([id]);
    const friends = await read(`${friend}?populate=friends`);
    expect(friends.body.friends.map((user: any) => user.id)).toEqual([id]);
  });

  test('are related from the other side, with the permissions of the caller only', async () => {
    const id = await member('dora');
    const article = await make('articles', { title: 'Two', savedBy: [id] });
    const { body } = await server.send('GET', `/api/users/${id}?populate=shelf`, { token: admin });
    expect(body.shelf.map((entry: any) => entry.id)).toEqual([article]);
    const token = await createToken(database, { kind: 'custom', permissions: ['users.update', 'users.find'] });
    const refused = await server.send('PUT', `/api/users/${id}`, { body: { shelf: [article] }, token });
    expect(refused.status).toBe(403);
    const set = { body: { shelf: { disconnect: [article] }, address: { city: '' } }, token: admin };
    expect((await server.send('PUT', `/api/users/${id}`, set)).status).toBe(200);
  });

  test('are created with everything, and deleted with their links', async () => {
    const article = await make('articles', { title: 'Three' });
    const values = { username: 'gina', email: 'gina@example.org', password: PASSWORD, shelf: [article], code: 'G' };
    const { status, body } = await server.send('POST', '/api/users?populate=shelf', { body: values, token: admin });
    expect(status).toBe(201);
    expect(body).toMatchObject({ code: 'G', shelf: [{ id: article }] });
    expect(
      paths(await server.send('POST', '/api/users', { body: { ...values, checked: true }, token: admin })),
    ).toEqual(['checked']);
    expect((await server.send('DELETE', `/api/users/${body.id}`, { token: admin })).status).toBe(200);
    const { body: after } = await server.send('GET', `/api/articles/${article}?populate=savedBy`, { token: admin });
    expect(after.data.attributes.savedBy.data).toEqual([]);
  });

  test('show what a hook sets', async () => {
    const hooked = await project.start({}, {
      hooks: { user: { beforeRegister: () => ({ checked: true, level: 5 }) } },
    } as never);
    const body = { username: 'hans', email: 'hans@example.org', password: PASSWORD };
    const answer = await hooked.send('POST', '/api/auth/local/register', { body });
    expect(answer.body.user).toMatchObject({ checked: true, level: 5 });
    await hooked.close();
  });
});

describe('the inverse side of a polymorphic relation', () => {
  const get = (path: string, token?: string) => server.send('GET', `/api/${path}`, { token });

  test('is populated, counted, filtered and hides drafts', async () => {
    const article = await make('articles', { title: 'Subject' });
    const other = await make('articles', { title: 'Other' });
    const book = await make('books', { title: 'Book' });
    const first = await make('remarks', { text: 'first', subject: { id: article, type: 'article' } });
    const draft = await make('remarks', {
      text: 'draft',
      publishedAt: null,
      subject: { id: article, type: 'article' },
    });
    const second = await make('remarks', { text: 'second', subject: { id: article, type: 'article' } });
    const ofBook = await make('remarks', { text: 'book', subject: { id: book, type: 'book' } });
    await make('remarks', {
      text: 'both',
      about: [
        { id: other, type: 'article' },
        { id: book, type: 'book' },
      ],
    });
    const ids = ({ body }: { body: any }) => body.data.map((entry: any) => entry.id);
    const one = (await get(`articles/${article}?populate=remarks,mentions`)).body.data.attributes;
    expect(one.remarks.data.map((entry: any) => entry.id)).toEqual([first, second]);
    expect(one.mentions.data).toEqual([]);
    const preview = (await get(`articles/${article}?populate=remarks&publicationState=preview`, admin)).body.data
      .attributes;
    expect(preview.remarks.data.map((entry: any) => entry.id)).toEqual([first, draft, second]);
    expect((await get(`books/${book}?populate=remark`)).body.data.attributes.remark.data.id).toBe(ofBook);
    expect(ids(await get('articles?filters[remarks][text][$eq]=second'))).toEqual([article]);
    expect(ids(await get('articles?filters[mentions][text][$eq]=both'))).toEqual([other]);
    expect(ids(await get('articles?filters[remarks][text][$eq]=draft'))).toEqual([]);
    expect(ids(await get('books?filters[remark][id][$notNull]=true'))).toEqual([book]);
    const counted = await get(`articles/${article}?populate[remarks][count]=true`);
    expect(counted.body.data.attributes.remarks.data.attributes.count).toBe(2);
    const sorted = await get(
      `articles/${article}?populate[remarks][sort]=text:desc&populate[remarks][pagination][limit]=1`,
    );
    expect(sorted.body.data.attributes.remarks.data.map((entry: any) => entry.attributes.text)).toEqual(['second']);
  });

  test('shows the first if several entries reference the same one', async () => {
    const book = await make('books', { title: 'Two remarks' });
    const first = await make('remarks', { text: '1', subject: { id: book, type: 'book' } });
    const second = await make('remarks', { text: '2', subject: { id: book, type: 'book' } });
    const shown = async () => (await get(`books/${book}?populate=remark`)).body.data.attributes.remark.data.id;
    expect(await shown()).toBe(first);
    await server.send('DELETE', `/api/remarks/${first}`, { token: admin });
    expect(await shown()).toBe(second);
  });

  test('is written only through its owning side', async () => {
    const article = await make('articles', { title: 'Read only' });
    for (const body of [{ data: { title: 'x', remarks: [1] } }, { data: { title: 'x', remarks: null } }]) {
      const answer = await server.send('PUT', `/api/articles/${article}`, { body, token: admin });
      expect(answer.body.error).toMatchObject({ status: 400, message: 'remarks is written through remark.subject' });
    }
    const french = { body: { title: 'En lecture', locale: 'fr' }, token: admin };
    const added = await server.send('POST', `/api/articles/${article}/localizations`, french);
    expect(added.status).toBe(201);
    const remark = await make('remarks', {
      text: 'of the French one',
      subject: { id: added.body.id, type: 'article' },
    });
    const { body } = await get(`articles/${added.body.id}?populate=remarks&publicationState=preview`, admin);
    expect(body.data.attributes.remarks.data.map((entry: any) => entry.id)).toEqual([remark]);
    expect((await get(`articles/${article}?populate=remarks`)).body.data.attributes.remarks.data).toEqual([]);
  });

  test('requires permission to find its targets', async () => {
    const { body } = await registration('lena');
    const { body: list } = await get('articles?populate=remarks', body.jwt);
    for (const { attributes } of list.data) expect(attributes).not.toHaveProperty('remarks');
    expect((await get('articles?filters[remarks][text][$eq]=second', body.jwt)).status).toBe(400);
  });

  test('is part of the description of types', async () => {
    const { body } = await get('content-type-builder/content-types', admin);
    const article = body.data.find(({ uid }: { uid: string }) => uid === 'api::article.article');
    expect(article.schema.attributes.remarks).toMatchObject({ relation: 'morphMany', morphBy: 'subject' });
  });
});
