/**
 * R03 and R09: whatever becomes of a connection, no entry of a file is without its bytes, and what is left is swept.
 */
import { readdir, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DEFAULT_DATABASE_SETTINGS } from '../templates/runtime/src/database/database-settings.ts';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { raw, sql } from '../templates/runtime/src/database/sql.ts';
import { checkFiles, type FileReport } from '../templates/runtime/src/features/upload/check-files.ts';
import { localStorage } from '../templates/runtime/src/storage/local-storage.ts';
import { runFiles } from '../templates/runtime/src/server/commands/run-files.ts';
import type { Storage } from '../templates/runtime/src/storage/storage.ts';
import { startSweeper, sweepPending } from '../templates/runtime/src/features/upload/sweeper.ts';
import { openTempFolder } from '../templates/runtime/src/storage/temp-folder.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { temporaryFolder } from '../templates/runtime/test-support/temporary-folder.ts';
import { openProxy, type Proxy } from '../templates/runtime/test-support/proxy.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { type ServedProject, serveProject } from './support/served-project.ts';

const SCHEMA = `
name: pictures
databases: [sqlite, postgres, mysql]
contentTypes:
  picture:
    attributes:
      title: { type: string, required: true }
      image: { type: media }
permissions:
  public:
    picture: [find, findOne, create, update, delete]
    upload: [upload, find, findOne, destroy]
`;

const DAYS_MS = 2 * 24 * 3_600_000;
const logger = { warn: () => {} };
const engines = (await testedEngines()).filter((engine) => engine !== 'sqlite');

