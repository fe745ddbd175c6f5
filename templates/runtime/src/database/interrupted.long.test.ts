/**
 * Interrupted statements (KILL QUERY, time limits): MariaDB may carry on as if there had been nothing to do. Even so,
 * whatever is acknowledged must be what was requested. INTERRUPTED_SECONDS=30 makes the test run longer.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editor, entryServices, type Json } from '../../test-support/entry-services.ts';
import { ENTRY_TABLES, entryTypes } from '../../test-support/entry-types.ts';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import type { CollectionService } from '../entries/service.ts';
import { ServiceUnavailableError, ValidationError } from '../contract/errors.ts';
import type { UploadContext } from '../features/upload/context.ts';
import { isReferenced } from '../features/upload/file-rows.ts';
import type { Database } from './database.ts';
import { DEFAULT_DATABASE_SETTINGS } from './database-settings.ts';
import { openDatabase } from './open-database.ts';
import { raw, sql } from './sql.ts';
import type { EntryAnswer } from '../query/answer.ts';
import { EMPTY_QUERY } from '../query/entry-query.ts';
import { parseQuery } from '../query/parse-query-string.ts';

const SECONDS = Number(process.env['INTERRUPTED_SECONDS'] ?? 4);
const LEAVES = 12;
const OWNERS = 8;

const request = { caller: editor, query: EMPTY_QUERY };
const populated = { caller: editor, query: parseQuery('populate=near') };

function shuffled(ids: readonly number[]): number[] {
  return ids
    .map((id) => [Math.random(), id] as const)
    .sort(([a], [b]) => a - b)
    .map(([, id]) => id);
}

/** A change, and the list that results from it. */
type Change = readonly [change: unknown, result: readonly number[]];

function someChange(list: readonly number[], targets: readonly number[]): Change {
  const chosen = shuffled(targets).slice(0, 1 + Math.floor(Math.random() * (LEAVES - 1)));
  const outside = shuffled(targets.filter((id) => !list.includes(id))).slice(0, 3);
  const [first] = list;
  switch (Math.floor(Math.random() * 4)) {
    case 0:
      return [{ disconnect: chosen }, list.filter((id) => !chosen.includes(id))];
    case 1:
      return [{ connect: outside }, [...list, ...outside]];
    case 2: {
      const [added] = outside;
      if (first === undefined || added === undefined) return [{ set: chosen }, chosen];
      const [, ...rest] = list;
      return [{ connect: [{ id: added, position: { after: first } }] }, [first, added, ...rest]];
    }
    default:
      return [{ set: chosen }, chosen];
  }
}

/** Returns undefined if the server responds that it can't do that now. */
async function acknowledged<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceUnavailableError) return undefined;
    throw error;
  }
}

/** Retries a helper statement, which may be interrupted as well, until it succeeds. */
async function surely<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const result = await acknowledged(work().then((value) => ({ value })));
    if (result) return result.value;
  }
}

const servers = (await testedEngines()).filter((engine) => engine !== 'sqlite');
if (servers.length === 0) it.skip('needs PostgreSQL or MariaDB', () => undefined);

