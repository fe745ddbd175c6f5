/**
 * Three instances on one PostgreSQL database are killed again and again while entries and releases become due, one of them with a clock that
 * is a day ahead. Each entry is published once, and each release whole or not at all. `KILLED_SECONDS` sets how long.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { openEngine, testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { temporaryFolder } from '../templates/runtime/test-support/temporary-folder.ts';
import { createToken } from '../templates/runtime/test-support/test-project.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { root } from './support/project.ts';
import { generateProject } from './support/served-project.ts';

const SECONDS = Number(process.env['KILLED_SECONDS'] ?? 12);
const RUNTIME = join(root, 'templates/runtime/src');
const PACKAGES = dirname(dirname(createRequire(import.meta.url).resolve('typescript/package.json')));

const SCHEMA = `
name: killed-schedules
databases: [postgres]
schedules: true
contentTypes:
  article: { draftAndPublish: true, attributes: { title: { type: string, required: true } } }
  note: { attributes: { text: { type: string } } }
`;

/** Each publication leaves a note in its transaction. */
const program = (project: string): string => `
  import { definition } from '${project}/src/generated/app.ts';
  import { createServer, readSettings } from '${RUNTIME}/index.ts';
  const ahead = Number(process.env.AHEAD ?? 0);
  const { now } = Date;
  Date.now = () => now() + ahead;
  const hooks = {
    article: {
      async afterUpdate({ entry, context }) {
        await context.entries.note.create({ text: 'published ' + entry.id });
      },
    },
  };
  const settings = readSettings('killed-schedules', process.env);
  const migrations = new URL('file://${project}/migrations/');
  const server = await createServer({ ...definition, migrations }, { settings, extensions: { hooks } });
  process.send(await server.listen());
`;

async function bundle(project: string, folder: string): Promise<string> {
  const outfile = join(folder, 'server.mjs');
  await symlink(PACKAGES, join(folder, 'node_modules'));
  await build({
    stdin: { contents: program(project), resolveDir: RUNTIME, loader: 'ts' },
    alias: { '@content-gen/runtime': join(RUNTIME, 'index.ts') },
    packages: 'external',
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
  });
  return outfile;
}

const ENGINE = 'postgres';
const isTested = (await testedEngines()).includes(ENGINE);

describe.skipIf(!isTested)(`on ${ENGINE}`, () => {
  it('publishes each entry once, and each release whole or not at all', async () => {
    const generated = await generateProject(SCHEMA);
    const folder = await temporaryFolder();
    const { url, database, drop } = await openEngine(ENGINE, 'schedules_killed');
    const file = await bundle(join(generated.folder, 'project'), folder.path);
    const environment = {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      JWT_SECRET: 'of-the-tests-0123456789-abcdefghijklmn',
      DATABASE_URL: url,
    };
    const start = async (index: number): Promise<{ readonly process: ChildProcess; readonly origin: string }> => {
      const env = { ...environment, AHEAD: index === 0 ? '86400000' : '0' };
      const child = fork(file, { env, stdio: 'inherit' });
      const [{ port }] = (await once(child, 'message')) as [{ port: number }];
      return { process: child, origin: `http://127.0.0.1:${port}` };
    };
    const instances = [await start(0), await start(1), await start(2)];
    const token = await createToken(database, { kind: 'full-access' });
    const send = async (method: string, path: string, body: object): Promise<any> => {
      const { origin } = instances[Math.floor(Math.random() * 3)]!;
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const response = await fetch(`${origin}/api${path}`, { method, headers, body: JSON.stringify(body) }).catch(
        () => undefined,
      );
      return response?.ok
        ? ((await response.json().catch(() => undefined)) as { data: any } | undefined)?.data
        : undefined;
    };
    const end = Date.now() + SECONDS * 1000;
    const soon = () => new Date(Date.now() + 500 + Math.random() * 1500).toISOString();
    const draft = async (title: string): Promise<number | undefined> =>
      (await send('POST', '/articles', { data: { title, publishedAt: null } }))?.id;
    const scheduled = new Set<number>();
    const released = new Map<number, readonly number[]>();
    const scheduling = (async () => {
      for (let count = 0; Date.now() < end; count += 1) {
        const id = await draft(`entry ${count}`);
        const isSet = id !== undefined && (await send('PUT', `/articles/${id}/schedule`, { publishAt: soon() }));
        if (isSet) scheduled.add(id);
        await sleep(20);
      }
    })();
    const releasing = (async () => {
      for (let count = 0; Date.now() < end; count += 1) {
        const ids: number[] = [];
        for (let item = 0; item < 8; item += 1) ids.push((await draft(`item ${count} ${item}`)) ?? 0);
        const items = ids.filter((id) => id > 0).map((id) => ({ type: 'article', id, action: 'publish' }));
        const release = await send('POST', '/releases', { name: `release ${count}`, items, at: soon() });
        const own = items.map(({ id }) => id);
        if (release) released.set(release.id, own);
      }
    })();
    let halves = 0;
    const watching = (async () => {
      while (Date.now() < end) {
        const rows = await database.all(raw('SELECT items, state FROM planned_releases'));
        const published = new Set(
          (await database.all(raw('SELECT id FROM articles_published'))).map(({ id }) => Number(id)),
        );
        for (const { items } of rows.filter(({ state }) => Number(state) === 2)) {
          const ids = (JSON.parse(String(items)) as { id: number }[]).map(({ id }) => id);
          if (!ids.every((id) => published.has(id))) halves += 1;
        }
        await sleep(50);
      }
    })();
    const killing = (async () => {
      while (Date.now() < end) {
        await sleep(800 + Math.random() * 800);
        const index = Math.floor(Math.random() * instances.length);
        instances[index]!.process.kill('SIGKILL');
        instances[index] = await start(index);
      }
    })();
    await Promise.all([scheduling, releasing, watching, killing]);
    try {
      // Leases of the killed instances end by themselves.
      const waiting =
        'SELECT (SELECT COUNT(*) FROM scheduled_publications WHERE state = 0) + (SELECT COUNT(*) FROM planned_releases WHERE state = 0) AS count';
      await expect
        .poll(async () => Number((await database.get(raw(waiting)))?.['count']), { timeout: 150_000, interval: 1000 })
        .toBe(0);
      expect(halves).toBe(0);
      expect(scheduled.size).toBeGreaterThan(SECONDS);
      const published = new Set(
        (await database.all(raw('SELECT id FROM articles_published'))).map(({ id }) => Number(id)),
      );
      const expected = [...scheduled, ...[...released.values()].flat()];
      expect(expected.filter((id) => !published.has(id))).toEqual([]);
      const states = await database.all(raw('SELECT DISTINCT state FROM planned_releases'));
      expect(states.map(({ state }) => Number(state))).toEqual([2]);
      const notes = (await database.all(raw('SELECT text FROM notes'))).map(({ text }) => String(text));
      expect(new Set(notes).size).toBe(notes.length);
      expect(notes.length).toBe(published.size);
      console.log(`${ENGINE}: ${scheduled.size} entries and ${released.size} releases, each published once`);
    } finally {
      for (const { process: child } of instances) child.kill('SIGKILL');
      await drop();
      await folder.remove();
      await generated.remove();
    }
  }, 400_000);
});
