/** Three nodes of a Galera cluster, and an instance at each, behind a proxy: writers who meet, and nodes that die or are cut off. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crossingWriters } from './crossing-writers.ts';
import { type GaleraCluster, type GaleraNode, missingForGalera, openGaleraCluster } from './galera-cluster.ts';
import { type Answer, createCaller, type Instances, startInstances } from './instances.ts';
import { schemaFor, type Seen, startWorkload, type Workload } from './workload.ts';

const missing = missingForGalera();
if (missing !== undefined) console.log(`clusters of MariaDB are not tested: there is no ${missing}`);

const PHASE = 5000;

/** What callers were told in a phase, and that nothing of it was wrong. */
function expectTruthful(phase: string, { wrong, plain, carried, writes, refused, uncertain }: Seen): void {
  console.log(`${phase}:`, { plain, carried, writes, refused, uncertain });
  expect(wrong).toEqual([]);
  for (const status of [...plain.keys(), ...carried.keys()]) expect([200, 503]).toContain(status);
}

describe.skipIf(missing !== undefined)('MariaDB with Galera', () => {
  let cluster: GaleraCluster;
  let instances: Instances;
  let workload: Workload;
  const node = (index: number): GaleraNode => cluster.nodes[index] ?? expect.fail(`no node ${index}`);
  const ports = (): number[] => instances.servers.map(({ origin }) => Number(new URL(origin).port));

  beforeAll(async () => {
    cluster = await openGaleraCluster(3);
    // Each finds an empty database, and migrates it.
    instances = await startInstances(
      schemaFor('mysql'),
      cluster.nodes.map((own) => ({ DATABASE_URL: cluster.url(own), DATABASE_POOL_SIZE: '12' })),
    );
  });
  afterAll(async () => {
    await workload?.stop().catch(() => undefined);
    await instances?.close();
    await cluster?.close();
  });

  it('keeps lists whole that are written on all nodes at once, and refuses hardly anybody', async () => {
    const crossing = await crossingWriters(instances.port);
    const statuses = await crossing.run(24, 12_000);
    console.log('24 writers:', statuses);
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses.get(503) ?? 0).toBeLessThan(0.001 * (statuses.get(200) ?? 0));
    for (const port of ports()) expect(await crossing.faults(port)).toEqual([]);
  });

  it('gives to one only, of those who ask on all nodes at once, what only one may have', async () => {
    const callers = ports().map((port) => createCaller(port, 'header'));
    const makeOnAll = (badge: (index: number) => unknown): Promise<readonly Answer[]> =>
      Promise.all([...callers, ...callers].map((caller, index) => caller.send('POST', '/api/badges', badge(index))));
    for (let turn = 0; turn < 20; turn += 1) {
      // They have nothing else in common that could be in the way of the others.
      const coded = await makeOnAll((index) => ({ slug: `of-${turn}-${index}`, codes: [{ value: `code ${turn}` }] }));
      expect(coded.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
    }
    // Each is given a name of its own by the server.
    expect(new Set((await makeOnAll(() => ({}))).map(({ status }) => status))).toEqual(new Set([201]));
    const all = await callers[0]?.send('GET', '/api/badges?pagination[pageSize]=100');
    const badges = all?.body.data as readonly { readonly id: number; readonly attributes: { readonly slug: string } }[];
    const [, ...others] = badges;
    expect(new Set(badges.map(({ attributes }) => attributes.slug)).size).toBe(26);
    const leaf = (await callers[0]?.send('POST', '/api/leaves', { name: 'with a badge' }))?.body.data.id as number;
    for (let turn = 0; turn < 10; turn += 1) {
      const given = await Promise.all(
        callers.map((caller, index) => caller.send('PUT', `/api/badges/${others[index]?.id}`, { leaf })),
      );
      expect(given.map(({ status }) => status)).toEqual([200, 200, 200]);
      const [row] = await node(turn % 3).rows(
        `SET STATEMENT wsrep_sync_wait = 1 FOR SELECT COUNT(*) AS count FROM badges WHERE leaf_id = ${leaf}`,
      );
      expect(Number(row?.['count'])).toBe(1);
    }
  });

  it('shows callers on every node what they have written on another one', async () => {
    workload = await startWorkload(instances.port, { writers: 64, watchers: ['header'] });
    await sleep(PHASE);
    const seen = workload.next();
    expectTruthful('64 writers', seen);
    expect([...seen.carried.keys()]).toEqual([200]);
  });

  it('loses nothing with a node that dies and comes back', async () => {
    await node(2).kill();
    await sleep(PHASE);
    expectTruthful('a node is dead', workload.next());
    await node(2).start();
    await node(2).synced(3);
    await sleep(PHASE);
    expectTruthful('it is back', workload.next());
  });

  it('loses nothing with a node that is cut off', async () => {
    await node(1).isolate(true);
    await sleep(PHASE);
    expectTruthful('a node is cut off', workload.next());
    await node(1).isolate(false);
    await node(1).synced(3);
    await sleep(PHASE);
    expectTruthful('it takes part again', workload.next());
    const { wrong, acknowledged } = await workload.finish();
    expect(wrong).toEqual([]);
    expect(acknowledged).toBeGreaterThan(500);
    console.log(`${acknowledged} acknowledged writes are there, in their order`);
    for (const { output } of instances.servers) expect(output()).not.toContain('unexpected error');
  });
});
