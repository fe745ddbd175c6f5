/** Tools for agents at `/mcp`, driven by the protocol's own client: what each API token sees, may do, and is told. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewToken } from '../templates/runtime/src/features/auth/api-tokens.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: agents
databases: [sqlite]
locales: [en, de]
mcp: true
contentTypes:
  blog-post:
    draftAndPublish: true
    description: A story.
    attributes:
      title: { type: string, required: true, maxLength: 20 }
      status: { type: enumeration, enum: [idea, ready] }
      secret: { type: string, private: true }
      cover: { type: media }
      seo: { type: component, component: shared.seo }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: posts }
  author:
    localized: true
    attributes:
      name: { type: string, required: true }
      posts: { type: relation, relation: oneToMany, target: blog-post, mappedBy: author }
  homepage:
    kind: singleType
    attributes: { headline: { type: string } }
components:
  shared.seo: { attributes: { metaTitle: { type: string } } }
permissions:
  public: { blog-post: [find] }
`;

let project: TestProject;
let server: TestServer;
const open: Client[] = [];

async function tokenOf(token: Partial<NewToken> & { kind: NewToken['kind'] }): Promise<string> {
  const database = await project.open();
  const made = await createToken(database, token);
  await database.close();
  return made;
}

async function connect(token: string, at = server): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${at.origin}/mcp`), { requestInit: { headers } }));
  open.push(client);
  return client;
}

/** What a tool answers, parsed. */
async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<any> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as any;
  const answer = JSON.parse(content[0].text);
  if (isError) throw Object.assign(new Error(answer.error.message), answer.error);
  return answer;
}

const namesOf = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);

beforeAll(async () => {
  project = await openSchema(SCHEMA);
  server = await project.start();
});
afterAll(async () => {
  for (const client of open) await client.close();
  await server?.close();
  await project?.remove();
});

describe('an agent', () => {
  it('with full access lists, writes, publishes, uploads and deletes', async () => {
    const client = await connect(await tokenOf({ kind: 'full-access' }));
    expect(await namesOf(client)).toEqual([
      ...['list', 'get', 'create', 'update', 'delete'].map(
        (verb) => `${verb}_${verb === 'list' ? 'authors' : 'author'}`,
      ),
      ...['list_blog_posts', 'get_blog_post', 'create_blog_post', 'update_blog_post'],
      ...['publish_blog_post', 'unpublish_blog_post', 'discard_draft_blog_post', 'delete_blog_post'],
      ...['get_homepage', 'write_homepage', 'delete_homepage'],
      ...['list_files', 'get_file', 'upload_file', 'delete_file'],
    ]);
    const author = (await call(client, 'create_author', { data: { name: 'Ann' } })).data;
    const file = await call(client, 'upload_file', {
      name: 'hello.txt',
      base64: Buffer.from('hello').toString('base64'),
      caption: 'A greeting',
    });
    expect(file).toMatchObject({ name: 'hello.txt', caption: 'A greeting', mime: 'text/plain' });
    const data = { title: 'One', author: author.id, cover: file.id, seo: { metaTitle: 'm' }, publishedAt: null };
    const post = (await call(client, 'create_blog_post', { data, populate: ['author', 'cover', 'seo'] })).data;
    expect(post.attributes).toMatchObject({
      title: 'One',
      publishedAt: null,
      author: { data: { id: author.id } },
      cover: { data: { id: file.id } },
      seo: { metaTitle: 'm' },
    });
    const page = { filters: { author: { name: { $eq: 'Ann' } } }, sort: ['title:desc'], fields: ['title'] };
    expect((await call(client, 'list_blog_posts', page)).data).toEqual([]);
    await call(client, 'publish_blog_post', { id: post.id });
    expect((await call(client, 'list_blog_posts', page)).data).toMatchObject([
      { id: post.id, attributes: { title: 'One' } },
    ]);
    await call(client, 'update_blog_post', { id: post.id, data: { title: 'Two' } });
    expect((await call(client, 'get_blog_post', { id: post.id })).data.attributes.title).toBe('Two');
    await call(client, 'update_blog_post', { id: post.id, data: { title: 'Three' }, status: 'draft' });
    expect((await call(client, 'get_blog_post', { id: post.id })).data.attributes.title).toBe('Two');
    const discarded = await call(client, 'discard_draft_blog_post', { id: post.id });
    expect(discarded.data.attributes.title).toBe('Two');
    await call(client, 'unpublish_blog_post', { id: post.id });
    expect((await call(client, 'list_blog_posts', { ...page, publicationState: 'preview' })).data).toHaveLength(1);
    await call(client, 'delete_blog_post', { id: post.id });
    await expect(call(client, 'get_blog_post', { id: post.id })).rejects.toMatchObject({ status: 404 });
    await call(client, 'write_homepage', { data: { headline: 'Hi' } });
    expect((await call(client, 'get_homepage')).data.attributes.headline).toBe('Hi');
    await call(client, 'delete_file', { id: file.id });
    expect(await call(client, 'list_files')).toEqual([]);
  });

  it('is told what an entry is made of, and why something is refused', async () => {
    const client = await connect(await tokenOf({ kind: 'full-access' }));
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'create_blog_post');
    expect(tool).toMatchObject({
      description: expect.stringContaining('A story.'),
      annotations: { readOnlyHint: false, destructiveHint: false },
      inputSchema: {
        required: ['data'],
        properties: { data: { $ref: '#/$defs/BlogPostCreate' } },
        $defs: { BlogPostCreate: { properties: { title: { maxLength: 20 }, status: { enum: expect.any(Array) } } } },
      },
    });
    expect(JSON.stringify(tool)).not.toContain('#/components');
    const refused = call(client, 'create_blog_post', { data: { title: 'x'.repeat(21) } });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      name: 'ValidationError',
      message: 'title must be at most 20 characters',
      details: { errors: [{ path: ['title'] }] },
    });
    await expect(call(client, 'list_blog_posts', { filters: { secret: 'x' } })).rejects.toMatchObject({ status: 400 });
    await expect(client.callTool({ name: 'upload_file', arguments: { base64: '' } })).rejects.toThrow(
      /needs the argument "name"/u,
    );
    await expect(client.callTool({ name: 'list_blog_posts', arguments: { limit: 3 } })).rejects.toThrow(
      /no argument "limit"/u,
    );
  });

  it('reads the model, as far as it may read the entries', async () => {
    const client = await connect(await tokenOf({ kind: 'custom', permissions: ['blog-post.find'] }));
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['content://model']);
    const { contents } = await client.readResource({ uri: 'content://model' });
    const model = JSON.parse((contents[0] as { text: string }).text);
    expect(model.contentTypes.map(({ apiID }: any) => apiID)).toEqual(['blog-post']);
    expect(Object.keys(model.contentTypes[0].schema.attributes)).toEqual(['title', 'status', 'cover', 'seo']);
  });
});

