/** Folders of the media library: a tree for people, by which no answer and no address of a file changes. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { transferTables } from '../templates/runtime/src/content/stored-rows/stored-tables.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { type FileServer, openFileServer } from './support/file-server.ts';
import { generateProject, openSchema } from './support/served-project.ts';

const schemaOf = (uploads: string) => `
name: file-folders
databases: [sqlite, postgres, mysql]
api: { format: v5 }
${uploads}
contentTypes:
  article:
    attributes:
      title: { type: string }
      cover: { type: media }
permissions:
  public: { article: [find] }
  authenticated: { article: [find], upload: [upload, { find: { where: { usedBy: visible } } }] }
`;

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(schemaOf('uploads: { folders: true, trash: 30d }'));
});
afterAll(() => project?.remove());

it('projects that have files get a migration that only adds, and what it adds is exported', async () => {
  const { definition, folder, remove } = await generateProject(schemaOf('uploads: { folders: true }'), [schemaOf('')]);
  try {
    const migrations = join(folder, 'project/migrations');
    const [, second = ''] = (await readdir(migrations)).filter((name) => /^\d/u.test(name)).toSorted();
    for (const dialect of ['sqlite', 'postgres', 'mysql']) {
      const up = await readFile(join(migrations, second, dialect, 'up.sql'), 'utf8');
      expect(up).toContain('upload_folders');
      expect(up).not.toMatch(/^\s*(?:DROP|DELETE|UPDATE)/mu);
    }
    const tables = transferTables(definition.contentTypes, {});
    const columns = tables.flatMap(({ name, columns: all }) => all.map((column) => `${name}.${column.name}`));
    const added = ['id', 'parent_id', 'name', 'sibling_key'].map((name) => `upload_folders.${name}`);
    expect(columns).toEqual(expect.arrayContaining(['files.folder', ...added]));
  } finally {
    await remove();
  }
});

describe.each(await testedEngines())('on %s', (engine) => {
  let files: FileServer;
  let database: Database;
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    files = await openFileServer(project, 'file_folders', { engine });
    ({ database, server, admin } = files);
  });
  afterAll(async () => {
    await server?.close();
    await files?.close();
  });

  const send = (method: string, path: string, body?: object, token: string | undefined = admin) =>
    server.send(method, `/api${path}`, { token, ...(body && { body }) });
  async function upload(name: string, info: object = {}, token = admin): Promise<any> {
    const form = new FormData();
    form.append('fileInfo', JSON.stringify({ name, ...info }));
    form.append('files', new Blob([`text of ${name}`], { type: 'text/plain' }), name);
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${server.origin}/api/upload`, { method: 'POST', headers, body: form });
    const answer = (await response.json()) as any;
    return response.status === 201 ? answer[0] : answer;
  }
  const create = async (name: string, parent?: number): Promise<number> =>
    (await send('POST', '/upload/folders', { name, ...(parent !== undefined && { parent }) })).body.id;
  const namesIn = async (id: number, query = '') =>
    (await send('GET', `/upload/folders/${id}/files?sort=name${query}`)).body.map(({ name }: any) => name);
  const move = (files: readonly number[], to: number | null, token = admin) =>
    send('PUT', '/upload/files', { files: files.map((id) => ({ id, folder: to })) }, token);

  it('files are put into folders and moved, one or many, and nothing else of them changes', async () => {
    const press = await create('Press');
    const year = await create('2026', press);
    const inside = await upload('inside.txt', { folder: year });
    const outside = await upload('outside.txt');
    expect([inside, outside].map((file) => 'folder' in file)).toEqual([false, false]);
    expect([await namesIn(year), await namesIn(press), await namesIn(0)]).toEqual([
      ['inside.txt'],
      [],
      ['outside.txt'],
    ]);
    expect(await namesIn(press, '&nested=true')).toEqual(['inside.txt']);
    expect(await namesIn(0, '&nested=true')).toEqual(['inside.txt', 'outside.txt']);
    expect(await namesIn(press, '&nested=true&filters[name][$contains]=outside')).toEqual([]);
    const moved = await move([inside.id, outside.documentId], press);
    expect(moved.status).toBe(200);
    const plain = (file: any) => ({ ...file, updatedAt: undefined });
    expect(moved.body.map(plain)).toEqual([inside, outside].map(plain));
    expect(await namesIn(press)).toEqual(['inside.txt', 'outside.txt']);
    expect((await server.send('GET', inside.url)).text).toBe('text of inside.txt');
    expect((await send('GET', `/upload/files/${inside.id}/folder`)).body).toEqual({
      folder: { id: press, name: 'Press', parent: null },
    });
    // The content API can't filter by it.
    expect((await send('GET', `/upload/files?filters[folder]=${press}`)).status).toBe(400);
    expect((await move([inside.id, outside.id], null)).status).toBe(200);
    expect(await namesIn(0)).toEqual(['inside.txt', 'outside.txt']);
    expect((await send('GET', `/upload/files/${inside.id}/folder`)).body).toEqual({ folder: null });
  });

  it('folders are renamed, moved with what is in them, and deleted when they are empty', async () => {
    const [a, b] = [await create('A'), await create('B')];
    const c = await create('C', a);
    const file = await upload('c.txt', { folder: c });
    expect((await send('PUT', `/upload/folders/${a}`, { name: 'Archive', parent: b })).body).toEqual({
      id: a,
      name: 'Archive',
      parent: b,
    });
    expect(await namesIn(b, '&nested=true')).toEqual(['c.txt']);
    expect((await send('DELETE', `/upload/folders/${a}`)).status).toBe(409);
    expect((await send('DELETE', `/upload/folders/${c}`)).body.error).toMatchObject({ status: 409 });
    await move([file.id], null);
    for (const id of [c, a, b]) expect((await send('DELETE', `/upload/folders/${id}`)).status).toBe(204);
    expect((await send('DELETE', `/upload/folders/${b}`)).status).toBe(404);
    expect((await move([file.id], c)).body.error).toMatchObject({
      status: 400,
      message: 'folder must be the id of a folder, or null',
    });
    expect((await upload('d.txt', { folder: c })).error.status).toBe(400);
    expect((await send('GET', '/upload/files?filters[name]=d.txt')).body).toEqual([]);
  });

  it('trees stay trees: names, cycles, depth and numbers are bounded', async () => {
    const message = async (body: object, id?: number) => {
      const answer = await send(
        id === undefined ? 'POST' : 'PUT',
        `/upload/folders${id === undefined ? '' : `/${id}`}`,
        body,
      );
      return answer.body.error?.details.errors.map(({ path, message: text }: any) => [path.join('.'), text]);
    };
    const top = await create('Top');
    const taken = [['name', 'name must be one that no other folder there has']];
    expect([await message({ name: 'TOP' }), await message({ name: ' top ' })]).toEqual([taken, taken]);
    const first = await create('Level 2', top);
    let last = first;
    for (let level = 3; level <= 8; level += 1) last = await create(`Level ${level}`, last);
    const deep = [['parent', 'folders can be nested at most 8 levels deep']];
    expect(await message({ name: 'Level 9', parent: last })).toEqual(deep);
    const other = await create('Other');
    expect(await message({ parent: other }, top)).toEqual(deep);
    expect(await message({ parent: last }, first)).toEqual([
      ['parent', 'a folder can be moved neither into itself nor into a folder below it'],
    ]);
    expect(await message({ name: 'x', parent: 4711 })).toEqual([['parent', 'parent must be the id of a folder']]);
    expect(await message({ name: 'a\u202Eb' })).toEqual([
      ['name', 'name must be a text of 1 to 100 visible characters'],
    ]);
    expect(await message({ color: 'red', name: 'x' })).toEqual([['color', 'color is not a property of folders']]);
    // Opposite moves at the same time: one of them is refused.
    const [left, right] = [await create('Left'), await create('Right')];
    const answers = await Promise.all([
      send('PUT', `/upload/folders/${left}`, { parent: right }),
      send('PUT', `/upload/folders/${right}`, { parent: left }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const same = await Promise.all(Array.from({ length: 4 }, () => send('POST', '/upload/folders', { name: 'Same' })));
    expect(same.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400]);
    // Whoever comes first, no file is left in a folder that is gone.
    const file = await upload('raced.txt');
    for (let round = 0; round < 5; round += 1) {
      const target = await create(`Target ${round}`);
      await Promise.all([move([file.id], target), send('DELETE', `/upload/folders/${target}`)]);
      const { body } = await send('GET', `/upload/files/${file.id}/folder`);
      const { body: all } = await send('GET', '/upload/folders');
      expect([await namesIn(0, '&filters[name]=raced.txt'), body.folder?.id]).toEqual(
        all.some(({ id }: any) => id === target) ? [[], target] : [['raced.txt'], undefined],
      );
      await move([file.id], null);
    }
  });

  it('a file comes back from the trash to its folder, or to the top if that is gone', async () => {
    const [kept, gone] = [await create('Kept'), await create('Gone')];
    const files = [await upload('kept.txt', { folder: kept }), await upload('gone.txt', { folder: gone })];
    for (const { id } of files) await send('DELETE', `/upload/files/${id}`);
    expect((await send('DELETE', `/upload/folders/${gone}`)).status).toBe(204);
    for (const { id } of files) await send('POST', `/upload/files/${id}/actions/restore`);
    expect([await namesIn(kept), await namesIn(0, '&filters[name]=gone.txt')]).toEqual([['kept.txt'], ['gone.txt']]);
  });

  it('texts of many files are changed together, or none is', async () => {
    const [a, b] = [await upload('a.txt'), await upload('b.txt')];
    const put = (files: readonly object[], token = admin) => send('PUT', '/upload/files', { files }, token);
    const changed = await put([
      { id: b.id, alternativeText: 'of b' },
      { id: a.id, alternativeText: 'of a', caption: 'A' },
    ]);
    expect(changed.body).toMatchObject([
      { id: a.id, alternativeText: 'of a', caption: 'A', name: 'a.txt' },
      { id: b.id, alternativeText: 'of b', caption: null },
    ]);
    expect(
      (
        await put([
          { id: a.id, caption: 'x' },
          { id: 4711, caption: 'x' },
        ])
      ).status,
    ).toBe(404);
    const invalid = await put([
      { id: a.id, caption: 'x' },
      { id: b.id, alternativeText: 'x'.repeat(256) },
    ]);
    expect([invalid.status, invalid.body.error.details.errors[0].path]).toEqual([
      400,
      ['files', '1', 'alternativeText'],
    ]);
    expect((await put([{ id: a.id }, { id: a.documentId }])).status).toBe(400);
    expect((await put(Array.from({ length: 101 }, (_, id) => ({ id })))).status).toBe(400);
    expect((await send('GET', `/upload/files/${a.id}`)).body.caption).toBe('A');
  });

  it('folders are for whoever may find all files', async () => {
    const ann = await server.register(`ann${Date.now()}`);
    const top = await create('Secret');
    const file = await upload('used.txt');
    await send('POST', '/articles', { data: { title: 'x', cover: file.id } });
    const refused = await Promise.all([
      send('GET', '/upload/folders', undefined, ann.jwt),
      send('POST', '/upload/folders', { name: 'x' }, ann.jwt),
      send('GET', `/upload/folders/${top}/files`, undefined, ann.jwt),
      move([file.id], top, ann.jwt),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await upload('x.txt', { folder: top }, ann.jwt)).error.status).toBe(403);
    expect((await upload('y.txt', {}, ann.jwt)).name).toBe('y.txt');
    expect((await server.send('GET', '/api/upload/folders')).status).toBe(403);
    expect((await send('GET', '/articles?populate=*')).text).not.toContain('Secret');
    expect(
      await database.all(
        raw('SELECT id FROM files WHERE folder IS NOT NULL AND folder NOT IN (SELECT id FROM upload_folders)'),
      ),
    ).toEqual([]);
  });
});
