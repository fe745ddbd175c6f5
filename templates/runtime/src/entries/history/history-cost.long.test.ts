/** What histories cost: writes with and without one, and the versions of one entry among many. For a million: HISTORY_VERSIONS=1000000. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definition } from '../../../test-support/projects/archive/src/generated/app.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import type { ServerDefinition } from '../../index.ts';
import type { Database } from '../../database/database.ts';
import { raw, sql } from '../../database/sql.ts';
import { listVersions } from './version-rows.ts';

const WRITES = Number(process.env['HISTORY_WRITES'] ?? 40);
const VERSIONS = Number(process.env['HISTORY_VERSIONS'] ?? 100_000);
const ROUNDS = 5;
const AT_ONCE = 8;
const isStrict = process.env['STRICT_TIMES'] === '1';

/** The same project without any history: its tables are the same. */
function withoutHistory(): ServerDefinition {
  const types = Object.entries(definition.contentTypes.types).map(([uid, { history: _h, ...type }]) => [uid, type]);
  const contentTypes = { ...definition.contentTypes, types: Object.fromEntries(types) };
  const routes = Object.entries(definition.routes).map(([uid, load]) => [
    uid,
    async () => {
      const create = await load();
      return (services: Parameters<typeof create>[0]) => {
        const router = create(services);
        router.stack = router.stack.filter(({ path }) => !String(path).includes('/history'));
        return router;
      };
    },
  ]);
  return { ...definition, contentTypes, routes: Object.fromEntries(routes) };
}

const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

describe.each(await testedEngines())('on %s', (engine) => {
  let project: TestProject;
  let database: Database;
  let close: () => Promise<void>;
  let url: string;

  beforeAll(async () => {
    project = await openProject(definition);
    const opened = engine === 'sqlite' ? undefined : await openEngine(engine, 'history_cost');
    url = opened?.url ?? project.urlOf('test');
    // Applies the migrations.
    await (await project.start({ DATABASE_URL: url })).close();
    database = opened?.database ?? (await project.open());
    close = async () => {
      await (opened ? opened.drop() : database.close());
      await project.remove();
    };
  });
  afterAll(() => close?.());

  it('says what writes cost with one and without', async () => {
    const token = await createToken(database, { kind: 'full-access' });
    const plain = await openProject(withoutHistory());
    const servers = {
      with: await project.start({ DATABASE_URL: url }),
      without: await plain.start({ DATABASE_URL: url, MIGRATE_ON_START: 'false' }),
    };
    const tag = await servers.without.send('POST', '/api/tags', { token, body: { data: { name: 'a' } } });
    const facts = [{ text: 'a' }, { text: 'b' }];
    const send = (server: TestServer, method: string, path: string, data: object) =>
      server.send(method, `/api/${path}`, { token, body: { data } });
    const { body } = await send(servers.without, 'POST', 'articles?status=draft', { title: 'one', facts });
    const writes: Readonly<Record<string, (server: TestServer, index: number) => Promise<unknown>>> = {
      create: (server) => send(server, 'POST', 'articles?status=draft', { title: 'a', facts }),
      update: (server, index) => send(server, 'PUT', `articles/${body.data.id}?status=draft`, { title: `b${index}` }),
      publish: (server, index) => send(server, 'PUT', `articles/${body.data.id}`, { title: `c${index}` }),
      // Each is also a version of the tag, with the list of all its articles.
      'create with a tag': (server) =>
        send(server, 'POST', 'articles?status=draft', { title: 'a', tags: [tag.body.data.id] }),
    };
    // SQLite works in this process, whose time does not depend on what else the machine does.
    const cost = (): number => {
      const { user, system } = process.cpuUsage();
      return engine === 'sqlite' ? (user + system) / 1000 : performance.now();
    };
    const run = async (server: TestServer, write: (typeof writes)[string]): Promise<number> => {
      const started = cost();
      for (let done = 0; done < WRITES; done += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => write(server, done + index)));
      }
      return cost() - started;
    };
    for (const [name, write] of Object.entries(writes)) {
      const times = { with: [] as number[], without: [] as number[] };
      for (let round = 0; round <= ROUNDS; round += 1) {
        const [without, withHistory] = [await run(servers.without, write), await run(servers.with, write)];
        // The first round warms both up.
        if (round === 0) continue;
        times.without.push(without);
        times.with.push(withHistory);
      }
      const ratio = median(times.without) / median(times.with);
      console.log(`${engine}, ${name}: ${ratio.toFixed(2)} of the throughput without a history`);
      if (isStrict && !name.includes('tag')) expect(ratio, name).toBeGreaterThan(0.9);
    }
    await Promise.all([servers.with.close(), servers.without.close()]);
    await plain.remove();
  }, 600_000);

  it('finds the versions of one entry among many', async () => {
    const digits = raw(Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS n`).join(' UNION ALL '));
    const hundred = sql`(SELECT a.n * 10 + b.n AS n FROM (${digits}) AS a CROSS JOIN (${digits}) AS b)`;
    const content = '{"id":1,"title":"A title of some length","~":{}}';
    for (let part = 0; part * 10_000 < VERSIONS; part += 1) {
      await database.run(
        sql`INSERT INTO content_history (subject, state, entry_id, entry_version, action, since, actor, renames, content) SELECT 'article', 0, 1000 + x.n * 100 + y.n, ${part}, 'update', ${1_700_000_000_000 + part}, '{"kind":"server"}', 0, ${content} FROM ${hundred} AS x CROSS JOIN ${hundred} AS y`,
      );
    }
    if (engine === 'postgres') await database.run(raw('ANALYZE content_history'));
    const times: number[] = [];
    for (let count = 0; count < 50; count += 1) {
      const started = performance.now();
      const rows = await listVersions(
        database,
        { uid: 'article', id: 1000 + count * 7 },
        { before: undefined, most: 26 },
      );
      times.push(performance.now() - started);
      expect(rows.length).toBeGreaterThanOrEqual(Math.min(26, VERSIONS / 10_000));
    }
    console.log(`${engine}: ${median(times).toFixed(2)} ms for a page of versions among ${VERSIONS}`);
    expect(median(times)).toBeLessThan(isStrict ? 5 : 50);
  }, 600_000);
});
