/**
 * A write that changes what an entry stores from the other side of a relation, or by deleting what it refers to, is an update of that
 * entry. Random requests over HTTP, on each engine and in both formats: the hooks of an entry run if, and only if, what it stores
 * changes; and what its own `PUT` refuses, no other request does. `SIDES_RUNS` and `SIDES_SEED` make longer runs with other requests.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContentType } from '../templates/runtime/src/contract/content-type.ts';
import { ForbiddenError } from '../templates/runtime/src/contract/errors.ts';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const RUNS = Number(process.env['SIDES_RUNS'] ?? 25);
const SEED = Number(process.env['SIDES_SEED'] ?? 20_261_125);

/** Every kind of relation between two types and within one, written from both sides. */
const SCHEMA = `
name: sides
databases: [sqlite, postgres, mysql]
contentTypes:
  guard:
    attributes:
      title: { type: string }
      changes: { type: integer, default: 0 }
      one: { type: relation, relation: oneToOne, target: plain, inversedBy: guardOfOne }
      parent: { type: relation, relation: manyToOne, target: plain, inversedBy: children }
      many: { type: relation, relation: manyToMany, target: plain, inversedBy: guards }
      alone: { type: relation, relation: oneWay, target: plain }
      some: { type: relation, relation: manyWay, target: plain }
      any: { type: relation, relation: morphToOne, targets: [plain, guard] }
      owner: { type: relation, relation: oneToOne, target: plain, mappedBy: owned }
      owners: { type: relation, relation: manyToMany, target: plain, mappedBy: ownedMany }
      friends: { type: relation, relation: manyToMany, target: guard, inversedBy: friendOf }
      friendOf: { type: relation, relation: manyToMany, target: guard, mappedBy: friends }
      partner: { type: relation, relation: oneToOne, target: guard, inversedBy: partnerOf }
      partnerOf: { type: relation, relation: oneToOne, target: guard, mappedBy: partner }
  plain:
    attributes:
      title: { type: string }
      guardOfOne: { type: relation, relation: oneToOne, target: guard, mappedBy: one }
      children: { type: relation, relation: oneToMany, target: guard, mappedBy: parent }
      guards: { type: relation, relation: manyToMany, target: guard, mappedBy: many }
      owned: { type: relation, relation: oneToOne, target: guard, inversedBy: owner }
      ownedMany: { type: relation, relation: manyToMany, target: guard, inversedBy: owners }
`;

type Type = 'guard' | 'plain';
const PATHS = { guard: 'guards', plain: 'plains' } as const;
const RELATIONS = {
  guard: ['one', 'parent', 'many', 'alone', 'some', 'owner', 'owners', 'friends', 'friendOf', 'partner', 'partnerOf'],
  plain: ['guardOfOne', 'children', 'guards', 'owned', 'ownedMany'],
} as const;
const OF_GUARDS = new Set(['friends', 'friendOf', 'partner', 'partnerOf', ...RELATIONS.plain]);
const COUNT = 4;

const ids = fc.uniqueArray(fc.integer({ min: 1, max: COUNT }), { maxLength: 3 });
const value = fc.oneof(fc.record({ set: ids }), fc.record({ connect: ids, disconnect: ids }), fc.constant(null));
const format = fc.constantFrom('v4', 'v5');
const changes = (type: Type) =>
  fc.dictionary(fc.constantFrom(...RELATIONS[type]), value, { minKeys: 1, maxKeys: 2, noNullPrototype: true });
const requestTo = (type: Type) =>
  fc.oneof(
    fc.record({ method: fc.constant('POST'), type: fc.constant(type), format, data: changes(type) }),
    fc.record({
      method: fc.constantFrom('PUT', 'PUT', 'PUT', 'DELETE'),
      type: fc.constant(type),
      format,
      data: changes(type),
      number: fc.nat({ max: 20 }),
    }),
  );
const ofPlains = requestTo('plain');
const ofBoth = fc.oneof(requestTo('plain'), requestTo('guard'));
type Request = { method: string; type: Type; format: string; data: Record<string, unknown>; number?: number };

