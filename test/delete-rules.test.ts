/**
 * Deletions of what others refer to, over HTTP, on each engine and in both formats: a model says what goes with an entry, what keeps it,
 * and what loses it. `RULES_RUNS` and `RULES_SEED` make longer runs with other content.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ForbiddenError } from '../templates/runtime/src/contract/errors.ts';
import { MAX_CASCADE } from '../templates/runtime/src/contract/limits.ts';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const RUNS = Number(process.env['RULES_RUNS'] ?? 20);
const SEED = Number(process.env['RULES_SEED'] ?? 20_261_126);

const SCHEMA = `
name: rules
databases: [sqlite, postgres, mysql]
api: { format: v4 }
contentTypes:
  ex:
    attributes:
      go: { type: relation, relation: manyToOne, target: ex, inversedBy: going, onDelete: cascade }
      going: { type: relation, relation: oneToMany, target: ex, mappedBy: go }
      lose: { type: relation, relation: oneWay, target: why }
      account: { type: relation, relation: manyToOne, target: user, onDelete: cascade }
  why:
    attributes:
      go: { type: relation, relation: oneToOne, target: ex, onDelete: cascade }
      keep: { type: relation, relation: manyToOne, target: zed, onDelete: restrict }
  zed:
    attributes:
      go: { type: relation, relation: manyToOne, target: why, onDelete: cascade }
      keeps: { type: relation, relation: manyWay, target: ex, onDelete: restrict }
      about: { type: relation, relation: morphToOne, targets: [ex, why, zed], onDelete: cascade }
      keepsAny: { type: relation, relation: morphToMany, targets: [why], onDelete: restrict }
`;

const TYPES = ['ex', 'why', 'zed'] as const;
type Type = (typeof TYPES)[number];
const PATHS = { ex: 'exes', why: 'whies', zed: 'zeds' } as const;

/** The relations that are written, with their rule and possible targets. */
const RELATIONS: Record<
  Type,
  Record<string, { rule: 'cascade' | 'restrict' | 'setNull'; to: readonly Type[]; many?: true; morph?: true }>
> = {
  ex: { go: { rule: 'cascade', to: ['ex'] }, lose: { rule: 'setNull', to: ['why'] } },
  why: { go: { rule: 'cascade', to: ['ex'] }, keep: { rule: 'restrict', to: ['zed'] } },
  zed: {
    go: { rule: 'cascade', to: ['why'] },
    keeps: { rule: 'restrict', to: ['ex'], many: true },
    about: { rule: 'cascade', to: ['ex', 'why', 'zed'], morph: true },
    keepsAny: { rule: 'restrict', to: ['why'], many: true, morph: true },
  },
};

interface Node {
  readonly key: string;
  readonly type: Type;
  readonly id: number;
  readonly links: { readonly name: string; readonly rule: string; readonly to: string }[];
}

const COUNT = 4;
/** Random numbers that choose targets, and what is deleted. */
const content = fc.record({
  picks: fc.array(fc.nat({ max: 40 }), { minLength: 36, maxLength: 36 }),
  deleted: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 4 }),
  format: fc.constantFrom('v4', 'v5'),
});

