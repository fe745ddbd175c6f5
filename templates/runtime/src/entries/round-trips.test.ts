/** The number of round trips per write to a database server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editor, entryServices, type Json } from '../../test-support/entry-services.ts';
import { ENTRY_TABLES } from '../../test-support/entry-types.ts';
import { openProxy, type Proxy } from '../../test-support/proxy.ts';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import type { Database } from '../database/database.ts';
import { DEFAULT_DATABASE_SETTINGS } from '../database/database-settings.ts';
import { openDatabase } from '../database/open-database.ts';
import type { CollectionService } from './service.ts';
import { EMPTY_QUERY } from '../query/entry-query.ts';

const request = { caller: editor, query: EMPTY_QUERY };

const servers = (await testedEngines()).filter((engine) => engine !== 'sqlite');
if (servers.length === 0) it.skip('needs PostgreSQL or MariaDB', () => undefined);

describe.each(servers)('on %s', (engine) => {
  let opened: RuntimeDatabase;
  let proxy: Proxy;
  let database: Database;
  let leaves: CollectionService;
  let articles: CollectionService;

  beforeAll(async () => {
    opened = await openEngine(engine, 'round_trips', ENTRY_TABLES);
    proxy = await openProxy(opened.url);
    database = await openDatabase(proxy.url, { ...DEFAULT_DATABASE_SETTINGS, poolSize: 1 });
    const services = entryServices(database);
    leaves = services.collection('leaf');
    articles = services.collection('article');
    for (const name of ['one', 'two', 'three', 'four']) await leaves.create({ name }, request);
  });
  afterAll(async () => {
    await database.close();
    await proxy.close();
    await opened.drop();
  });

  /** Measures the third run: the first two prepare statements. */
  async function tripsOf(work: (run: number) => Promise<unknown>): Promise<number> {
    for (let run = 1; run < 3; run += 1) await work(run);
    const before = proxy.roundTrips();
    await work(3);
    return proxy.roundTrips() - before;
  }

  const near = (...ids: number[]) => ({ near: { connect: ids } });

  it('creating an entry is one round trip, with its relations; with drafts, two look at unique values and the answer', async () => {
    expect(await tripsOf((run) => leaves.create({ name: `new ${run}`, ...near(1, 2) }, request))).toBe(1);
    const article = (run: number) => ({ title: 'new', slug: `new-${run}`, leaf: run, see: run > 1 ? [1] : [] });
    const isAnswered = database.dialect.name === 'postgres';
    expect(await tripsOf((run) => articles.create(article(run), request))).toBe(isAnswered ? 2 : 3);
  });

  it('changing one is one, and so is connecting another one to it', async () => {
    const leaf = (await leaves.create({ name: 'changed' }, request)).entry() as Json;
    expect(await tripsOf((run) => leaves.update(leaf.id, { name: `changed ${run}` }, request))).toBe(1);
    expect(await tripsOf((run) => leaves.update(leaf.id, near(run), request))).toBe(1);
  });

  it('changing a draft is one after it and its unique values were looked up', async () => {
    const article = (await articles.create({ title: 'a draft', publishedAt: null }, request)).entry() as Json;
    const change = (run: number) =>
      articles.update(article.id, { title: `draft ${run}`, slug: `draft-${run}` }, request);
    expect(await tripsOf(change)).toBe(3);
    // A draft without a slug gets one from its title: whether it has one is looked up.
    const rename = (run: number) => articles.update(article.id, { title: `renamed ${run}` }, request);
    expect(await tripsOf(rename)).toBe(3);
  });

  it('what is missing costs more, is named, and leaves nothing behind', async () => {
    const ids = () => database.all({ text: 'SELECT id FROM leafs', params: [] });
    const before = await ids();
    await expect(leaves.create({ name: 'refused', ...near(1, 98, 2, 99) }, request)).rejects.toMatchObject({
      issues: [{ path: ['near', 'connect', '1'], message: expect.stringMatching(/leaf 98, leaf 99$/u) }],
    });
    expect(await ids()).toStrictEqual(before);
  });
});
