import { describe, expect, it } from 'vitest';
import {
  openRelations,
  resetRelations,
  storedLists,
  types,
  writeEntry,
} from '../../../test-support/relation-database.ts';
import { testedEngines } from '../../../test-support/runtime-database.ts';
import type { Database } from '../../database/database.ts';
import { raw } from '../../database/sql.ts';
import { ValidationError } from '../../contract/errors.ts';

const CLIENTS = 64;
const HUBS = 6;
const LEAVES = 8;

/** A pseudo-random number generator with a fixed seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % below;
  };
}

type Request = readonly [uid: 'hub' | 'leaf', id: number, data: Record<string, unknown>];

function write(database: Database, [uid, id, data]: Request): Promise<unknown> {
  const type = types.types[uid];
  if (!type) throw new Error(uid);
  return writeEntry(database, type, id, data);
}

/** The pairs of a relation as seen from one of its sides, the hub first. */
async function pairs(database: Database, name: string): Promise<string[]> {
  const [own] = name.split('.');
  const lists = await storedLists(database, name);
  return lists
    .flatMap(([owner, members]) => members.map((member) => [`${own}:${owner}`, member].sort().join(' ')))
    .sort();
}

/** Checks that both sides of every relation agree, and that no list has a position twice. */
async function expectConsistent(database: Database): Promise<void> {
  for (const [a, b] of [
    ['hub.manyMany', 'leaf.hubsMany'],
    ['hub.oneMany', 'leaf.hubOfMany'],
    ['hub.manyOne', 'leaf.hubsOfOne'],
    ['hub.oneOne', 'leaf.hubOne'],
  ] as const) {
    const [left, right] = [await pairs(database, a), await pairs(database, b)];
    expect([a, left]).toStrictEqual([a, right]);
    expect([a, new Set(left).size]).toStrictEqual([a, left.length]);
  }
  for (const name of ['hub.follows', 'hub.followers', 'hub.children', 'hub.friends', 'hub.morphMany', 'hub.pics']) {
    await storedLists(database, name);
  }
  for (const [column, table] of [
    ['one_one', 'hubs'],
    ['next', 'hubs'],
  ]) {
    const rows = await database.all(
      raw(`SELECT ${column} AS v FROM ${table} WHERE ${column} IS NOT NULL GROUP BY ${column} HAVING COUNT(*) > 1`),
    );
    expect(rows).toStrictEqual([]);
  }
}

describe.each(await testedEngines())('many clients at once on %s', (engine) => {
  it('change the same lists from both sides without losing a write', async () => {
    const { database, drop } = await openRelations(engine);
    try {
      await resetRelations(database, HUBS, CLIENTS, 2);
      const requests = Array.from({ length: CLIENTS }, (_, index): Request => {
        const leaf = index + 1;
        const hub = 1 + (index % 2);
        const place = [{ start: true }, { end: true }][index % 3];
        const own = { id: leaf, ...(place && { position: place }) };
        return index % 4 < 2
          ? [
              'hub',
              hub,
              { manyMany: { connect: [own] }, manyWay: { connect: [leaf] }, follows: { connect: [3 - hub] } },
            ]
          : ['leaf', leaf, { hubsMany: { connect: [hub] } }];
      });
      await Promise.all(requests.map((request) => write(database, request)));
      const lists = new Map(await storedLists(database, 'hub.manyMany'));
      const all = [1, 2].flatMap((hub) => lists.get(hub) ?? []);
      expect(all.map((member) => Number(member.split(':')[1])).sort((a, b) => a - b)).toStrictEqual(
        Array.from({ length: CLIENTS }, (_, index) => index + 1),
      );
      await expectConsistent(database);
    } finally {
      await drop();
    }
  }, 120_000);

  it('leave both sides of every relation consistent', async () => {
    const { database, drop } = await openRelations(engine);
    try {
      await resetRelations(database, HUBS, LEAVES, 2);
      for (const round of [1, 2, 3]) {
        const random = numbers(round);
        const id = (below: number): number => 1 + random(below);
        const some = (below: number): number[] => [...new Set([id(below), id(below)])];
        const requests = Array.from({ length: CLIENTS }, (): Request => {
          const [hub, leaf] = [id(HUBS), id(LEAVES)];
          const kinds: readonly Request[] = [
            ['hub', hub, { manyMany: { connect: some(LEAVES), disconnect: some(LEAVES) } }],
            ['leaf', leaf, { hubsMany: some(HUBS) }],
            ['hub', hub, { oneMany: { connect: some(LEAVES) } }],
            ['leaf', leaf, { hubOfMany: hub, hubOne: hub }],
            ['hub', hub, { oneOne: leaf, manyOne: leaf, next: id(HUBS) }],
            ['leaf', leaf, { hubsOfOne: { connect: some(HUBS) }, hubOne: null }],
            ['hub', hub, { children: some(HUBS), previous: id(HUBS), follows: { connect: some(HUBS) } }],
            ['hub', hub, { friends: some(HUBS), pics: some(2), morphMany: [{ id: leaf, type: 'leaf' }] }],
          ];
          return kinds[random(kinds.length)] ?? ['hub', hub, {}];
        });
        const results = await Promise.allSettled(requests.map((request) => write(database, request)));
        const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
        expect(reasons.filter((reason) => !(reason instanceof ValidationError))).toStrictEqual([]);
        await expectConsistent(database);
      }
    } finally {
      await drop();
    }
  }, 120_000);
});