describe.each(servers)('on %s', (engine) => {
  let opened: RuntimeDatabase;
  let owners: number[];
  let targets: number[];

  beforeAll(async () => {
    opened = await openEngine(engine, 'interrupted', ENTRY_TABLES);
    const leaves = entryServices(opened.database).collection('leaf');
    const make = async (name: string): Promise<number> => ((await leaves.create({ name }, request)).entry() as Json).id;
    owners = await Promise.all(Array.from({ length: OWNERS }, (_, index) => make(`owner ${index}`)));
    targets = await Promise.all(Array.from({ length: LEAVES }, (_, index) => make(`target ${index}`)));
  });
  afterAll(() => opened.drop());

  async function stored(owner: number): Promise<number[]> {
    const read = sql`SELECT b FROM leafs_near WHERE a = ${owner} ORDER BY a_pos`;
    return (await surely(() => opened.database.all(read))).map(({ b }) => Number(b));
  }

  const listIn = (answer: EntryAnswer): number[] =>
    (answer.entry() as Json).attributes.near.data.map(({ id }: Json) => id);

  /** Changes the list of one owner until the time is over; returns how many changes were acknowledged. */
  async function work(leaves: CollectionService, owner: number, until: number): Promise<number> {
    let count = 0;
    while (performance.now() < until) {
      const before = await stored(owner);
      const [change, result] = someChange(before, targets);
      const answer = await acknowledged(leaves.update(owner, { near: change }, populated));
      const after = await stored(owner);
      if (answer !== undefined) {
        count += 1;
        expect(after, JSON.stringify({ before, change })).toStrictEqual(result);
        expect(listIn(answer)).toStrictEqual(result);
      }
      const read = await acknowledged(leaves.findOne(owner, populated));
      if (read !== undefined) expect(listIn(read)).toStrictEqual(after);
    }
    return count;
  }

  const sessionsOfOthers =
    engine === 'postgres'
      ? 'SELECT pid AS id FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
      : 'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()';

  /** Interrupts statements of random other sessions, one after the other. */
  async function interruptUntil(until: number): Promise<void> {
    const killer = await openDatabase(opened.url, { ...DEFAULT_DATABASE_SETTINGS, poolSize: 1 });
    let sessions: number[] = [];
    for (let turn = 0; performance.now() < until; turn += 1) {
      if (turn % 20 === 0) sessions = (await killer.all(raw(sessionsOfOthers))).map(({ id }) => Number(id));
      const id = sessions[Math.floor(Math.random() * sessions.length)] ?? 0;
      const kill = engine === 'postgres' ? `SELECT pg_cancel_backend(${id})` : `KILL QUERY ${id}`;
      // The session may be gone by now.
      await killer.run(raw(kill)).catch(() => undefined);
    }
    await killer.close();
  }

  async function openVictim(poolSize: number): Promise<Database> {
    return openDatabase(opened.url, { ...DEFAULT_DATABASE_SETTINGS, poolSize });
  }

  const seconds = SECONDS * 1000;

  it(
    'R02: under KILL QUERY, every acknowledged list is what was sent, and every list read is what is stored',
    async () => {
      const victim = await openVictim(10);
      const leaves = entryServices(victim).collection('leaf');
      const until = performance.now() + seconds;
      try {
        const [counts] = await Promise.all([
          Promise.allSettled(owners.map((owner) => work(leaves, owner, until))),
          interruptUntil(until),
        ]);
        for (const count of counts) {
          if (count.status === 'rejected') throw count.reason;
          expect(count.value).toBeGreaterThan(0);
        }
      } finally {
        await victim.close();
      }
    },
    seconds + 60_000,
  );

  it(
    'what goes to the end of the list of its other side does, and what has a file keeps it, under KILL QUERY',
    async () => {
      const victim = await openVictim(4);
      const products = entryServices(victim).collection('product');
      const plain = entryServices(opened.database).collection('product');
      await opened.database.run(
        raw("INSERT INTO files (name, created_at, updated_at) VALUES ('kept', '2020-01-01', '2020-01-01')"),
      );
      const file = Number((await opened.database.get(raw('SELECT MAX(id) AS id FROM files')))?.['id']);
      const make = async (data: object): Promise<number> => ((await plain.create(data, request)).entry() as Json).id;
      const target = await make({ name: 'target', cover: file });
      const until = performance.now() + seconds / 2;
      const related: number[] = [];
      const append = async (): Promise<void> => {
        while (performance.now() < until) {
          const answer = await acknowledged(products.create({ name: 'p', related: [target] }, request));
          if (answer !== undefined) related.push((answer.entry() as Json).id);
          const isKept = await acknowledged(isReferenced(victim, { types: entryTypes } as UploadContext, file));
          expect(isKept).not.toBe(false);
        }
      };
      try {
        await Promise.all([append(), interruptUntil(until)]);
      } finally {
        await victim.close();
      }
      const rows = await opened.database.all(
        sql`SELECT a FROM products_related WHERE b = ${target} ORDER BY b_pos, a DESC`,
      );
      const order = rows.map(({ a }) => Number(a)).filter((id) => related.includes(id));
      expect(related.length).toBeGreaterThan(0);
      expect(order).toStrictEqual(related);
    },
    seconds + 60_000,
  );

  it(
    'R02: under KILL QUERY, published entries are complete, and deleted ones are gone with their links',
    async () => {
      const victim = await openVictim(4);
      const articles = entryServices(victim).collection('article');
      const plain = entryServices(opened.database).collection('article');
      const anyState = { caller: editor, query: parseQuery('publicationState=preview') };
      const make = async (data: object): Promise<number> =>
        ((await surely(() => plain.create({ ...data, publishedAt: null }, anyState))).entry() as Json).id;
      const publish = (id: number) =>
        acknowledged(articles.update(id, { publishedAt: '2020-01-01T00:00:00.000Z' }, anyState));
      const isPublished = async (id: number): Promise<boolean | undefined> => {
        const read = sql`SELECT published_at FROM articles WHERE id = ${id}`;
        const row = await surely(() => opened.database.get(read));
        return row && row['published_at'] !== null;
      };
      const linksOf = async (id: number): Promise<number> => {
        const read = sql`SELECT COUNT(*) AS n FROM articles_see WHERE a = ${id}`;
        return Number((await surely(() => opened.database.get(read)))?.['n']);
      };
      const until = performance.now() + seconds / 2;
      const done = { published: 0, refused: 0, deleted: 0 };
      const lifeOfArticles = async (): Promise<void> => {
        const seen = await make({ title: 'seen', leaf: targets[0] });
        while (performance.now() < until) {
          const incomplete = await make({ title: 'no leaf' });
          // Publishing is refused, as a required field is missing; it returns undefined if it was interrupted.
          await publish(incomplete).catch((error: unknown) => {
            if (!(error instanceof ValidationError)) throw error;
            done.refused += 1;
          });
          expect(await isPublished(incomplete)).toBe(false);
          const whole = await make({ title: 'whole', leaf: targets[0], see: [seen] });
          if (await publish(whole)) {
            expect(await isPublished(whole)).toBe(true);
            done.published += 1;
          }
          if (await acknowledged(articles.delete(whole, anyState))) {
            expect(await isPublished(whole)).toBeUndefined();
            expect(await linksOf(whole)).toBe(0);
            done.deleted += 1;
          }
        }
      };
      try {
        await Promise.all([lifeOfArticles(), lifeOfArticles(), interruptUntil(until)]);
      } finally {
        await victim.close();
      }
      for (const times of Object.values(done)) expect(times).toBeGreaterThan(0);
    },
    seconds + 60_000,
  );

  it(
    'R02: the same holds if the session has a time limit of a few milliseconds',
    async ({ skip }) => {
      if (engine !== 'mysql') skip('the others say what they end');
      // A single connection, as the limit applies to its session.
      const victim = await openVictim(1);
      const leaves = entryServices(victim).collection('leaf');
      try {
        for (const limit of [0.0003, 0.0006, 0.001, 0.004]) {
          await victim.run(raw(`SET SESSION max_statement_time = ${limit}`));
          await work(leaves, owners[0] ?? 0, performance.now() + seconds / 4);
        }
      } finally {
        await victim.close();
      }
    },
    seconds + 60_000,
  );
});
