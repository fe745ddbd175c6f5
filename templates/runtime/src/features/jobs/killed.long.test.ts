/**
 * Three instances on one PostgreSQL database are killed again and again while they add and do jobs, one of them with a clock that is a day ahead. Every
 * job that was acknowledged is done, once if it isn't interrupted, and each turn of a schedule once. `KILLED_SECONDS` sets how long.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bundleProgram, type ForkedServer, forkServer, serverProgram } from '../../../test-support/forked-server.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { temporaryFolder } from '../../../test-support/temporary-folder.ts';
import { raw } from '../../database/sql.ts';

const SECONDS = Number(process.env['KILLED_SECONDS'] ?? 12);

/** Notes whose text begins with "asked" add a job, and each run leaves a note. */
const PROGRAM = serverProgram('chores', {
  before: `
    const ahead = Number(process.env.AHEAD ?? 0);
    const { now } = Date;
    Date.now = () => now() + ahead;
    const z = runtime.loadZod();
    const jobs = runtime.declareJobs({
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
    const extensions = { jobs, hooks };
  `,
});

const ENGINE = 'postgres';
const isTested = (await testedEngines()).includes(ENGINE);

describe.skipIf(!isTested)(`on ${ENGINE}`, () => {
  it('does each job at least once, and each turn once', async () => {
    const folder = await temporaryFolder();
    const { url, database, drop } = await openEngine(ENGINE, 'jobs_killed');
    const file = await bundleProgram(folder.path, PROGRAM);
    const start = (index: number): Promise<ForkedServer> =>
      forkServer(file, { DATABASE_URL: url, AHEAD: index === 0 ? '86400000' : '0' });
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
