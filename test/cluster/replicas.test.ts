/**
 * A primary, two replicas, and three instances behind a proxy, while replicas fall behind, stand still and die, and one takes the primary's
 * place.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller, type Instances, startInstances } from './instances.ts';
import { openPostgresCluster, type PostgresCluster, type PostgresNode, postgresPrograms } from './postgres-cluster.ts';
import { schemaFor, type Seen, startWorkload, type Workload } from './workload.ts';

const bin = postgresPrograms();
if (!bin) console.log('clusters of PostgreSQL are not tested: there is no pg_basebackup under /usr/lib/postgresql');

/** How far a replica may be behind, and how much longer that may take to be noticed and answered, in milliseconds. */
const MAX_DELAY = 1000;
const NOTICED = 1000;
const PHASE = 4000;

const readsOf = (node: PostgresNode): Promise<number> => node.statementsOf('clocks');

/** No caller without a position has noticed anything. */
function expectUntroubled({ plain, wrong, slowestPlain, oldest, ...rest }: Seen, most = NOTICED): void {
  expect(wrong).toEqual([]);
  expect([...plain.keys()]).toEqual([200]);
  expect([...rest.writes.keys()].filter((status) => status >= 400)).toEqual([]);
  expect([...rest.carried.keys()]).toEqual([200]);
  expect(slowestPlain).toBeLessThan(most + NOTICED);
  expect(oldest).toBeLessThan(MAX_DELAY + NOTICED + most);
}

describe.skipIf(!bin)('PostgreSQL with replicas', () => {
  let cluster: PostgresCluster;
  let instances: Instances;
  let workload: Workload;
  const node = (index: number): PostgresNode => cluster.nodes[index] ?? expect.fail(`no node ${index}`);

  beforeAll(async () => {
    cluster = await openPostgresCluster(bin ?? '', 2);
    const environment = {
      DATABASE_URL: cluster.url(...cluster.nodes),
      DATABASE_READ_URLS: cluster.nodes.map((each) => cluster.url(each)).join(','),
      DATABASE_READ_MAX_DELAY: String(MAX_DELAY),
      DATABASE_POOL_SIZE: '6',
    };
    instances = await startInstances(schemaFor('postgres'), [environment, environment, environment]);
    workload = await startWorkload(instances.port, { writers: 4, watchers: ['header', 'cookie'] });
    await sleep(1000);
    workload.next();
  });
  afterAll(async () => {
    await workload?.stop();
    await instances?.close();
    await cluster?.close();
  });

  it('has replicas answer those who have not just written', async () => {
    const before = await Promise.all(cluster.nodes.map(readsOf));
    await sleep(PHASE);
    const after = await Promise.all(cluster.nodes.map(readsOf));
    const [primary = 0, ...replicas] = after.map((count, index) => count - (before[index] ?? 0));
    for (const count of replicas) expect(count).toBeGreaterThan(20);
    expect(primary).toBeGreaterThan(0);
    expectUntroubled(workload.next());
  });

  it('does not read a replica that falls behind, and reads it again', async () => {
    await node(1).set('recovery_min_apply_delay', '30s');
    await sleep(PHASE);
    const before = await readsOf(node(1));
    await sleep(1000);
    expect(await readsOf(node(1))).toBe(before);
    expectUntroubled(workload.next());
    await node(1).set('recovery_min_apply_delay', '0');
    await expect.poll(async () => (await readsOf(node(1))) - before, { timeout: 10_000 }).toBeGreaterThan(50);
    expectUntroubled(workload.next());
  });

  it('counts what a replica has received as seen, since a commit is visible before it counts as replayed', async () => {
    const [writer, reader] = [createCaller(instances.port, 'header'), createCaller(instances.port, 'header')];
    const { id } = (await writer.send('POST', '/api/clocks', { count: 1, written: '0' })).body.data;
    const onReplicas = (query: string) => Promise.all([node(1), node(2)].map((replica) => replica.rows(query)));
    const once = (query: string) =>
      expect.poll(async () => (await onReplicas(query)).every(([row]) => row?.['is_so'] === true)).toBe(true);
    await once(`SELECT count(*) = 1 AS is_so FROM clocks WHERE id = ${id}`);
    await onReplicas('SELECT pg_wal_replay_pause()');
    try {
      await writer.send('PUT', `/api/clocks/${id}`, { count: 2 });
      await once('SELECT pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn() AS is_so');
      const read = async () => (await reader.send('GET', `/api/clocks/${id}`)).body.data.attributes.count;
      expect([await read(), await read()]).toEqual([expect.any(Number), 2]);
    } finally {
      await onReplicas('SELECT pg_wal_replay_resume()');
    }
  });

  it('waits for no replica that stands still', async () => {
    await node(2).pause();
    await sleep(PHASE);
    await node(2).resume();
    await sleep(1000);
    expectUntroubled(workload.next(), 2 * NOTICED);
  });

  it('loses no read of a replica that is killed, and reads it again when it is back', async () => {
    await node(2).kill();
    await sleep(PHASE);
    expectUntroubled(workload.next());
    await node(2).start();
    await expect.poll(() => readsOf(node(2)), { timeout: 10_000 }).toBeGreaterThan(50);
    expectUntroubled(workload.next());
  });

  it('writes to the replica that takes the place of the primary: what was acknowledged is kept, and nothing goes back', async () => {
    await node(0).kill();
    await sleep(2000);
    // Every commit that was acknowledged is on one of them: on the one that has received most.
    const received = await Promise.all(
      [node(1), node(2)].map(async (each) =>
        Number((await each.rows(`SELECT pg_last_wal_receive_lsn() - '0/0'::pg_lsn AS at`))[0]?.['at']),
      ),
    );
    const [chosen, other] = (received[0] ?? 0) >= (received[1] ?? 0) ? [node(1), node(2)] : [node(2), node(1)];
    await other.follow(chosen);
    const asked = performance.now();
    await chosen.promote();
    const caller = createCaller(instances.port, 'header');
    await expect
      .poll(async () => (await caller.send('POST', '/api/hubs', {})).status, { timeout: 10_000, interval: 50 })
      .toBe(201);
    const again = Math.round(performance.now() - asked);
    await sleep(PHASE);
    const { wrong: during, plain, carried, writes, refused, uncertain } = workload.next();
    console.log('the failover:', { again, plain, carried, writes, refused, uncertain });
    expect(during).toEqual([]);
    // Permissions are asked of the primary: while there is none, nobody is told anything.
    for (const status of [...plain.keys(), ...carried.keys()]) expect([200, 503]).toContain(status);
    expect(refused).toBeGreaterThan(0);
    await sleep(PHASE);
    const { wrong, acknowledged } = await workload.finish();
    expect(wrong).toEqual([]);
    expect(acknowledged).toBeGreaterThan(300);
    console.log(`${acknowledged} acknowledged writes are there, in their order`);
    for (const { output } of instances.servers) expect(output()).not.toContain('unexpected error');
  });
});
