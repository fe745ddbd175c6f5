/** Servers of a generated project, run in this process, on SQLite files of their own. */
import { join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { raw } from '../src/database/sql.ts';
import type { NewToken } from '../src/features/auth/api-tokens.ts';
import { addToken } from '../src/features/auth/tokens-service.ts';
import { type AnyExtensions, createServer, readSettings, type ServerDefinition } from '../src/index.ts';
import type { Augment } from '../src/write/augment.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
  readonly text: string;
}

interface RequestOptions {
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestServer {
  readonly origin: string;
  send(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Registers a user and answers the session, the id and the name. */
  register(name: string): Promise<{ readonly jwt: string; readonly id: number; readonly username: string }>;
  signIn(identifier: string, password: string): Promise<Answer>;
  /** Moves the time of what is due. */
  advance(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

export interface TestProject {
  readonly definition: ServerDefinition;
  urlOf(name: string): string;
  /** A database that the tests read and change. */
  open(name?: string): Promise<Database>;
  /** Starts a server on the database; `environment` has the settings that differ from those of the tests. */
  start(
    environment?: Record<string, string>,
    extensions?: AnyExtensions,
    name?: string,
    augments?: readonly Augment[],
  ): Promise<TestServer>;
  remove(): Promise<void>;
}

export const PASSWORD = 'a long password';

const SETTINGS = {
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'silent',
  JWT_SECRET: 'of-the-tests-0123456789-abcdefghijklmn',
  AUTH_RATE_LIMIT: '0',
  AUTH_PASSWORD_COST: '8',
};

function client(origin: string, { advance, close }: Pick<TestServer, 'advance' | 'close'>): TestServer {
  const server: TestServer = {
    origin,
    async send(method, path, { body, token, headers } = {}) {
      const isText = typeof body === 'string';
      const response = await fetch(origin + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: response.headers.get('content-type')?.includes('json') && text !== '' ? JSON.parse(text) : undefined,
      };
    },
    async register(name) {
      const body = { username: name, email: `${name}@example.org`, password: PASSWORD };
      const answer = await server.send('POST', '/api/auth/local/register', { body });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return { jwt: answer.body.jwt, id: answer.body.user.id, username: name };
    },
    signIn: (identifier, password) => server.send('POST', '/api/auth/local', { body: { identifier, password } }),
    advance,
    close,
  };
  return server;
}

/** Servers of a definition. Their databases and files are in a new folder. */
export async function openProject(definition: ServerDefinition): Promise<TestProject> {
  const folder = await temporaryFolder();
  const urlOf = (name: string) => `sqlite:${join(folder.path, `${name}.db`)}`;
  return {
    definition,
    urlOf,
    open: (name = 'test') => openDatabase(urlOf(name)),
    async start(environment = {}, extensions = {}, name = 'test', augments = []) {
      const uploads = join(folder.path, 'uploads');
      const variables = { ...SETTINGS, DATABASE_URL: urlOf(name), UPLOAD_DIR: uploads, ...environment };
      const settings = readSettings(definition.name, variables);
      const server = await createServer(definition, { settings, extensions, augments });
      const { host, port } = await server.listen();
      return client(`http://${host}:${port}`, server);
    },
    remove: folder.remove,
  };
}

/** Makes an API token in the database of a running server. */
export async function createToken(database: Database, token: Partial<NewToken> & { kind: NewToken['kind'] }) {
  const name = `token ${Math.random()}`;
  return (await addToken(database, { name, permissions: [], expiresAt: null, ...token })).token;
}

/** A project while its server runs. */
export interface ServedProject {
  readonly project: TestProject;
  readonly server: TestServer;
  /** That of the server. */
  readonly database: Database;
  /** An API token with full access. */
  readonly admin: string;
}

/** Serves a project during the tests of a file: opened before them, removed after them. */
export function serveDuringTests(definition: ServerDefinition, onOpen: (served: ServedProject) => void): void {
  let close = async (): Promise<void> => {};
  beforeAll(async () => {
    const project = await openProject(definition);
    close = project.remove;
    const server = await project.start();
    const database = await project.open();
    close = async () => {
      await server.close();
      await database.close();
      await project.remove();
    };
    const admin = await createToken(database, { kind: 'full-access', name: 'of the command line' });
    onOpen({ project, server, database, admin });
  });
  afterAll(() => close());
}

/** Runs a command line of the project on its database; answers the exit code and what was printed. */
export async function command(
  project: TestProject,
  run: (definition: ServerDefinition, args: readonly string[]) => Promise<number>,
  args: readonly string[],
  name = 'test',
): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const [out, error] = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
  for (const stream of [out, error]) stream.mockReturnValue(true);
  vi.stubEnv('DATABASE_URL', project.urlOf(name));
  vi.stubEnv('JWT_SECRET', SETTINGS.JWT_SECRET);
  try {
    const code = await run(project.definition, args);
    const [printed = '', failed = ''] = [out, error].map(({ mock }) => mock.calls.map(([text]) => text).join(''));
    return { code, out: printed, error: failed };
  } finally {
    vi.unstubAllEnvs();
    for (const stream of [out, error]) stream.mockRestore();
  }
}

/** Everything that the tables hold, as text. */
export async function dump(database: Database): Promise<string> {
  const tables = await database.all(raw(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`));
  const rows = await Promise.all(
    tables.map(async ({ name }) => [name, await database.all(raw(`SELECT * FROM "${String(name)}"`))]),
  );
  return JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
