/** Undoing a migration refuses to delete what was written since, on every engine: components, links, and the order of lists. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { modelsOf } from '../../test/support/evolving-model.ts';
import {
  openEngine,
  type RuntimeDatabase,
  testedEngines,
} from '../../templates/runtime/test-support/runtime-database.ts';
import { nextPlan, writePlans } from '../../test/support/written-migrations.ts';
import { raw } from '../../templates/runtime/src/database/sql.ts';
import { migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';

const UNDONE = 'undone';

describe.each(await testedEngines())('undoing on %s', (dialect) => {
  let folder: string;
  let opened: RuntimeDatabase;
  let directory: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    opened = await openEngine(dialect, 'undone_content');
  });
  afterEach(async () => {
    await opened.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
  const id = (name: string): string => opened.database.dialect.id(name).text;

  /** Migrates to the first schema, inserts rows, and migrates to the others. */
  async function evolve(
    schemas: readonly string[],
    rows: () => Promise<void> = () => Promise.resolve(),
    allowed: readonly string[] = [],
  ): Promise<void> {
    const history: MigrationPlan[] = [];
    for (const schema of schemas) {
      history.push(nextPlan(modelsOf(schema), history, allowed));
      directory = await writePlans(folder, history);
      await migrateUp(opened.database, directory);
      if (history.length === 1) await rows();
    }
  }
  const down = async (keepsContent = true): Promise<string> =>
    migrate(opened.database, { directory, dialect, keepsContent }, 'down').then(() => UNDONE, String);
  async function insert(table: string, values: Readonly<Record<string, unknown>>): Promise<void> {
    const times = table.endsWith('_links') ? {} : { created_at: moment, updated_at: moment };
    const texts = Object.entries(values).map(([name, value]): [string, string] => {
      const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
      return [name, typeof text === 'string' ? `'${text}'` : String(text)];
    });
    const all = Object.entries({ ...Object.fromEntries(texts), ...times });
    const names = all.map(([name]) => id(name)).join(', ');
    await opened.database.script(
      `INSERT INTO ${id(table)} (${names}) VALUES (${all.map(([, value]) => value).join(', ')})`,
    );
  }
  const read = async (table: string, columns: readonly string[]): Promise<readonly unknown[]> => {
    const list = columns.map(id).join(', ');
    const rows = await opened.database.all(raw(`SELECT ${list} FROM ${id(table)} ORDER BY ${id(columns[0] ?? '')}`));
    return rows.map((row) =>
      columns.map((name) => {
        const value = row[name];
        return typeof value === 'string' && /^[[{]/u.test(value) ? JSON.parse(value) : value;
      }),
    );
  };

  it('takes added values for written only where they are not the default', async () => {
    const schema = (attributes: string): string => `contentTypes:
  article:
    attributes:
      title: { type: string }
${attributes}`;
    const values: Readonly<Record<string, readonly [type: string, given: string, other: unknown]>> = {
      name: ['string', "it's \\\\ new", 'other'],
      body: ['text', 'text', 'other'],
      rank: ['integer', '7', 8],
      big: ['biginteger', "'90071992547409931'", 5],
      ratio: ['float', '0.25', 0.5],
      price: ['decimal', "'1.50'", dialect === 'sqlite' ? '2.5' : 2.5],
      active: ['boolean', 'true', dialect === 'postgres' ? false : 0],
      day: ['date', "'2001-02-03'", '2001-02-04'],
      at: ['time', "'12:30:00'", '12:31:00.000'],
      since: ['datetime', "'2024-01-02T03:04:05Z'", moment.slice(1, -1).replace('05.000', '06.000')],
      extra: ['json', "{ b: [1, 'x'], a: null }", { a: 1 }],
    };
    const added = Object.entries(values).map(
      ([name, [type, given]]) =>
        `      ${name}: { type: ${type}, default: ${/^[a-z]{2}/u.test(given) && type !== 'boolean' ? JSON.stringify(given) : given} }`,
    );
    await evolve([schema(''), schema(added.join('\n'))], () => insert('articles', { title: 'x' }));
    expect(await down()).toBe(UNDONE);
    await migrateUp(opened.database, directory);
    await insert('articles', Object.fromEntries(Object.entries(values).map(([name, [, , other]]) => [name, other])));
    const said = (await down()).split('\n').filter((line) => line.includes('values of'));
    expect(said.map((line) => line.trim()).sort()).toStrictEqual(
      Object.keys(values).map((name) => `values of ${name} in 1 row of articles`).sort(), // prettier-ignore
    );
  });

  it('restores required and unique attributes that were dropped, with distinct values', async () => {
    const attributes = [
      'name: { type: string',
      'rank: { type: integer',
      'big: { type: biginteger',
      'price: { type: decimal',
    ];
    const schema = (lines: readonly string[]): string => `contentTypes:
  article:
    attributes:
      title: { type: string }
${lines.map((line) => `      ${line}, required: true, unique: true }`).join('\n')}`;
    const rows = async (): Promise<void> => {
      for (const value of [11, 12]) {
        await insert('articles', { title: 'x', name: String(value), rank: value, big: value, price: String(value) });
      }
    };
    const dropped = attributes.map((line) => `article.${line.split(':')[0]}`);
    await evolve([schema(attributes), schema([])], rows, dropped);
    expect(await down(false)).toBe(UNDONE);
    const restored = await read('articles', ['id', 'name', 'rank', 'big', 'price']);
    expect(restored.map((row) => (row as unknown[]).map(Number))).toStrictEqual([1, 2].map((id) => Array(5).fill(id)));
  });

  it('keeps components in components, in lists and in dynamic zones, that became lists', async () => {
    const schema = (member: string, inner: string): string => `components:
  shared.part: { attributes: { text: { type: string } } }
  shared.middle: { attributes: { name: { type: string }, ${member} } }
  shared.whole: { attributes: { middle: { type: component, component: shared.middle }, ${inner} } }
contentTypes:
  article:
    attributes:
      title: { type: string }
      one: { type: component, component: shared.middle }
      list: { type: component, component: shared.whole, repeatable: true }
      zone: { type: dynamiczone, components: [shared.middle, shared.whole] }`;
    const many = ', component: shared.part, repeatable: true';
    await evolve([
      schema('part: { type: component, component: shared.part }', 'last: { type: component, component: shared.part }'),
      schema(`parts: { type: component${many}, renamedFrom: part }`, `last: { type: component${many} }`),
    ]);
    const parts = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1, text: 'it' }));
    const write = async (counts: readonly number[]): Promise<void> => {
      await opened.database.script(`DELETE FROM ${id('articles')}`);
      const [one = 0, list = 0, last = 0, zone = 0, inZone = 0] = counts;
      await insert('articles', {
        title: 'a',
        one: { id: 11, name: 'n', parts: parts(one) },
        list: [
          { id: 12, middle: null, last: null },
          { id: 13, middle: { id: 14, name: 'm', parts: parts(list) }, last: parts(last) },
        ],
        zone: [
          { __component: 'shared.middle', id: 15, name: 'z', parts: parts(zone) },
          { __component: 'shared.whole', id: 16, middle: { id: 17, name: null, parts: parts(inZone) } },
        ],
      });
      await insert('articles', { title: 'b', one: null, list: [], zone: [] });
    };
    const places = [
      'parts in one',
      'middle.parts in list',
      'last in list',
      'shared.middle.parts in zone',
      'shared.whole.middle.parts in zone',
    ];
    for (const [index, place] of places.entries()) {
      await write([1, 1, 1, 1, 1].with(index, 2));
      const before = await read('articles', ['title', 'one', 'list', 'zone']);
      const lost = (await down()).split('\n').filter((line) => line.startsWith('  '));
      expect(lost).toStrictEqual([`  all components but the first of ${place} in 1 row of articles`]);
      expect(await read('articles', ['title', 'one', 'list', 'zone'])).toStrictEqual(before);
    }
    await write([1, 1, 1, 0, 1]);
    expect(await down()).toBe(UNDONE);
    const part = { id: 1, text: 'it' };
    expect(await read('articles', ['title', 'one', 'list', 'zone'])).toMatchObject([
      ['a', { id: 11, part }, [{ id: 12 }, { middle: { part }, last: part }], [{ id: 15 }, { middle: { part } }]],
      ['b', null, [], []],
    ]);
  });

  it('keeps the links of components, whose table it would drop', async () => {
    const schema = (more: string): string => `components:
  shared.part: { attributes: { text: { type: string }${more} } }
contentTypes:
  tag: { attributes: { name: { type: string } } }
  article: { attributes: { title: { type: string }, part: { type: component, component: shared.part } } }`;
    await evolve([schema(''), schema(', tag: { type: relation, relation: oneToOne, target: tag }')]);
    await insert('tags', { name: 'x' });
    await insert('articles', { title: 'a', part: { id: 1, text: 'x' } });
    const links = 'articles_component_links';
    await insert(links, { owner_id: 1, item_id: 1, attribute: 'tag', position: 1, tag_id: 1 });
    expect(await down()).toContain(`1 row of ${links}`);
    expect(await down(false)).toBe(UNDONE);
  });

  const relation = (tag: string, articles = ''): string => `contentTypes:
  tag: { attributes: { name: { type: string }${articles === '' ? '' : `, articles: { type: relation, target: article, ${articles} }`} } }
  article: { attributes: { title: { type: string }${tag === '' ? '' : `, tags: { type: relation, target: tag, ${tag} }`} } }`;
  const hasOne = 'relation: manyToOne';
  const hasMany = 'relation: manyToMany';
  const LINKS = 'articles_tags_links';

  async function fill(): Promise<void> {
    for (const name of ['x', 'y']) await insert('tags', { name });
    for (const [index, title] of ['a', 'b', 'c'].entries()) {
      await insert('articles', { title, tags_id: index === 2 ? 2 : 1 });
    }
  }
  async function fillLinks(): Promise<void> {
    for (const name of ['x', 'y']) await insert('tags', { name });
    for (const title of ['a', 'b', 'c']) await insert('articles', { title });
    for (const owner_id of [1, 2, 3]) await insert(LINKS, { owner_id, target_id: 1, position: owner_id });
  }
  /** Gives the rows of a list the opposite order. */
  const turn = (table: string, position: string, by: string): Promise<void> =>
    opened.database.script(`UPDATE ${id(table)} SET ${id(position)} = 100 - ${id(by)}`);

  it.each([
    {
      name: 'that a column got',
      before: relation(hasOne),
      after: relation(`${hasOne}, inversedBy: articles`, 'relation: oneToMany, mappedBy: tags'),
      rows: fill,
      turned: ['articles', 'tags_position', 'id'],
      lost: 'the order of 2 rows of articles among those with the same tags_id',
    },
    {
      name: 'that a link table got',
      before: relation(hasMany),
      after: relation(`${hasMany}, inversedBy: articles`, `${hasMany}, mappedBy: tags`),
      rows: fillLinks,
      turned: [LINKS, 'inverse_position', 'owner_id'],
      lost: `the order of 2 rows of ${LINKS} among those with the same target_id`,
    },
    {
      name: 'that links got where a column was',
      before: relation(hasOne),
      after: relation(`${hasMany}, inversedBy: articles`, `${hasMany}, mappedBy: tags`),
      rows: fill,
      turned: [LINKS, 'inverse_position', 'owner_id'],
      lost: `the order of 2 rows of ${LINKS} among those with the same target_id`,
    },
  ] as const)('keeps the order $name', async ({ before, after, rows, turned, lost }) => {
    await evolve([before, after], rows);
    expect(await down()).toBe(UNDONE);
    await migrateUp(opened.database, directory);
    const [table, position, by] = turned;
    await turn(table, position, by);
    expect(await down()).toContain(`\n  ${lost}\nIt was not undone.`);
    expect(await down(false)).toBe(UNDONE);
  });
});
