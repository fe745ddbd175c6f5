/** `costs check`: which changes of a schema a frontend has to know. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/costs/src/generated/app.ts';
import { temporaryFolder } from '../../../test-support/temporary-folder.ts';
import { command, openProject, type TestProject } from '../../../test-support/test-project.ts';
import type { ServerDefinition } from '../definition.ts';
import { requestsIn } from './recorded-requests.ts';
import { runCosts } from './run-costs.ts';
import { runExplain } from './run-explain.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let project: TestProject;
let file: string;

const BY_SECTION = '/api/articles?filters[section][$eq]=news&sort=day:desc';
const POPULATED = '/api/articles/7?populate=author';
const LIST = '/api/tags?pagination[pageSize]=20';

beforeAll(async () => {
  folder = await temporaryFolder();
  project = await openProject(definition);
  file = join(folder.path, 'requests.txt');
  writeFileSync(
    file,
    ['# of the start page', BY_SECTION, `GET ${POPULATED}`, '', `https://example.org${LIST}`].join('\n'),
  );
});
afterAll(async () => {
  await project?.remove();
  await folder?.remove();
});

const run = (changed: ServerDefinition, ...args: readonly string[]) =>
  command({ ...project, definition: changed }, runCosts, args);
const check = (changed: ServerDefinition, ...args: readonly string[]) => run(changed, 'check', file, ...args);

/** The definition with another `article`. */
function withArticle(change: object): ServerDefinition {
  const { contentTypes } = definition;
  const types = { ...contentTypes.types, article: { ...contentTypes.types['article']!, ...change } };
  return { ...definition, contentTypes: { ...contentTypes, types } };
}

describe('costs check', () => {
  beforeAll(async () => {
    expect((await check(definition)).code).toBe(2);
    const { code, out } = await check(definition, '--record');
    expect([code, out]).toEqual([0, `3 requests are recorded in ${file}.costs.json.\n`]);
  });

  test('passes while nothing has changed, also with other values', async () => {
    expect(await check(definition)).toMatchObject({ code: 0, out: '3 requests were checked; 0 have a problem.\n' });
    const other = join(folder.path, 'other.txt');
    writeFileSync(other, BY_SECTION.replace('news', 'sports'));
    expect((await run(definition, 'check', other, '--baseline', `${file}.costs.json`)).out).toContain(
      '1 requests were checked;',
    );
  });

  test('fails for a lost index', async () => {
    const { code, out } = await check(withArticle({ indexes: [] }));
    expect(code).toBe(1);
    expect(out).toContain(`${BY_SECTION} lost its index [section, -day]: it costs `);
    expect(out).toContain('3 requests were checked; 1 have a problem.\n');
  });

  test('fails for a request that grew by half, and not by less', async () => {
    const baseline = join(folder.path, 'baseline.json');
    const recorded = JSON.parse(readFileSync(`${file}.costs.json`, 'utf8'));
    const requests = recorded.requests as { request: string; cost: number }[];
    const at = (share: number) => {
      const changed = requests.map((one) => ({
        ...one,
        cost: one.request.endsWith(LIST) ? one.cost * share : one.cost,
      }));
      writeFileSync(baseline, JSON.stringify({ ...recorded, requests: changed }));
      return check(definition, '--baseline', baseline);
    };
    expect((await at(1 / 1.49)).code).toBe(0);
    expect(await at(1 / 1.51)).toMatchObject({ code: 1 });
  });

  test('fails for what is refused: by the schema, by the permissions of a role, and without the type', async () => {
    const { author: _, ...attributes } = definition.contentTypes.types['article']!.attributes;
    expect((await check(withArticle({ attributes }))).out).toContain(`${POPULATED} is refused: 400: `);
    expect((await check(definition, '--as', 'authenticated')).code).toBe(0);
    const roles = { ...definition.roles, public: ['tag.find'] };
    expect((await check({ ...definition, roles }, '--as', 'public')).out).toContain(`${BY_SECTION} is refused: 403: `);
    const { tag: __, ...types } = definition.contentTypes.types;
    const gone = { ...definition, contentTypes: { ...definition.contentTypes, types } };
    expect((await check(gone)).out).toContain(`${LIST} is refused: no content type has this path`);
  });

  test('says what is wrong with its arguments', async () => {
    expect((await check(definition, '--as', 'publik')).error).toContain('There is no role publik');
    expect((await run(definition, 'chek', file)).code).toBe(2);
    const absent = join(folder.path, 'absent');
    const missing = await run(definition, 'check', absent);
    expect([missing.code, missing.error.split('\n')[0]]).toEqual([2, `There is no file ${absent}`]);
    const unreadable = await run(definition, 'check', folder.path);
    expect([unreadable.code, unreadable.error]).toEqual([2, expect.stringContaining(`${folder.path} can't be read: `)]);
    expect((await check({ ...definition, costs: { rows: 7 } })).error).toContain('with another number of `rows`');
  });
});

test('requests are read from access logs and HAR files', () => {
  const line = (method: string) =>
    `1.2.3.4 - - [26/Nov/2026:17:00:00 +0000] "${method} /api/tags?sort=name HTTP/1.1" 200 12`;
  expect(requestsIn([line('GET'), line('POST'), '/api/tags', 'nonsense here'].join('\n'))).toEqual([
    '/api/tags?sort=name',
    '/api/tags',
  ]);
  const entry = (method: string, url: string) => ({ request: { method, url } });
  const entries = [entry('GET', 'https://a.example/api/tags?sort=name'), entry('PUT', 'https://a.example/api/tags/1')];
  expect(requestsIn(JSON.stringify({ log: { entries } }))).toEqual(['/api/tags?sort=name']);
  expect(() => requestsIn('{"requests": []}')).toThrow('no HAR file');
});

test('explain tells the cost, too', async () => {
  await (await project.start()).close();
  const { code, out } = await command(project, runExplain, ['/api/articles?sort=title']);
  expect(code).toBe(0);
  expect(out).toMatch(/It costs \d+, if each table has 1000 rows\.\n {3}\d+: examining articles\n/u);
  expect(out).toContain('[title]');
});