describe('a token', () => {
  it('that may only read sees no tool that writes, and can call none', async () => {
    const client = await connect(await tokenOf({ kind: 'read-only' }));
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    const writing = client.callTool({ name: 'create_author', arguments: { data: { name: 'x' } } });
    await expect(writing).rejects.toThrow(/no tool create_author/u);
  });

  it('of some permissions has exactly their tools, and no drafts without `preview`', async () => {
    const permissions = ['blog-post.find', 'blog-post.create'];
    const client = await connect(await tokenOf({ kind: 'custom', permissions }));
    expect(await namesOf(client)).toEqual(['list_blog_posts', 'create_blog_post']);
    const drafts = call(client, 'list_blog_posts', { publicationState: 'preview' });
    await expect(drafts).rejects.toMatchObject({ status: 403 });
  });
});

describe('a server with many types', () => {
  let many: TestProject;
  let crowded: TestServer;
  const tokens: Record<string, string> = {};

  beforeAll(async () => {
    const types = Array.from(
      { length: 40 },
      (_, index) => `  kind-${index}: { attributes: { name: { type: string } } }`,
    );
    many = await openSchema(SCHEMA.replace('contentTypes:\n', `contentTypes:\n${types.join('\n')}\n`));
    crowded = await many.start();
    const database = await many.open();
    tokens['full'] = await createToken(database, { kind: 'full-access' });
    tokens['reading'] = await createToken(database, { kind: 'read-only' });
    tokens['some'] = await createToken(database, { kind: 'custom', permissions: ['blog-post.find', 'author.create'] });
    await database.close();
  });
  afterAll(async () => {
    await crowded?.close();
    await many?.remove();
  });

  const FILES = ['list_files', 'get_file', 'upload_file', 'delete_file'];

  it('has few tools, which find, describe and run its operations', async () => {
    const client = await connect(tokens['full'] ?? '', crowded);
    const { tools } = await client.listTools();
    const runners = ['run_reading_operation', 'run_writing_operation', 'run_deleting_operation'];
    expect(tools.map(({ name }) => name)).toEqual(['find_operations', 'describe_operation', ...runners, ...FILES]);
    expect(JSON.stringify(tools).length).toBeLessThan(10_000);
    const { types } = await call(client, 'find_operations', { search: 'STORY blog' });
    expect(types).toEqual([
      {
        type: 'blog-post',
        about: expect.stringContaining('A story.'),
        operations: expect.arrayContaining(['list_blog_posts', 'publish_blog_post', 'delete_blog_post']),
      },
    ]);
    const all = await call(client, 'find_operations');
    expect([all.types.length, all.furtherTypes]).toEqual([30, 13]);
    const described = await call(client, 'describe_operation', { operation: 'create_blog_post' });
    expect(described).toMatchObject({
      effect: 'writes',
      arguments: { required: ['data'], $defs: { BlogPostCreate: {} } },
    });

    const data = { title: 'One', publishedAt: null };
    const made = await call(client, 'run_writing_operation', { operation: 'create_blog_post', arguments: { data } });
    const asked = { operation: 'get_blog_post', arguments: { id: made.data.id, publicationState: 'preview' } };
    expect((await call(client, 'run_reading_operation', asked)).data.attributes.title).toBe('One');
    const refused = { operation: 'create_blog_post', arguments: { data: { title: 'x'.repeat(21) } } };
    await expect(call(client, 'run_writing_operation', refused)).rejects.toMatchObject({ status: 400 });
    const removal = { operation: 'delete_blog_post', arguments: { id: made.data.id } };
    for (const [tool, args, message] of [
      ['run_reading_operation', removal, /no operation delete_blog_post/u],
      ['run_deleting_operation', { operation: 'delete_blog_post' }, /needs the argument "id"/u],
      ['run_deleting_operation', { ...removal, arguments: { id: 1, force: true } }, /no argument "force"/u],
      ['run_deleting_operation', { ...removal, arguments: [1] }, /must be an object/u],
      ['create_blog_post', { data }, /no tool create_blog_post/u],
    ] as const) {
      await expect(client.callTool({ name: tool, arguments: args })).rejects.toThrow(message);
    }
    await call(client, 'run_deleting_operation', removal);
    await expect(call(client, 'run_reading_operation', asked)).rejects.toMatchObject({ status: 404 });
  });

  it('offers each token what it may do, and nothing else', async () => {
    const reading = await connect(tokens['reading'] ?? '', crowded);
    const offered = ['find_operations', 'describe_operation', 'run_reading_operation'];
    expect((await namesOf(reading)).filter((name) => !FILES.includes(name))).toEqual(offered);
    const some = await connect(tokens['some'] ?? '', crowded);
    expect(await namesOf(some)).toEqual([...offered, 'run_writing_operation']);
    const { types } = await call(some, 'find_operations');
    expect(types.map(({ operations }: any) => operations)).toEqual([['create_author'], ['list_blog_posts']]);
    for (const operation of ['get_blog_post', 'list_authors', 'toString']) {
      for (const name of ['describe_operation', 'run_reading_operation', 'run_writing_operation']) {
        await expect(some.callTool({ name, arguments: { operation } })).rejects.toThrow(/no operation/u);
      }
    }
    const drafts = { operation: 'list_blog_posts', arguments: { publicationState: 'preview' } };
    await expect(call(some, 'run_reading_operation', drafts)).rejects.toMatchObject({ status: 403 });
  });
});

