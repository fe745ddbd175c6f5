/** Jobs on each engine: what adds them, how they are tried again, and the turns of schedules. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { definition } from '../../../test-support/projects/chores/src/generated/app.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { temporaryFolder } from '../../../test-support/temporary-folder.ts';
import { type AnyExtensions, createServer, declareJobs, readSettings } from '../../index.ts';
import type { Database } from '../../database/database.ts';
import { openDatabase } from '../../database/open-database.ts';
import { raw } from '../../database/sql.ts';
import { lastJobs, prune, STATE } from './job-rows.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const CLOCK = { moved: 0 };

describe.each(await testedEngines())('on %s', (engine) => {
  let database: Database;
  let close: () => Promise<void>;
  let environment: Record<string, string>;
  let done: string[] = [];
  /** Turns of the schedule: tests of jobs may run in its hour. */
  let swept = 0;
  let run: (text: string, signal: AbortSignal) => unknown = () => undefined;

  const jobs = declareJobs({
    note: {
      input: z.object({ text: z.string() }),
      tries: 3,
      async run({ input, signal }: any) {
        await run(input.text, signal);
        done.push(input.text);
      },
    },
    sweep: { schedule: '0 3 * * *', timeZone: 'Europe/Berlin', run: () => void (swept += 1) },
  } as any);
  const extensions = {
    jobs,
    hooks: {
      note: {
        async afterCreate({ entry, context }: any) {
          const { text } = entry.attributes;
          await context.jobs.note.enqueue({ text }, { key: text });
          if (text === 'refused') throw new Error('refused');
        },
      },
    },
  } as unknown as AnyExtensions;

  const start = async (own: AnyExtensions = extensions) => {
    const server = await createServer(definition, { settings: readSettings('chores', environment), extensions: own });
    const { port } = await server.listen();
    const post = (text: string) =>
      fetch(`http://127.0.0.1:${port}/api/notes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data: { text } }),
      });
    const { context } = { context: server.services as any };
    return { ...server, post, note: context.jobs.note, context };
  };
  const listed = () => lastJobs(database, { name: undefined, state: undefined, most: 100 });

  beforeAll(async () => {
    const folder = await temporaryFolder();
    const opened = engine === 'sqlite' ? undefined : await openEngine(engine, 'jobs');
    environment = {
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      JWT_SECRET: 'of-the-tests-0123456789-abcdefghijklmn',
      DATABASE_URL: opened?.url ?? `sqlite:${folder.path}/test.db`,
      STOP_TIMEOUT: '2000',
    };
    await (await start()).close();
    database = opened?.database ?? (await openDatabase(environment['DATABASE_URL']!));
    close = async () => {
      await (opened ? opened.drop() : database.close());
      await folder.remove();
    };
  });
  afterAll(() => close?.());
  beforeEach(async () => {
    await database.run(raw('DELETE FROM queued_jobs'));
    await database.run(raw('DELETE FROM job_schedules'));
    done = [];
    swept = 0;
    run = () => undefined;
  });

  it('does what a committed write has added, once with a key, and nothing that was rolled back', async () => {
    const server = await start();
    expect((await server.post('one')).status).toBe(201);
    expect((await server.post('one')).status).toBe(201);
    expect((await server.post('refused')).status).toBe(500);
    await vi.waitFor(() => expect(done).toEqual(['one']), { timeout: 5000 });
    const undone = server.context.inTransaction(async ({ jobs: own }: any) => {
      await own.note.enqueue({ text: 'undone' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await server.note.enqueue({ text: 'two' }, { after: HOUR });
    await server.note.enqueue({ text: 'three' }, { after: new Date(Date.now() + DAY) });
    await server.advance(0);
    expect(done).toEqual(['one']);
    await server.advance(HOUR);
    expect(done).toEqual(['one', 'two']);
    await expect(server.note.enqueue({ text: 7 })).rejects.toThrow('The input of the job note is invalid: text');
    await expect(server.note.enqueue({ text: 'x'.repeat(70_000) })).rejects.toThrow('store the content in an entry');
    await server.close();
  });

  it('tries again after growing waits, and keeps the last failure of what it gives up', async () => {
    const server = await start();
    let runs = 0;
    run = () => {
      runs += 1;
      throw new Error(`failure ${runs}`);
    };
    await server.note.enqueue({ text: 'bad' });
    await server.advance(0);
    expect(runs).toBe(1);
    await server.advance(5000);
    expect(runs).toBe(1);
    await server.advance(10_000);
    expect(runs).toBe(2);
    await server.advance(15_000);
    expect(runs).toBe(2);
    await server.advance(MINUTE);
    expect(runs).toBe(3);
    await server.advance(DAY);
    const [job] = (await listed()).filter(({ name }) => name === 'note');
    expect(job).toMatchObject({ state: STATE.failed, attempts: 3 });
    expect(job?.tries.map(({ error }) => error)).toEqual(['failure 1', 'failure 2', 'failure 3']);
    await server.close();
  });

  it('gives up a job that ends its process, and runs what others have left when their lease is over', async () => {
    const server = await start();
    await server.note.enqueue({ text: 'left' }, { after: -DAY });
    await server.note.enqueue({ text: 'deadly' }, { after: DAY });
    const lease = "UPDATE queued_jobs SET lease = 'another', due_at = due_at + 86400000";
    await server.advance(0);
    expect(done).toEqual(['left']);
    await database.run(raw(`${lease}, attempts = 3 WHERE state = 0`));
    await server.advance(DAY);
    expect((await listed()).find(({ state }) => state === STATE.pending)).toBeDefined();
    await server.advance(DAY + MINUTE);
    const deadly = (await listed()).find(({ name, state }) => name === 'note' && state === STATE.failed);
    expect(deadly?.tries.at(-1)?.error).toBe('the process has ended while it ran the job');
    await server.close();
  });

  it('takes each turn once over instances, and one for all that were missed', async () => {
    const [first, second] = [await start(), await start()];
    await vi.waitFor(async () => expect(await database.all(raw('SELECT 1 AS one FROM job_schedules'))).toHaveLength(1));
    await Promise.all([first.advance(DAY), second.advance(DAY)]);
    expect(swept).toBe(1);
    // The clock is set back, and the turn comes again.
    await Promise.all([first.advance(-DAY), second.advance(-DAY)]);
    await Promise.all([first.advance(DAY), second.advance(DAY)]);
    expect(swept).toBe(1);
    await Promise.all([first.close(), second.close()]);
    await database.run(raw(`UPDATE job_schedules SET next_at = next_at - ${5 * DAY}`));
    const third = await start();
    await third.advance(0);
    expect(swept).toBe(2);
    await third.close();
  });

  it('lets a job finish when the server stops, and gives it back if it can not', async () => {
    const server = await start();
    const begun = new Promise<void>((resolve) => {
      run = (text, signal) => {
        resolve();
        return new Promise<void>((finish, fail) => {
          signal.addEventListener('abort', () => (text === 'finishes' ? finish() : fail(signal.reason)));
        });
      };
    });
    await server.note.enqueue({ text: 'finishes' });
    await server.note.enqueue({ text: 'gives up' });
    await begun;
    await vi.waitFor(async () => expect((await listed()).every(({ isRunning }) => isRunning)).toBe(true));
    await server.close();
    expect(done).toEqual(['finishes']);
    const [given] = await listed();
    expect(given).toMatchObject({ state: STATE.pending, attempts: 0, isRunning: false, tries: [] });
  });

  it('deletes what was done long ago, and keeps the last jobs', async () => {
    const old = Date.now() - 8 * DAY;
    const rows = Array.from({ length: 2500 }, (_, index) => `('note', 0, 1, ${old + index}, 1)`);
    await database.run(raw(`INSERT INTO queued_jobs (name, since, state, due_at, attempts) VALUES ${rows.join(', ')}`));
    await database.run(
      raw(`INSERT INTO queued_jobs (name, since, state, due_at, attempts) VALUES ('note', 0, 1, ${Date.now()}, 1)`),
    );
    await prune(database, CLOCK);
    expect(await listed()).toHaveLength(1);
  });
});

it('does not start with jobs that are wrong, or that the schema does not switch on', async () => {
  const settings = readSettings('chores', { DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' });
  const startWith = (jobs: any, jobsOn: boolean) =>
    createServer({ ...definition, jobs: jobsOn }, { settings, extensions: { jobs: declareJobs(jobs) } });
  const runNothing = () => undefined;
  await expect(startWith({ sweep: { run: runNothing } }, false)).rejects.toThrow('Write `jobs: true` at the top level');
  const wrong = {
    a: { schedule: '99 * * * *', run: runNothing },
    b: { schedule: '0 3 * * *', timeZone: 'Europe/Nowhere', run: runNothing },
    c: { schedule: '0 3 * * *', input: z.object({}), run: runNothing },
  };
  await expect(startWith(wrong, true)).rejects.toThrow(/the job a .* 99[^]*the job b .*Nowhere[^]*the job c /u);
});
