/** Events on each engine: who is told what, and that nobody misses any. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EventStream, listen } from '../../../test-support/event-stream.ts';
import { definition } from '../../../test-support/projects/listeners/src/generated/app.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';
import { raw, sql } from '../../database/sql.ts';
import { givePositions, isKept, lastPosition, pruneEvents } from './event-rows.ts';

describe.each(await testedEngines())('on %s', (engine) => {
  let project: TestProject;
  let server: TestServer;
  let other: TestServer;
  let database: Database;
  let admin: string;
  let close: () => Promise<void>;
  const streams: EventStream[] = [];

  beforeAll(async () => {
    project = await openProject(definition);
    const opened = engine === 'sqlite' ? undefined : await openEngine(engine, 'events');
    const environment = { DATABASE_URL: opened?.url ?? project.urlOf('test'), EVENTS_MAX_PER_CALLER: '5' };
    server = await project.start(environment);
    other = await project.start(environment);
    database = opened?.database ?? (await project.open());
    admin = await createToken(database, { kind: 'full-access' });
    close = async () => {
      await Promise.all([server.close(), other.close()]);
      await (opened ? opened.drop() : database.close());
      await project.remove();
    };
  });
  afterAll(() => close?.());

  const send = async (method: string, path: string, data?: unknown, token: string = admin) => {
    const answer = await server.send(method, `/api/${path}`, { token, ...(data !== undefined && { body: { data } }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body?.data;
  };
  const open = async (query = '', options: Parameters<typeof listen>[2] = {}, at: TestServer = server) => {
    const stream = await listen(at.origin, query, options);
    streams.push(stream);
    return stream;
  };
  const named = (told: readonly any[]) =>
    told.map(({ event, entry }) => `${event} ${entry.title ?? entry.name ?? entry.text ?? entry.id}`);
  /** Runs `work` with streams, and closes them. */
  const during = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } finally {
      for (const stream of streams.splice(0)) stream.close();
    }
  };

  it('tells visitors what is public, and who may see drafts also these', () =>
    during(async () => {
      const [visitor, editor] = [await open(), await open('?types=article', { token: admin })];
      const { id } = await send('POST', 'articles', { title: 'draft', note: 'secret', publishedAt: null });
      await send('PUT', `articles/${id}`, { title: 'public', publishedAt: new Date().toISOString() });
      await send('POST', 'tags', { name: 'tag' });
      expect(named(await visitor.count(2))).toEqual(['entry.publish public', 'entry.create tag']);
      const [, first] = await editor.count(3);
      expect(named(editor.told).slice(1)).toEqual(['entry.update public', 'entry.publish public']);
      expect(first).toMatchObject({ model: 'article', uid: 'api::article.article', entry: { id } });
      expect(first.entry).not.toHaveProperty('note');
      expect(Object.keys(first)).not.toContain('actor');
      await send('PUT', `articles/${id}`, { publishedAt: null, title: 'again a draft' });
      await send('DELETE', `articles/${id}`);
      await send('POST', 'tags', { name: 'last' });
      expect(named(await visitor.count(4)).slice(2)).toEqual([`entry.unpublish ${id}`, 'entry.create last']);
    }));

  it('tells a deleted entry that was public, and only its id', () =>
    during(async () => {
      const { id } = await send('POST', 'articles', { title: 'public' });
      const visitor = await open(`?types=article&id=${id}`);
      await send('POST', 'articles', { title: 'another' });
      await send('DELETE', `articles/${id}`);
      const [told] = await visitor.count(1);
      expect(told).toMatchObject({ event: 'entry.delete', model: 'article' });
      expect(told.entry).toEqual({ id });
    }));

  it('tells what the rules of the caller reach, without the attributes that they leave out', () =>
    during(async () => {
      const [ann, bob] = [await server.register('ann'), await server.register('bob')];
      const [ofAnn, ofBob] = [
        await open('?types=message', { token: ann.jwt }),
        await open('', { token: bob.jwt }, other),
      ];
      const { id } = await send('POST', 'messages', { text: 'of ann', mark: 'hidden' }, ann.jwt);
      await ofAnn.count(1);
      await send('PUT', `messages/${id}`, { mark: 'hidden' });
      await ofAnn.count(2);
      await send('POST', 'messages', { text: 'of bob' }, bob.jwt);
      await send('DELETE', `messages/${id}`, undefined, ann.jwt);
      await send('POST', 'tags', { name: 'all' });
      expect(named(await ofBob.count(2))).toEqual(['entry.create of bob', 'entry.create all']);
      // What is gone tells nobody by which rule it was found.
      expect(named(ofAnn.told)).toEqual(['entry.create of ann', 'entry.update of ann']);
      expect(JSON.stringify(ofAnn.told)).not.toContain('hidden');
    }));

  it('resumes exactly, at another server, too', () =>
    during(async () => {
      const first = await open('?types=tag');
      await send('POST', 'tags', { name: 'one' });
      await first.count(1);
      const lastId = first.lastId();
      first.close();
      for (const name of ['two', 'three']) await send('POST', 'tags', { name });
      const second = await open('?types=tag', { lastId }, other);
      await second.count(2);
      await send('POST', 'tags', { name: 'four' });
      expect(named(await second.count(3))).toEqual(['entry.create two', 'entry.create three', 'entry.create four']);
      const forged = await open('?types=tag', { lastId: 'AAAAAAAAAAAAAAAAAAAAAA' });
      expect((await forged.count(1)).map(({ event }) => event)).toEqual(['reset']);
    }));

  // SQLite writes one transaction at a time.
  it.skipIf(engine === 'sqlite')('misses no event whose transaction commits after that of a later id', () =>
    during(async () => {
      const stream = await open('?types=tag');
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      let isWritten = (): void => undefined;
      const written = new Promise<void>((resolve) => (isWritten = resolve));
      const { id } = await send('POST', 'tags', { name: 'early' });
      await stream.count(1);
      const slow = database.transaction(async (tx) => {
        await tx.run(
          sql`INSERT INTO event_log (event, subject, entry_id, shown, since) VALUES ('entry.update', 'tag', ${Number(id)}, 1, ${Date.now()})`,
        );
        isWritten();
        await held;
      });
      await written;
      await send('POST', 'tags', { name: 'later' });
      expect(named(await stream.count(2))).toEqual(['entry.create early', 'entry.create later']);
      const lastId = stream.lastId();
      stream.close();
      release();
      await slow;
      const resumed = await open('?types=tag', { lastId });
      expect(named(await resumed.count(1))).toEqual(['entry.update early']);
    }),
  );

  it('refuses what the caller may not find, and too many connections', () =>
    during(async () => {
      const status = async (query: string) => (await listen(server.origin, query)).status;
      expect(await status('?types=message')).toBe(403);
      expect(await status('?types=nothing')).toBe(400);
      expect(await status('?id=7')).toBe(400);
      expect((await listen(server.origin, '', { token: 'wrong' })).status).toBe(401);
      for (let count = 0; count < 5; count += 1) await open();
      expect(await status('')).toBe(429);
      for (const stream of streams.splice(0)) stream.close();
      await vi.waitFor(async () => expect((await open()).status).toBe(200));
    }));

  it('ends the stream of a caller whose token is revoked', () =>
    during(async () => {
      const token = await createToken(database, { kind: 'full-access', name: 'soon revoked' });
      const stream = await open('?types=tag', { token });
      await database.run(raw(`DELETE FROM api_tokens WHERE name = 'soon revoked'`));
      await new Promise((resolve) => void setTimeout(resolve, 1100));
      await send('POST', 'tags', { name: 'unseen' });
      await vi.waitFor(() => expect(stream.isEnded()).toBe(true), { timeout: 5000 });
      expect(stream.told).toEqual([]);
    }));

  it('knows what was pruned', async () => {
    await givePositions(database);
    const last = await lastPosition(database);
    expect(await isKept(database, 0)).toBe(true);
    await pruneEvents(database, Date.now() + 1000);
    expect(await database.get(raw('SELECT id FROM event_log'))).toBeUndefined();
    expect([await isKept(database, 0), await isKept(database, last), await isKept(database, last + 9)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('ends all streams when the server stops', async () => {
    const stream = await listen(other.origin);
    const before = performance.now();
    await other.close();
    expect(performance.now() - before).toBeLessThan(3000);
    await vi.waitFor(() => expect(stream.isEnded()).toBe(true));
  });
});
