/** `/api/_jobs`: what is told of jobs, what can be done about them, and who may. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { definition } from '../../../test-support/projects/chores/src/generated/app.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import { type AnyExtensions, declareJobs } from '../../index.ts';
import { addJob } from './job-rows.ts';

describe('the routes of jobs', () => {
  let project: TestProject;
  let server: TestServer;
  let reader: string;
  let admin: string;
  let isBroken = true;
  let runs = 0;

  const jobs = declareJobs({
    note: {
      input: z.object({ secret: z.string() }),
      tries: 1,
      run() {
        runs += 1;
        if (isBroken) throw new Error('it is broken');
      },
    },
    sweep: { schedule: '0 3 * * *', timeZone: 'Europe/Berlin', run: () => undefined },
  } as any);

  beforeAll(async () => {
    project = await openProject(definition);
    server = await project.start({}, { jobs } as unknown as AnyExtensions);
    const database = await project.open();
    reader = await createToken(database, { kind: 'custom', permissions: ['jobs.find'] });
    admin = await createToken(database, { kind: 'full-access' });
    const clock = { moved: 0 };
    await addJob(database, clock, { name: 'note', input: '{"secret":"1"}', key: 'first', after: 0 });
    await addJob(database, clock, { name: 'note', input: undefined, key: undefined, after: 3_600_000 });
    await database.close();
  });
  afterAll(async () => {
    await server?.close();
    await project?.remove();
  });

  const send = (method: string, path: string, token?: string) =>
    server.send(method, `/api/_jobs${path}`, { ...(token && { token }) });
  const listed = async (query = '') => (await send('GET', query, reader)).body;

  it('need jobs.find to read, jobs.update and jobs.delete to change', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/1/actions/retry'],
      ['DELETE', '/2'],
    ] as const) {
      const statuses = [await send(method, path), await send(method, path, reader)].map(({ status }) => status);
      expect(statuses, path).toEqual([403, method === 'GET' ? 200 : 403]);
    }
    expect((await listed()).data).toHaveLength(2);
  });

  it('tell states, failures and turns, do a job again, and remove one', async () => {
    const failed = await vi.waitFor(
      async () => {
        const [job] = (await listed('?state=failed')).data;
        expect(job).toBeDefined();
        return job;
      },
      { timeout: 20_000, interval: 50 },
    );
    expect(failed).toMatchObject({ name: 'note', key: 'first', attempts: 1, isRunning: false });
    expect(failed.failures).toEqual([{ at: expect.any(String), error: expect.stringContaining('it is broken') }]);
    const { data, meta } = await listed();
    expect(JSON.stringify(data)).not.toContain('secret');
    expect(meta.schedules).toEqual([
      { name: 'sweep', expression: '0 3 * * * Europe/Berlin', nextAt: expect.any(String) },
    ]);
    isBroken = false;
    expect((await send('POST', `/${failed.id}/actions/retry`, admin)).status).toBe(204);
    await vi.waitFor(async () => expect((await listed('?state=done')).data).toHaveLength(1), {
      timeout: 20_000,
      interval: 50,
    });
    expect(runs).toBe(2);
    const [waiting] = (await listed('?name=note&state=pending')).data;
    expect((await send('DELETE', `/${waiting.id}`, admin)).status).toBe(204);
    expect((await send('DELETE', `/${waiting.id}`, admin)).status).toBe(404);
    expect((await listed('?state=pending')).data).toEqual([]);
  });

  it('refuse what is no state', async () => {
    expect((await send('GET', '?state=lost', admin)).status).toBe(400);
  });
});
