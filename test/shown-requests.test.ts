/**
 * "Show requests" of the admin panel on a server with the v5 format: each request of the panel, sent with its session, and the
 * one that is shown for it, sent with an API token, by curl and by the typed client, have the same response or effect.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContentType } from '../templates/admin/src/model/model.ts';
import { ModelIndex } from '../templates/admin/src/model/model-context.tsx';
import { changeOf } from '../templates/admin/src/relations/relation-change.ts';
import { listOf, move, remove } from '../templates/admin/src/relations/relation-list.ts';
import { clientLineOf } from '../templates/admin/src/request/client-line.ts';
import { curlOf } from '../templates/admin/src/request/curl.ts';
import { type DocumentKey, entryNamedBy, v5RequestOf } from '../templates/admin/src/request/v5-request.ts';
import { type ApiRequest, conditionHeaders, conditionOf, urlOf } from '../templates/admin/src/rest/api-request.ts';
import { countQuery, draftsQuery, entryQuery } from '../templates/admin/src/rest/entry-query.ts';
import { listQuery } from '../templates/admin/src/rest/list-query.ts';
import type { QueryObject } from '../templates/admin/src/rest/query-string.ts';
import { PASSWORD } from '../templates/runtime/test-support/test-project.ts';
import { runClientLine } from './support/client-line.ts';
import { addToken, fullAccess, type Send } from './support/full-access.ts';
import { root } from './support/project.ts';
import { type ServedProject, serveProject } from './support/served-project.ts';

type Json = any;

const SCHEMA = `name: shown
databases: [sqlite]
locales: [en, fr]
api: { format: v5, requireIfMatch: true }
admin: true
contentTypes:
  story:
    pluralName: stories
    draftAndPublish: true
    localized: true
    attributes:
      title: { type: string, required: true }
      rank: { type: integer, localized: false }
      cover: { type: media }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: stories }
      related: { type: relation, relation: manyWay, target: story }
      lead: { type: relation, relation: oneWay, target: story }
      about: { type: relation, relation: morphToMany, targets: [story, tag] }
      card: { type: component, component: part.card }
      parts: { type: dynamiczone, components: [part.text, part.card] }
  tag:
    attributes:
      name: { type: string, required: true }
      stories: { type: relation, relation: manyToMany, target: story, mappedBy: tags }
  home:
    kind: singleType
    draftAndPublish: true
    attributes: { headline: { type: string, required: true }, stories: { type: relation, relation: manyWay, target: story } }
  front-page:
    kind: singleType
    localized: true
    attributes: { headline: { type: string, required: true } }
components:
  part.text:
    attributes: { text: { type: text, required: true }, tags: { type: relation, relation: manyWay, target: tag } }
  part.card:
    attributes: { label: { type: string }, on: { type: relation, relation: morphToOne, targets: [story, tag] } }
users: { attributes: { favorites: { type: relation, relation: manyWay, target: story } } }
permissions:
  editor: { '*': '*', upload: '*', users: '*', roles: '*', locales: '*', admin: [access] }
`;

/** All requests of the panel are also checked by the compiler, as calls of the client. */
const LINES: string[] = [];

let server: ServedProject;
let send: Send;
let token: string;
let cookie: string;
let index: ModelIndex;

const keyOf = (uid: string, id: unknown): string => `${uid} ${String(id)}`;
const documents = new Map<string, DocumentKey>();

function typeOf(uid: string): ContentType {
  const type = index.type(uid);
  if (!type) throw new Error(uid);
  return type;
}

