/** A type that is no longer localized: links to its rows move to the row of the same entry that stays. */
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
import { migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';

const schema = (localized: boolean): string => `
locales: [en, fr]
components:
  shared.box:
    attributes:
      posts: { type: relation, relation: manyWay, target: post }
contentTypes:
  other: { localized: true, attributes: { name: { type: string } } }
  post:
${localized ? '    localized: true\n' : ''}    attributes:
      name: { type: string }
      notes: { type: relation, relation: oneToMany, target: note, mappedBy: post }
      pinned: { type: relation, relation: oneToOne, target: note, mappedBy: pin }
      twin: { type: relation, relation: oneToOne, target: post, inversedBy: twinOf }
      twinOf: { type: relation, relation: oneToOne, target: post, mappedBy: twin }
  note:
    attributes:
      post: { type: relation, relation: manyToOne, target: post, inversedBy: notes }
      pin: { type: relation, relation: oneToOne, target: post, inversedBy: pinned }
      posts: { type: relation, relation: manyToMany, target: post }
      any: { type: relation, relation: morphToMany, targets: [post, other] }
      box: { type: component, component: shared.box }
`;

describe.each(await testedEngines())('a type without locales, on %s', (dialect) => {
  let folder: string;
  let opened: RuntimeDatabase;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    opened = await openEngine(dialect, 'locales_off');
  });
  afterEach(async () => {
    await opened.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('keeps all links to its entries', async () => {
    const { database } = opened;
    const id = (name: string): string => database.dialect.id(name).text;
    const [before, after] = [modelsOf(schema(true)), modelsOf(schema(false))];
    const first = nextPlan(before, [], []);
    expect(() => nextPlan(after, [first], [])).toThrow(
      /links to its other locales would move to the one that it keeps/u,
    );
    const second = nextPlan(after, [first], ['post.localized']);
    await migrateUp(database, await writePlans(join(folder, 'first'), [first]));
    const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
    const insert = async (table: string, columns: string, ...rows: readonly string[]): Promise<void> => {
      const isType = table === 'posts' || table === 'notes';
      const names = `${columns}${isType ? ' created_at updated_at' : ''}`.split(' ').map(id).join(', ');
      const values = rows.map((row) => `(${row}${isType ? `, ${moment}, ${moment}` : ''})`).join(', ');
      await database.script(`INSERT INTO ${id(table)} (${names}) VALUES ${values}`);
    };
    // Entry d in both languages, entry e in French only.
    await insert('posts', 'id document_id locale', "1, 'd', 'fr'", "2, 'd', 'en'", "3, 'e', 'fr'");
    // The link of the row that goes must not displace that of the row that stays.
    await database.script(`UPDATE posts SET twin_id = 3 - id WHERE id < 3`);
    const box = `'{"id":7}'`;
    await insert(
      'notes',
      'id post_id post_position pin_id box',
      `1, 1, 65536, 1, ${box}`,
      '2, 2, 65536, 2, NULL',
      '3, 3, 65536, 3, NULL',
      '4, NULL, NULL, NULL, NULL',
    );
    await insert('notes_posts_links', 'owner_id target_id position', '1, 1, 1', '1, 2, 2', '1, 3, 3', '2, 1, 1');
    await insert('notes_any_morphs', 'owner_id position post_id', '1, 1, 1', '1, 2, 3', '1, 3, 2', '2, 1, 2');
    await insert(
      'notes_component_links',
      'owner_id item_id attribute position post_id',
      "1, 7, 'posts', 1, 1",
      "1, 7, 'posts', 2, 2",
      "1, 7, 'posts', 3, 3",
    );
    await migrateUp(database, await writePlans(join(folder, 'both'), [first, second]));
    const read = async (table: string, columns: string, order: string) =>
      (await database.all(raw(`SELECT ${columns} FROM ${id(table)} ORDER BY ${order}`))).map((row) =>
        Object.values(row).map((value) => (value === null ? null : Number(value))),
      );
    expect(await read('posts', 'id, twin_id', 'id')).toStrictEqual([
      [2, 2],
      [3, null],
    ]);
    expect(await read('notes', 'post_id, pin_id', 'id')).toStrictEqual([
      [2, null],
      [2, 2],
      [3, 3],
      [null, null],
    ]);
    const positions = (await read('notes', 'post_position', 'id')).flat().slice(0, 2);
    expect(new Set(positions).size).toBe(2);
    expect(await read('notes_posts_links', 'owner_id, target_id', `owner_id, ${id('position')}`)).toStrictEqual([
      [1, 2],
      [1, 3],
      [2, 2],
    ]);
    expect(await read('notes_any_morphs', 'owner_id, post_id', `owner_id, ${id('position')}`)).toStrictEqual([
      [1, 2],
      [1, 3],
      [2, 2],
    ]);
    expect(await read('notes_component_links', 'post_id', id('position'))).toStrictEqual([[2], [3]]);
  });
});
