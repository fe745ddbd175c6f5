/**
 * Three instances on one PostgreSQL database are killed again and again while they add and do jobs, one of them with a clock that is a day ahead. Every
 * job that was acknowledged is done, once if it isn't interrupted, and each turn of a schedule once. `KILLED_SECONDS` sets how long.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { temporaryFolder } from '../../../test-support/temporary-folder.ts';
import { raw } from '../../database/sql.ts';

const SECONDS = Number(process.env['KILLED_SECONDS'] ?? 12);
const RUNTIME = join(import.meta.dirname, '../..');
const PROJECT = join(import.meta.dirname, '../../../test-support/projects/chores');
const PACKAGES = dirname(dirname(createRequire(import.meta.url).resolve('typescript/package.json')));

/** Notes whose text begins with "asked" add a job, and each run leaves a note. */
const PROGRAM = `
  import { definition } from '${PROJECT}/src/generated/app.ts';
  import { createServer, declareJobs, loadZod, readSettings } from '${RUNTIME}/index.ts';
  const ahead = Number(process.env.AHEAD ?? 0);
  const { now } = Date;
  Date.now = () => now() + ahead;
  const z = loadZod();
  const jobs = declareJobs({
    write: {
      input: z.object({ text: z.string() }),
      async run({ input, context }) {
        await context.entries.note.create({ text: 'done ' + input.text });
      },
    },
    tick: {
      schedule: '* * * * * *',
      async run({ context, id }) {
        await context.entries.note.create({ text: 'tick ' + id });
      },
    },
  });
  const hooks = {
    note: {
      async afterCreate({ entry, context }) {
        const { text } = entry.attributes;
        if (text.startsWith('asked ')) await context.jobs.write.enqueue({ text }, { key: text });
      },
    },
  };
  const settings = readSettings('chores', process.env);
  const migrations = new URL('file://${PROJECT}/migrations/');
  const server = await createServer({ ...definition, migrations }, { settings, extensions: { jobs, hooks } });
  process.send(await server.listen());
`;

async function program(folder: string): Promise<string> {
  const outfile = join(folder, 'server.mjs');
  await symlink(PACKAGES, join(folder, 'node_modules'));
  await build({
    stdin: { contents: PROGRAM, resolveDir: RUNTIME, loader: 'ts' },
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
  it('does each job at least once, and each turn once', async () => {
    const folder = await temporaryFolder();
    const { url, database, drop } = await openEngine(ENGINE, 'jobs_killed');
    const file = await program(folder.path);
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
    const end = Date.now() + SECONDS * 1000;
    const acknowledged = new Set<string>();
    const writing = instances.map(async (_, writer) => {
      for (let count = 0; Date.now() < end; count += 1) {
        const text = `asked ${writer}-${count}`;
        const response = await fetch(`${instances[Math.floor(Math.random() * 3)]!.origin}/api/notes`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ data: { text } }),
        }).catch(() => undefined);
        if (response?.ok) acknowledged.add(text);
        await sleep(20);
      }
    });
    const killing = (async () => {
      while (Date.now() < end) {
        await sleep(800 + Math.random() * 800);
        const index = Math.floor(Math.random() * instances.length);
        instances[index]!.process.kill('SIGKILL');
        instances[index] = await start(index);
      }
    })();
    await Promise.all([...writing, killing]);
    try {
      // Leases of the killed instances end by themselves.
      await expect
        .poll(
          async () => {
            const waiting = "SELECT COUNT(*) AS count FROM queued_jobs WHERE state = 0 AND name = 'write'";
            return Number((await database.get(raw(waiting)))?.['count']);
          },
          { timeout: 150_000, interval: 1000 },
        )
        .toBe(0);
      expect(acknowledged.size).toBeGreaterThan(SECONDS * 5);
      const notes = (await database.all(raw('SELECT text FROM notes'))).map(({ text }) => String(text));
      const done = notes.filter((text) => text.startsWith('done '));
      const names = new Set(done);
      expect([...acknowledged].filter((text) => !names.has(`done ${text}`))).toEqual([]);
      const jobs = await database.all(raw("SELECT job_key FROM queued_jobs WHERE name = 'tick' ORDER BY job_key"));
      const keys = jobs.map(({ job_key: key }) => String(key));
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys.length).toBeGreaterThan(SECONDS / 3);
      // Only a kill between the work and its acknowledgement repeats a run.
      expect(done.length - names.size).toBeLessThan(SECONDS);
      console.log(`${ENGINE}: ${done.length} runs of ${acknowledged.size} jobs, ${keys.length} turns`);
    } finally {
      for (const { process: child } of instances) child.kill('SIGKILL');
      await drop();
      await folder.remove();
    }
  }, 400_000);
});
