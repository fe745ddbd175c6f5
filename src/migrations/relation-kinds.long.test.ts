/** Every kind of relation becomes every other and is undone, on every engine: what fits both is kept, in its order; what doesn't is refused. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readContent } from '../../test/support/evolving-data.ts';
import { type Models, modelsOf } from '../../test/support/evolving-model.ts';
import { nextPlan, writePlans } from '../../test/support/written-migrations.ts';
import { openDatabase } from '../../templates/runtime/src/database/open-database.ts';
import { migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';
import { createDatabase, sqliteDatabase, type TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../../templates/runtime/test-support/runtime-database.ts';
import { planMigration } from './plan/plan-migration.ts';

/** A relation between two types: the attribute `to` of the one, and `back` of the other. */
interface Kind {
  readonly name: string;
  readonly to: readonly [relation: string, side?: string];
  readonly back?: readonly [relation: string, side: string];
  /** Whether an entry can have several targets, and a target several entries. */
  readonly targets: boolean;
  readonly owners: boolean;
}

const KINDS: readonly Kind[] = [
  { name: 'mm', to: ['manyToMany', 'inversedBy'], back: ['manyToMany', 'mappedBy'], targets: true, owners: true },
  { name: 'mmback', to: ['manyToMany', 'mappedBy'], back: ['manyToMany', 'inversedBy'], targets: true, owners: true },
  { name: 'mway', to: ['manyToMany'], targets: true, owners: true },
  { name: 'mo', to: ['manyToOne', 'inversedBy'], back: ['oneToMany', 'mappedBy'], targets: false, owners: true },
  { name: 'oway', to: ['manyToOne'], targets: false, owners: true },
  { name: 'om', to: ['oneToMany', 'mappedBy'], back: ['manyToOne', 'inversedBy'], targets: true, owners: false },
  { name: 'oo', to: ['oneToOne', 'inversedBy'], back: ['oneToOne', 'mappedBy'], targets: false, owners: false },
  { name: 'ooback', to: ['oneToOne', 'mappedBy'], back: ['oneToOne', 'inversedBy'], targets: false, owners: false },
];

const PAIRS = KINDS.flatMap((before) =>
  KINDS.filter((after) => after !== before).map((after) => ({ uid: `${before.name}-${after.name}`, before, after })),
);

function attributes(uid: string, { to, back }: Kind): Record<string, object> {
  const attribute = (target: string, [relation, side]: readonly [string, string?], other: string) => ({
    type: 'relation',
    relation,
    target,
    ...(side === undefined ? {} : { [side]: other }),
  });
  const name = { type: 'string' };
  return {
    [`${uid}-one`]: { attributes: { name, to: attribute(`${uid}-two`, to, 'back') } },
    [`${uid}-two`]: { attributes: { name, ...(back ? { back: attribute(`${uid}-one`, back, 'to') } : {}) } },
  };
}

const schemaOf = (stage: 'before' | 'after'): Models =>
  modelsOf({
    name: 'kinds',
    contentTypes: Object.assign({}, ...PAIRS.map((pair) => attributes(pair.uid, pair[stage]))),
  });
const BEFORE = schemaOf('before');
const AFTER = schemaOf('after');

type Links = readonly (readonly [one: number, two: number])[];

/** Links that a relation of this cardinality can hold. */
function linksFor({ targets, owners }: Pick<Kind, 'targets' | 'owners'>): Links {
  if (targets && owners) return [[1, 1], [1, 2], [2, 1], [2, 2], [3, 1]]; // prettier-ignore
  if (targets) return [[1, 3], [1, 2], [2, 1]]; // prettier-ignore
  if (owners) return [[1, 1], [2, 1], [3, 2]]; // prettier-ignore
  return [[1, 2], [2, 1]]; // prettier-ignore
}

/** Lists have their entries in the opposite order of their ids. */
async function writeLinks({ id, script }: TestDatabase, { layout }: Models, uid: string, links: Links): Promise<void> {
  for (const [side, first] of [
    ['one', 'to'],
    ['two', 'back'],
  ] as const) {
    const type = layout.get(`${uid}-${side}`);
    const place = type?.attributes.get(first);
    const turned = links.map(([one, two]) => (side === 'one' ? [one, two] : [two, one]) as [number, number]);
    for (const [own, other] of turned) {
      if (place?.kind === 'foreignKey') {
        const position = place.position === undefined ? '' : `, ${id(place.position)} = ${100 - own}`;
        await script(
          `UPDATE ${id(type?.table ?? '')} SET ${id(place.column)} = ${other}${position} WHERE ${id('id')} = ${own}`,
        );
      } else if (place?.kind === 'link' && place.own === 'owner_id') {
        const columns = [place.own, place.other, place.position, ...(place.otherPosition ? [place.otherPosition] : [])];
        const values = [own, other, 100 - other, 100 - own].slice(0, columns.length);
        await script(`INSERT INTO ${id(place.table)} (${columns.map(id).join(', ')}) VALUES (${values.join(', ')})`);
      }
    }
  }
}

async function removeLinks({ id, script }: TestDatabase, { layout }: Models, uid: string): Promise<void> {
  for (const [side, name] of [
    ['one', 'to'],
    ['two', 'back'],
  ] as const) {
    // prettier-ignore
    const type = layout.get(`${uid}-${side}`);
    const place = type?.attributes.get(name);
    if (place?.kind === 'foreignKey') await script(`UPDATE ${id(type?.table ?? '')} SET ${id(place.column)} = NULL`);
    if (place?.kind === 'link') await script(`DELETE FROM ${id(place.table)}`);
  }
}

