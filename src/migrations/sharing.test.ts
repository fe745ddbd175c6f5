/** An attribute that is no longer localized: all locales of an entry get its value in one of them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { modelsOf } from '../../test/support/evolving-model.ts';
import { nextPlan, writePlans } from '../../test/support/written-migrations.ts';
import {
  openEngine,
  type RuntimeDatabase,
  testedEngines,
} from '../../templates/runtime/test-support/runtime-database.ts';
import { raw } from '../../templates/runtime/src/database/sql.ts';
import { migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';

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
      code: { type: string, required: true${own} }
      title: { type: string${own} }
      first: { type: relation, relation: manyToOne, target: tag${own} }
      tags: { type: relation, relation: manyToMany, target: tag${own} }
      boxes: { type: component, component: shared.box, repeatable: true${own} }
`;
const THINGS = ['code', 'title', 'first', 'tags', 'boxes'].map((name) => `post.${name}`);

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

  const id = (name: string): string => opened.database.dialect.id(name).text;
  const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
  const insert = async (table: string, columns: string, ...rows: readonly string[]): Promise<void> => {
    const isType = table === 'posts' || table === 'tags';
    const names = `${columns}${isType ? ' created_at updated_at' : ''}`.split(' ').map(id).join(', ');
    const values = rows.map((row) => `(${row}${isType ? `, ${moment}, ${moment}` : ''})`).join(', ');
    await opened.database.script(`INSERT INTO ${id(table)} (${names}) VALUES ${values}`);
  };
  const read = async (table: string, columns: string, order: string) =>
    (await opened.database.all(raw(`SELECT ${columns} FROM ${id(table)} ORDER BY ${order}`))).map((row) =>
      Object.values(row),
    );

  it('makes the locales of an entry equal, after consent', async () => {
    const { database } = opened;
    const [before, after] = [modelsOf(schema('')), modelsOf(schema(', localized: false'))];
    const first = nextPlan(before, [], []);
    expect(() => nextPlan(after, [first], [...THINGS.slice(0, 1), ...THINGS.slice(2)])).toThrow(
      /'post\.title' is no longer localized, so all locales of an entry would get its value in 'en'/u,
    );
    const second = nextPlan(after, [first], THINGS);
    await migrateUp(database, await writePlans(join(folder, 'first'), [first]));
    await insert('tags', 'id', '1', '2', '3');
    await insert(
      'posts',
      'id document_id locale name code title first_id boxes',
      `1, 'd', 'fr', 'un', 'c', 'bonjour', 1, '[{"id":1,"label":"un"},{"id":2,"label":"deux"}]'`,
      `2, 'd', 'en', 'one', NULL, 'hello', 2, '[{"id":3,"label":"one"}]'`,
      `3, 'e', 'fr', 'seul', 'd', 'seul', 3, NULL`,
      `4, 'f', 'en', 'none', 'e', NULL, NULL, NULL`,
      `5, 'f', 'fr', 'rien', 'f', 'rien', 1, '[{"id":4}]'`,
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
    const boxes = dialect === 'postgres' ? 'boxes::text' : 'boxes';
    expect(await read('posts', `name, code, title, first_id, ${boxes}`, 'id')).toStrictEqual([
      ['un', 'c', 'hello', 2, '[{"id":3,"label":"one"}]'],
      ['one', 'c', 'hello', 2, '[{"id":3,"label":"one"}]'],
      ['seul', 'd', 'seul', 3, null],
      ['none', 'e', null, null, null],
      ['rien', 'e', null, null, null],
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

  it('makes them equal where they are stored in another way from now on, too', async () => {
    const { database } = opened;
    const other = (own: string, of: string, tags: string): string => `
locales: [en, fr]
components:
  shared.box: { attributes: { tags: { type: relation, relation: ${tags}, target: tag } } }
contentTypes:
  tag: { attributes: { name: { type: string } } }
  post:
    localized: true
    attributes:
      first: { type: relation, relation: ${of}, target: tag${own} }
      box: { type: component, component: shared.box${own}${of === 'manyWay' ? ', repeatable: true' : ''} }
`;
    const first = nextPlan(modelsOf(other('', 'oneWay', 'manyWay')), [], []);
    const shared = modelsOf(other(', localized: false', 'manyWay', 'manyWay'));
    expect(() => nextPlan(shared, [first], ['post.box'])).toThrow(/'post\.first' is no longer localized/u);
    const second = nextPlan(shared, [first], ['post.first', 'post.box']);
    const one = modelsOf(other(', localized: false', 'manyWay', 'oneWay'));
    const third = nextPlan(one, [first, second], ['shared.box.tags']);
    await migrateUp(database, await writePlans(join(folder, 'first'), [first]));
    await insert('tags', 'id', '1', '2');
    await insert('posts', 'id document_id locale first_id box', `1, 'd', 'fr', 1, NULL`, `2, 'd', 'en', 2, '{"id":3}'`);
    const links = ["2, 3, 'tags', 1, 2", "2, 3, 'tags', 2, 1"];
    await insert('posts_component_links', 'owner_id item_id attribute position tag_id', ...links);
    await migrateUp(database, await writePlans(join(folder, 'all'), [first, second, third]));
    expect(await read('posts_first_links', 'owner_id, target_id', 'owner_id')).toStrictEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(await read('posts_component_links', 'owner_id, item_id, tag_id', 'owner_id')).toStrictEqual([
      [1, 3, 2],
      [2, 3, 2],
    ]);
  });

  it('asks nothing in a single locale', () => {
    const [own, shared] = ['', ', localized: false'].map((text) =>
      modelsOf(schema(text).replace('locales: [en, fr]', 'locales: [en]')),
    );
    if (!own || !shared) throw new Error('no models');
    const first = nextPlan(own, [], []);
    expect(nextPlan(shared, [first], []).changes.every(({ kind }) => kind === 'relabelColumn')).toBe(true);
  });

  it('asks where an entry can be referred to once', () => {
    const pinned = (own: string): string => `
locales: [en, fr]
contentTypes:
  post:
    localized: true
    attributes: { note: { type: relation, relation: oneToOne, target: note, mappedBy: pin${own} } }
  note: { attributes: { pin: { type: relation, relation: oneToOne, target: post, inversedBy: note } } }
`;
    const first = nextPlan(modelsOf(pinned('')), [], []);
    const shared = modelsOf(pinned(', localized: false'));
    expect(() => nextPlan(shared, [first], [])).toThrow(/'note\.pin' .* only the first would be kept/u);
    expect(nextPlan(shared, [first], ['note.pin']).changes.some(({ kind }) => kind === 'nameEntries')).toBe(true);
  });

  it('asks nothing the other way round, nor where the history does not say what was shared', () => {
    const [own, shared] = [modelsOf(schema('')), modelsOf(schema(', localized: false'))];
    const first = nextPlan(shared, [], []);
    expect(nextPlan(own, [first], []).changes.every(({ kind }) => kind === 'relabelColumn')).toBe(true);
    const former = JSON.parse(JSON.stringify(first).replaceAll(/,"shared":(?:true|false)/gu, '')) as MigrationPlan;
    expect(() => nextPlan(shared, [former], [])).toThrow(/no plan|nothing/u);
  });
});