describe.each(engines)('%s', (engine) => {
  let made: TestDatabase;
  let proxy: Proxy;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: ServedProject;
  /** Past the proxy. */
  let database: Database;
  let storage: Storage;

  beforeAll(async () => {
    made = await createDatabase(engine, 'uploads');
    if (engine === 'mysql') {
      await made.script(
        'ALTER DATABASE CHARACTER SET utf8mb4 COLLATE /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */;',
      );
    }
    proxy = await openProxy(made.url);
    folder = await temporaryFolder();
    const environment = { DATABASE_URL: proxy.url, UPLOAD_DIR: join(folder.path, 'uploads') };
    server = await serveProject(SCHEMA, { environment });
    database = await openDatabase(made.url);
    storage = await localStorage(join(folder.path, 'uploads'));
  });
  afterAll(async () => {
    await database?.close();
    await server?.close();
    await proxy?.close();
    await folder?.remove();
    await made?.drop();
  });

  const report = (now = Date.now()): Promise<FileReport> => {
    const fileType = server.definition.contentTypes.types['file'];
    if (!fileType) throw new Error('no files');
    return checkFiles({ database, fileType, storage, now });
  };
  const stored = async () =>
    (await readdir(join(folder.path, 'uploads'))).filter((name) => name !== '.incoming').length;
  const rows = async () => Number((await database.get(raw('SELECT count(*) AS n FROM files')))?.['n']);

  async function upload(path = '/api/upload', content = 'hello'): Promise<{ status: number; body: any }> {
    const form = new FormData();
    form.append('files', new Blob([content]), 'a.txt');
    const response = await fetch(`${server.origin}${path}`, { method: 'POST', body: form });
    return { status: response.status, body: await response.json() };
  }
  async function remove(id: number): Promise<number> {
    const response = await fetch(`${server.origin}/api/upload/files/${id}`, { method: 'DELETE' });
    await response.arrayBuffer();
    return response.status;
  }

  test('R03: a lost response to COMMIT loses no bytes of an entry', async () => {
    let lost = proxy.loseAnswerTo('COMMIT');
    expect((await upload()).status).toBe(503);
    await lost;
    expect([await rows(), await stored()]).toEqual([1, 1]);
    expect((await report()).missing).toEqual([]);

    const { body } = await upload();
    const { id } = body[0];
    lost = proxy.loseAnswerTo('COMMIT');
    expect((await upload(`/api/upload?id=${id}`, 'other bytes')).status).toBe(503);
    await lost;
    const file: any = await (await fetch(`${server.origin}/api/upload/files/${id}`)).json();
    expect(await (await fetch(`${server.origin}${file.url}`)).text()).toBe('other bytes');
    // What was replaced waits for the sweeper.
    expect([await stored(), (await report()).pending]).toEqual([3, 1]);

    lost = proxy.loseAnswerTo('COMMIT');
    expect(await remove(id)).toBe(503);
    await lost;
    expect([await rows(), await stored(), (await report()).pending]).toEqual([1, 3, 2]);

    const context = { database, storage, logger };
    expect(await sweepPending(context)).toEqual({ removed: 0, left: 0 });
    // Several may sweep at once.
    await Promise.all([1, 2, 3].map(() => sweepPending(context, Date.now() + DAYS_MS)));
    expect([await rows(), await stored()]).toEqual([1, 1]);
    expect(await report(Date.now() + DAYS_MS)).toMatchObject({ missing: [], orphaned: [], pending: 0 });
  });

  test('R03: a file is kept if it is unknown whether its entry was created', async () => {
    const lost = proxy.loseAnswerTo('COMMIT');
    const form = new FormData();
    form.append('data', '{"title":"t"}');
    form.append('files.image', new Blob(['hello']), 'a.txt');
    const { status } = await fetch(`${server.origin}/api/pictures`, { method: 'POST', body: form });
    expect(status).toBe(503);
    await lost;
    expect(await report()).toMatchObject({ missing: [] });
  });

  test('R03: a file that is replaced and deleted concurrently leaves nothing behind', async () => {
    const before = await stored();
    for (let round = 0; round < 10; round += 1) {
      const { body } = await upload();
      const [{ id }] = body;
      const [first, second, removed] = await Promise.all([
        upload(`/api/upload?id=${id}`, 'first'),
        upload(`/api/upload?id=${id}`, 'second'),
        remove(id),
      ]);
      for (const { status } of [first, second]) expect([200, 404]).toContain(status);
      expect(removed).toBe(200);
    }
    expect(await stored()).toBe(before);
  });

  /** PostgreSQL: ends sessions; MariaDB: interrupts their statements. */
  async function interruptUntil(end: number): Promise<void> {
    const interrupter = await openDatabase(made.url, { ...DEFAULT_DATABASE_SETTINGS, poolSize: 1 });
    const uploading =
      engine === 'postgres'
        ? "SELECT pid AS id FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ILIKE '%pending_files%'"
        : 'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()';
    while (performance.now() < end) {
      for (const { id } of await interrupter.all(raw(uploading))) {
        if (Math.random() < 0.5) continue;
        const interrupt = engine === 'postgres' ? `SELECT pg_terminate_backend(${id})` : `KILL QUERY ${id}`;
        // It may be gone by now.
        await interrupter.run(raw(interrupt)).catch(() => undefined);
      }
      await sleep(engine === 'postgres' ? 10 : 1);
    }
    await interrupter.close();
  }

  test('R02, R03, R09: interruptions under uploads for 10 s leave no entry without its bytes, and remove what was removed', async () => {
    const end = performance.now() + 10_000;
    const uploaded: number[] = [];
    const removed: number[] = [];
    const statuses = new Map<number, number>();
    const count = (status: number): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const uploads = Array.from({ length: 4 }, async (_, worker) => {
      while (performance.now() < end) {
        const target = worker === 0 ? uploaded.at(-1) : undefined;
        const { status, body } = await upload(target === undefined ? undefined : `/api/upload?id=${target}`);
        count(status);
        if (status === 200 && Array.isArray(body)) uploaded.push(body[0].id);
      }
    });
    const removals = (async () => {
      while (performance.now() < end) {
        const id = uploaded.shift();
        if (id === undefined) {
          await sleep(20);
          continue;
        }
        const status = await remove(id);
        count(status);
        if (status === 200) removed.push(id);
      }
    })();
    await Promise.all([...uploads, removals, interruptUntil(end)]);
    expect(statuses.get(200)).toBeGreaterThan(20);
    expect(statuses.get(503) ?? 0).toBeGreaterThan(0);
    expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([]);
    expect(removed.length).toBeGreaterThan(0);
    const left = new Set((await database.all(raw('SELECT id FROM files'))).map(({ id }) => Number(id)));
    expect(removed.filter((id) => left.has(id))).toEqual([]);
    expect(await report()).toMatchObject({ missing: [], wrongSizes: [], orphaned: [] });

    await sweepPending({ database, storage, logger }, Date.now() + DAYS_MS);
    expect(await report(Date.now() + DAYS_MS)).toMatchObject({ missing: [], orphaned: [], pending: 0 });
    expect(await stored()).toBe(await rows());
  }, 120_000);
});