const ids = (list: any): unknown => (Array.isArray(list) ? list.map(([, id]) => id) : list);

describe.each(await testedEngines())('kinds of relations on %s', (dialect) => {
  let folder: string;
  let database: TestDatabase;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    const file = join(folder, 'data.db');
    database = dialect === 'sqlite' ? await sqliteDatabase(file) : await createDatabase(dialect, 'relation_kinds');
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The lists on both sides of each pair, by attribute, as ids. */
  async function readAll(models: Models): Promise<Record<string, unknown>> {
    const content = await readContent(database, models);
    return Object.fromEntries(
      PAIRS.map(({ uid }) => [
        uid,
        Object.fromEntries(
          [
            ['one', 'to'],
            ['two', 'back'],
          ].map(([side, name = '']) => [
            name,
            Object.values(content[`${uid}-${side}`] ?? {}).map((entry) => ids(entry[name])),
          ]),
        ),
      ]),
    );
  }
  const both = (uid: string, lists: any, { before, after }: { before: Kind; after: Kind }): unknown =>
    before.back && after.back ? lists[uid] : lists[uid].to;

  it('keep what fits, and are refused what does not', async () => {
    const first = nextPlan(BEFORE, [], []);
    const server = await openDatabase(dialect === 'sqlite' ? `sqlite:${join(folder, 'data.db')}` : database.url);
    try {
      await migrateUp(server, await writePlans(folder, [first]));
      const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
      const names = ['created_at', 'updated_at'].map(database.id).join(', ');
      for (const { uid, before, after } of PAIRS) {
        for (const side of ['one', 'two']) {
          const table = database.id(BEFORE.layout.get(`${uid}-${side}`)?.table ?? '');
          const row = `(${moment}, ${moment})`;
          await database.script(`INSERT INTO ${table} (${names}) VALUES ${row}, ${row}, ${row}`);
        }
        const cardinality = { targets: before.targets && after.targets, owners: before.owners && after.owners };
        await writeLinks(database, BEFORE, uid, linksFor(cardinality));
      }
      const start = await readAll(BEFORE);

      const { diagnostics } = planMigration({ history: [first], target: AFTER.storage, notes: AFTER.notes });
      const asked = diagnostics.map(({ hint }) => /--allow-destructive (\S+)/u.exec(hint ?? '')?.[1] ?? '');
      for (const { uid, before, after } of PAIRS) {
        const keys = Number(before.targets && !after.targets) + Number(before.owners && !after.owners);
        const own = diagnostics.filter((_, index) => asked[index]?.startsWith(`${uid}-`));
        const narrows = own.filter(({ code }) => /narrows|unique/u.test(code));
        expect.soft([uid, narrows.length]).toStrictEqual([uid, Math.min(keys, 1)]);
        // What the consent is about can be looked at, on both sides.
        const queries = narrows.flatMap(({ hint }) => hint?.match(/HAVING count/gu) ?? []);
        expect.soft([uid, queries.length]).toStrictEqual([uid, keys]);
      }
      const second = nextPlan(AFTER, [first], asked);
      const directory = await writePlans(folder, [first, second]);
      await migrateUp(server, directory);
      const moved = await readAll(AFTER);
      for (const pair of PAIRS) {
        expect.soft([pair.uid, both(pair.uid, moved, pair)]).toStrictEqual([pair.uid, both(pair.uid, start, pair)]);
      }
      const down = async (): Promise<string> =>
        migrate(server, { directory, dialect, keepsContent: true }, 'down').then(() => 'undone', String);
      expect.soft(await down()).toBe('undone');
      const undone = await readAll(BEFORE);
      for (const pair of PAIRS) {
        expect.soft([pair.uid, both(pair.uid, undone, pair)]).toStrictEqual([pair.uid, both(pair.uid, start, pair)]);
      }

      await migrateUp(server, directory);
      for (const { uid, after } of PAIRS) {
        await removeLinks(database, AFTER, uid);
        await writeLinks(database, AFTER, uid, linksFor(after));
      }
      const full = await readAll(AFTER);
      const refused = await down();
      const isUniqueAgain: string[] = [];
      for (const { uid, before, after } of PAIRS) {
        const narrows = (after.targets && !before.targets) || (after.owners && !before.owners);
        const said = refused.split('\n').filter((line) => line.includes(` ${uid.replace('-', '_')}_`));
        const ofOrder = said.filter((line) => line.includes('the order of'));
        // Only that a column is unique again is found by the database itself.
        if (narrows && before.name.startsWith('oo') && said.length === 0) isUniqueAgain.push(uid);
        else if (narrows) expect.soft([uid, said.length]).not.toStrictEqual([uid, 0]);
        else expect.soft([uid, said]).toStrictEqual([uid, ofOrder]);
      }
      expect(isUniqueAgain).toStrictEqual(['oo-oway']);
      expect(await readAll(AFTER)).toStrictEqual(full);
      // Those whose column is unique again stop it even with consent, before anything is changed.
      const stopped = await migrate(server, { directory, dialect }, 'down').then(() => 'undone', String);
      expect(stopped).toMatch(/failed/u);
      expect(await readAll(AFTER)).toStrictEqual(full);
    } finally {
      await server.close();
    }
  }, 300_000);
});
