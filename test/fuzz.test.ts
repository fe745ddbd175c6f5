/**
 * Requests that nobody would write, over HTTP: none is answered by anything but 2xx and 4xx in the right shape, and whatever is
 * refused leaves the database as it was. `FUZZ_RUNS` and `FUZZ_SEED` make other and longer runs.
 */
import { Agent, request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureSchema, type ServedProject, serveProject } from './support/served-project.ts';
import { casesOf } from '../templates/runtime/test-support/in-full.ts';
import { pngOf } from '../templates/runtime/test-support/upload-server.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { connectSqlite, type SqliteConnection } from '../templates/runtime/src/database/sqlite-connection.ts';
import { bodyTexts } from './support/fuzz-bodies.ts';
import { queryStrings } from './support/fuzz-queries.ts';
import { bodyOf, definitionsOf, type SchemaText, type Targets } from './support/whole-entries.ts';

const RUNS = casesOf('FUZZ_RUNS', 400, 2000);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_230_817);
const TIME_LIMIT_MS = 20_000;

let server: ServedProject;
let schema: SchemaText;
let targets: Targets;
let watcher: SqliteConnection;
const agent = new Agent({ keepAlive: true });
/** How often each status was answered: a fuzzer that is always refused tests nothing. */
const seen = new Map<number, number>();

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
}

/** Sends what `fetch` would mend on the way: a path that is not encoded, a body that is no JSON. */
function send({ method, path, body, type = 'application/json' }: Sent): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(server.origin);
  const headers = body === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, agent, method, path, headers, timeout: TIME_LIMIT_MS },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
    request.end(body);
  });
}

/** Changes whenever another connection commits anything. */
function dataVersion(): unknown {
  return watcher.get(raw('PRAGMA data_version'))?.['data_version'];
}

function checkRefusal(status: number, text: string): void {
  const body = JSON.parse(text) as Record<string, any>;
  expect(Object.keys(body)).toEqual(['data', 'error']);
  expect(body['data']).toBeNull();
  expect(Object.keys(body['error']).toSorted()).toEqual(['details', 'message', 'name', 'status']);
  expect(body['error'].status).toBe(status);
  expect(body['error'].message).toEqual(expect.any(String));
  for (const { path, message } of body['error'].details.errors ?? []) {
    expect(path.every((part: unknown) => typeof part === 'string')).toBe(true);
    expect(message).not.toBe('');
  }
}

function checkEntry(entry: any): void {
  expect(Object.keys(entry)).toEqual(['id', 'attributes', 'meta']);
  expect(entry.id).toEqual(expect.any(Number));
  expect(entry.meta.availableLocales).toEqual(expect.any(Array));
  expect(entry.attributes).not.toHaveProperty('email');
}

function checkSuccess(path: string, text: string): void {
  const body = JSON.parse(text) as Record<string, any>;
  if (!path.startsWith('/api/upload') && !path.includes('/localizations') && !path.startsWith('/api/i18n')) {
    expect(Object.keys(body)).toEqual(['data', 'meta']);
    if (Array.isArray(body['data'])) body['data'].forEach(checkEntry);
    else checkEntry(body['data']);
  }
}

/** Sends a request and checks all that must hold of its answer. */
async function check(sent: Sent): Promise<void> {
  const before = dataVersion();
  const { status, text } = await send(sent);
  seen.set(status, (seen.get(status) ?? 0) + 1);
  if (status >= 400 && status < 500) {
    checkRefusal(status, text);
    expect(dataVersion()).toBe(before);
  } else {
    expect(status, text).toBeGreaterThanOrEqual(200);
    expect(status, text).toBeLessThan(300);
    checkSuccess(sent.path, text);
  }
}

async function upload(): Promise<number[]> {
  const form = new FormData();
  for (const name of ['a.png', 'b.png']) form.append('files', new Blob([pngOf(2, 2)]), name);
  const answer = await fetch(`${server.origin}/api/upload`, { method: 'POST', body: form });
  return ((await answer.json()) as { id: number }[]).map(({ id }) => id);
}

const PLURALS: Readonly<Record<string, string>> = { article: 'articles', author: 'authors', topic: 'topics' };

