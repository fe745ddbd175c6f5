/** The audit on each engine: who did what, and that nothing of it can be changed unnoticed. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { definition } from '../../../test-support/projects/ledger/src/generated/app.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';
import { raw, sql } from '../../database/sql.ts';
import { linkRows, pruneAudit } from './chain.ts';
import { openAuditLog } from './open-audit-log.ts';
import { verifyChain } from './verify-chain.ts';

describe.each(await testedEngines())('on %s', (engine) => {
  let project: TestProject;
  let server: TestServer;
  let database: Database;
  let admin: string;
  let url: string;
  let close: () => Promise<void>;

  beforeAll(async () => {
    project = await openProject(definition);
    const opened = engine === 'sqlite' ? undefined : await openEngine(engine, 'audit');
    url = opened?.url ?? project.urlOf('test');
    server = await project.start({ DATABASE_URL: url });
    database = opened?.database ?? (await project.open());
    admin = await createToken(database, { kind: 'full-access' });
    close = async () => {
      await server.close();
      await (opened ? opened.drop() : database.close());
      await project.remove();
    };
  });
  afterAll(() => close?.());

  const send = (method: string, path: string, body?: unknown, token: string | undefined = admin) =>
    server.send(method, `/api/${path}`, { token, ...(body !== undefined && { body }) });
  const find = async (query = '') => {
    const { status, body, text } = await send('GET', `_audit${query}`);
    if (status !== 200) throw new Error(text);
    return body;
  };
  /** What is recorded during some work, in its order. */
  const during = async (work: () => Promise<unknown>): Promise<readonly any[]> => {
    const [last] = (await find('?pageSize=1')).data;
    await work();
    const { data } = await find('?pageSize=100');
    return data.filter(({ id }: any) => id > (last?.id ?? 0)).toReversed();
  };
  const named = (rows: readonly any[]) => rows.map(({ event, type, subjectId }) => `${event} ${type} ${subjectId}`);

  it('records who did what to which entry, from where', async () => {
    const ann = await server.register('ann');
    let id = 0;
    const rows = await during(async () => {
      const made = await server.send('POST', '/api/articles', {
        token: ann.jwt,
        headers: { 'x-request-id': 'ignored' },
        body: { data: { title: 'one' } },
      });
      ({ id } = made.body.data);
      await send('PUT', `articles/${id}`, { data: { title: 'two' } });
      await send('DELETE', `articles/${id}`);
    });
    expect(named(rows)).toEqual(
      ['entry.create', 'entry.publish', 'entry.update', 'entry.publish', 'entry.delete'].map(
        (event) => `${event} article ${id}`,
      ),
    );
    expect(rows[0]).toMatchObject({
      actor: { kind: 'user', id: ann.id },
      address: expect.stringContaining('127.0.0.1'),
    });
    expect(rows[0].requestId).toMatch(/^[0-9a-f-]{36}$/u);
    expect(rows[2].actor.kind).toBe('token');
    expect(JSON.stringify(rows)).not.toContain('two');
  });

  it('records users, roles, tokens, sign-ins, and counts refusals', async () => {
    const bob = await server.register('bob');
    const rows = await during(async () => {
      await server.signIn('bob', 'a long password');
      await server.signIn('bob', 'a wrong password');
      await server.signIn('bob', 'a wrong password');
      await send('POST', 'users-permissions/roles', {
        name: 'Guests',
        description: '',
        permissions: { article: ['find'] },
      });
      await createToken(database, { kind: 'full-access', name: 'of the test' });
      const row = await database.get(sql`SELECT id FROM api_tokens WHERE name = 'of the test'`);
      await send('DELETE', `users-permissions/tokens/${String(row?.['id'])}`);
      for (let count = 0; count < 3; count += 1) await send('POST', 'tags', { data: { name: 'x' } }, bob.jwt);
    });
    expect(named(rows)[0]).toBe(`user.sign-in user ${bob.id}`);
    expect(rows[0].details).toEqual({ by: 'password' });
    const events = rows.map(({ event }) => event);
    expect(events).toEqual(['user.sign-in', 'role.create', 'token.delete']);
    expect(rows.find(({ event }) => event === 'role.create').actor.kind).toBe('token');
    // Refusals are recorded once a minute, and when the server stops.
    await server.close();
    server = await project.start({ DATABASE_URL: url });
    const { data } = await find('?event=refused');
    expect(data).toMatchObject([
      { actor: { kind: 'user', id: bob.id }, details: { count: 3, permission: 'tag.create' } },
    ]);
    expect((await find('?event=sign-in.failed')).data).toMatchObject([{ details: { count: 2 } }]);
  });

  it('is read by whoever has the permission, filtered and in pages', async () => {
    expect((await server.send('GET', '/api/_audit')).status).toBe(403);
    const carl = await server.register('carl');
    expect((await send('GET', '_audit', undefined, carl.jwt)).status).toBe(403);
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await send(method, '_audit', {})).status).toBe(405);
    for (const name of ['a', 'b', 'c']) await send('POST', 'tags', { data: { name } });
    const first = await find('?type=tag&pageSize=2');
    const second = await find(`?type=tag&pageSize=2&after=${first.meta.after}`);
    expect([first.data.length, second.data.length, second.meta.after]).toEqual([2, 1, null]);
    const [{ subjectId, at }] = first.data;
    expect((await find(`?type=tag&id=${subjectId}`)).data).toHaveLength(1);
    expect((await find(`?actor=user:${carl.id}&type=tag`)).data).toEqual([]);
    expect((await find(`?type=tag&to=${encodeURIComponent(at)}`)).data.length).toBeLessThan(3);
    for (const query of ['?actor=x', '?id=1', '?after=-1', '?from=yesterday', '?type=a&type=b']) {
      expect((await send('GET', `_audit${query}`)).status).toBe(400);
    }
  });

  it('records what the command line does', async () => {
    const audit = openAuditLog(definition.contentTypes, 'command');
    await createToken(audit.telling(database), { kind: 'full-access', name: 'by hand' });
    const [row] = (await find('?actor=command')).data;
    expect(row).toMatchObject({ event: 'token.create', actor: { kind: 'command' }, address: null });
  });

  it('notices rows that are changed, removed, added or cut off', async () => {
    await vi.waitFor(async () => {
      await linkRows(database);
      expect((await verifyChain(database)).unlinked).toBe(0);
    });
    const whole = await verifyChain(database);
    expect(whole).toMatchObject({ problem: undefined, first: 1, head: { position: whole.links } });
    const last = whole.head.position;
    const tampered = async (change: string, undo: string) => {
      await database.run(raw(change));
      const { problem } = await verifyChain(database);
      await database.run(raw(undo));
      expect((await verifyChain(database)).problem).toBeUndefined();
      return problem;
    };
    const [row] = await database.all(sql`SELECT actor_kind FROM audit_log WHERE position = 2`);
    const kind = String(row?.['actor_kind']);
    expect(
      await tampered(
        `UPDATE audit_log SET actor_kind = 'nobody' WHERE position = 2`,
        `UPDATE audit_log SET actor_kind = '${kind}' WHERE position = 2`,
      ),
    ).toContain('position 2 was changed');
    const away = `UPDATE audit_log SET position = -1 WHERE position = `;
    const back = (position: number) => `UPDATE audit_log SET position = ${position} WHERE position = -1`;
    expect(await tampered(`${away}3`, back(3))).toContain('position 3 is missing');
    expect(await tampered(`${away}${last}`, back(last))).toContain(`ends at position ${last - 1}`);
    expect((await verifyChain(database, { position: 2, hash: '0'.repeat(64) })).problem).toContain('noted');
  });

  it('links the rows of many writers once each, and stays verifiable when old rows are deleted', async () => {
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await send('POST', 'tags', { data: { name: `tag ${index}` } });
        if (index % 5 === 0) await linkRows(database);
      }),
    );
    await linkRows(database);
    const before = await verifyChain(database);
    expect(before.problem).toBeUndefined();
    const [middle] = (await find('?type=tag&pageSize=1')).data;
    await pruneAudit(database, Date.parse(middle.at));
    const after = await verifyChain(database, before.head);
    expect(after.problem).toBeUndefined();
    expect(after.first).toBeGreaterThan(1);
    expect(after.links).toBeLessThan(before.links);
  });
});