describe.each(await testedEngines())('on %s', (engine) => {
  let project: TestProject;
  let opened: TestDatabase | undefined;
  let server: TestServer;
  let rows: Database;
  let all: string;
  /** May do everything, except for updating guards. */
  let noGuards: string;
  const calls: { readonly hook: string; readonly id: number; readonly data?: any }[] = [];
  let refuse: (id: number) => boolean = () => false;
  /** Ids of the guards that `beforeFind` hides. */
  let hidden: readonly number[] = [];
  let adds = false;

  const note = (hook: string) => (event: any) => void calls.push({ hook, id: event.entry.id });
  const hooks = {
    guard: {
      beforeFind: () => (hidden.length > 0 ? { id: { $notIn: hidden } } : undefined),
      beforeUpdate: ({ id, data }: any) => {
        if (refuse(id)) throw new ForbiddenError({ message: 'guarded' });
        calls.push({ hook: 'beforeUpdate', id, data: structuredClone(data) });
        return adds ? { title: `changed ${Object.keys(data).join()}` } : undefined;
      },
      afterUpdate: note('afterUpdate'),
      committed: (event: any) => event.action === 'update' && note('committed')(event),
    },
  };

  beforeAll(async () => {
    project = await openSchema(SCHEMA);
    if (engine !== 'sqlite') opened = await createDatabase(engine, `other_sides_${process.pid}`);
    const url = opened?.url ?? project.urlOf('test');
    server = await project.start({ DATABASE_URL: url }, { hooks } as any);
    rows = await openDatabase(url);
    all = await createToken(rows, { kind: 'full-access' });
    const permissions = ['guard', 'plain'].flatMap((type) =>
      ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `${type}.${action}`),
    );
    noGuards = await createToken(rows, {
      kind: 'custom',
      permissions: permissions.filter((permission) => permission !== 'guard.update'),
    });
  }, 120_000);
  afterAll(async () => {
    await rows?.close();
    await server?.close();
    await opened?.drop();
    await project?.remove();
  });

  const typeOf = (uid: Type) => project.definition.contentTypes.types[uid] as ContentType;

  async function idsOf(type: Type): Promise<number[]> {
    return (await rows.all(raw(`SELECT id FROM ${PATHS[type]} ORDER BY id`))).map((row) => Number(row['id']));
  }

  /** What each guard stores of its relations, by id. */
  async function stored(): Promise<Map<number, Record<string, number[]>>> {
    const guards = new Map((await idsOf('guard')).map((id) => [id, {} as Record<string, number[]>]));
    for (const [name, attribute] of Object.entries(typeOf('guard').attributes)) {
      if (attribute.type !== 'relation') continue;
      const { storage } = attribute;
      const read = async (table: string, own: string, other: string, alias = name) => {
        const found = await rows.all(
          raw(`SELECT ${own} AS own, ${other} AS other FROM ${table} WHERE ${other} IS NOT NULL`),
        );
        for (const { own: id, other: to } of found) (guards.get(Number(id))![alias] ??= []).push(Number(to));
      };
      if (storage.kind === 'foreignKey') await read('guards', 'id', storage.column);
      if (storage.kind === 'link' && !storage.isInverse) await read(storage.table, storage.own, storage.other);
      if (storage.kind !== 'morph') continue;
      for (const [uid, column] of Object.entries(storage.targets)) {
        await read(storage.table, storage.own, column, `${name} ${uid}`);
      }
    }
    for (const guard of guards.values()) for (const list of Object.values(guard)) list.sort((a, b) => a - b);
    return guards;
  }

  async function reset(): Promise<void> {
    [refuse, hidden, adds] = [() => false, [], false];
    for (const type of ['guard', 'plain'] as const) {
      for (const id of await idsOf(type)) await server.send('DELETE', `/api/${PATHS[type]}/${id}`, { token: all });
    }
    for (const type of ['plain', 'guard'] as const) {
      for (let made = 0; made < COUNT; made += 1) {
        await server.send('POST', `/api/${PATHS[type]}`, { token: all, body: { data: { title: `${type} ${made}` } } });
      }
    }
    const [plains, guards] = [await idsOf('plain'), await idsOf('guard')];
    for (const [index, id] of guards.entries()) {
      const next = guards[(index + 1) % COUNT];
      const [own, other] = [plains[index], plains[(index + 2) % COUNT]];
      const any = { type: 'plain', id: other };
      const data = { one: own, parent: plains[0], many: [own, other], alone: own, some: [other], any, owner: own };
      const more = { owners: [own, other], friends: [next], ...(index % 2 === 0 && { partner: next }) };
      const answer = await server.send('PUT', `/api/guards/${id}`, {
        token: all,
        body: { data: { ...data, ...more } },
      });
      expect(answer.status, answer.text).toBe(200);
    }
    calls.length = 0;
  }

  /** The value with the ids of entries instead of their numbers. */
  function withIds(given: any, known: readonly number[]): unknown {
    if (given === null) return null;
    const named = Object.entries(given).map(([key, numbers]: any) => [
      key,
      numbers.map((n: number) => known[n - 1] ?? 0),
    ]);
    return Object.fromEntries(named);
  }

  async function send({ method, type, format: version, data, number = 0 }: Request, token: string) {
    const known = { guard: await idsOf('guard'), plain: await idsOf('plain') };
    const all = known[type];
    const id = all[number % all.length] ?? 0;
    const row = await rows.get(raw(`SELECT document_id FROM ${PATHS[type]} WHERE id = ${id}`)).catch(() => undefined);
    const key = version === 'v5' && row?.['document_id'] ? row['document_id'] : id;
    const values = Object.entries(data).map(([name, given]) => {
      const target = OF_GUARDS.has(name) ? 'guard' : 'plain';
      return [name, withIds(given, known[target])];
    });
    const answer = await server.send(method, `/api/${PATHS[type]}${method === 'POST' ? '' : `/${key}`}`, {
      token,
      headers: { 'strapi-response-format': version },
      ...(method !== 'DELETE' && { body: { data: Object.fromEntries(values) } }),
    });
    expect(answer.status, answer.text).toBeLessThan(500);
    return { answer, own: method === 'POST' || type === 'plain' ? undefined : id };
  }

  const options = { numRuns: engine === 'sqlite' ? RUNS : Math.ceil(RUNS / 3), seed: SEED } as const;
  const timeout = 120_000 + RUNS * 4000;

  function changed(before: Map<number, unknown>, after: Map<number, unknown>): number[] {
    return [...before].flatMap(([id, was]) => {
      const is = after.get(id);
      return is !== undefined && JSON.stringify(is) !== JSON.stringify(was) ? [id] : [];
    });
  }

  it('runs the hooks of the entries that change, once each, and only theirs', { timeout }, async () => {
    let [accepted, others] = [0, 0];
    const property = fc.asyncProperty(fc.array(ofBoth, { minLength: 1, maxLength: 3 }), async (requests) => {
      await reset();
      for (const request of requests as Request[]) {
        calls.length = 0;
        const before = await stored();
        const { answer, own } = await send(request, all);
        const after = await stored();
        const expected = changed(before, after);
        others += expected.length;
        if (answer.status >= 400) expect(expected).toEqual([]);
        else accepted += 1;
        // The entry in the path is updated, whatever changes.
        const isUpdate = own !== undefined && request.method === 'PUT' && answer.status < 400;
        const told = new Set(isUpdate ? [...expected, own] : expected);
        if (answer.status >= 400) continue;
        for (const hook of ['beforeUpdate', 'afterUpdate', 'committed']) {
          const ran = calls.filter((call) => call.hook === hook).map(({ id }) => id);
          expect(
            ran.toSorted((a, b) => a - b),
            `${hook} for ${JSON.stringify(request)}`,
          ).toEqual([...told].toSorted((a, b) => a - b));
        }
      }
    });
    await fc.assert(property, options);
    expect([accepted > RUNS / 4, others > RUNS / 4]).toEqual([true, true]);
  });

  it(
    'does nothing that an entry refuses: by its right, by its hook, or because it is hidden',
    { timeout },
    async () => {
      let refused = 0;
      const how = fc.constantFrom('right', 'hook', 'hidden');
      const property = fc.asyncProperty(
        how,
        fc.array(ofPlains, { minLength: 1, maxLength: 3 }),
        async (by, requests) => {
          await reset();
          const guards = await idsOf('guard');
          const some = guards.slice(0, 2);
          if (by === 'hook') refuse = (id) => some.includes(id);
          if (by === 'hidden') hidden = some;
          const closed = by === 'right' ? guards : some;
          for (const request of requests as Request[]) {
            const before = await stored();
            const { answer } = await send(request, by === 'right' ? noGuards : all);
            const moved = changed(before, await stored());
            expect(
              moved.filter((id) => closed.includes(id)),
              JSON.stringify(request),
            ).toEqual([]);
            if (answer.status >= 400) {
              refused += 1;
              expect(moved).toEqual([]);
            }
          }
        },
      );
      await fc.assert(property, options);
      expect(refused).toBeGreaterThan(RUNS / 10);
    },
  );

  it('takes what a hook adds, and passes it the change as an update of the entry itself', async () => {
    await reset();
    adds = true;
    const [plains, guards] = [await idsOf('plain'), await idsOf('guard')];
    const body = { data: { children: { connect: [guards[1]] }, guards: { disconnect: [guards[2]] } } };
    expect((await server.send('PUT', `/api/plains/${plains[2]}`, { token: all, body })).status).toBe(200);
    const before = calls.filter(({ hook }) => hook === 'beforeUpdate').map(({ id, data }) => ({ id, data }));
    expect(before).toEqual([
      { id: guards[1], data: { parent: { connect: [plains[2]], disconnect: [] } } },
      { id: guards[2], data: { many: { connect: [], disconnect: [plains[2]] } } },
    ]);
    const titles = await rows.all(raw(`SELECT title FROM guards WHERE id IN (${guards[1]}, ${guards[2]}) ORDER BY id`));
    expect(titles.map((row) => row['title'])).toEqual(['changed parent', 'changed many']);
  });

  it('keeps hidden members of a list, at their places', async () => {
    await reset();
    const [plains, guards] = [await idsOf('plain'), await idsOf('guard')];
    const [plain, [first, second, third, fourth]] = [plains[3], guards];
    const put = (guardsOf: unknown) =>
      server.send('PUT', `/api/plains/${plain}?populate=ownedMany`, {
        token: all,
        body: { data: { ownedMany: guardsOf } },
      });
    const shown = (answer: any) => answer.body.data.attributes.ownedMany.data.map(({ id }: any) => id);
    expect(shown(await put([first, second, third]))).toEqual([first, second, third]);
    hidden = [second!];
    expect(shown(await put([third, fourth, first]))).toEqual([third, fourth, first]);
    expect(shown(await put({ disconnect: [second, fourth] }))).toEqual([third, first]);
    expect((await put({ connect: [second] })).status).toBe(400);
    hidden = [];
    expect(shown(await server.send('GET', `/api/plains/${plain}?populate=ownedMany`, { token: all }))).toEqual([
      third,
      first,
      second,
    ]);
  });
});
