/** An attribute that is no longer localized: all locales of an entry get its value in one of them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modelsOf } from '../../test/support/evolving-model.ts';
import { nextPlan, writePlans } from '../../test/support/written-migrations.ts';
import {
  openEngine,
  type RuntimeDatabase,
  testedEngines,
} from '../../templates/runtime/test-support/runtime-database.ts';
import { raw } from '../../templates/runtime/src/database/sql.ts';
import { migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';
import type { MigrationPlan } from './history/change.ts';

const schema = (own: string): string => `
locales: [en, fr]
components:
  shared.box:
    attributes:
      label: { type: string }
      tags: { type: relation, relation: manyWay, target: tag }
contentTypes:
  tag: { attributes: { name: { type: string } } }
  post:
    localized: true
    attributes:
      name: { type: string }
      title: { type: string${own} }
      first: { type: relation, relation: manyToOne, target: tag${own} }
      tags: { type: relation, relation: manyToMany, target: tag${own} }
      boxes: { type: component, component: shared.box, repeatable: true${own} }
`;
const THINGS = ['title', 'first', 'tags', 'boxes'].map((name) => `post.${name}`);

describe.each(await testedEngines())('sharing on %s', (dialect) => {
  let folder: string;
  let opened: RuntimeDatabase;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    opened = await openEngine(dialect, 'sharing');
  });
  afterEach(async () => {
    await opened.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('makes the locales of an entry equal, after consent', async () => {
    const { database } = opened;
    const id = (name: string): string => database.dialect.id(name).text;
    const [before, after] = [modelsOf(schema('')), modelsOf(schema(', localized: false'))];
    const first = nextPlan(before, [], []);
    expect(() => nextPlan(after, [first], THINGS.slice(1))).toThrow(
      /'post\.title' is no longer localized, so all locales of an entry would get its value in 'en'/u,
    );
    const second = nextPlan(after, [first], THINGS);
    await migrateUp(database, await writePlans(join(folder, 'first'), [first]));
    const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
    const insert = async (table: string, columns: string, ...rows: readonly string[]): Promise<void> => {
      const isType = table === 'posts' || table === 'tags';
      const names = `${columns}${isType ? ' created_at updated_at' : ''}`.split(' ').map(id).join(', ');
      const values = rows.map((row) => `(${row}${isType ? `, ${moment}, ${moment}` : ''})`).join(', ');
      await database.script(`INSERT INTO ${id(table)} (${names}) VALUES ${values}`);
    };
    await insert('tags', 'id', '1', '2', '3');
    await insert(
      'posts',
      'id document_id locale name title first_id boxes',
      `1, 'd', 'fr', 'un', 'bonjour', 1, '[{"id":1,"label":"un"},{"id":2,"label":"deux"}]'`,
      `2, 'd', 'en', 'one', 'hello', 2, '[{"id":3,"label":"one"}]'`,
      `3, 'e', 'fr', 'seul', 'seul', 3, NULL`,
      `4, 'f', 'en', 'none', NULL, NULL, NULL`,
      `5, 'f', 'fr', 'rien', 'rien', 1, '[{"id":4}]'`,
    );
    await insert(
      'posts_tags_links',
      'owner_id target_id position',
      '1, 1, 1',
      '2, 3, 1',
      '2, 2, 2',
      '3, 1, 1',
      '5, 1, 1',
    );
    await insert(
      'posts_component_links',
      'owner_id item_id attribute position tag_id',
      "1, 1, 'tags', 1, 1",
      "2, 3, 'tags', 1, 2",
      "2, 3, 'tags', 2, 3",
      "5, 4, 'tags', 1, 1",
    );
    const directory = await writePlans(join(folder, 'both'), [first, second]);
    await migrateUp(database, directory);
    const read = async (table: string, columns: string, order: string) =>
      (await database.all(raw(`SELECT ${columns} FROM ${id(table)} ORDER BY ${order}`))).map((row) =>
        Object.values(row),
      );
    const boxes = dialect === 'postgres' ? 'boxes::text' : 'boxes';
    expect(await read('posts', `name, title, first_id, ${boxes}`, 'id')).toStrictEqual([
      ['un', 'hello', 2, '[{"id":3,"label":"one"}]'],
      ['one', 'hello', 2, '[{"id":3,"label":"one"}]'],
      ['seul', 'seul', 3, null],
      ['none', null, null, null],
      ['rien', null, null, null],
    ]);
    expect(await read('posts_tags_links', 'owner_id, target_id', `owner_id, ${id('position')}`)).toStrictEqual([
      [1, 3],
      [1, 2],
      [2, 3],
      [2, 2],
      [3, 1],
    ]);
    expect(
      await read('posts_component_links', 'owner_id, item_id, tag_id', `owner_id, ${id('position')}`),
    ).toStrictEqual([
      [1, 3, 2],
      [1, 3, 3],
      [2, 3, 2],
      [2, 3, 3],
    ]);
    expect((await migrate(database, { directory, dialect }, 'down')).changed).toHaveLength(1);
    expect(await migrateUp(database, directory)).toHaveLength(1);
  });

  it('asks nothing the other way round, nor where the history does not say what was shared', () => {
    const [own, shared] = [modelsOf(schema('')), modelsOf(schema(', localized: false'))];
    const first = nextPlan(shared, [], []);
    expect(nextPlan(own, [first], []).changes.every(({ kind }) => kind === 'describeColumn')).toBe(true);
    const former = JSON.parse(JSON.stringify(first).replaceAll(/,"shared":(?:true|false)/gu, '')) as MigrationPlan;
    expect(() => nextPlan(shared, [former], [])).toThrow(/no plan|nothing/u);
  });
});
