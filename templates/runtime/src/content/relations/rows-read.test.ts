import { NO_REACH } from './reach.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openRelations,
  parseChanges,
  resetRelations,
  runSteps,
  storedLists,
  types,
} from '../../../test-support/relation-database.ts';
import { testedEngines } from '../../../test-support/runtime-database.ts';
import type { Database } from '../../database/database.ts';
import type { Executor } from '../../database/executor.ts';
import { raw } from '../../database/sql.ts';
import { planRelations, relationSteps } from './write-relations.ts';
import type { Caller } from '../../contract/policy/caller.ts';

const { hub } = types.types;
if (!hub) throw new Error('no hub');

const SIZE = 2000;
const caller: Caller = {
  kind: 'public',
  role: 'public',
  permissions: new Set(['hub.find', 'hub.update', 'leaf.find', 'leaf.update', 'upload.find']),
};

const LISTS = [
  ['manyMany', 'INSERT INTO many_many (a, b, a_pos, b_pos) SELECT 1, id, id * 65536, 65536 FROM leaves'],
  ['morphMany', 'INSERT INTO morph_many (own, leaf_id, pos) SELECT 1, id, id * 65536 FROM leaves'],
  ['oneMany', 'UPDATE leaves SET hub_of_many = 1, hub_of_many_pos = id * 65536'],
] as const;

// Only MySQL reports how many rows a statement has read, and it is the engine that may scan a list where others don't.
describe.runIf((await testedEngines()).includes('mysql'))('the rows that MySQL reads', () => {
  let database: Database;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ database, drop } = await openRelations('mysql'));
    await resetRelations(database, 2, SIZE + 300, 0);
  });
  afterAll(() => drop());

  async function rowsRead(tx: Executor): Promise<number> {
    const counters = await tx.all(raw("SHOW SESSION STATUS LIKE 'Handler_read%'"));
    return counters.reduce((sum, counter) => sum + Number(counter['Value']), 0);
  }

  /** The number of rows that a change of hub 1 reads, without those that counting itself reads. */
  function readBy(name: string, value: object): Promise<number> {
    return database.transaction(async (tx) => {
      const first = await rowsRead(tx);
      const before = await rowsRead(tx);
      const changes = parseChanges(hub!, { [name]: value });
      const { issues, plan } = await planRelations({
        tx,
        types,
        caller,
        reach: NO_REACH,
        type: hub!,
        owner: 1,
        changes,
      });
      expect(issues).toStrictEqual([]);
      await runSteps(tx, relationSteps(tx.dialect, plan, 1));
      return (await rowsRead(tx)) - before - (before - first);
    });
  }

  describe.each(LISTS)('of a list: %s', (name, fill) => {
    const entry = (id: number, position?: object) => ({
      id,
      ...(name === 'morphMany' && { type: 'leaf' }),
      ...(position && { position }),
    });

    beforeAll(async () => {
      await database.run(raw(`${fill} WHERE id <= ${SIZE}`));
    });

    it('are few if a few entries are connected, wherever they go', async () => {
      const connect = [
        entry(SIZE + 1),
        entry(SIZE + 2, { before: entry(SIZE / 2) }),
        entry(SIZE + 3, { after: entry(SIZE / 4) }),
      ];
      expect(await readBy(name, { connect: [entry(SIZE + 4), entry(SIZE + 5)] })).toBeLessThan(100);
      expect(await readBy(name, { connect, disconnect: [entry(7)] })).toBeLessThan(100);
    });

    it('are a few times those of the list if many are connected, which go to the right place', async () => {
      const connect = Array.from({ length: 200 }, (_, index) =>
        entry(SIZE + 10 + index, { after: entry(index + 100) }),
      );
      expect(await readBy(name, { connect })).toBeLessThan(15 * SIZE);
      const [, members] = (await storedLists(database, `hub.${name}`))[0] ?? [];
      const place = members?.indexOf('leaf:299') ?? -1;
      expect(members?.slice(place, place + 3)).toStrictEqual(['leaf:299', `leaf:${SIZE + 209}`, 'leaf:300']);
    });
  });

  it('are few if an entry is connected that many others are related to', async () => {
    await database.run(raw('INSERT INTO hubs (id) SELECT id + 10 FROM leaves'));
    await database.run(raw('DELETE FROM many_many'));
    await database.run(
      raw('INSERT INTO many_many (a, b, a_pos, b_pos) SELECT id, 1, 65536, id * 65536 FROM hubs WHERE id > 10'),
    );
    expect(await readBy('manyMany', { connect: [{ id: 1 }, { id: 2 }, { id: 3 }] })).toBeLessThan(100);
  });
});
