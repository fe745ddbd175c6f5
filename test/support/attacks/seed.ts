/** The content of the database before an attack: written once, over HTTP and by the project's commands. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { DRAFT_TITLE, SECRETS, VAULT_LABEL } from './canaries.ts';
import { type Answer, send } from './client.ts';
import { encodeForm, PNG } from '../../../templates/runtime/test-support/multipart-forms.ts';

/** Credentials, and the ids of entries. */
export interface Seed {
  readonly credentials: Readonly<Record<Exclude<Who, 'public'>, string>>;
  readonly ids: Readonly<Record<string, number>>;
}

/** Who sends a request: users by the name of their role, and API tokens. */
export type Who =
  'public' | 'plain' | 'reader' | 'writer' | 'admin' | 'fullToken' | 'readOnlyToken' | 'customToken' | 'expiredToken';

/** The permissions of the custom token. */
const CUSTOM = ['article.find', 'article.update', 'tag.find'];

const USERS = ['plain', 'reader', 'writer', 'admin'] as const;

type Call = (method: string, path: string, body: unknown) => Promise<any>;

function caller(port: number, token: string): Call {
  return async (method, path, body) => {
    const answer: Answer = await send(port, {
      method,
      path,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
}

async function seedUsers(port: number, call: Call): Promise<Record<(typeof USERS)[number], string>> {
  const { roles } = await call('GET', '/api/users-permissions/roles', undefined);
  const jwts: Record<string, string> = {};
  for (const name of USERS) {
    const role = roles.find(({ type }: { type: string }) => type === (name === 'plain' ? 'authenticated' : name)).id;
    const email = `${name}@people.example`;
    await call('POST', '/api/users', { username: name, email, password: SECRETS.password, role });
    const { jwt } = await caller(port, '')('POST', '/api/auth/local', {
      identifier: email,
      password: SECRETS.password,
    });
    jwts[name] = jwt;
  }
  return jwts as Record<(typeof USERS)[number], string>;
}

/** `npm run server -- token`, without npm. */
export async function tokenCommand(project: string, env: Record<string, string>, args: readonly string[]) {
  const { stdout } = await execa(process.execPath, [join(project, 'dist/generated/command.js'), 'token', ...args], {
    cwd: project,
    env,
  });
  return stdout.trim();
}

function seo(author: number): object {
  const card = { caption: 'A card', pin: SECRETS.pin, author };
  const social = [{ network: 'a network', token: SECRETS.socialToken, card }];
  return { metaTitle: 'A meta title', hidden: SECRETS.hidden, social };
}

async function seedFile(port: number, token: string): Promise<number> {
  const { body, type } = encodeForm([{ name: 'files', filename: 'one.png', type: 'image/png', content: PNG }]);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type };
  const answer = await send(port, { method: 'POST', path: '/api/upload', headers, body });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body[0].id;
}

async function seedEntries(port: number, call: Call, token: string): Promise<Record<string, number>> {
  const create = async (path: string, data: object): Promise<number> =>
    (await call('POST', path, { data })).data.id as number;
  const file = await seedFile(port, token);
  const vault = await create('/api/vaults', { label: VAULT_LABEL });
  const { ssn, authorEmail: email, rank: secretRank, apiKey } = SECRETS;
  const ann = await create('/api/authors', { name: 'Ann', email, ssn, secretRank, apiKey, safe: vault });
  const bob = await create('/api/authors', {
    name: 'Bob',
    email: SECRETS.otherEmail,
    ssn: SECRETS.otherSsn,
    secretRank: SECRETS.otherRank,
  });
  const red = await create('/api/tags', { name: 'red' });
  const blue = await create('/api/tags', { name: 'blue' });
  const first = await create('/api/articles', {
    ...{ title: 'First 100% of a_b \\ c', code: 'A-1', body: 'one', notes: SECRETS.notes, extra: { a: { b: 1 } } },
    ...{ price: 12.5, views: 10, serial: '9007199254740993', open: true, day: '2024-02-29', mood: 'calm' },
    ...{ author: ann, tags: [red, blue], vaults: [vault], hero: file, editors: [ann], seo: seo(ann) },
    blocks: [{ __component: 'blocks.quote', text: 'quoted', source: SECRETS.source, safe: vault }],
  });
  const second = await create('/api/articles', { title: 'Second', code: 'B-2', author: bob, related: [first] });
  const third = await create('/api/articles', { title: 'Third', code: 'C-3', author: ann, tags: [blue] });
  const draft = await create('/api/articles', { title: DRAFT_TITLE, code: 'D-4', publishedAt: null, author: bob });
  const { id: french } = await call('POST', `/api/articles/${first}/localizations`, { locale: 'fr', title: 'Premier' });
  await call('PUT', `/api/articles/${french}`, { data: { publishedAt: '2024-01-01T00:00:00.000Z' } });
  await call('PUT', '/api/home', { data: { headline: 'Welcome', memo: SECRETS.memo, featured: first } });
  return { file, vault, ann, bob, red, blue, first, second, third, draft, french };
}

/** Fills the database of a server that has just been started, and writes the seed to `file`. */
export async function plantSeed(
  { project, port, file }: { readonly project: string; readonly port: number; readonly file: string },
  env: Record<string, string>,
): Promise<void> {
  const fullToken = await tokenCommand(project, env, ['create', '--name', 'full', '--type', 'full-access']);
  const call = caller(port, fullToken);
  const users = await seedUsers(port, call);
  const makeToken = (name: string, ...more: string[]): Promise<string> =>
    tokenCommand(project, env, ['create', '--name', name, '--type', ...more]);
  const seed: Seed = {
    credentials: {
      ...users,
      fullToken,
      readOnlyToken: await makeToken('read-only', 'read-only'),
      customToken: await makeToken('custom', 'custom', ...CUSTOM.flatMap((name) => ['--permission', name])),
      expiredToken: await makeToken('old', 'full-access', '--expires', '2020-01-01'),
    },
    ids: await seedEntries(port, call, fullToken),
  };
  await writeFile(file, JSON.stringify(seed));
}
