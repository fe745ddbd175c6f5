/** What a rule leaves out is neither found nor changed, through whichever door. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NotFoundError } from '../templates/runtime/src/contract/errors.ts';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { sql } from '../templates/runtime/src/database/sql.ts';
import type { EndpointTools } from '../templates/runtime/src/server/endpoints.ts';
import type { AnyExtensions } from '../templates/runtime/src/server/definition.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: doors
databases: [sqlite]
locales: [en, de]
mcp: true
graphql: true
contentTypes:
  note:
    attributes:
      title: { type: string }
      owner: { type: relation, relation: manyToOne, target: user, inversedBy: notes }
  page:
    localized: true
    attributes:
      title: { type: string }
      owner: { type: relation, relation: manyToOne, target: user, inversedBy: pages }
  home:
    kind: singleType
    attributes:
      title: { type: string }
      owner: { type: relation, relation: oneWay, target: user }
users:
  attributes:
    notes: { type: relation, relation: oneToMany, target: note, mappedBy: owner }
    pages: { type: relation, relation: oneToMany, target: page, mappedBy: owner }
    friend: { type: relation, relation: oneWay, target: user }
permissions:
  authenticated:
    users: [me, find]
    note: &own
      - find: { where: { owner: $user } }
      - findOne: { where: { owner: $user } }
      - update: { where: { owner: $user } }
      - delete: { where: { owner: $user } }
    page: *own
    home:
      - find: { where: { owner: $user } }
      - update: { where: { owner: $user } }
      - delete: { where: { owner: $user } }
`;

let project: TestProject;
let server: TestServer;
let database: Database;
let admin: string;
let bob: { readonly jwt: string; readonly id: number };
let agent: Client;
const ids = { notes: { own: 0, other: 0 }, pages: { own: 0, other: 0 } };

const extensions = {
  endpoints: ({ route, z }: EndpointTools<any>) =>
    (['GET', 'PUT', 'DELETE'] as const).map((method) =>
      route({
        method,
        path: '/own/{id}',
        permission: null,
        answer: z.object({ id: z.number() }),
        async handler({ params, caller, context: { entries } }: any) {
          const { note } = entries.as(caller);
          const id = Number(params.id);
          const found =
            method === 'PUT'
              ? note.update(id, { title: 'x' })
              : method === 'DELETE'
                ? note.delete(id)
                : note.findOne(id);
          const { data } = await found;
          if (data === null) throw new NotFoundError();
          return data;
        },
      }),
    ),
} as unknown as AnyExtensions;

beforeAll(async () => {
  project = await openSchema(SCHEMA);
  server = await project.start({}, extensions);
  database = await project.open();
  admin = await createToken(database, { kind: 'full-access' });
  const ann = await server.register('ann');
  bob = await server.register('bob');
  const make = async (path: string, owner: number): Promise<number> => {
    const body = { data: { title: 'first', owner } };
    return (await server.send('POST', `/api/${path}`, { token: admin, body })).body.data.id;
  };
  for (const path of ['notes', 'pages'] as const) {
    ids[path] = { own: await make(path, bob.id), other: await make(path, ann.id) };
  }
  await server.send('PUT', '/api/home', { token: admin, body: { data: { title: 'first', owner: ann.id } } });
  agent = new Client({ name: 'test', version: '1.0.0' });
  const token = await createToken(database, { kind: 'full-access', userId: bob.id });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`), { requestInit }));
});
afterAll(async () => {
  await agent?.close();
  await server?.close();
  await database?.close();
  await project?.remove();
});

const send = (method: string, path: string) =>
  server.send(method, path, { token: bob.jwt, ...(method === 'PUT' && { body: { data: { title: 'x' } } }) });

async function ask(query: string): Promise<any> {
  return (await server.send('POST', '/graphql', { token: bob.jwt, body: { query } })).body;
}

/** Whether a tool answers an entry. */
async function tool(name: string, args: Record<string, unknown>): Promise<boolean> {
  const { content, isError } = (await agent.callTool({ name, arguments: args })) as any;
  return !isError && JSON.parse(content[0].text).data !== null;
}

