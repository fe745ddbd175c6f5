import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openRelations,
  parseChanges,
  resetRelations,
  storedLists,
  types,
  writeEntry,
} from '../../../test-support/relation-database.ts';
import { applyToModel, forget, type Model, ORDER, SIDES, uidOf } from '../../../test-support/relation-model.ts';
import { someRequests } from '../../../test-support/relation-requests.ts';
import { testedEngines } from '../../../test-support/runtime-database.ts';
import type { Database } from '../../database/database.ts';
import { raw, sql } from '../../database/sql.ts';
import { ValidationError } from '../../contract/errors.ts';
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
  describe.each(SIDES)('%s, with %s as its other side', (a, b) => {
    it('follows the rules on both sides for random requests in random order', async () => {
      const names = b === undefined ? [a] : [a, b];
      const step = fc.record({
        request: someRequests(names, COUNT),
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
              // The model couldn't know the generated id.
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
