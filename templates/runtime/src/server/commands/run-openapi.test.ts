/** `npm run server -- openapi`: writes the document that the server serves, and shows which operations differ in a file. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { definition } from '../../../test-support/projects/accounts/src/generated/app.ts';
import { FAILURE_RESPONSES } from '../../contract/routes/openapi.ts';
import type { EndpointTools } from '../endpoints.ts';
import type { DeclaresEndpoints } from '../mount-endpoints.ts';
import { runOpenapi } from './run-openapi.ts';

const declaring = (path: `/${string}`, permission: string | null = null): DeclaresEndpoints => ({
  endpoints: ({ route, z }: EndpointTools<never>) => [
    route({ method: 'GET', path, permission, answer: z.object({ sum: z.number() }), handler: () => ({ sum: 1 }) }),
  ],
});

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  file = join(folder, 'all.json');
  // A document such as a build writes.
  const listOf = (name: string) => ({ schema: { $ref: `#/components/schemas/${name}` } });
  const find = (tag: string, name: string) => ({
    get: {
      operationId: `find${name}s`,
      tags: [tag],
      responses: { 200: { content: { 'application/json': listOf(name) } } },
    },
  });
  const paths = { '/api/articles': find('article', 'Article'), '/api/tags': find('tag', 'Tag') };
  const schemas = {
    Article: { properties: { author: { $ref: '#/components/schemas/AuthorNested' } } },
    AuthorNested: { type: 'object' },
    Tag: { type: 'object' },
    ErrorResponse: { type: 'object' },
  };
  const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } };
  const tags = [{ name: 'article' }, { name: 'tag' }];
  const whole = {
    openapi: '3.1.0',
    tags,
    paths,
    components: { schemas, responses: FAILURE_RESPONSES, securitySchemes },
  };
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(whole));
});
afterEach(() => rm(folder, { recursive: true }));

async function run(extensions: DeclaresEndpoints, ...args: readonly string[]) {
  const printed: string[] = [];
  const print = (text: unknown): boolean => printed.push(String(text)) > 0;
  vi.spyOn(process.stdout, 'write').mockImplementation(print);
  vi.spyOn(process.stderr, 'write').mockImplementation(print);
  const openapi = pathToFileURL(join(folder, 'openapi.json'));
  const code = await runOpenapi({ ...definition, openapi }, extensions, args);
  vi.restoreAllMocks();
  return { code, printed: printed.join('') };
}

it('writes the document with the endpoints, and then finds it up to date', async () => {
  expect(await run(declaring('/api/sums'), 'write', file)).toEqual({ code: 0, printed: `${file}\n` });
  const { paths, components } = JSON.parse(await readFile(file, 'utf8'));
  expect(paths['/api/articles']).toBeDefined();
  expect(paths['/api/sums'].get.operationId).toBe('getSums');
  expect(components.schemas.GetSumsResponse.properties).toEqual({ sum: { type: 'number' } });
  expect(await run(declaring('/api/sums'), 'check', file)).toEqual({ code: 0, printed: '' });
});

it('names the operations that differ', async () => {
  await run(declaring('/api/sums'), 'write', file);
  const { code, printed } = await run(declaring('/api/totals'), 'check', file);
  expect(code).toBe(1);
  expect(printed).toContain('  + GET /api/totals\n  - GET /api/sums\n');
  await writeFile(file, (await readFile(file, 'utf8')).replace('"operationId": "getSums"', '"operationId": "sums"'));
  expect((await run(declaring('/api/sums'), 'check', file)).printed).toContain('  ~ GET /api/sums\n');
});

it('writes the operations of some tags, with the components that they refer to', async () => {
  expect(await run({}, 'write', file, '--tags', 'article')).toEqual({ code: 0, printed: `${file}\n` });
  const { paths, tags, components } = JSON.parse(await readFile(file, 'utf8'));
  expect(Object.keys(paths)).toEqual(['/api/articles']);
  expect(tags).toEqual([{ name: 'article' }]);
  expect(Object.keys(components.schemas)).toEqual(['Article', 'AuthorNested']);
  expect(components.securitySchemes.bearer).toBeDefined();
  expect(await run({}, 'check', file, '--tags=article')).toEqual({ code: 0, printed: '' });
  const other = await run({}, 'check', file, '--tags', 'article,tag');
  expect(other).toMatchObject({ code: 1, printed: expect.stringContaining('  + GET /api/tags\n') });
  expect(other.printed).toContain(`write ${file} --tags article,tag`);
  expect((await run(declaring('/api/sums'), 'write', file, '--tags', 'endpoints')).code).toBe(0);
  expect(Object.keys(JSON.parse(await readFile(file, 'utf8')).paths)).toEqual(['/api/sums']);
  expect(await run({}, 'write', file, '--tags', 'articel')).toMatchObject({
    code: 2,
    printed: expect.stringContaining('No operation has the tag articel. There are: article, tag'),
  });
});

it('splits a large document into several', async () => {
  const [first, second] = [join(folder, 'all.1.json'), join(folder, 'all.2.json')];
  expect(await run({}, 'write', file, '--split', '1')).toEqual({ code: 0, printed: `${first}\n${second}\n` });
  const [articles, tags] = [JSON.parse(await readFile(first, 'utf8')), JSON.parse(await readFile(second, 'utf8'))];
  expect([Object.keys(articles.paths), Object.keys(tags.paths)]).toEqual([['/api/articles'], ['/api/tags']]);
  expect(Object.keys(articles.components.schemas)).toEqual(['Article', 'AuthorNested']);
  expect(Object.keys(tags.components.schemas)).toEqual(['Tag']);
  expect(await run({}, 'check', file, '--split', '1')).toEqual({ code: 0, printed: '' });
  await writeFile(second, (await readFile(second, 'utf8')).replace('"findTags"', '"tags"'));
  expect(await run({}, 'check', file, '--split', '1')).toEqual({
    code: 1,
    printed: expect.stringMatching(/all\.2\.json differs.*write .*all\.json --split 1\n {2}~ GET \/api\/tags\n/u),
  });
  expect(await run({}, 'write', file, '--split', '0')).toMatchObject({
    code: 2,
    printed: expect.stringContaining('--split needs a number of tags per document'),
  });
});

it('refuses what it cannot do, and says why', async () => {
  expect(await run({}, 'check', file)).toMatchObject({ code: 1, printed: expect.stringContaining('does not exist') });
  expect(await run({}, 'write', join(folder, 'openapi.json'))).toMatchObject({ code: 2 });
  expect(await run({}, 'print')).toMatchObject({ code: 2, printed: expect.stringContaining('Usage:') });
  const { code, printed } = await run(declaring('/api/sums', 'sums.find'), 'write', file);
  expect([code, printed]).toEqual([1, expect.stringContaining('sums.find, which this server does not know')]);
});
