/** The client of a generated server: code that uses it as a frontend does, and the server. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngOf } from '../templates/runtime/test-support/upload-server.ts';
import { root } from './support/project.ts';
import { fixtureSchema, type ServedProject, serveProject } from './support/served-project.ts';

let server: ServedProject;
/** What `fixtures/magazine/frontend.ts` exports. */
let frontend: Readonly<
  Record<'reads' | 'flat' | 'refusals' | 'session' | 'uploads', (...values: unknown[]) => unknown>
>;
let api: string;

beforeAll(async () => {
  const schema = `${await fixtureSchema('magazine')}\n  authenticated:\n    extends: public\n    users: [me]\n`;
  server = await serveProject(schema);
  const code = join(server.project, 'frontend.ts');
  await cp(join(root, 'fixtures/magazine/frontend.ts'), code);
  frontend = await import(pathToFileURL(code).href);
  api = `${server.origin}/api`;
});
afterAll(() => server?.close());

describe('the client', () => {
  it('reads what a query says, to any depth, and walks pages', async () => {
    expect(await frontend.reads(api)).toEqual({
      headlines: ['Tides & waves by Ann', 'Ships by Ann'],
      total: 3,
      others: ['Tides & waves', 'Ships'],
      topics: 1,
      subject: 'sea',
      keywords: { data: null },
      walked: ['Tides & waves', 'Ships', 'Ports'],
      byTitle: ['Ports', 'Ships', 'Tides & waves'],
      count: 1,
      site: 'Sea',
    });
  });

  it('flattens what was populated, and leaves JSON as it is', async () => {
    expect(await frontend.flat(api)).toEqual({
      title: 'Ships',
      author: 'Ann',
      link: 'home',
      names: ['Sea'],
      keywords: { data: null },
      cover: null,
      blocks: ['blocks.text', 'blocks.teasers'],
      all: ['Ann', 0, 0],
      parent: 'Sea',
    });
  });

  it('says by name what went wrong', async () => {
    expect(await frontend.refusals(api)).toEqual([
      ['name'],
      ['NotFoundError', 404],
      ['UnauthorizedError', 401],
      'AbortError',
      ['ConnectionError', 0],
      ['NotFoundError', 404],
    ]);
  });

  it('signs in, and asks for the token of each request', async () => {
    expect(await frontend.session(api)).toEqual(['ann', 'ann@example.org', true]);
  });

  it('uploads with progress, and attaches', async () => {
    expect(await frontend.uploads(api, new Uint8Array(pngOf(40, 30)))).toEqual({
      progress: 1,
      cover: 'the sea',
      caption: 'waves',
      found: 1,
      deleted: 'sea.png',
    });
  });
});