describe.each(await testedEngines())('on %s', (engine) => {
  let project: TestProject;
  let opened: TestDatabase | undefined;
  let server: TestServer;
  let rows: Database;
  let all: string;
  const calls: string[] = [];
  let hidden: readonly number[] = [];
  let refused: number | undefined;

  const hooksOf = (type: Type) => ({
    beforeFind: () => (type === 'zed' && hidden.length > 0 ? { id: { $notIn: hidden } } : undefined),
    beforeDelete: ({ id }: any) => {
      if (type === 'zed' && id === refused) throw new ForbiddenError({ message: 'a hook refuses' });
      calls.push(`before ${type}:${id}`);
    },
    afterDelete: ({ entry }: any) => void calls.push(`after ${type}:${entry.id}`),
    committed: ({ action, entry }: any) => {
      if (action === 'delete') calls.push(`committed ${type}:${entry.id}`);
    },
  });

  beforeAll(async () => {
    project = await openSchema(SCHEMA);
    if (engine !== 'sqlite') opened = await createDatabase(engine, `http_rules_${process.pid}`);
    const url = opened?.url ?? project.urlOf('test');
    const hooks = Object.fromEntries(TYPES.map((type) => [type, hooksOf(type)]));
    server = await project.start({ DATABASE_URL: url }, { hooks } as any);
    rows = await openDatabase(url);
    all = await createToken(rows, { kind: 'full-access' });
  }, 120_000);
  afterAll(async () => {
    await rows?.close();
    await server?.close();
    await opened?.drop();
    await project?.remove();
  });

  const send = (
    method: string,
    path: string,
    options: { token?: string; body?: object; headers?: Record<string, string> } = {},
  ) => server.send(method, `/api/${path}`, { token: all, ...options });
  async function create(type: Type, data: object = {}): Promise<number> {
    const answer = await send('POST', PATHS[type], { body: { data } });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.id;
  }
  const tokenFor = (...permissions: string[]) => createToken(rows, { kind: 'custom', permissions });

  async function reset(): Promise<void> {
    [hidden, refused] = [[], undefined];
    for (const table of ['zeds_keeps_links', 'zeds_keeps_any_morphs', 'zeds_about_morphs']) {
      await rows.script(`DELETE FROM ${table};`);
    }
    await rows.script('UPDATE whies SET keep_id = NULL;');
    for (const type of ['zed', 'why', 'ex'] as const) await rows.script(`DELETE FROM ${PATHS[type]};`);
    calls.length = 0;
  }

  /** What is stored, by type and id. */
  async function stored(): Promise<Map<string, Node>> {
    const nodes = new Map<string, Node>();
    for (const type of TYPES) {
      for (const row of await rows.all(raw(`SELECT * FROM ${PATHS[type]} ORDER BY id`))) {
        const id = Number(row['id']);
        const key = `${type}:${id}`;
        const keys = Object.entries(RELATIONS[type]).flatMap(([name, { rule, to, many, morph }]) => {
          const target = row[`${name}_id`] ?? null;
          return many || morph || target === null ? [] : [{ name, rule, to: `${to[0]}:${Number(target)}` }];
        });
        nodes.set(key, { key, type, id, links: keys });
      }
    }
    for (const row of await rows.all(raw('SELECT owner_id, target_id FROM zeds_keeps_links'))) {
      nodes
        .get(`zed:${Number(row['owner_id'])}`)
        ?.links.push({ name: 'keeps', rule: 'restrict', to: `ex:${Number(row['target_id'])}` });
    }
    for (const [table, name, rule] of [
      ['zeds_about_morphs', 'about', 'cascade'],
      ['zeds_keeps_any_morphs', 'keepsAny', 'restrict'],
    ] as const) {
      for (const row of await rows.all(raw(`SELECT * FROM ${table}`))) {
        const type = TYPES.find((one) => (row[`${one}_id`] ?? null) !== null) ?? 'ex';
        nodes
          .get(`zed:${Number(row['owner_id'])}`)
          ?.links.push({ name, rule, to: `${type}:${Number(row[`${type}_id`])}` });
      }
    }
    return nodes;
  }

  /** What goes with an entry, and whether something else keeps any of it. */
  function expected(nodes: ReadonlyMap<string, Node>, root: string): { gone: Set<string>; isKept: boolean } {
    const gone = new Set([root]);
    for (const key of gone) {
      for (const node of nodes.values()) {
        if (node.links.some(({ rule, to }) => rule === 'cascade' && to === key)) gone.add(node.key);
      }
    }
    const others = [...nodes.values()].filter(({ key }) => !gone.has(key));
    return {
      gone,
      isKept: others.some(({ links }) => links.some(({ rule, to }) => rule === 'restrict' && gone.has(to))),
    };
  }

  async function fill(picks: readonly number[]): Promise<void> {
    const ids = {} as Record<Type, number[]>;
    for (const type of TYPES) {
      ids[type] = [];
      for (let made = 0; made < COUNT; made += 1) ids[type].push(await create(type));
    }
    let at = 0;
    for (const type of TYPES) {
      for (const id of ids[type]) {
        const data: Record<string, unknown> = {};
        for (const [name, { to, many, morph }] of Object.entries(RELATIONS[type])) {
          const pick = picks[at++ % picks.length] ?? 0;
          if (pick % 3 === 0) continue;
          const uid = to[pick % to.length] ?? 'ex';
          const target = { id: ids[uid][pick % COUNT], ...(morph && { type: uid }) };
          data[name] = many ? [target] : target;
        }
        if (Object.keys(data).length === 0) continue;
        const answer = await send('PUT', `${PATHS[type]}/${id}`, { body: { data } });
        expect(answer.status, answer.text).toBe(200);
      }
    }
  }

  const options = { numRuns: engine === 'sqlite' ? RUNS : Math.ceil(RUNS / 3), seed: SEED } as const;

  it('deletes, keeps and empties what the rules say, with the hooks of each entry', async () => {
    await fc.assert(
      fc.asyncProperty(content, async ({ picks, deleted, format }) => {
        await reset();
        await fill(picks);
        for (const number of deleted) {
          const before = await stored();
          const node = [...before.values()][number % before.size];
          if (!node) continue;
          calls.length = 0;
          const { gone, isKept } = expected(before, node.key);
          const row = await rows.get(raw(`SELECT document_id FROM ${PATHS[node.type]} WHERE id = ${node.id}`));
          const key = format === 'v5' ? row?.['document_id'] : node.id;
          const answer = await send('DELETE', `${PATHS[node.type]}/${key}`, {
            headers: { 'strapi-response-format': format },
          });
          const after = await stored();
          if (isKept) {
            expect(answer.status, answer.text).toBe(400);
            expect(answer.body.error.message).toMatch(/refers? to|errors occurred/u);
            expect(after).toEqual(before);
            expect(calls.filter((call) => !call.startsWith('before'))).toEqual([]);
            continue;
          }
          expect(answer.status, answer.text).toBeLessThan(300);
          const left = [...before.values()].filter((one) => !gone.has(one.key));
          expect([...after.values()]).toEqual(
            left.map((one) => ({ ...one, links: one.links.filter(({ to }) => !gone.has(to)) })),
          );
          const wanted = ['before', 'after', 'committed'].flatMap((hook) => [...gone].map((one) => `${hook} ${one}`));
          expect(calls.toSorted()).toEqual(wanted.toSorted());
        }
      }),
      options,
    );
  }, 240_000);

  it('tells who keeps an entry to those who may know', async () => {
    await reset();
    const ex = await create('ex');
    for (let made = 0; made < 2; made += 1) await create('zed', { keeps: [ex] });
    const answer = await send('DELETE', `exes/${ex}`);
    expect(answer.body.error.message).toBe('2 entries of zed refer to it by keeps: delete or change them first');
    const stranger = await tokenFor('ex.delete', 'ex.find', 'ex.update', 'why.delete', 'zed.delete', 'zed.update');
    const other = await send('DELETE', `exes/${ex}`, { token: stranger });
    expect(other.status).toBe(400);
    expect(other.body.error.message).toBe('other entries refer to it, and keep it from being deleted');
  });

  it('deletes nothing that the caller could not delete by itself', async () => {
    await reset();
    const ex = await create('ex');
    const why = await create('why', { go: ex });
    const zed = await create('zed', { go: why });
    const before = await stored();
    const weak = await tokenFor('ex.delete', 'ex.update', 'why.delete', 'why.update', 'zed.find', 'zed.update');
    const answer = await send('DELETE', `exes/${ex}`, { token: weak });
    expect([answer.status, answer.body.error.message]).toEqual([
      403,
      'entries of zed would be deleted with it, which this role may not delete',
    ]);
    hidden = [zed];
    const strong = await tokenFor(...TYPES.flatMap((type) => [`${type}.delete`, `${type}.update`, `${type}.find`]));
    expect((await send('DELETE', `exes/${ex}`, { token: strong })).status).toBe(403);
    [hidden, refused] = [[], zed];
    expect((await send('DELETE', `exes/${ex}`, { token: strong })).status).toBe(403);
    expect(await stored()).toEqual(before);
    refused = undefined;
    expect((await send('DELETE', `exes/${ex}`, { token: strong })).status).toBe(200);
    expect((await stored()).size).toBe(0);
  });

  it('deletes with an account what goes with it', async () => {
    await reset();
    const user = await server.register(`user${Math.random()}`.slice(0, 12));
    const ex = await create('ex', { account: user.id });
    await create('why', { go: ex });
    const zed = await create('zed', { keeps: [ex] });
    expect((await send('DELETE', `users/${user.id}`)).status).toBe(400);
    expect((await send('DELETE', `zeds/${zed}`)).status).toBe(200);
    expect((await send('DELETE', `users/${user.id}`)).status).toBe(200);
    expect((await stored()).size).toBe(0);
  });

  it('refuses to delete more than a bounded number of entries', async () => {
    await reset();
    const ex = await create('ex');
    const now = engine === 'mysql' ? "'2024-01-01 00:00:00'" : "'2024-01-01T00:00:00.000Z'";
    const many = Array.from({ length: MAX_CASCADE + 1 }, (_, index) => `(${now}, ${now}, 'd${index}', ${ex}, 1)`);
    await rows.script(
      `INSERT INTO exes (created_at, updated_at, document_id, go_id, go_position) VALUES ${many.join(', ')};`,
    );
    const answer = await send('DELETE', `exes/${ex}`);
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      `more than ${MAX_CASCADE} entries would be deleted with it, among them entries of ex: delete some of these first`,
    ]);
    expect(calls).toEqual([`before ex:${ex}`]);
    await rows.script(`DELETE FROM exes WHERE document_id = 'd0';`);
    expect((await send('DELETE', `exes/${ex}`)).status).toBe(200);
    expect((await stored()).size).toBe(0);
  }, 120_000);
});