describe('what is refused', () => {
  it('is told in the words of the routes, without what is for the log', async () => {
    const author = await call(await connect(await tokenOf({ kind: 'full-access' })), 'create_author', {
      data: { name: 'Hidden' },
    });
    const client = await connect(await tokenOf({ kind: 'custom', permissions: ['blog-post.create'] }));
    const tried = (id: number) =>
      client.callTool({ name: 'create_blog_post', arguments: { data: { title: 'a', author: id } } });
    const [hidden, missing] = [await tried(author.data.id), await tried(999)].map(
      ({ content }: any) => content[0].text,
    );
    expect(hidden.replaceAll(`author ${author.data.id}`, 'author 999')).toBe(missing);
    expect(Object.keys(JSON.parse(hidden).error).sort()).toEqual(['details', 'message', 'name', 'status']);
  });

  it('queries have the limits of a query string', async () => {
    const client = await connect(await tokenOf({ kind: 'full-access' }));
    const many = (count: number) => Array.from({ length: count }, (_, index) => String(index));
    for (const [name, args, message] of [
      ['list_blog_posts', { filters: { title: { $in: many(1501) } } }, /more than 1500 elements/u],
      ['list_blog_posts', { sort: many(1501) }, /more than 1500 elements/u],
      [
        'list_files',
        { filters: { $or: Array.from({ length: 6 }, () => ({ name: { $in: many(1000) } })) } },
        /more than 5000 values/u,
      ],
      ['get_blog_post', { id: 1, fields: ['x'.repeat(200_000)] }, /longer than 131072 characters/u],
    ] as const) {
      await expect(call(client, name, args)).rejects.toThrow(message);
    }
    expect((await call(client, 'list_blog_posts', { filters: { title: { $in: many(1500) } } })).data).toEqual([]);
  });
});