/** How a door is asked, and whether it gives an entry. */
interface Door {
  readonly type: 'notes' | 'pages';
  one(id: number): Promise<boolean>;
  update(id: number): Promise<boolean>;
  remove(id: number): Promise<boolean>;
}

const overHttp = (type: Door['type'], address: (id: number) => string): Door => ({
  type,
  one: async (id) => (await send('GET', address(id))).status === 200,
  update: async (id) => (await send('PUT', address(id))).status === 200,
  remove: async (id) => (await send('DELETE', address(id))).status === 200,
});

const given = ({ data }: any): boolean => Object.values(data ?? {}).some((one: any) => one?.data);

const DOORS: Readonly<Record<string, Door>> = {
  REST: overHttp('notes', (id) => `/api/notes/${id}`),
  'REST, localized': overHttp('pages', (id) => `/api/pages/${id}`),
  'the code of the project': overHttp('notes', (id) => `/own/${id}`),
  GraphQL: {
    type: 'notes',
    one: async (id) => given(await ask(`{ note(id: ${id}) { data { id } } }`)),
    update: async (id) => given(await ask(`mutation { updateNote(id: ${id}, data: { title: "x" }) { data { id } } }`)),
    remove: async (id) => given(await ask(`mutation { deleteNote(id: ${id}) { data { id } } }`)),
  },
  MCP: {
    type: 'notes',
    one: (id) => tool('get_note', { id }),
    update: (id) => tool('update_note', { id, data: { title: 'x' } }),
    remove: (id) => tool('delete_note', { id }),
  },
};

describe.each(Object.entries(DOORS))('%s', (_, door) => {
  it('finds and changes what the rule reaches, and nothing else', async () => {
    const { own, other } = ids[door.type];
    expect([await door.one(own), await door.one(other)]).toEqual([true, false]);
    expect([await door.update(other), await door.remove(other)]).toEqual([false, false]);
    const table = database.dialect.id(door.type);
    const titles = await database.all(sql`SELECT title FROM ${table} WHERE id = ${other}`);
    expect(titles).toEqual([{ title: 'first' }]);
    expect(await door.update(own)).toBe(true);
  });
});

it('lists have what the rule reaches', async () => {
  const { own } = ids.notes;
  expect((await send('GET', '/api/notes')).body.data.map(({ id }: any) => id)).toEqual([own]);
  expect((await send('GET', '/api/pages?locale=all')).body.data.map(({ id }: any) => id)).toEqual([ids.pages.own]);
  expect((await ask('{ notes { data { id } meta { pagination { total } } } }')).data.notes).toEqual({
    data: [{ id: String(own) }],
    meta: { pagination: { total: 1 } },
  });
  const { content } = (await agent.callTool({ name: 'list_notes', arguments: {} })) as any;
  expect(JSON.parse(content[0].text).data.map(({ id }: any) => id)).toEqual([own]);
});

it('a single type that the rule leaves out is neither shown nor changed', async () => {
  const statuses = [];
  for (const method of ['GET', 'PUT', 'DELETE']) statuses.push((await send(method, '/api/home')).status);
  expect(statuses).toEqual([404, 404, 404]);
  expect(await tool('get_home', {})).toBe(false);
  expect(await tool('write_home', { data: { title: 'x' } })).toBe(false);
  expect(given(await ask('{ home { data { id } } }'))).toBe(false);
  expect(given(await ask('mutation { updateHome(data: { title: "x" }) { data { id } } }'))).toBe(false);
  expect(await database.all(sql`SELECT title FROM homes`)).toEqual([{ title: 'first' }]);
});

it('users have the entries that the rule reaches', async () => {
  await database.run(sql`UPDATE users SET friend_id = 1 WHERE id = ${bob.id}`);
  const { body } = await send('GET', '/api/users/me?populate[notes]=*&populate[friend][populate]=notes');
  expect(body.notes.map(({ id }: any) => id)).toEqual([ids.notes.own]);
  expect(body.friend?.notes ?? []).toEqual([]);
});
