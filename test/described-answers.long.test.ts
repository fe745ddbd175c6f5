/** Answers are as openapi.json says, in both formats: of random content, of writes and of refusals. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Runtime from '@content-gen/runtime';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { root } from './support/project.ts';
import { fixtureSchema, type ServedProject, serveProject } from './support/served-project.ts';

const { manyTypes } = (await import(join(root, 'test/support/many-types.js'))) as {
  manyTypes(count: number): string;
};

type Json = any;

type Answer = Readonly<Record<'method' | 'path' | 'body', string>> & { readonly status: number };
type Check = (answer: Answer) => string | undefined;

const { answerCheck } = (await import(join(root, 'test/support/described-answers.js'))) as {
  answerCheck(document: Json): Check;
};

const READ_ALL = `permissions:
  public:
    '*': '*'
    users: [find, findOne]
    roles: [find, findOne]
    locales: [find]
    upload: [find, findOne]
`;

/** The content types of a ring, beside those of a schema: its document then describes relations for one step. */
function withRing(schema: string, count: number): string {
  const types = /^contentTypes:\n([^]*)^permissions:/mu.exec(manyTypes(count))?.[1] ?? '';
  return schema.replace(/^contentTypes:\n/mu, (line) => `${line}${types}`);
}

describe.each([
  ['v4', 'few types', 0],
  ['v5', 'few types', 0],
  ['v4', 'many types', 40],
])('a server of the format %s with %s', (format, _, further) => {
  let served: ServedProject;
  let document: Json;
  let check: Check;

  beforeAll(async () => {
    const schema = withRing(await fixtureSchema('every-attribute'), further)
      .replace('bodyLimit: 2mb', `bodyLimit: 2mb\n  format: ${format}`)
      .replace(/^permissions:[^]*$/mu, READ_ALL);
    served = await serveProject(schema);
    const { project, databaseUrl, definition } = served;
    vi.stubEnv('DATABASE_URL', databaseUrl);
    vi.stubEnv('UPLOAD_DIR', join(project, '../uploads'));
    vi.stubEnv('JWT_SECRET', 'of-the-tests-0123456789-abcdefghijklmn');
    const lib = pathToFileURL(join(project, 'runtime/lib/index.js')).href;
    const { runProjectCommand } = (await import(lib)) as typeof Runtime;
    const prints = [process.stdout, process.stderr].map((out) => vi.spyOn(out, 'write').mockReturnValue(true));
    const seeded = { definition, extensions: () => Promise.resolve({}) };
    expect(await runProjectCommand(seeded, ['seed', '--random', '8'])).toBe(0);
    for (const print of prints) print.mockRestore();
    vi.unstubAllEnvs();
    document = JSON.parse(await readFile(join(project, 'openapi.json'), 'utf8'));
    expect('NestedPopulateOptions' in document.components.schemas).toBe(further > 0);
    check = answerCheck(document);
  }, 120_000);
  afterAll(() => served?.close());

  async function answer(method: string, path: string, body?: unknown) {
    const init =
      body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${served.origin}${path}`, { method, ...init });
    const text = await response.text();
    const found = check({ method, path: new URL(response.url).pathname, status: response.status, body: text });
    expect.soft(found, `${method} ${path}\n${text.slice(0, 1000)}`).toBeUndefined();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as Json), text };
  }

  it('answers writes, single entries and refusals as the document describes them', async () => {
    const made = await answer('POST', '/api/tags', { data: { name: 'One' } });
    expect(made.status).toBe(201);
    const key = format === 'v5' ? made.body.data.documentId : made.body.data.id;
    expect((await answer('GET', `/api/tags/${key}?populate=*`)).status).toBe(200);
    const ring = further > 0 ? ['thing-0003s'] : [];
    for (const list of ['plains', 'full-ones', 'articles', 'tags', ...ring]) {
      const populated = 'populate=*&pagination[pageSize]=50';
      expect((await answer('GET', `/api/${list}?${populated}`)).status).toBe(200);
    }
    expect((await answer('PUT', `/api/tags/${key}?fields=name`, { data: { name: 'Two' } })).status).toBe(200);
    expect((await answer('POST', '/api/tags', { data: { name: 7 } })).status).toBe(400);
    expect((await answer('GET', '/api/tags?sort=nothing')).status).toBe(400);
    expect((await answer('GET', '/api/tags/999999')).status).toBe(404);
    expect((await answer('DELETE', `/api/tags/${key}`)).status).toBe(format === 'v5' ? 204 : 200);
    expect((await answer('PUT', '/api/imprint', { data: { text: 'By us.' } })).status).toBeLessThan(300);
    expect((await answer('GET', '/api/articles?populate[tags][count]=true')).status).toBe(200);
    if (format === 'v5') expect((await answer('GET', '/api/articles?status=draft&populate=*')).status).toBe(200);
    else expect((await answer('GET', '/api/articles?publicationState=preview&populate=*')).status).toBe(200);
  });
});