beforeAll(async () => {
  const text = await fixtureSchema('magazine');
  schema = definitionsOf(text);
  server = await serveProject(text);
  const entries = new Map<string, number[]>();
  targets = { entries, images: await upload() };
  for (const uid of ['author', 'topic', 'article', 'author', 'topic', 'article', 'article']) {
    const data = bodyOf(schema, schema.contentTypes[uid]?.attributes ?? {}, targets);
    const { text: made } = await send({ method: 'POST', path: `/api/${PLURALS[uid]}`, body: JSON.stringify({ data }) });
    const { id } = (JSON.parse(made) as { data: { id: number } }).data;
    entries.set(uid, [...(entries.get(uid) ?? []), id]);
  }
  for (const uid of ['setting', 'front-page']) {
    const data = bodyOf(schema, schema.contentTypes[uid]?.attributes ?? {}, targets);
    await send({ method: 'PUT', path: `/api/${uid}`, body: JSON.stringify({ data }) });
  }
  watcher = connectSqlite(server.databaseUrl.replace('sqlite:', ''), { readOnly: true, busyTimeout: 5000 });
});
afterAll(async () => {
  watcher?.close();
  agent.destroy();
  await server?.close();
});

const BAD_IDS = [
  '0',
  '-1',
  '01',
  '1.0',
  '1e0',
  'x',
  '%31',
  '%',
  '%2F',
  '..',
  '99999999999999999999',
  '%00',
  "1'",
  '1%20',
  '999',
];

/** Mostly the id of an entry that is there. */
function ids(uid: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...(targets.entries.get(uid) ?? [1]).map(String)) },
    { weight: 1, arbitrary: fc.constantFrom(...BAD_IDS) },
  );
}

function assertAll(sent: fc.Arbitrary<Sent>): Promise<void> {
  seen.clear();
  return fc.assert(fc.asyncProperty(sent, check), { numRuns: RUNS, seed: SEED, endOnFailure: true });
}

/** How many of the answers, out of all, had a status. */
function share(...statuses: readonly number[]): number {
  return statuses.reduce((sum, status) => sum + (seen.get(status) ?? 0), 0) / RUNS;
}

function reads(): fc.Arbitrary<Sent> {
  const uids = ['article', 'article', 'article', 'author', 'topic', 'setting', 'front-page', 'file'];
  return fc.constantFrom(...uids).chain((uid) => {
    const plural = PLURALS[uid] ?? (uid === 'file' ? 'upload/files' : undefined);
    const known = uid === 'file' ? fc.constantFrom('1', '2') : ids(uid);
    const path =
      plural === undefined
        ? fc.constant(`/api/${uid}`)
        : fc.oneof(
            fc.constant(`/api/${plural}`),
            fc.constant(`/api/${plural}`),
            known.map((id) => `/api/${plural}/${id}`),
          );
    return fc.tuple(path, queryStrings(schema, uid)).map(([at, query]) => ({ method: 'GET', path: `${at}?${query}` }));
  });
}

function writes(): fc.Arbitrary<Sent> {
  const type = fc.oneof(
    { weight: 20, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'text/plain',
        'application/json; charset=latin1',
        'multipart/form-data; boundary=x',
        '',
      ),
    },
  );
  const uids = ['article', 'article', 'article', 'author', 'topic', 'setting', 'front-page'];
  return fc.tuple(fc.constantFrom(...uids), fc.nat(15)).chain(([uid, action]) => {
    const plural = PLURALS[uid];
    const query = fc.oneof(
      { weight: 6, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: queryStrings(schema, uid) },
    );
    const inData = bodyTexts({ schema, targets }, uid, (data) => ({ data }));
    const inLocale = bodyTexts({ schema, targets }, uid, (data) => ({ locale: 'fr', ...(data as object) }));
    const [method, path, body]: [string, fc.Arbitrary<string>, fc.Arbitrary<string>?] =
      plural === undefined
        ? ['PUT', fc.constant(`/api/${uid}`), inData]
        : action === 0
          ? ['DELETE', fc.constantFrom(...BAD_IDS).map((id) => `/api/${plural}/${id}`)]
          : action === 1 && uid === 'article'
            ? ['POST', ids(uid).map((id) => `/api/articles/${id}/localizations`), inLocale]
            : action < 8
              ? ['POST', fc.constant(`/api/${plural}`), inData]
              : ['PUT', ids(uid).map((id) => `/api/${plural}/${id}`), inData];
    return fc.tuple(path, query, body ?? fc.constant(undefined), type).map(([at, after, text, mime]) => ({
      method,
      path: after === '' ? at : `${at}?${after}`,
      ...(text === undefined ? {} : { body: text, type: mime }),
    }));
  });
}

describe('what is answered', () => {
  it('to every query', async () => {
    await assertAll(reads());
    expect(share(200)).toBeGreaterThan(0.3);
    expect(share(400)).toBeGreaterThan(0.2);
  });

  it('to every body', async () => {
    await assertAll(writes());
    expect(share(200, 201)).toBeGreaterThan(0.15);
    expect(share(400)).toBeGreaterThan(0.3);
    // What watches the database would have noticed a change.
    const before = dataVersion();
    await check({ method: 'POST', path: '/api/authors', body: '{"data":{"name":"seen"}}' });
    expect(dataVersion()).not.toBe(before);
  });
});