describe('without a token', () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const post = (headers: Record<string, string>, body: unknown) =>
    fetch(`${server.origin}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(body),
    });

  it('nobody is served: neither the public, nor users', async () => {
    const anonymous = await post({}, message);
    expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const { jwt } = await server.register('reader');
    expect((await post({ Authorization: `Bearer ${jwt}` }, message)).status).toBe(401);
  });

  it('several messages in one, and other methods, are refused', async () => {
    const headers = { Authorization: `Bearer ${await tokenOf({ kind: 'full-access' })}` };
    expect((await post(headers, [message, message])).status).toBe(400);
    const got = await fetch(`${server.origin}/mcp`, { headers });
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('there is nothing at /mcp of a server that does not say so', async () => {
    const other = await openSchema(SCHEMA.replace('mcp: true', 'mcp: false'));
    const plain = await other.start();
    expect((await fetch(`${plain.origin}/mcp`, { method: 'POST' })).status).toBe(404);
    await plain.close();
    await other.remove();
  });
});

describe('files of a server with hooks', () => {
  it('are answered as the routes answer them', async () => {
    const transform = ({ entry }: any) => ({ ...entry, attributes: { ...entry.attributes, caption: 'seen' } });
    const hooked = await project.start({}, { hooks: { file: { transform } } } as any);
    const client = new Client({ name: 'test', version: '1.0.0' });
    const headers = { Authorization: `Bearer ${await tokenOf({ kind: 'full-access' })}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${hooked.origin}/mcp`), { requestInit: { headers } }),
    );
    const made = await call(client, 'upload_file', { name: 'a.txt', base64: Buffer.from('text').toString('base64') });
    const got = await call(client, 'get_file', { id: made.id });
    const [listed] = await call(client, 'list_files', { filters: { id: made.id } });
    const deleted = await call(client, 'delete_file', { id: made.id });
    expect([made, got, listed, deleted].map(({ caption }) => caption)).toEqual(['seen', 'seen', 'seen', 'seen']);
    await client.close();
    await hooked.close();
  });
});

describe('files of a server with the v5 format', () => {
  it('W7: are also named by their document ids', async () => {
    const other = await openSchema(SCHEMA.replace('mcp: true', 'mcp: true\napi: { format: v5 }'));
    const fifth = await other.start();
    const database = await other.open();
    const client = await connect(await createToken(database, { kind: 'full-access' }), fifth);
    try {
      const made = await call(client, 'upload_file', { name: 'a.txt', base64: 'dGV4dA==' });
      expect(made.documentId).toMatch(/^[a-z0-9]{24}$/u);
      expect((await call(client, 'get_file', { id: made.documentId })).id).toBe(made.id);
      expect((await call(client, 'delete_file', { id: made.documentId })).id).toBe(made.id);
      await expect(call(client, 'get_file', { id: made.documentId })).rejects.toMatchObject({ status: 404 });
    } finally {
      await client.close();
      await database.close();
      await fifth.close();
      await other.remove();
    }
  });
});

it('runs the policies and actions of routes, and refuses what needs a request to them', async () => {
  const actions = {
    'blog-post': {
      find: (next: any, { query, ...request }: any) =>
        next({ ...request, query: { ...query, filters: { title: { $eq: 'Shown' } } } }),
      create: {
        policies: [({ caller, route }: any) => caller.kind === 'token' && route === 'blog-post.create'],
        run: (next: any, { data, ...request }: any) => next({ ...request, data: { ...data, status: 'ready' } }),
      },
      update: { policies: [() => false] },
      delete: { use: [(_: unknown, next: () => Promise<void>) => next()] },
    },
    author: {
      find: { policies: [({ ctx }: any) => ctx.get('X-Why') !== ''] },
      create: (next: any, request: any) => (request.ctx.get('X-Why') === '' ? undefined : next(request)),
    },
  };
  const own = await project.start({}, { actions } as any);
  const client = await connect(await tokenOf({ kind: 'full-access' }), own);
  const made = await call(client, 'create_blog_post', { data: { title: 'Shown' } });
  expect(made.data.attributes.status).toBe('ready');
  await call(client, 'create_blog_post', { data: { title: 'Other' } });
  const { data } = await call(client, 'list_blog_posts', { filters: { title: { $eq: 'Other' } } });
  expect(data.map(({ attributes }: any) => attributes.title)).toEqual(['Shown']);
  const refused = { status: 403 };
  await expect(call(client, 'update_blog_post', { id: made.data.id, data: {} })).rejects.toMatchObject(refused);
  await expect(call(client, 'publish_blog_post', { id: made.data.id })).rejects.toMatchObject(refused);
  await expect(call(client, 'delete_blog_post', { id: made.data.id })).rejects.toThrow('has middleware');
  for (const [name, args] of [['list_authors', {}] as const, ['create_author', { data: { name: 'X' } }] as const]) {
    await expect(call(client, name, args)).rejects.toThrow('only possible by a request to the route itself');
  }
  await client.close();
  await own.close();
});
