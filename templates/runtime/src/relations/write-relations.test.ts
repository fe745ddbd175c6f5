import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openRelations,
  parseChanges,
  resetRelations,
  storedLists,
  types,
  writeEntry,
} from '../../../../test/support/relation-database.ts';
import {
  applyToModel,
  attributeOf,
  forget,
  ORDER,
  SIDES,
  uidOf,
  type Model,
} from '../../../../test/support/relation-model.ts';
import { testedEngines } from '../../../../test/support/runtime-database.ts';
import type { Database } from '../database/database.ts';
import { raw, sql } from '../database/sql.ts';
import { ValidationError } from '../errors.ts';
import type { RelationChange } from './relation-change.ts';

describe.each(await testedEngines())('on %s', (engine) => {
  let database: Database;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ database, drop } = await openRelations(engine));
  });
  afterAll(() => drop());

  async function expectStored(model: Model): Promise<void> {
    for (const name of ORDER) {
      const expected = [...(model.get(name) ?? [])]
        .filter(([, members]) => members.length > 0)
        .sort(([a], [b]) => a - b);
      expect([name, await storedLists(database, name)]).toStrictEqual([name, expected]);
    }
  }

  const COUNT = 3;
  const someId = fc.integer({ min: 1, max: COUNT });
  const withType = <T extends object>(isMorph: boolean, record: fc.Arbitrary<T>): fc.Arbitrary<T> =>
    isMorph ? fc.tuple(record, fc.constantFrom('hub', 'leaf')).map(([value, type]) => ({ ...value, type })) : record;

  function someValue(name: string): fc.Arbitrary<unknown> {
    const attribute = attributeOf(name);
    const isMorph = attribute?.type === 'relation' && attribute.target === undefined;
    const target = withType(isMorph, fc.record({ id: someId }));
    const unique = {
      selector: (value: { id: number; type?: string }) => `${value.type}:${value.id}`,
      maxLength: COUNT,
    };
    const set = fc.uniqueArray(target, unique);
    if (attribute?.type === 'media') return fc.oneof(fc.constant(null), set);
    const position = fc.oneof(
      fc.constant({ start: true }),
      fc.constant({ end: true }),
      target.map((before) => ({ before })),
      target.map((after) => ({ after })),
    );
    const element = withType(isMorph, fc.record({ id: someId, position }, { requiredKeys: ['id'] }));
    const partial = fc.record({
      connect: fc.uniqueArray(element, unique),
      disconnect: fc.array(target, { maxLength: 3 }),
    });
    return fc.oneof(
      { weight: 1, arbitrary: fc.constant(null) },
      { weight: 3, arbitrary: set },
      { weight: 6, arbitrary: partial },
    );
  }

  /** Requests that change `names`, mostly two at once, so that both sides of one relation come together. */
  function someRequests(
    names: readonly string[],
  ): fc.Arbitrary<{ uid: string; data: Record<string, unknown>; id: number }> {
    const uids = [...new Set(names.map(uidOf))];
    return fc.oneof(
      ...uids.map((uid) => {
        const values = names.filter((name) => uidOf(name) === uid).map((name) => [name.split('.')[1], someValue(name)]);
        const data = fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>, {
          requiredKeys: [],
        });
        return fc.record({ uid: fc.constant(uid), data, id: someId });
      }),
    );
  }

  describe.each(SIDES)('%s, with %s as its other side', (a, b) => {
    it('does on both sides what the rules say, whatever is asked for in whatever order', async () => {
      const names = b === undefined ? [a] : [a, b];
      const step = fc.record({
        request: someRequests(names),
        kind: fc.constantFrom('update', 'update', 'update', 'create', 'delete'),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
          const model: Model = new Map();
          const alive = { hub: new Set([1, 2, 3]), leaf: new Set([1, 2, 3]), file: new Set([1, 2, 3]) };
          const exists = ({ type, id }: { type: string; id: number }) => alive[type as 'hub'].has(id);
          await resetRelations(database, COUNT, COUNT, COUNT);
          for (const { kind, request } of steps) {
            const type = types.types[request.uid];
            if (!type) continue;
            const ids = alive[request.uid as 'hub'];
            let changes: Map<string, RelationChange>;
            try {
              changes = parseChanges(type, request.data);
            } catch (error) {
              expect(error).toBeInstanceOf(ValidationError);
              continue;
            }
            const named = [...changes.values()].flatMap((change) =>
              change.kind === 'set' ? change.targets : change.connect,
            );
            const owner = kind === 'create' ? Math.max(COUNT, ...ids) + 1000 : request.id;
            if (kind !== 'create' && !ids.has(owner)) continue;
            if (kind === 'delete') {
              await database.run(sql`DELETE FROM ${raw(type.table)} WHERE id = ${owner}`);
              ids.delete(owner);
              forget(model, request.uid, owner);
              continue;
            }
            const allowed = named.every(exists) && applyToModel(model, request.uid, owner, changes);
            const written = await writeEntry(database, type, kind === 'create' ? undefined : owner, request.data).then(
              (id) => id,
              (error: unknown) => {
                expect(error).toBeInstanceOf(ValidationError);
                return undefined;
              },
            );
            expect(written !== undefined).toBe(allowed);
            if (kind === 'create' && written !== undefined) {
              // The model could not know the id.
              for (const [name, lists] of model) {
                const moved = [...lists].map(([id, members]): [number, string[]] => [
                  id === owner && uidOf(name) === request.uid ? written : id,
                  members.map((member) =>
                    member === `${request.uid}:${owner}` ? `${request.uid}:${written}` : member,
                  ),
                ]);
                model.set(name, new Map(moved));
              }
              ids.add(written);
            }
          }
          await expectStored(model);
        }),
        { numRuns: engine === 'sqlite' ? 150 : 30 },
      );
    });
  });
});
