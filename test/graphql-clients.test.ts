/** What clients of GraphQL rely on beside documents: retries, hashes, ETags, files, and the project's own fields. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AnyExtensions } from '../templates/runtime/src/server/definition.ts';
import { runGraphql } from '../templates/runtime/src/server/commands/run-graphql.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: notes
databases: [sqlite]
api: { format: v4 }
graphql: { trusted: only }
contentTypes:
  note:
    attributes:
      title: { type: string, required: true, unique: true }
      picture: { type: media }
      owner: { type: relation, relation: manyToOne, target: owner }
  owner: { attributes: { name: { type: string } } }
permissions:
  public: { note: [find, findOne, create, update] }
  writer: { note: '*', owner: '*', upload: '*' }
`;

const LIST = '{ notes(sort: "title") { data { attributes { title } } } }';
const LIST_HASH = createHash('sha256').update(LIST).digest('hex');

const extensions: AnyExtensions = {
  trustedDocuments: { [LIST_HASH]: LIST, short: '{ notes { meta { pagination { total } } } }' },
  endpoints: ({ route, z }) => [
    route({
      method: 'GET',
      path: '/api/words/{of}',
      permission: 'note.find',
      graphql: 'words',
      summary: 'The words of a title.',
      query: z.object({ least: z.coerce.number().int().optional(), not: z.string().nullable().optional() }),
      answer: z.object({
        of: z.string(),
        words: z.array(z.object({ text: z.string(), length: z.number().int(), tags: z.array(z.string()) })),
        best: z.object({ text: z.string() }).nullable(),
        any: z.union([z.string(), z.number()]),
      }),
      handler: ({ params, query }) => {
        const words = params.of
          .split(' ')
          .filter((text) => text.length >= (query.least ?? 0) && text !== query.not)
          .map((text) => ({ text, length: text.length, tags: [text[0] ?? ''] }));
        return { of: params.of, words, best: words[0] ?? null, any: 1 };
      },
    }),
    route({
      method: 'POST',
      path: '/api/mark',
      permission: 'note.delete',
      graphql: 'markNotes',
      rateLimit: { limit: 2, seconds: 60 },
      body: z.object({ ids: z.array(z.number().int()), how: z.object({ colour: z.enum(['red', 'blue']) }) }),
      handler: () => undefined,
    }),
  ],
};

let project: TestProject & { readonly folder: string };
let server: TestServer;
let token: string;

beforeAll(async () => {
  project = await openSchema(SCHEMA);
  server = await project.start({}, extensions);
  const database = await project.open();
  token = await createToken(database, { kind: 'full-access' });
  await database.close();
});
afterAll(async () => {
  await server?.close();
  await project?.remove();
});

async function post(body: object, headers: Readonly<Record<string, string>> = {}): Promise<any> {
  const answer = await server.send('POST', '/graphql', { body, headers, token });
  return { ...answer.body, status: answer.status, headers: answer.headers };
}

async function titles(): Promise<readonly string[]> {
  const { data } = await post({ query: LIST });
  return data.notes.data.map(({ attributes }: any) => attributes.title);
}

describe('a mutation with an Idempotency-Key', () => {
  const create = (title: string) => ({ query: `mutation { createNote(data: { title: "${title}" }) { data { id } } }` });

  it('is carried out once, and answered again as the first time', async () => {
    const first = await post(create('once'), { 'idempotency-key': 'a' });
    const again = await post(create('once'), { 'idempotency-key': 'a' });
    expect(again.data).toEqual(first.data);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect((await titles()).filter((title) => title === 'once')).toHaveLength(1);
    expect((await post(create('other'), { 'idempotency-key': 'a' })).status).toBe(422);
  });

  it('is answered again if it was refused, and runs once if both arrive at the same time', async () => {
    const refused = await post(create('once'), { 'idempotency-key': 'b' });
    expect(refused.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    expect((await post(create('once'), { 'idempotency-key': 'b' })).errors).toEqual(refused.errors);
    const both = await Promise.all([1, 2, 3].map(() => post(create('twice'), { 'idempotency-key': 'c' })));
    expect(both.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect((await titles()).filter((title) => title === 'twice')).toHaveLength(1);
  });

  it('is one write', async () => {
    const query =
      'mutation { a: createNote(data: { title: "x" }) { data { id } } b: createNote(data: { title: "y" }) { data { id } } }';
    expect((await post({ query }, { 'idempotency-key': 'd' })).status).toBe(400);
    expect(await titles()).not.toContain('x');
  });
});

describe('documents', () => {
  const at = (parameters: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
    server.send('GET', `/graphql?${new URLSearchParams(parameters).toString()}`, { headers });
  const hash = (sha256Hash: string) => ({ extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash } }) });

  it('can be named by their hashes, in the ways of Apollo and of Relay, and by GET with an ETag', async () => {
    const asked = await at(hash(LIST_HASH));
    expect(asked.body.data.notes.data.length).toBeGreaterThan(0);
    const tag = asked.headers.get('etag') ?? '';
    expect((await at({ documentId: `sha256:${LIST_HASH}` }, { 'if-none-match': tag })).status).toBe(304);
    expect((await at({ documentId: 'short' })).body.data.notes.meta.pagination.total).toBeGreaterThan(0);
    await post({ query: 'mutation { createNote(data: { title: "more" }) { data { id } } }' });
    const changed = await at(hash(LIST_HASH), { 'if-none-match': tag });
    expect([changed.status, changed.headers.get('etag') === tag]).toEqual([200, false]);
  });

  it('that are not known are asked for, and those that do not have their hash are refused', async () => {
    const unknown = await at(hash('0'.repeat(64)));
    expect(unknown.body.errors[0]).toMatchObject({
      message: 'PersistedQueryNotFound',
      extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
    });
    const persistedQuery = { version: 1, sha256Hash: createHash('sha256').update('{ __typename }').digest('hex') };
    expect((await post({ query: '{ __typename }', extensions: { persistedQuery } })).data).toEqual({
      __typename: 'Query',
    });
    expect((await post({ query: LIST, extensions: { persistedQuery } })).status).toBe(400);
  });

  it('are the only ones in production, if the schema says so', async () => {
    const production = await project.start(
      { NODE_ENV: 'production', AUTH_PASSWORD_COST: '15', JWT_SECRET: 'of-the-tests-0123456789-abcdefghijklmn' },
      extensions,
      'production',
    );
    try {
      const send = (body: object) => production.send('POST', '/graphql', { body });
      expect((await send({ documentId: LIST_HASH })).status).toBe(200);
      expect((await send({ query: LIST })).status).toBe(200);
      const other = await send({ query: '{ __typename }' });
      expect([other.status, other.body.errors[0].extensions.code]).toEqual([403, 'DOCUMENT_NOT_TRUSTED']);
    } finally {
      await production.close();
    }
  });
});

describe('fields of the project’s own', () => {
  it('call endpoints, with typed arguments and answers', async () => {
    const query = `query ($of: ID!) {
      words(of: $of, least: 2) { of any best { text } words { text size: length tags __typename } }
      none: words(of: "a", least: 2, not: null) { best { text } words { text } }
    }`;
    const { data, errors } = await post({ query, variables: { of: 'an old note' } });
    expect(errors).toBeUndefined();
    expect(data.words).toMatchObject({ of: 'an old note', any: 1, best: { text: 'an' } });
    expect(data.words.words[1]).toEqual({ text: 'old', size: 3, tags: ['o'], __typename: 'WordsAnswerWords' });
    expect(data.none).toEqual({ best: null, words: [] });
  });

  it('have the permission, the validation and the limits of their endpoints', async () => {
    const query = 'mutation { markNotes(ids: [1], how: { colour: "red" }) }';
    const { body } = await server.send('POST', '/graphql', { body: { query } });
    expect(body).toMatchObject({ data: { markNotes: null }, errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    expect((await post({ query })).data).toEqual({ markNotes: true });
    const wrong = await post({ query: query.replace('red', 'green') });
    expect(wrong.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    expect((await post({ query })).errors[0].extensions.code).toBe('STRAPI_RATE_LIMIT_ERROR');
    expect((await post({ query: '{ words { of } }' })).status).toBe(400);
  });

  it('must fit into the schema', async () => {
    const declared: AnyExtensions = {
      endpoints: ({ route, z }) => [
        route({
          method: 'GET',
          path: '/api/x',
          permission: null,
          graphql: 'notes',
          answer: z.string(),
          handler: () => '',
        }),
      ],
    };
    await expect(project.start({}, declared, 'taken')).rejects.toThrow(/Query of GraphQL has a field notes/u);
  });
});

it('a browser gets GraphiQL during development, if it is installed, and otherwise what other clients get', async () => {
  const answer = await server.send('GET', '/graphql', { headers: { accept: 'text/html' } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8']);
  expect((await server.send('GET', '/graphql/graphiql.js')).status).toBe(404);
});

it('files are uploaded in multipart requests, once each, by those who may', async () => {
  const form = (operations: object, map: object, names: readonly string[]): FormData => {
    const data = new FormData();
    data.append('operations', JSON.stringify(operations));
    data.append('map', JSON.stringify(map));
    for (const name of names) data.append(name, new Blob(['text'], { type: 'text/plain' }), `${name}.txt`);
    return data;
  };
  const send = async (body: FormData, as?: string) => {
    const headers = as === undefined ? {} : { authorization: `Bearer ${as}` };
    const answer = await fetch(`${server.origin}/graphql`, { method: 'POST', body, headers });
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const query = `mutation ($f: Upload!, $more: [Upload]!) {
    upload(file: $f, info: { caption: "c" }) { data { attributes { name caption } } }
    multipleUpload(files: $more) { data { attributes { name } } }
    again: upload(file: $f) { data { id } }
  }`;
  const operations = { query, variables: { f: null, more: [null, null] } };
  const map = { a: ['variables.f'], b: ['variables.more.0'], c: ['variables.more.1'] };
  const stored = async (): Promise<number> => (await server.send('GET', '/api/upload/files', { token })).body.length;
  expect((await send(form(operations, map, ['a', 'b', 'c']))).status).toBe(403);
  expect(await stored()).toBe(0);
  const { body } = await send(
    form({ ...operations, query: query.replace(/again.*/u, '') }, map, ['a', 'b', 'c']),
    token,
  );
  expect(body.data.upload.data.attributes).toEqual({ name: 'a.txt', caption: 'c' });
  expect(body.data.multipleUpload.map(({ data }: any) => data.attributes.name)).toEqual(['b.txt', 'c.txt']);
  // A file that was stored can't be stored again: the answer is lost, as its field must not be null.
  const twice = await send(form(operations, map, ['a', 'b', 'c']), token);
  expect(twice.body.errors[0]).toMatchObject({
    path: ['again'],
    extensions: { error: { message: 'Files are empty' } },
  });
  for (const bad of [
    { a: ['query'] },
    { a: ['variables.__proto__.x'] },
    { a: 'variables.f' },
    { z: ['variables.f'] },
  ]) {
    expect((await send(form(operations, bad, ['a']), token)).status, JSON.stringify(bad)).toBe(400);
  }
  expect(await stored()).toBe(6);
});

