/** A generated server under attack: every response is checked against the invariants of all responses. */
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type RunningServer, start } from '../project.ts';
import { DRAFT_TITLE, leaksIn, VAULT_LABEL } from './canaries.ts';
import { type Answer, send, type Sent } from './client.ts';
import { attackedProject, type Variant } from './project.ts';
import { plantSeed, type Seed, type Who } from './seed.ts';
import { openState, type StoredState } from './state.ts';

/** Tests forge tokens with it. */
export const JWT_SECRET = 'only-for-tests-3f9c1b7a5e8d2c4f6a0b';

/** Who may see entries of the type `vault`. */
const MAY_SEE_VAULTS: ReadonlySet<Who> = new Set(['admin', 'fullToken', 'readOnlyToken']);

export interface Call {
  /** Becomes `{"data": …}`. */
  readonly data?: unknown;
  /** Becomes the JSON of the whole body. */
  readonly json?: unknown;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export interface AttackedServer {
  readonly port: number;
  readonly origin: string;
  readonly project: string;
  readonly uploads: string;
  readonly env: Record<string, string>;
  readonly seed: Seed;
  readonly state: StoredState;
  readonly output: () => string;
  readonly pid: number;
  /** Sends a request, and checks the invariants of its response and that only successful writes change anything. */
  call(who: Who, method: string, path: string, call?: Call): Promise<Answer>;
  get(who: Who, path: string): Promise<Answer>;
  /** Like `call`, without comparing the database before and after: for many requests at once. */
  quick(who: Who, method: string, path: string, call?: Call): Promise<Answer>;
  /** `defects`: the number of unexpected errors that a test has provoked. */
  stop(options?: { readonly defects?: number }): Promise<void>;
}

function environment(folder: string): Record<string, string> {
  return {
    DATABASE_URL: `sqlite:${join(folder, 'app.db')}`,
    UPLOAD_DIR: join(folder, 'uploads'),
    JWT_SECRET,
    LOG_LEVEL: 'info',
    AUTH_RATE_LIMIT: '0',
    AUTH_PASSWORD_COST: '8',
  };
}

/** Seeds a first server; all others start with a copy of its database and files. */
async function finish(project: string): Promise<void> {
  const folder = join(project, 'seed');
  await mkdir(folder);
  const env = environment(folder);
  const server = await start(project, env);
  const port = Number(new URL(server.origin).port);
  await plantSeed({ project, port, file: join(folder, 'seed.json') }, env).catch(async (error: unknown) => {
    await server.stop();
    await rm(project, { recursive: true, force: true });
    throw error;
  });
  await server.stop();
}

function sentOf(seed: Seed, who: Who, method: string, path: string, { data, json, body, headers }: Call): Sent {
  const value = data === undefined ? json : { data };
  const text = value === undefined ? body : JSON.stringify(value);
  return {
    method,
    path,
    headers: {
      ...(who !== 'public' && { Authorization: `Bearer ${seed.credentials[who]}` }),
      ...(value !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  };
}

/** Checks headers and body for leaks. */
function checkSecrets(who: Who, { headers, text }: Answer, sent: Sent): void {
  const all = `${JSON.stringify(headers)}\n${text}`;
  const hidden = MAY_SEE_VAULTS.has(who) ? [] : [VAULT_LABEL];
  const drafts = /preview|status=draft/.test(sent.path) || sent.method !== 'GET' ? [] : [DRAFT_TITLE];
  expect(leaksIn(all, [...hidden, ...drafts]), `${who} ${sent.method} ${sent.path}`).toEqual([]);
  expect(headers.server ?? headers['x-powered-by']).toBeUndefined();
}

function checkEnvelope({ status, headers, text, body }: Answer, { method, path }: Sent): void {
  const where = `${method} ${path.slice(0, 300)}: ${status} ${text.slice(0, 500)}`;
  expect(status, where).toBeLessThan(500);
  expect(headers['x-content-type-options'], where).toBe('nosniff');
  if (status < 400) return;
  expect(headers['content-type'], where).toBe('application/json; charset=utf-8');
  if (method === 'HEAD') return;
  expect(Object.keys(body ?? {}), where).toEqual(['data', 'error']);
  expect(body.data, where).toBeNull();
  expect(Object.keys(body.error).sort(), where).toEqual(['details', 'message', 'name', 'status']);
  expect(body.error.status, where).toBe(status);
}

function around(seed: Seed, state: StoredState, port: number) {
  const quick: AttackedServer['quick'] = async (who, method, path, call = {}) => {
    const sent = sentOf(seed, who, method, path, call);
    const answer = await send(port, sent);
    checkEnvelope(answer, sent);
    checkSecrets(who, answer, sent);
    return answer;
  };
  const call: AttackedServer['call'] = async (who, method, path, options) => {
    const before = await state.dump();
    const answer = await quick(who, method, path, options);
    // Reads change nothing, and neither do rejected requests.
    if (answer.status >= 400 || ['GET', 'HEAD', 'OPTIONS'].includes(method)) {
      const difference = before === (await state.dump()) ? '' : 'the database or the files have changed';
      expect(difference, `${who} ${method} ${path.slice(0, 300)}: ${answer.status}`).toBe('');
    }
    return answer;
  };
  return { quick, call };
}

/** Checks the log: no secrets, no credentials, no query strings. */
function checkLog(output: string, { credentials }: Seed, defects: number): void {
  const lines = output.split('\n');
  const isDefect = (line: string) => /unexpected error|"level":(?:50|60)/.test(line);
  expect(lines.filter(isDefect)).toHaveLength(defects);
  // Unexpected errors are logged with their cause, which may contain internals.
  const others = lines.filter((line) => !isDefect(line)).join('\n');
  expect(leaksIn(others, [VAULT_LABEL, DRAFT_TITLE, ...Object.values(credentials)])).toEqual([]);
}

function serverOf(running: RunningServer, parts: Omit<AttackedServer, 'call' | 'get' | 'quick' | 'stop' | 'output'>) {
  const { call, quick } = around(parts.seed, parts.state, parts.port);
  return { ...parts, output: running.output, call, quick, get: (who: Who, path: string) => call(who, 'GET', path) };
}

/** Starts a server on a copy of the seed, with additional settings. Its log is checked when it stops. */
export async function startAttacked(
  settings: Record<string, string> = {},
  variant: Variant = 'plain',
): Promise<AttackedServer> {
  const project = await attackedProject(finish, variant);
  const folder = await mkdtemp(join(tmpdir(), 'content-gen-attacked-'));
  await cp(join(project, 'seed'), folder, { recursive: true });
  const seed = JSON.parse(await readFile(join(folder, 'seed.json'), 'utf8')) as Seed;
  const env = { ...environment(folder), ...settings };
  const running = await start(project, env);
  const state = await openState(join(folder, 'app.db'), env['UPLOAD_DIR'] ?? '');
  const { origin, pid } = running;
  const port = Number(new URL(origin).port);
  const server = serverOf(running, { port, origin, project, uploads: env['UPLOAD_DIR'] ?? '', env, seed, state, pid });
  return {
    ...server,
    async stop({ defects = 0 } = {}) {
      await state.close();
      const code = await running.stop();
      await rm(folder, { recursive: true, force: true });
      expect(code, running.output()).toBe(0);
      checkLog(running.output(), seed, defects);
    },
  };
}
