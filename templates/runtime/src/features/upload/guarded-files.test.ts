/** Files that not everyone may find are read by signed addresses, and by callers who may find them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, isWanted } from '../../../test-support/engines.ts';
import { definition } from '../../../test-support/projects/magazine/src/generated/app.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import { openDatabase } from '../../database/open-database.ts';
import { createFileUrls } from '../../query/file-urls.ts';
import type { DialectName } from '../../database/dialect.ts';
import { sql } from '../../database/sql.ts';

const SIGNED = /^(\/uploads\/[0-9a-f]{32}\.txt)\?expires=\d+&signature=[\w-]{24}$/u;

describe.each(['sqlite', 'postgres', 'mysql'] as const)('on %s', (engine: DialectName) => {
  let project: TestProject;
  let server: TestServer;
  let admin: string;
  let bob: { readonly jwt: string; readonly id: number };
  let open: any;
  let team: any;
  let close = async (): Promise<void> => {};

  const create = async (path: string, data: object): Promise<any> =>
    (await server.send('POST', `/api/${path}`, { token: admin, body: { data } })).body.data;

  async function upload(name: string): Promise<any> {
    const form = new FormData();
    form.append('files', new Blob([`text of ${name}`], { type: 'text/plain' }), name);
    const headers = { authorization: `Bearer ${bob.jwt}` };
    const response = await fetch(`${server.origin}/api/upload`, { method: 'POST', headers, body: form });
    return ((await response.json()) as any[])[0];
  }

  beforeAll(async () => {
    if (!isWanted(engine)) return;
    const temporary = engine === 'sqlite' ? undefined : await createDatabase(engine, 'guarded_files');
    project = await openProject(definition);
    const elsewhere = temporary && { DATABASE_URL: temporary.url };
    server = await project.start({ UPLOAD_URL_LIFETIME: '86400', ...elsewhere });
    const database = temporary ? await openDatabase(temporary.url) : await project.open();
    close = async () => {
      await server.close();
      await database.close();
      await project.remove();
      await temporary?.drop();
    };
    admin = await createToken(database, { kind: 'full-access' });
    bob = await server.register('bob');
    [open, team] = [await upload('open.txt'), await upload('team.txt')];
    const formats = {
      thumbnail: {
        name: 'thumbnail_open.txt',
        hash: `thumbnail_${open.hash}`,
        ext: '.txt',
        url: `/uploads/thumbnail_${open.hash}.txt`,
      },
    };
    await database.run(sql`UPDATE files SET formats = ${JSON.stringify(formats)} WHERE id = ${open.id}`);
    const members = await create('teams', { name: 'Red', members: [bob.id] });
    await create('articles', { title: 'one', cover: open.id });
    await create('articles', { title: 'two', cover: team.id, visibility: 'team', team: members.id });
  });
  afterAll(() => close());

  test.runIf(isWanted(engine))('answers have signed addresses, which need no credentials', async () => {
    const [, path = ''] = SIGNED.exec(team.url) ?? [];
    expect(path).not.toBe('');
    const served = await server.send('GET', team.url);
    expect([served.status, served.text]).toEqual([200, 'text of team.txt']);
    expect(served.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/u);
    const tag = { 'if-none-match': served.headers.get('etag') ?? '' };
    expect((await server.send('GET', team.url, { headers: tag })).status).toBe(304);
    const statusOf = async (address: string, token?: string) =>
      (await server.send('GET', address, { token, headers: tag })).status;
    expect(await statusOf(path)).toBe(404);
    expect(await statusOf(path, bob.jwt)).toBe(304);
    expect(await statusOf(path, 'wrong')).toBe(401);
    const other = SIGNED.exec(open.url)?.[1] ?? '';
    expect(await statusOf(team.url.replace(/expires=\d/u, 'expires=9'))).toBe(404);
    expect(await statusOf(open.url.replace(other, path))).toBe(404);
    expect(await statusOf(team.url.replace(path, '/uploads/0123456789abcdef0123456789abcdef.txt'))).toBe(404);
    // Visitors find it.
    expect((await server.send('GET', other)).status).toBe(200);
    expect((await server.send('GET', other)).headers.get('cache-control')).toBe('private, no-cache');
  });

  test.runIf(isWanted(engine))('wherever a file is shown, and only for files', async () => {
    const shown = `/api/articles?populate=cover&sort=title`;
    const first = await server.send('GET', shown, { token: bob.jwt });
    const covers = first.body.data.map(({ attributes }: any) => attributes.cover.data.attributes);
    expect(covers.map(({ url }: any) => SIGNED.test(url))).toEqual([true, true]);
    expect(covers[0].formats.thumbnail.url).toMatch(/^\/uploads\/thumbnail_[0-9a-f]{32}\.txt\?expires=\d+&signature=/u);
    const again = await server.send('GET', shown, { token: bob.jwt });
    expect([again.text, again.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')]);
    const one = await server.send('GET', `/api/upload/files/${open.id}`, { token: admin });
    expect(one.body.url).toMatch(SIGNED);
    expect(one.text).not.toContain('~');
    const list = await server.send('GET', '/api/upload/files?filters[name]=team.txt', { token: bob.jwt });
    expect(list.body.map(({ url }: any) => SIGNED.test(url))).toEqual([true]);
    const written = await server.send('POST', '/api/articles?populate=cover', {
      token: bob.jwt,
      body: { data: { title: 'three', body: `"/uploads/${open.hash}.txt"`, cover: open.id } },
    });
    expect(written.body.data.attributes.cover.data.attributes.url).toMatch(SIGNED);
    expect(written.body.data.attributes.body).toBe(`"/uploads/${open.hash}.txt"`);
  });
});

test('an address changes with time, and ends', () => {
  let now = 1_000_000_000_000;
  const urls = createFileUrls({ name: 'x', secret: 's'.repeat(32), lifetime: 300, now: () => now });
  const address = (name: string): string => urls.signed(JSON.stringify(`${urls.marks.mark}${name}`)).slice(1, -1);
  const first = address('a.txt');
  const query = first.split('?')[1] ?? '';
  expect(urls.permits('a.txt', query)).toBeGreaterThanOrEqual(300);
  expect(urls.permits('b.txt', query)).toBeUndefined();
  now += 600_000;
  expect(urls.permits('a.txt', query)).toBeUndefined();
  expect(address('a.txt')).not.toBe(first);
  const others = createFileUrls({ name: 'x', secret: 't'.repeat(32), lifetime: 300, now: () => now });
  expect(others.permits('a.txt', address('a.txt').split('?')[1] ?? '')).toBeUndefined();
});
