import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { createIfThere, type TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { contentModel, contentType, relation, richModel, scalar } from '../../test/support/content-model.ts';
import { buildStorageModel } from '../storage/build-storage-model.ts';
import { layoutOf } from '../storage/compute-layout.ts';
import { planMigration } from './plan/plan-migration.ts';
import { modelsOf } from '../../test/support/evolving-model.ts';
import { runSql } from '../../test/support/run-sql.ts';
import { nextPlan } from '../../test/support/written-migrations.ts';
import { printSql } from './sql/print-sql.ts';
import type { Attribute, ContentModel, ContentType } from '../model/content-model.ts';

function plan(model: ContentModel, history: readonly MigrationPlan[] = []): MigrationPlan {
  const { value, diagnostics } = planMigration({ history, target: buildStorageModel(model, layoutOf(model)) });
  if (!value) throw new Error(diagnostics.map(({ message }) => message).join('\n') || 'nothing to do');
  return value;
}

function withAttributes(type: ContentType, attributes: readonly Attribute[]): ContentType {
  return { ...type, attributes: [...type.attributes, ...attributes] };
}

/** The rich model before and after additions of every kind. */
function modelAt(time: 'before' | 'after'): ContentModel {
  const rich = richModel();
  const label = contentType('label', [relation('articles', 'oneToMany', 'article', { inverse: 'label' })]);
  const types = rich.contentTypes.map((type) => grown(type, time === 'after'));
  return contentModel(time === 'after' ? [...types, label] : types, rich.components);
}

function grown(type: ContentType, after: boolean): ContentType {
  const when = <T>(things: readonly T[]): readonly T[] => (after ? things : []);
  switch (type.uid) {
    case 'article':
      return withAttributes(
        type,
        when<Attribute>([
          scalar('level', 'integer', { required: true, default: 1 }),
          scalar('subtitle', 'string', { unique: true }),
          relation('label', 'manyToOne', 'label', { inverse: 'articles' }),
        ]),
      );
    case 'author':
      return withAttributes(type, [
        relation('boss', 'manyToOne', 'author', after ? { inverse: 'reports' } : {}),
        ...when([relation('reports', 'oneToMany', 'author', { inverse: 'boss' })]),
        ...when([relation('peers', 'manyToMany', 'tag', { owner: false, inverse: 'peers' })]),
      ]);
    case 'tag': {
      const peers = relation('peers', 'manyToMany', 'author', after ? { inverse: 'peers' } : {});
      return { ...withAttributes(type, [peers]), draftAndPublish: after };
    }
    default:
      return type;
  }
}

describe.each(['sqlite', 'postgres', 'mysql'] as const)('the SQL for %s', (dialect) => {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await createIfThere(dialect, 'migrations');
  });
  afterAll(() => database?.drop());

  it('builds the rich model, grows it with rows in it, and undoes all of it', async ({ skip }) => {
    if (!database) {
      skip();
      return;
    }
    const { script, rows, id, catalogue } = database;
    const first = plan(modelAt('before'));
    const second = plan(modelAt('after'), [first]);
    const empty = await catalogue();

    await runSql(database, printSql(first, dialect).up);
    const built = await catalogue();
    expect(built.length).toBeGreaterThan(150);

    const times = `${id('created_at')}, ${id('updated_at')}`;
    const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
    await script(`
      INSERT INTO ${id('authors')} (${times}) VALUES (${moment}, ${moment}), (${moment}, ${moment});
      UPDATE ${id('authors')} SET ${id('boss_id')} = 1;
      INSERT INTO ${id('tags')} (${times}) VALUES (${moment}, ${moment});
      INSERT INTO ${id('tags_peers_links')} (${id('owner_id')}, ${id('target_id')}, ${id('position')}) VALUES (1, 2, 5);
      INSERT INTO ${id('articles')} (${id('slug')}, ${id('author_id')}, ${times}) VALUES ('a', 2, ${moment}, ${moment});
      INSERT INTO ${id('articles_tags_links')} VALUES (1, 1, 1, 1);
      INSERT INTO ${id('order')} (${id('select')}, ${times}) VALUES ('x', ${moment}, ${moment});
    `);
    const columns = ['title', 'body', 'count', 'active', 'status', 'extra'].map(id).join(', ');
    const [article] = await rows(`SELECT ${columns} FROM ${id('articles')}`);
    const [title, body, count, active, status, extra] = article ?? [];
    expect([title, body, count, status]).toStrictEqual([`it's "\\" ; -- /* x */`, 'two\nlines', -3, 'idea']);
    expect(Number(active)).toBe(1);
    expect(typeof extra === 'string' ? JSON.parse(extra) : extra).toStrictEqual({ a: ["it's"] });

    await runSql(database, printSql(second, dialect).up);
    expect(await rows(`SELECT ${id('level')}, ${id('label_id')} FROM ${id('articles')}`)).toStrictEqual([[1, null]]);
    const published = await rows(
      `SELECT count(*) FROM ${id('tags')} WHERE ${id('published_at')} = ${id('created_at')}`,
    );
    expect(published.flat().map(Number)).toStrictEqual([1]);
    const positions = await rows(`SELECT ${id('boss_position')} FROM ${id('authors')} ORDER BY ${id('id')}`);
    expect(positions.flat().map(Number)).toStrictEqual([1, 2]);
    const inverse = await rows(`SELECT ${id('position')}, ${id('inverse_position')} FROM ${id('tags_peers_links')}`);
    expect(inverse.flat().map(Number)).toStrictEqual([5, 1]);

    await script(`DELETE FROM ${id('authors')} WHERE ${id('id')} = 2`);
    expect(await rows(`SELECT ${id('author_id')} FROM ${id('articles')}`)).toStrictEqual([[null]]);
    expect(await rows(`SELECT ${id('owner_id')} FROM ${id('tags_peers_links')}`)).toStrictEqual([]);

    await runSql(database, printSql(second, dialect).down);
    expect(await catalogue()).toStrictEqual(built);
    await runSql(database, printSql(first, dialect).down);
    expect(await catalogue()).toStrictEqual(empty);
  });

  it('makes a list of a relation whose name another one gets', async ({ skip }) => {
    if (!database) {
      skip();
      return;
    }
    const { script, rows, id, catalogue } = database;
    const models = (lead: string, cover: string) =>
      modelsOf(`contentTypes:
  article:
    attributes:
      lead: { type: relation, target: author, ${lead} }
      cover: { type: relation, target: author, ${cover} }
  author: { attributes: { name: { type: string } } }`);
    const before = nextPlan(models('relation: oneWay', 'relation: oneWay'), [], []);
    const after = models('relation: oneWay, renamedFrom: cover', 'relation: manyWay, renamedFrom: lead');
    const exchanged = nextPlan(after, [before], []);
    const empty = await catalogue();
    await runSql(database, printSql(nextPlan(after, [], []), dialect).up);
    const built = await catalogue();
    await runSql(database, printSql(nextPlan(after, [], []), dialect).down);
    expect(await catalogue()).toStrictEqual(empty);

    await runSql(database, printSql(before, dialect).up);
    const former = await catalogue();
    const times = `${id('created_at')}, ${id('updated_at')}`;
    const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
    await script(`
      INSERT INTO ${id('authors')} (${times}) VALUES (${moment}, ${moment}), (${moment}, ${moment});
      INSERT INTO ${id('articles')} (${id('lead_id')}, ${id('cover_id')}, ${times}) VALUES (1, 2, ${moment}, ${moment});
    `);
    const links = async (query: string) => (await rows(query)).flat().map(Number);
    await runSql(database, printSql(exchanged, dialect).up);
    expect(await catalogue()).toStrictEqual(built);
    expect(await links(`SELECT ${id('lead_id')} FROM ${id('articles')}`)).toStrictEqual([2]);
    expect(await links(`SELECT ${id('target_id')} FROM ${id('articles_cover_links')}`)).toStrictEqual([1]);
    await runSql(database, printSql(exchanged, dialect).down);
    expect(await catalogue()).toStrictEqual(former);
    expect(await links(`SELECT ${id('lead_id')}, ${id('cover_id')} FROM ${id('articles')}`)).toStrictEqual([1, 2]);
  });
});