describe('R09: npm run server -- files', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: ServedProject;
  let uploads: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    uploads = join(folder.path, 'uploads');
    server = await serveProject(SCHEMA, { environment: { UPLOAD_DIR: uploads } });
  });
  afterAll(async () => {
    await server?.close();
    await folder?.remove();
  });

  async function files(args: readonly string[], now?: number): Promise<{ code: number; text: string }> {
    const [out, error] = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    for (const stream of [out, error]) stream.mockReturnValue(true);
    vi.stubEnv('DATABASE_URL', server.databaseUrl);
    vi.stubEnv('UPLOAD_DIR', uploads);
    vi.stubEnv('JWT_SECRET', 'of-the-tests-0123456789-abcdefghijklmn');
    try {
      const code = await runFiles(server.definition, args, now);
      return { code, text: [...out.mock.calls, ...error.mock.calls].map(([text]) => String(text)).join('') };
    } finally {
      vi.unstubAllEnvs();
      for (const stream of [out, error]) stream.mockRestore();
    }
  }
  async function upload(content: string): Promise<any> {
    const form = new FormData();
    form.append('files', new Blob([content]), 'a.txt');
    const body: any = await (await fetch(`${server.origin}/api/upload`, { method: 'POST', body: form })).json();
    return body[0];
  }

  test('R09: check reports problems by its exit code, sweep skips recent files', async () => {
    const [first, second, third] = [await upload('one'), await upload('two'), await upload('three')];
    expect(await files(['check'])).toEqual({
      code: 0,
      text: '3 entries and 3 stored files: 0 files missing, 0 of a wrong size, 0 files pending.\n',
    });
    const orphan = `${'a'.repeat(32)}.txt`;
    await writeFile(join(uploads, orphan), 'young, and of nobody');
    await writeFile(join(uploads, 'notes.txt'), 'not ours');
    expect((await files(['check'])).code).toBe(0);
    expect((await files(['sweep'])).code).toBe(0);
    expect(await readdir(uploads)).toContain(orphan);

    await unlink(join(uploads, `${first.hash}.txt`));
    await writeFile(join(uploads, `${second.hash}.txt`), 'x'.repeat(2000));
    const { code, text } = await files(['check']);
    expect(code).toBe(4);
    expect(text).toContain(`missing: ${first.hash}.txt, of the entry ${first.id} (a.txt)`);
    expect(text).toContain(`wrong size: ${second.hash}.txt, of the entry ${second.id} (a.txt): 2 kB instead of 0 kB`);
    expect(text).not.toContain(third.hash);
    // Entries are a person's to mend.
    expect((await files(['sweep'])).code).toBe(4);
    expect((await fetch(`${server.origin}/api/upload/files/${first.id}`)).status).toBe(200);
  });

  test('R09: old orphaned files are found and removed, unless they are most of the storage', async () => {
    const [orphan, later] = [`${'a'.repeat(32)}.txt`, Date.now() + DAYS_MS];
    const found = await files(['check'], later);
    expect([found.code, found.text]).toEqual([4, expect.stringContaining(`no entry: ${orphan}, 20 bytes`)]);
    const more = Array.from({ length: 5 }, (_, at) => `${String(at).repeat(32)}.txt`);
    for (const name of more) await writeFile(join(uploads, name), 'x');
    const refused = await files(['sweep'], later);
    expect([refused.code, refused.text]).toEqual([3, expect.stringContaining('6 of 8 stored files have no entry')]);
    expect(await readdir(uploads)).toEqual(expect.arrayContaining([orphan, ...more]));
    for (const name of more.slice(1)) await unlink(join(uploads, name));
    expect((await files(['sweep'], later)).text).toContain('Removed 2 files without an entry.');
    const left = await readdir(uploads);
    expect([left.includes(orphan), left.includes('notes.txt'), left.length]).toEqual([false, true, 4]);
  });

  test('R09: a server cleans up journal entries and temporary files that are older than a day', async () => {
    const database = await openDatabase(server.databaseUrl);
    const temp = await openTempFolder(join(uploads, '.incoming'));
    const [old, young] = [`${'b'.repeat(32)}.txt`, `${'c'.repeat(32)}.txt`];
    const part = join(uploads, '.incoming', `ffffffff-1-${'d'.repeat(32)}.part`);
    for (const path of [join(uploads, old), join(uploads, young), part]) await writeFile(path, 'x');
    const yesterday = new Date(Date.now() - DAYS_MS);
    await utimes(part, yesterday, yesterday);
    for (const [name, since] of [
      [old, yesterday.getTime()],
      [young, Date.now()],
    ] as const) {
      await database.run(
        sql`INSERT INTO pending_files (name, provider, removing, since) VALUES (${name}, 'local', 0, ${since})`,
      );
    }
    const context = { database, temp, logger, storage: await localStorage(uploads) };
    const sweepers = [1, 2].map(() => startSweeper(context, { first: 10 }));
    await expect.poll(() => readdir(uploads), { timeout: 10_000 }).not.toContain(old);
    for (const sweeper of sweepers) await sweeper.stop();
    expect(await readdir(uploads)).toContain(young);
    expect(await readdir(join(uploads, '.incoming'))).toEqual([]);
    expect(await database.all(raw('SELECT name FROM pending_files'))).toEqual([{ name: young }]);
    await database.close();
  });

  test('R09: invalid arguments', async () => {
    for (const args of [[], ['prune'], ['check', 'sweep'], ['check', '--force'], ['sweep', '--all']]) {
      const { code, text } = await files(args);
      expect([code, text.includes('Usage: npm run server -- files')]).toEqual([2, true]);
    }
  });
});
