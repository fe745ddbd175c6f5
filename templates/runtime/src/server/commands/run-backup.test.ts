/** `npm run server -- backup` and scheduled backups, with running servers. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/desk/src/generated/app.ts';
import {
  command,
  createToken,
  openProject,
  type TestProject,
  type TestServer,
} from '../../../test-support/test-project.ts';
import { createBackup } from '../backup/create-backup.ts';
import { runBackup } from './run-backup.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let project: TestProject;
let server: TestServer;
let token = '';
const environment = new Map<string, string | undefined>();
const folder = () => dirname(project.urlOf('test').slice('sqlite:'.length));
const backups = () => join(folder(), 'backups');

/** Stops the server as if its process ended: the driver keeps the file open until its last statement is garbage-collected. */
async function stop(): Promise<void> {
  await server.close();
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  await new Promise((resolve) => setTimeout(resolve, 20));
}

async function start(): Promise<void> {
  server = await project.start();
}

beforeAll(async () => {
  project = await openProject(definition);
  const set = { UPLOAD_DIR: join(folder(), 'uploads'), BACKUP_DIR: backups(), BACKUP_KEEP: '2' };
  for (const [name, value] of Object.entries(set)) {
    environment.set(name, process.env[name]);
    process.env[name] = value;
  }
  await start();
  const database = await project.open();
  token = await createToken(database, { kind: 'full-access' });
  await database.close();
});
afterAll(async () => {
  for (const [name, value] of environment) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await server?.close();
  await project?.remove();
});

const run = (...args: readonly string[]) => command(project, runBackup, args);
const addAuthor = (name: string) => server.send('POST', '/api/authors', { token, body: { data: { name } } });
const names = async () => {
  const { body } = await server.send('GET', '/api/authors?pagination[pageSize]=100&sort=id', { token });
  return body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name) as string[];
};

async function upload(name: string): Promise<string> {
  const form = new FormData();
  form.append('files', new Blob([PNG, name], { type: 'image/png' }), `${name}.png`);
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${server.origin}/api/upload`, { method: 'POST', body: form, headers });
  const [file] = (await response.json()) as { url: string }[];
  return file?.url ?? '';
}

/** Waits for the next second, since names of backups have a resolution of seconds. */
const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1000 - (Date.now() % 1000) + 5));

test('copies a database during writes, and its files; restores both, and keeps the previous database', async () => {
  const url = await upload('cover');
  await addAuthor('before');
  let isDone = false;
  const writing = (async () => {
    for (let n = 0; !isDone; n += 1) await addAuthor(`meanwhile ${n}`);
  })();
  const made = await run('create');
  isDone = true;
  await writing;
  expect(made).toMatchObject({ code: 0, error: '' });
  expect(made.out).toMatch(/^Created .*: a database of \d+ bytes, 1 files, 1 of them new\.\n$/u);
  const [name = ''] = readdirSync(backups());
  expect((await run('list')).out).toBe(`${name}\n`);
  expect(statSync(join(backups(), name)).mode & 0o077).toBe(0);

  expect(await run('restore', name)).toMatchObject({
    code: 3,
    error: expect.stringContaining('is in use. Stop the server'),
  });
  await addAuthor('after');
  const file = await server.send('GET', '/api/upload/files', { token });
  await server.send('DELETE', `/api/upload/files/${file.body[0].id}`, { token });
  expect((await server.send('GET', url)).status).toBe(404);
  await stop();

  const restored = await run('restore', name);
  expect(restored).toMatchObject({ code: 0, error: '' });
  expect(restored.out).toMatch(/, and 1 files\.\nThe previous database is now .*\.before-/u);
  expect(readdirSync(folder()).filter((found) => /restoring|-wal$|-shm$/u.test(found))).toEqual([]);
  await start();
  const after = await names();
  expect(after[0]).toBe('before');
  expect(after).not.toContain('after');
  // A prefix of what was written during the backup is in it.
  expect(after.slice(1)).toEqual(after.slice(1).map((_, n) => `meanwhile ${n}`));
  expect((await server.send('GET', url)).status).toBe(200);
});

test('uses no space for files in the previous backup, and removes the oldest backup', async () => {
  await nextSecond();
  const second = await run('create');
  expect(second.out).toContain('1 files, 0 of them new.');
  const [first = '', later = ''] = readdirSync(backups()).sort();
  const [stored = ''] = readdirSync(join(backups(), later, 'uploads'));
  expect(statSync(join(backups(), later, 'uploads', stored)).ino).toBe(
    statSync(join(backups(), first, 'uploads', stored)).ino,
  );
  await nextSecond();
  expect((await run('create')).out).toContain(`Removed ${first}.\n`);
  expect(readdirSync(backups())).toHaveLength(2);
});

test('leaves nothing behind if it is stopped, and refuses damaged backups', async () => {
  const source = { file: project.urlOf('test').slice('sqlite:'.length), uploads: undefined };
  const settings = { directory: backups(), every: undefined, keep: 7 };
  const before = readdirSync(backups());
  await nextSecond();
  await expect(createBackup(source, settings, { signal: AbortSignal.abort() })).rejects.toThrow();
  expect(readdirSync(backups())).toEqual(before);

  await stop();
  const [name = ''] = before;
  const copy = await open(join(backups(), name, 'data.db'), 'r+');
  await copy.write(Buffer.alloc(4096, 0xff), 0, 4096, 4096);
  await copy.close();
  const refused = await run('restore', name);
  expect(refused).toMatchObject({ code: 3, error: expect.stringContaining("database of this backup can't be used") });
  expect(existsSync(`${source.file}.restoring`)).toBe(false);
  await start();
  expect((await names())[0]).toBe('before');
  expect((await run('restore', 'none')).error).toContain('There is no backup none');
  expect((await run('destroy')).code).toBe(2);
});