describe('npm run server -- graphql', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graphql-command-'));
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await rm(folder, { recursive: true, force: true });
  });
  const run = async (...args: readonly string[]) =>
    runGraphql(project.definition, extensions, project.definition.graphql ?? { introspection: 'always' }, args);

  it('writes the schema, whole or for a role', async () => {
    const file = join(folder, 'all.graphql');
    expect(await run('write', file)).toBe(0);
    const all = await readFile(file, 'utf8');
    expect(all).toContain('words(of: ID!, least: Int, not: String): WordsAnswer');
    expect(all).toContain('markNotes(ids: [Int!]!, how: MarkNotesInputHow!): Boolean');
    expect(await run('write', file, '--role', 'public')).toBe(0);
    const open = await readFile(file, 'utf8');
    expect(open).toContain('createNote(');
    const hidden = ['deleteNote', 'markNotes', 'type Owner', 'OwnerFiltersInput', 'upload('];
    expect(hidden.filter((text) => open.includes(text))).toEqual([]);
    expect(await run('write', file, '--role', 'nobody')).toBe(2);
  });

  it('checks documents, and writes them with their hashes', async () => {
    const [one, many, wrong, to] = ['a.graphql', 'b.json', 'c.graphql', 'trusted.ts'].map((name) => join(folder, name));
    await writeFile(one ?? '', LIST);
    await writeFile(many ?? '', JSON.stringify({ operations: [{ id: 'x', body: '{ words(of: "a") { of } }' }] }));
    await writeFile(wrong ?? '', '{ notes { nothing } }');
    expect(await run('trust', one ?? '', many ?? '', '--to', to ?? '')).toBe(0);
    const written = await readFile(to ?? '', 'utf8');
    expect(written).toContain(JSON.stringify(LIST_HASH));
    expect(written).toContain('"x"');
    expect(await run('trust', wrong ?? '', '--to', to ?? '')).toBe(1);
    expect(await readFile(to ?? '', 'utf8')).toBe(written);
    expect(await run('trust')).toBe(2);
  });
});
