/** A generated server with content and people, whose admin page is opened in browsers. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PASSWORD } from '../../../templates/runtime/test-support/test-project.ts';
import { addAccount, addToken, fullAccess, type Send } from '../../support/full-access.ts';
import { root } from '../../support/project.ts';
import { serveProject } from '../../support/served-project.ts';

export interface Kiosk {
  readonly origin: string;
  /** Sends a request with all rights; answers the body, and throws where it is refused. */
  readonly send: Send;
  /** The titles of a relation's list, in the order of the API. */
  titles(path: string, attribute: string): Promise<readonly string[]>;
  /** Adds an API token that can only read. */
  addToken(name: string): Promise<void>;
  close(): Promise<void>;
}

export { PASSWORD };

export const TAGS = ['koa', 'sql', 'yaml', 'http', 'json', 'css'];

/** How long the longest list is. */
export const LONG = 300;

async function addPeople({ send }: Kiosk): Promise<void> {
  for (const name of ['editor', 'reader']) await addAccount(send, name);
}

/** Lets editors make and revoke API tokens. */
export async function grantTokens({ send }: Pick<Kiosk, 'send'>): Promise<void> {
  const { roles } = await send('GET', '/api/users-permissions/roles');
  const { id } = roles.find(({ type }: { readonly type: string }) => type === 'editor');
  const { role } = await send('GET', `/api/users-permissions/roles/${id}`);
  const actions = Object.values(role.permissions['plugin::users-permissions'].controllers.token);
  for (const action of actions as { enabled: boolean }[]) action.enabled = true;
  await send('PUT', `/api/users-permissions/roles/${id}`, role);
}

async function addContent({ send }: Kiosk): Promise<void> {
  const create = async (path: string, data: object): Promise<number> =>
    (await send('POST', `/api/${path}`, { data })).data.id;
  const tags: number[] = [];
  for (const name of TAGS) tags.push(await create('tags', { name }));
  const author = await create('authors', { name: 'Ada', email: 'ada@example.org' });
  await create('authors', { name: 'Grace' });
  const data = {
    title: 'First story',
    slug: 'first-story',
    author,
    tags,
    mood: 'calm',
    rating: 4.5,
    body: '# Hello\n\nA *story*.',
  };
  const first = await create('articles', data);
  await create('articles', { title: 'Second story', slug: 'second-story', publishedAt: null });
  await create('shelves', {
    label: 'Mixed',
    items: [
      { id: author, type: 'author' },
      { id: tags[0], type: 'tag' },
    ],
  });
  await create('values', { string: 'text', integer: 3, date: '2024-02-29', json: { a: [1] } });
  const long: number[] = [];
  for (let number = 1; number <= LONG; number += 1) long.push(await create('tags', { name: `tag ${number}` }));
  await create('shelves', { label: 'Long', long });
  await send('PUT', '/api/homepage', { data: { headline: 'Welcome', featured: [first] } });
}

/** `change` makes another schema of that of all kiosks. */
export async function openKiosk({
  change = (schema: string) => schema,
  environment = {},
}: {
  readonly change?: (schema: string) => string;
  readonly environment?: Readonly<Record<string, string>>;
} = {}): Promise<Kiosk> {
  const schema = await readFile(join(root, 'test/projects/admin/schema.yaml'), 'utf8');
  const server = await serveProject(change(schema), { environment });
  const send = await fullAccess(server);
  const kiosk: Kiosk = {
    origin: server.origin,
    send,
    async titles(path, attribute) {
      const { data } = await send('GET', `/api/${path}?populate=${attribute}&publicationState=preview`);
      return data.attributes[attribute].data.map(({ attributes }: any) => attributes.name ?? attributes.title);
    },
    addToken: async (name) => void (await addToken(server, { name, kind: 'read-only' })),
    close: () => server.close(),
  };
  await addPeople(kiosk);
  await addContent(kiosk);
  return kiosk;
}