/** Sends a request as the panel does; returns undefined if the entry is missing. */
async function asPanel(request: ApiRequest): Promise<Json> {
  const { method = 'GET', body } = request;
  const response = await fetch(server.origin + urlOf(request), {
    method,
    headers: {
      'X-Admin-Session': '1',
      Cookie: cookie,
      'Content-Type': 'application/json',
      ...conditionHeaders(conditionOf(request)),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.status === 404) return undefined;
  const answer = (await response.json()) as Json;
  expect(response.status, `${urlOf(request)}: ${JSON.stringify(answer)}`).toBeLessThan(300);
  return typeof answer === 'object' && answer !== null && 'data' in answer
    ? { ...answer, etag: response.headers.get('etag') }
    : answer;
}

async function shown(request: ApiRequest): Promise<ApiRequest> {
  const name = entryNamedBy(request, index);
  if (name && !documents.has(keyOf(name.type.uid, name.id))) {
    const status = name.type.draftAndPublish ? 'status=draft&' : '';
    const { data } = await send('GET', `${name.type.endpoint}?${status}locale=*&filters[id]=${name.id}`);
    documents.set(keyOf(name.type.uid, name.id), data[0]);
  }
  const found = v5RequestOf(request, index, ({ type, id }) => documents.get(keyOf(type.uid, id))!);
  if (!found) throw new Error(`There is no v5 request for ${request.method} ${request.path}`);
  return found;
}

/** Runs a curl command. Throws if it is refused. `file`: the path of what it uploads. */
async function asCurl(request: ApiRequest, file = ''): Promise<Json> {
  const shownCommand = curlOf(await shown(request), server.origin);
  const command = shownCommand.replace('curl -sg', 'curl -sg --fail-with-body').replace('@FILE', `@${file}`);
  const { stdout } = await execa('bash', ['-c', command], { env: { TOKEN: token } });
  return stdout === '' ? undefined : JSON.parse(stdout);
}

/** Runs a line of the client; by curl if the client has no such method. */
async function asClient(request: ApiRequest): Promise<Json> {
  const line = clientLineOf(await shown(request), index);
  if (line === undefined) return await asCurl(request);
  LINES.push(line);
  return await runClientLine(server, token, line);
}

/** Entries without what differs by format: envelopes, document ids, and whether the published row is a draft. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('data' in value && !('id' in value)) return plain(value.data);
  const { attributes, ...own } = value;
  const { documentId: _d, meta: _m, publishedAt: _p, ...rest } = { ...own, ...attributes };
  return Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, plain(inner)]));
}

/** An entry in both locales. `etag`: of the one in English. */
interface Made {
  readonly id: number;
  readonly french: number;
  readonly etag: string;
}

const shownQuery = (): QueryObject => ({
  ...entryQuery(typeOf('story'), index),
  ...draftsQuery(typeOf('story'), true),
});

async function makeStory(options: {
  readonly title: string;
  readonly isDraft: boolean;
  readonly isOnlyEnglish?: boolean;
}): Promise<Made> {
  const { title, isDraft, isOnlyEnglish = false } = options;
  const about = [1, 2].map((id) => ({ id, type: 'tag' }));
  const data = {
    title,
    rank: 1,
    tags: [1, 2, 3, 4],
    about,
    card: { label: 'card', on: about[0] },
    parts: [
      { __component: 'part.text', text: 'text', tags: [1, 2, 3] },
      { __component: 'part.card', label: 'part', on: about[1] },
    ],
    publishedAt: isDraft ? null : '2026-01-01T00:00:00.000Z',
  };
  const { id } = (await asPanel({ method: 'POST', path: 'stories', body: { data } })).data;
  const localized = { title: `${title} (fr)`, locale: 'fr', publishedAt: data.publishedAt };
  const path = `stories/${id}/localizations`;
  const french = isOnlyEnglish ? undefined : await asPanel({ method: 'POST', path, body: localized });
  const { etag } = await asPanel({ path: `stories/${id}`, query: shownQuery() });
  return { id, french: french?.data?.id ?? french?.id, etag };
}

/** The content of an entry as its screen shows it: without the ids and times that differ from row to row. */
async function content(uid: string, id: number | undefined, locale?: string): Promise<Json> {
  const type = typeOf(uid);
  const path = type.endpoint.replace('/api/', '') + (id === undefined ? '' : `/${id}`);
  const query = { ...entryQuery(type, index), ...draftsQuery(type, true), ...(locale !== undefined && { locale }) };
  const answer = await asPanel({ path, query });
  if (!answer) return undefined;
  const { id: _id, createdAt: _c, updatedAt: _u, ...values } = plain(answer);
  for (const item of [values.card ?? [], values.parts ?? []].flat()) delete item.id;
  return { ...values, isPublished: typeof answer.data.attributes.publishedAt === 'string' };
}

beforeAll(async () => {
  server = await serveProject(SCHEMA);
  send = await fullAccess(server);
  token = await addToken(server, { kind: 'full-access' });
  const { roles } = await send('GET', '/api/users-permissions/roles');
  const role = roles.find(({ type }: Json) => type === 'editor').id;
  const email = 'editor@example.org';
  await send('POST', '/api/users', { username: 'editor', email, password: PASSWORD, confirmed: true, role });
  const session = await fetch(`${server.origin}/api/admin/session`, {
    method: 'POST',
    headers: { 'X-Admin-Session': '1', 'Content-Type': 'application/json' },
    body: JSON.stringify({ identifier: email, password: PASSWORD }),
  });
  cookie = session.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
  index = new ModelIndex(await send('GET', '/api/admin/model'));
  for (const name of ['koa', 'sql', 'yaml', 'http', 'css']) await send('POST', '/api/tags', { data: { name } });
});
afterAll(() => server?.close());

describe('a read', () => {
  let story: Made;

  beforeAll(async () => {
    story = await makeStory({ title: 'Once über 50%', isDraft: true });
    await makeStory({ title: 'Published: once', isDraft: false });
    await makeStory({ title: 'Draft: once', isDraft: true });
    const data = { headline: 'H', stories: [story.id], publishedAt: null };
    await asPanel({ method: 'PUT', path: 'home', body: { data }, isNew: true });
    const page = { path: 'front-page', query: { locale: 'fr' }, body: { data: { headline: 'F' } } };
    await asPanel({ method: 'PUT', ...page, isNew: true });
  });

  const list = (query: QueryObject): ApiRequest => ({
    path: 'stories',
    query: {
      ...listQuery(typeOf('story'), ['title', 'rank', 'tags', 'lead', 'publishedAt'], index),
      ...draftsQuery(typeOf('story'), true),
      sort: 'title:desc',
      ...query,
    },
  });
  const page = { page: 1, pageSize: 2, withCount: true, maxCount: 300 };
  const zone = { fields: ['id'], populate: { tags: { fields: ['id', 'name'], start: 1, limit: 30 } } };

  const reads: Readonly<Record<string, () => ApiRequest>> = {
    'a list': () => list({ locale: 'fr', pagination: page }),
    'a searched list': () => list({ _q: 'once', sort: 'title:asc', pagination: page }),
    'a filtered list': () =>
      list({ filters: { title: { $containsi: 'über 50%' }, tags: { id: { $eq: 2 } }, rank: { $gte: 1 } } }),
    'the published entries': () => list({ filters: { publishedAt: { $notNull: true } } }),
    'the drafts': () => list({ filters: { publishedAt: { $notNull: false } } }),
    'entries in all locales': () => list({ locale: 'all', filters: { id: { $in: [story.id, story.french] } } }),
    'without drafts': () => ({ path: 'stories', query: { fields: ['id', 'title'], sort: 'title' } }),
    'an entry': () => ({ path: `stories/${story.id}`, query: shownQuery() }),
    'an entry in another locale': () => ({ path: `stories/${story.french}`, query: shownQuery() }),
    'the lengths of its lists': () => ({
      path: `stories/${story.id}`,
      query: { ...countQuery(typeOf('story'), index), ...draftsQuery(typeOf('story'), true) },
    }),
    'a part of a list in a zone': () => ({
      path: `stories/${story.id}`,
      query: { fields: ['id'], populate: { parts: { on: { 'part.text': zone } } }, publicationState: 'preview' },
    }),
    'a single type': () => ({
      path: 'home',
      query: { ...entryQuery(typeOf('home'), index), ...draftsQuery(typeOf('home'), true) },
    }),
    'a single type in a locale': () => ({ path: 'front-page', query: { locale: 'fr' } }),
    users: () => ({ path: 'users', query: { fields: ['id', 'username'], populate: { role: { fields: ['name'] } } } }),
    'their number': () => ({ path: 'users/count', query: { filters: { username: { $containsi: 'edit' } } } }),
    'a user': () => ({ path: 'users/1', query: { populate: { role: { fields: ['id', 'name'] } } } }),
    roles: () => ({ path: 'users-permissions/roles' }),
    files: () => ({ path: 'upload/files', query: { sort: 'id:desc', pagination: { start: 0, limit: 24 } } }),
    'the model': () => ({ path: 'admin/model' }),
  };

  it.each(Object.keys(reads))('has the same response: %s', async (name) => {
    const request = reads[name]!();
    const answer = await asPanel(request);
    for (const way of [asCurl, asClient]) {
      const other = await way(request);
      expect(plain(other)).toEqual(plain(answer));
      expect(other.meta?.pagination).toEqual(answer.meta?.pagination);
    }
  });

  it('continues a list where the cursor is valid in both formats, and says what belongs there elsewhere', async () => {
    const query = { sort: 'name', pagination: { after: '', pageSize: 2 } };
    const { meta } = await asPanel({ path: 'tags', query });
    const next = { path: 'tags', query: { ...query, pagination: { after: meta.pagination.next, pageSize: 2 } } };
    expect(plain(await asCurl(next))).toEqual(plain(await asPanel(next)));
    const drafts = await shown(list({ pagination: { after: 'x', pageSize: 2 } }));
    expect(drafts.query).toMatchObject({ pagination: { after: 'NEXT_OF_THE_PREVIOUS_PAGE', pageSize: 2 } });
  });
});

describe('a write', () => {
  interface Case {
    /** Creates what the request changes; returns its ids. */
    readonly make: () => Promise<Made>;
    readonly request: (made: Made) => ApiRequest | Promise<ApiRequest>;
    /** What the request may have changed; by default the content of the entry. */
    readonly effect?: (made: Made) => Promise<Json>;
  }

  const draft = () => makeStory({ title: 'Draft', isDraft: true });
  const published = () => makeStory({ title: 'Published', isDraft: false });
  const none = async (): Promise<Made> => ({ id: 0, french: 0, etag: '' });
  const put = ({ id, etag }: Made, data: Json, status?: 'draft'): ApiRequest => {
    const query = { ...shownQuery(), ...draftsQuery(typeOf('story'), true), ...(status && { status }) };
    return { method: 'PUT', path: `stories/${id}`, query, body: { data }, ifMatch: etag };
  };
  const both = async ({ id, french }: Made) => [await content('story', id), await content('story', french)];
  /** Creates another entry, so that the newest one differs. */
  const afterAnother = (path: string, data: Json) => async (): Promise<Made> => {
    await asPanel({ method: 'POST', path, body: { data } });
    return await none();
  };
  /** The newest entry. */
  const newest = async (uid: string) => {
    const query = { sort: 'id:desc', ...draftsQuery(typeOf(uid), true), locale: 'all' };
    const { data } = await asPanel({ path: typeOf(uid).endpoint.replace('/api/', ''), query });
    return await content(uid, data[0].id);
  };
  const single = async (uid: string, data: Json): Promise<Made> => {
    for (const locale of ['en', 'fr']) await asPanel({ method: 'DELETE', path: uid, query: { locale } });
    if (data === undefined) return await none();
    const made = await asPanel({ method: 'PUT', path: uid, query: { locale: 'fr' }, body: { data }, isNew: true });
    return { id: 0, french: 0, etag: made.etag };
  };

  /** Moves the last tag to the start, and removes the second one, as in the panel. */
  const sorted = async () => {
    const refs = [1, 2, 3, 4].map((id) => ({ id, title: String(id) }));
    const moved = move(listOf(4, refs), 3, 0, refs[3]!);
    return await changeOf(remove(moved, 2, refs[1]!), async (at) => refs[at]);
  };
  const partsOf = async ({ id }: Made) =>
    (await asPanel({ path: `stories/${id}`, query: { populate: '*', publicationState: 'preview' } })).data.attributes
      .parts;

  const writes: Readonly<Record<string, Case>> = {
    'change a draft, and sort its relation': {
      make: draft,
      request: async (made) => put(made, { title: "It's “new”", tags: await sorted() }, 'draft'),
    },
    'change a published entry, and sort its relation': {
      make: published,
      request: async (made) => put(made, { title: 'New', tags: await sorted() }),
    },
    'change relations to several types, and items': {
      make: published,
      request: async (made) => {
        const [text, card] = await partsOf(made);
        const about = {
          connect: [
            { id: 3, type: 'tag', position: { after: { id: 1, type: 'tag' } } },
            { id: made.id, type: 'story', position: { start: true } },
          ],
          disconnect: [{ id: 2, type: 'tag' }],
        };
        const parts = [
          { id: card.id, __component: 'part.card', on: { id: made.id, type: 'story' } },
          { id: text.id, __component: 'part.text', tags: { connect: [{ id: 5, position: { start: true } }] } },
          { __component: 'part.card', label: 'new', on: null },
        ];
        return put(made, { about, parts, card: { label: 'other', on: { id: 4, type: 'tag' } }, lead: made.id });
      },
      // The entry itself is a target: another one each time.
      effect: async ({ id }) =>
        JSON.parse(JSON.stringify(await content('story', id)).replaceAll(`"id":${id}`, '"id":0')),
    },
    'remove an item': { make: draft, request: (made) => put(made, { card: null, parts: [] }, 'draft') },
    'change another locale': {
      make: draft,
      request: ({ french }) => put({ id: french, french, etag: '*' }, { title: 'Autre', rank: 9 }, 'draft'),
      effect: both,
    },
    publish: { make: draft, request: (made) => put(made, { publishedAt: new Date().toISOString() }) },
    'publish several': {
      make: draft,
      request: ({ id }) => ({ method: 'PUT', path: `stories/${id}`, body: { data: { publishedAt: '2026-01-01' } } }),
    },
    'delete one locale': {
      make: published,
      request: ({ french }) => ({ method: 'DELETE', path: `stories/${french}` }),
      effect: both,
    },
    'delete the default locale': {
      make: draft,
      request: ({ id }) => ({ method: 'DELETE', path: `stories/${id}` }),
      effect: both,
    },
    'create a draft in another locale': {
      make: afterAnother('stories', { title: 'Another' }),
      request: () => ({
        method: 'POST',
        path: 'stories',
        body: {
          data: {
            title: 'Nouveau',
            about: { connect: [{ id: 1, type: 'tag', position: { end: true } }] },
            publishedAt: null,
            locale: 'fr',
          },
        },
      }),
      effect: () => newest('story'),
    },
    'create and publish': {
      make: afterAnother('stories', { title: 'Another' }),
      request: () => ({
        method: 'POST',
        path: 'stories',
        body: { data: { title: 'Neu', rank: 3, publishedAt: '2026-01-01T00:00:00.000Z', locale: 'en' } },
      }),
      effect: () => newest('story'),
    },
    'create without drafts': {
      make: afterAnother('tags', { name: 'another' }),
      request: () => ({ method: 'POST', path: 'tags', body: { data: { name: 'json' } } }),
      effect: () => newest('tag'),
    },
    'add a locale': {
      make: () => makeStory({ title: 'Only English', isDraft: false, isOnlyEnglish: true }),
      request: ({ id }) => ({
        method: 'POST',
        path: `stories/${id}/localizations`,
        body: {
          title: 'Aussi',
          tags: { connect: [{ id: 4, position: { end: true } }] },
          publishedAt: null,
          locale: 'fr',
        },
      }),
      effect: async ({ id }) => [await content('story', id), await newest('story')],
    },
    'create a single type': {
      make: () => single('home', undefined),
      request: () => ({
        method: 'PUT',
        path: 'home',
        query: { publicationState: 'preview' },
        body: { data: { headline: 'New', publishedAt: null } },
        isNew: true,
      }),
      effect: () => content('home', undefined),
    },
    'change the draft of a single type': {
      make: () => single('home', { headline: 'Old', publishedAt: null }),
      request: ({ etag }) => ({
        method: 'PUT',
        path: 'home',
        query: { publicationState: 'preview', status: 'draft' },
        body: { data: { headline: 'Draft' } },
        ifMatch: etag,
      }),
      effect: () => content('home', undefined),
    },
    'publish a single type': {
      make: () => single('home', { headline: 'Old', publishedAt: null }),
      request: ({ etag }) => ({
        method: 'PUT',
        path: 'home',
        body: { data: { publishedAt: new Date().toISOString() } },
        ifMatch: etag,
      }),
      effect: () => content('home', undefined),
    },
    'change a single type in a locale': {
      make: () => single('front-page', { headline: 'Vieux' }),
      request: ({ etag }) => ({
        method: 'PUT',
        path: 'front-page',
        query: { locale: 'fr' },
        body: { data: { headline: 'Neuf' } },
        ifMatch: etag,
      }),
      effect: () => content('front-page', undefined, 'fr'),
    },
    'delete a single type': {
      make: () => single('home', { headline: 'Old' }),
      request: () => ({ method: 'DELETE', path: 'home' }),
      effect: () => content('home', undefined),
    },
    'change a user': {
      make: async () => {
        const username = `user${Math.random()}`;
        return await asPanel({
          method: 'POST',
          path: 'users',
          body: { username, email: `${username}@example.org`, password: PASSWORD, role: 1 },
        });
      },
      request: ({ id }) => ({
        method: 'PUT',
        path: `users/${id}`,
        body: { blocked: true, role: 2, favorites: { connect: [{ id: 1, position: { end: true } }] } },
      }),
      effect: async ({ id }) => {
        const query = { populate: { role: true, favorites: { fields: ['id'] } } };
        const { blocked, role, favorites } = plain(await asPanel({ path: `users/${id}`, query }));
        return { blocked, role: role.id, favorites };
      },
    },
  };

  it.each(Object.keys(writes))('has the same effect: %s', async (name) => {
    const { make, request, effect = ({ id }) => content('story', id) } = writes[name]!;
    const run = async (way: (request: ApiRequest) => Promise<unknown>) => {
      const made = await make();
      const sent = await request(made);
      const before = await effect(made);
      await way(sent);
      const after = await effect(made);
      expect(after).not.toEqual(before);
      return after;
    };
    const expected = await run(asPanel);
    expect(await run(asCurl)).toEqual(expected);
    expect(await run(asClient)).toEqual(expected);
  });

  it('has no counterpart where it unpublishes an entry, and changes it', async () => {
    const made = await published();
    const request = put(made, { title: 'Changed', publishedAt: null });
    await expect(shown(request)).rejects.toThrow('There is no v5 request for PUT');
    await asPanel(request);
    expect(await content('story', made.id)).toMatchObject({ isPublished: false });
  });
});

it('uploads a file, describes it, and deletes it', async () => {
  const path = join(server.project, 'note.txt');
  writeFileSync(path, 'north');
  const [upload, description] = [new FormData(), new FormData()];
  upload.append('files', new File(['north'], 'note.txt'));
  description.append('fileInfo', '{"caption":"@north;type=text/html"}');
  const [{ id }] = await asCurl({ method: 'POST', path: 'upload', query: {}, body: upload }, path);
  await asCurl({ method: 'POST', path: 'upload', query: { id }, body: description });
  const stored = await asPanel({ path: `upload/files/${id}` });
  expect(stored).toMatchObject({ name: 'note.txt', caption: '@north;type=text/html', size: 0.01 });
  expect(await asCurl({ path: `upload/files/${id}/uses` })).toEqual([]);
  await asCurl({ method: 'DELETE', path: `upload/files/${id}` });
  expect(await asPanel({ path: `upload/files/${id}` })).toBeUndefined();
});

it('is shown as lines that compile', async () => {
  expect(LINES.length).toBeGreaterThan(30);
  const code = ["import type { Client } from './client/index.js';", 'declare const api: Client;', ...new Set(LINES)];
  writeFileSync(join(server.project, 'lines.ts'), `${code.join('\n')}\n`);
  const compilerOptions = {
    target: 'ES2023',
    lib: ['ES2023', 'DOM'],
    module: 'NodeNext',
    types: [],
    strict: true,
    noEmit: true,
  };
  const config = join(server.project, 'lines.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ['lines.ts'] }));
  const tsc = join(root, 'node_modules/typescript-7.0/bin/tsc');
  const { stdout } = await execa('node', [tsc, '-p', config, '--pretty', 'false'], { reject: false });
  expect(stdout).toBe('');
});
