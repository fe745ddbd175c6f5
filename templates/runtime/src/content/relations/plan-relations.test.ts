import { NO_REACH } from './reach.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  openRelations,
  parseChanges,
  resetRelations,
  storedLists,
  types,
  writeEntry,
  writeEntryBy,
} from '../../../test-support/relation-database.ts';
import { testedEngines } from '../../../test-support/runtime-database.ts';
import type { ContentType } from '../../contract/content-type.ts';
import type { Database } from '../../database/database.ts';
import type { Transaction } from '../../database/write-plan.ts';
import { raw, sql } from '../../database/sql.ts';
import { planRelations } from './write-relations.ts';

describe.each(await testedEngines())('on %s', (engine) => {
  let database: Database;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ database, drop } = await openRelations(engine));
  });
  beforeEach(() => resetRelations(database, 5, 5, 2));
  afterAll(() => drop());

  function typeOf(uid: string): ContentType {
    const type = types.types[uid];
    if (!type) throw new Error(uid);
    return type;
  }

  const ALL = ['hub.find', 'hub.update', 'leaf.find', 'leaf.update', 'upload.find'];

  async function issuesOf(data: Record<string, unknown>, permissions = ALL, owner?: number) {
    const type = typeOf('hub');
    const caller = { kind: 'public' as const, role: 'public', permissions: new Set(permissions) };
    const changes = parseChanges(type, data);
    return database.transaction(async (tx) => {
      const { issues } = await planRelations({ tx, types, caller, reach: NO_REACH, type, owner, changes });
      return issues.map(({ path, message }) => `${path.join('.')}|${message}`);
    });
  }

  describe('what is refused before anything is written', () => {
    it('names all entries that do not exist, by attribute, but not those that are disconnected', async () => {
      const issues = await issuesOf({
        oneWay: [9, 1],
        manyMany: { connect: [1, 77, 2, 78], disconnect: [79] },
        friends: { set: [6] },
        morphMany: [
          { id: 1, type: 'hub' },
          { id: 6, type: 'hub' },
          { id: 8, type: 'leaf' },
        ],
        pics: [1, 3],
      });
      expect(issues).toStrictEqual([
        'oneWay.0|oneWay.0 names entries that do not exist or that this role may not find: leaf 9',
        'manyMany.connect.1|manyMany.connect.1 names entries that do not exist or that this role may not find: leaf 77, leaf 78',
        'friends.set.0|friends.set.0 names entries that do not exist or that this role may not find: hub 6',
        'morphMany.1|morphMany.1 names entries that do not exist or that this role may not find: hub 6, leaf 8',
        'pics.1|pics.1 names entries that do not exist or that this role may not find: file 3',
      ]);
    });

    it('reports entries and files that the caller may not find in the same way', async () => {
      const data = {
        oneWay: 1,
        friends: [1],
        morphMany: [
          { id: 1, type: 'hub' },
          { id: 1, type: 'leaf' },
        ],
        pic: 1,
      };
      expect(await issuesOf(data, ['hub.find', 'leaf.findOne'])).toStrictEqual([
        'oneWay|oneWay names entries that do not exist or that this role may not find: leaf 1',
        'morphMany.1|morphMany.1 names entries that do not exist or that this role may not find: leaf 1',
        'pic|pic names entries that do not exist or that this role may not find: file 1',
      ]);
      expect(await issuesOf({ pic: 1 }, ['upload.findOne'])).toStrictEqual([]);
      expect(await issuesOf({ oneWay: null, manyMany: { disconnect: [1] } }, [])).toStrictEqual([]);
    });

    it('names elements and anchors that are not in their list, for every attribute, together with missing entries', async () => {
      await writeEntry(database, typeOf('hub'), 1, { manyMany: [1, 2], manyWay: [3] });
      const data = {
        oneMany: [9],
        manyMany: {
          connect: [
            { id: 4, position: { after: 3 } },
            { id: 5, position: { before: '1' } },
          ],
        },
        manyWay: {
          connect: [
            { id: 4, position: { before: 5 } },
            { id: 5, position: { before: 4 } },
          ],
        },
      };
      const issues = await issuesOf(data, undefined, 1);
      expect(issues.map((issue) => issue.split('|')[0])).toStrictEqual([
        'oneMany.0',
        'manyMany.connect.0',
        'manyWay.connect.0',
        'manyWay.connect.1',
      ]);
      expect(issues[1]).toMatch(/entry 4 after the entry 3/);
      const first = (name: string) => storedLists(database, name).then(([list]) => list?.[1]);
      await expect(writeEntry(database, typeOf('hub'), 1, { ...data, oneMany: [] })).rejects.toThrow(
        '3 errors occurred',
      );
      expect([await first('hub.manyMany'), await first('hub.manyWay')]).toStrictEqual([
        ['leaf:1', 'leaf:2'],
        ['leaf:3'],
      ]);
    });

    it('treats anchors that the caller may not find as missing, whether they are in the list or not', async () => {
      const morphMany = [
        { id: 1, type: 'leaf' },
        { id: 2, type: 'hub' },
      ];
      await writeEntry(database, typeOf('hub'), 1, { morphMany, manyWay: [1] });
      const refused = async (permissions: string[], id: number) => {
        const before = { id, __type: 'leaf' };
        const issues = await issuesOf(
          {
            morphMany: { connect: [{ id: 3, type: 'hub', position: { before } }] },
            manyWay: { connect: [{ id: 5, position: { before: id } }] },
          },
          permissions,
          1,
        );
        return issues.map((issue) => issue.replaceAll(`entry ${id}`, 'entry ID'));
      };
      const blind = ['hub.find', 'hub.update'];
      const hidden = await refused(blind, 1);
      expect(hidden[1]).toBe(
        "morphMany.connect.0|morphMany.connect.0 can't place the entry 3 before the entry ID: the entry ID is not in the list",
      );
      expect(await refused(blind, 4)).toStrictEqual(hidden);
      expect(await refused(ALL, 1)).toStrictEqual([]);
    });

    it('refuses anchors in an empty list', async () => {
      const issues = await issuesOf({ manyWay: { connect: [{ id: 1, position: { after: 2 } }], disconnect: [2] } });
      expect(issues).toHaveLength(1);
    });
  });

  const recorded =
    (texts: string[]) =>
    (tx: Transaction): Transaction => ({
      ...tx,
      dialect: {
        ...tx.dialect,
        rowLock: raw(' /* lock */'),
        unionAll: (selects) => tx.dialect.unionAll(selects.map((select) => sql`SELECT * FROM (${select})`)),
      },
      all: (statement) => (texts.push(statement.text), tx.all(statement)),
      get: (statement) => (texts.push(statement.text), tx.get(statement)),
      run: (statement) => (texts.push(statement.text), tx.run(statement)),
    });

  describe('the statements of a request', () => {
    // Other engines run additional statements for locks.
    it.runIf(engine === 'sqlite')(
      'are few on create: one check of all targets, one query about to-one relations, one INSERT',
      async () => {
        const texts: string[] = [];
        const plain = (tx: Transaction): Transaction => ({ ...recorded(texts)(tx), dialect: tx.dialect });
        const data = { oneWay: 1, oneOne: 2, manyOne: 3, parent: 4, next: 5, pic: 1 };
        await writeEntryBy(plain, { database, type: typeOf('hub'), owner: undefined }, data);
        expect(texts.map((text) => text.split(' ')[0])).toStrictEqual(['SELECT', 'SELECT', 'INSERT']);
        expect(texts[0]?.split(' UNION ALL ')).toHaveLength(3);
        texts.length = 0;
        await writeEntryBy(
          plain,
          { database, type: typeOf('hub'), owner: undefined },
          { oneWay: 1, manyWay: [1, 2, 3] },
        );
        expect(texts.map((text) => text.split(' ')[0])).toStrictEqual(['SELECT', 'INSERT', 'INSERT']);
      },
    );

    it.runIf(engine === 'sqlite')(
      'lock the owner and the rows that change with it, table by table, before anything is written',
      async () => {
        const texts: string[] = [];
        await writeEntry(database, typeOf('hub'), 1, { oneOne: 2, next: 3 });
        const data = { oneOne: 2, oneMany: { connect: [1], disconnect: [3] }, previous: 4, pic: 1, manyWay: [5] };
        await writeEntryBy(recorded(texts), { database, type: typeOf('hub'), owner: 2 }, data);
        // Entries that lose a target are read first, without locks. They are then locked in order with all others, and each write reads
        // them again.
        const [losers = '', locking = ''] = texts;
        expect(losers).toMatch(/^SELECT .*["`]hub_of_many["`] AS k FROM .* UNION ALL .*["`]next["`] AS k FROM /u);
        const locks = locking.split(' UNION ALL ').filter((text) => text.endsWith('ORDER BY t.id /* lock */)'));
        expect(locks.map((text) => /FROM ["`](?<table>\w+)["`]/.exec(text)?.groups?.['table'])).toStrictEqual([
          'hubs',
          'leaves',
        ]);
        expect(locks[0]).toMatch(/t\.["`]one_one["`] IN .* t\.["`]next["`] IN /);
        texts.length = 0;
        await writeEntryBy(
          recorded(texts),
          { database, type: typeOf('hub'), owner: undefined },
          { oneWay: 1, manyWay: [2], pics: [1] },
        );
        expect(texts.some((text) => text.includes('lock'))).toBe(false);
      },
    );

    it('take a target from its former owner, although the column is unique', async () => {
      await writeEntry(database, typeOf('hub'), 1, { oneOne: 2, next: 1 });
      const taker = await writeEntry(database, typeOf('hub'), undefined, { oneOne: 2 });
      await writeEntry(database, typeOf('hub'), 2, { next: 1, previous: 1 });
      expect(await storedLists(database, 'hub.oneOne')).toStrictEqual([[taker, ['leaf:2']]]);
      expect(await storedLists(database, 'hub.next')).toStrictEqual([
        [1, ['hub:2']],
        [2, ['hub:1']],
      ]);
    });
  });
});
