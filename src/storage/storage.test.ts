import { describe, expect, it } from 'vitest';
import { contentModel, contentType, relation, richModel, scalar } from '../../test/support/content-model.ts';
import { buildStorageModel } from './build-storage-model.ts';
import { layoutOf } from './compute-layout.ts';
import { inCreationOrder } from './creation-order.ts';
import { checkStorage } from './check-storage.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { Table } from './storage-model.ts';

const tablesOf = (model: ContentModel): readonly Table[] => buildStorageModel(model, layoutOf(model)).tables;

function table(name: string, model = richModel()): Table {
  const found = tablesOf(model).find((candidate) => candidate.name === name);
  if (!found) throw new Error(`no table ${name}`);
  return found;
}

const column = (of: Table, name: string) => of.columns.find((candidate) => candidate.name === name);
const indexes = (of: Table) =>
  of.indexes.map(({ columns, unique }) => `${unique ? 'unique ' : ''}${columns.join(' ')}`);

function allNames(model: ContentModel): readonly string[] {
  return tablesOf(model).flatMap((one) => [
    one.name,
    ...one.indexes.map(({ name }) => name),
    ...one.foreignKeys.map(({ name }) => name),
  ]);
}

const check = (model: ContentModel) => {
  const layout = layoutOf(model);
  return checkStorage(model, layout, buildStorageModel(model, layout));
};

describe('layout', () => {
  it('puts both sides of each relation in the same place', () => {
    const layout = layoutOf(richModel());
    const place = (type: string, attribute: string) => layout.get(type)?.attributes.get(attribute);
    expect(place('article', 'author')).toStrictEqual({
      kind: 'foreignKey',
      column: 'author_id',
      position: 'author_position',
    });
    expect(place('author', 'articles')).toStrictEqual({
      kind: 'inverseForeignKey',
      column: 'author_id',
      position: 'author_position',
    });
    expect(place('article', 'detail')).toStrictEqual({ kind: 'foreignKey', column: 'detail_id', unique: true });
    expect(place('detail', 'article')).toStrictEqual({ kind: 'inverseForeignKey', column: 'detail_id' });
    expect(place('author', 'favourite')).toStrictEqual({ kind: 'foreignKey', column: 'favourite_id' });
    const link = { kind: 'link', table: 'articles_tags_links' };
    const [own, other] = [
      { own: 'owner_id', other: 'target_id' },
      { own: 'target_id', other: 'owner_id' },
    ];
    expect(place('article', 'tags')).toStrictEqual({
      ...link,
      ...own,
      position: 'position',
      otherPosition: 'inverse_position',
    });
    expect(place('tag', 'articles')).toStrictEqual({
      ...link,
      ...other,
      position: 'inverse_position',
      otherPosition: 'position',
      isInverse: true,
    });
    expect(place('article', 'related')).toStrictEqual({
      kind: 'link',
      table: 'articles_related_links',
      ...own,
      position: 'position',
    });
    expect(layout.get('article')?.componentLinks).toStrictEqual({
      table: 'articles_component_links',
      targets: { file: 'file_id', owner: 'target_owner_id' },
    });
    expect(layout.get('author')?.componentLinks).toBeUndefined();
  });

  it('keeps every name within 63 bytes, distinct, and independent of its siblings', () => {
    const names = allNames(richModel());
    expect(names.filter((name) => Buffer.byteLength(name) > 63)).toStrictEqual([]);
    expect(new Set(names).size).toBe(names.length);
    const full = richModel();
    const long = full.contentTypes.find(({ uid }) => uid === 'long');
    const renamed = long?.attributes.map((attribute) =>
      attribute.name.endsWith('d') ? { ...attribute, name: 'other' } : attribute,
    );
    const changed = contentModel(
      full.contentTypes.map((type) => (type === long ? { ...type, attributes: renamed ?? [] } : type)),
      full.components,
    );
    const gone = names.filter((name) => !allNames(changed).includes(name));
    expect(gone).not.toStrictEqual([]);
    const ofRenamed = tablesOf(full).find(
      (one) => one.kind === 'link' && one.uid === 'long' && one.attribute.endsWith('d'),
    );
    const own = [ofRenamed?.name, ...(ofRenamed?.indexes ?? []), ...(ofRenamed?.foreignKeys ?? [])].map((thing) =>
      typeof thing === 'object' ? thing.name : thing,
    );
    expect(gone).toStrictEqual(own);
  });

  it('keeps names of indexes apart whose parts join to the same', () => {
    const one = contentType('a', [scalar('bC', 'string', { unique: true })], { tableName: 'a' });
    const two = contentType('b', [scalar('c', 'string', { unique: true })], { tableName: 'a_b' });
    const names = allNames(contentModel([one, two]));
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('tables', () => {
  it('have the columns of their kind of type', () => {
    const names = (name: string) => table(name).columns.map((one) => `${one.name}${one.nullable ? '?' : ''}`);
    expect(names('homes'.slice(0, 4))).toStrictEqual([
      'id',
      'headline?',
      'created_at',
      'updated_at',
      '_version',
      'document_id',
      'locale',
      'singleton',
    ]);
    expect(indexes(table('home'))).toStrictEqual(['unique document_id locale', 'unique singleton locale']);
    expect(names('settings')).toStrictEqual(['id', 'created_at', 'updated_at', '_version', 'singleton']);
    // What is published must be unique. Drafts may repeat it.
    expect(indexes(table('newss'))).toStrictEqual(['unique document_id locale', 'slug', 'unique cover_id locale']);
    expect(indexes(table('newss_published'))).toContain('unique slug locale');
    expect(column(table('newss'), 'published_at')).toStrictEqual({
      name: 'published_at',
      type: 'datetime',
      role: 'publishedAt',
      nullable: true,
    });
  });

  it('have columns of the right type, and defaults as they are stored', () => {
    const articles = table('articles');
    expect(column(articles, 'title')).toMatchObject({ type: 'text', nullable: false });
    expect(column(articles, 'slug')).toStrictEqual({
      name: 'slug',
      type: 'string',
      role: 'attribute',
      nullable: false,
      attribute: 'slug',
    });
    expect(column(articles, 'code')).toMatchObject({ type: 'string', nullable: true });
    expect(column(articles, 'blocks_of_text')).toMatchObject({ type: 'json' });
    expect(column(articles, 'seen')).toMatchObject({ type: 'datetime' });
    expect(column(articles, 'at')).toMatchObject({ type: 'time', default: '12:30:00.000' });
    expect(column(articles, 'since')).toMatchObject({ type: 'datetime', default: '2024-02-29T12:00:00.000Z' });
    expect(column(articles, 'extra')).toMatchObject({ type: 'json', default: `{"a":["it's"]}` });
    // A unique attribute's default can't be given to every row.
    expect(column(articles, 'big')).toStrictEqual({
      name: 'big',
      type: 'biginteger',
      role: 'attribute',
      nullable: true,
      attribute: 'big',
    });
    expect(column(articles, 'parts')).toStrictEqual({
      name: 'parts',
      type: 'json',
      role: 'attribute',
      nullable: true,
      attribute: 'parts',
      holds: { kind: 'zone', components: ['shared.quote', 'shared.seo'] },
    });
  });

  it('give components their ids wherever there are components, and only there', () => {
    const ids = table('component_ids');
    expect([ids.primaryKey, ids.columns, ids.indexes]).toStrictEqual([
      ['id'],
      [{ name: 'id', type: 'id', role: 'id', nullable: false }],
      [],
    ]);
    const plain = contentModel([contentType('article', [])]);
    expect(tablesOf(plain).map(({ name }) => name)).not.toContain('component_ids');
    const clash = contentModel([contentType('article', [], { tableName: 'component_ids' })], richModel().components);
    expect(check(clash).map(({ message }) => message)).toStrictEqual([
      expect.stringMatching(/article and the ids of components .* table 'component_ids'/u),
    ]);
  });

  it('have keys and indexes for each way in which they are read', () => {
    expect(indexes(table('articles'))).toStrictEqual([
      'unique slug',
      'unique code',
      'unique email',
      'unique big',
      'author_id author_position id',
      'unique detail_id',
      'cover_id',
    ]);
    expect(indexes(table('articles_tags_links'))).toStrictEqual([
      'owner_id position target_id',
      'target_id inverse_position owner_id',
    ]);
    expect(indexes(table('articles_gallery_files'))).toStrictEqual(['owner_id position target_id', 'target_id']);
    expect(indexes(table('articles_subject_morphs'))).toStrictEqual([
      'unique owner_id',
      'unique owner_id author_id',
      'unique owner_id tag_id',
      'author_id',
      'tag_id',
    ]);
    expect(indexes(table('articles_mentions_morphs'))).toContain('unique owner_id target_owner_id');
    expect(indexes(table('articles_component_links'))).toStrictEqual([
      'owner_id item_id attribute position',
      'file_id',
      'target_owner_id',
    ]);
    const references = table('articles').foreignKeys.map((key) => `${key.column} ${key.references} ${key.onDelete}`);
    expect(references).toStrictEqual([
      'author_id authors setNull',
      'detail_id details setNull',
      'cover_id files setNull',
    ]);
    const cascades = table('articles_component_links').foreignKeys.map(({ onDelete }) => onDelete);
    expect(new Set(cascades)).toStrictEqual(new Set(['cascade']));
  });

  it('come after those they reference, but for circles, even a thousand in a row', () => {
    const seen = new Set<string>();
    const early: string[] = [];
    for (const one of tablesOf(richModel())) {
      seen.add(one.name);
      early.push(...one.foreignKeys.filter(({ references }) => !seen.has(references)).map(({ name }) => name));
    }
    expect(early).toStrictEqual(['authors__favourite_id_fk']);
    const chain = Array.from({ length: 5000 }, (_, index): Table => ({
      name: `t${index}`,
      kind: 'type',
      uid: `t${index}`,
      primaryKey: ['id'],
      columns: [],
      foreignKeys: [{ name: 'k', column: 'c', references: `t${index + 1}`, onDelete: 'cascade' }],
      indexes: [],
    }));
    expect(inCreationOrder(chain)[0]?.name).toBe('t4999');
  });
});

describe('clashes', () => {
  it('names both attributes that would be one column, and both owners of one table', () => {
    const model = contentModel([
      contentType('article', [
        scalar('authorId', 'string'),
        relation('author', 'oneWay', 'author'),
        scalar('singleton', 'string'),
        relation('author2', 'manyWay', 'author'),
      ]),
      contentType('author', [], { tableName: 'articles_author2_links' }),
    ]);
    const messages = check(model).map(({ message }) => message);
    expect(messages).toHaveLength(2);
    expect(messages.join('\n')).toMatch(/article\.author and article\.authorId .* column 'author_id'/u);
    expect(messages.join('\n')).toMatch(/author.*article\.author2.* table 'articles_author2_links'/u);
    expect(check(richModel())).toStrictEqual([]);
  });
});

const wide = (type: 'email' | 'boolean', count: number) =>
  contentModel([
    contentType(
      'wide',
      Array.from({ length: count }, (_, index) =>
        scalar(`a${index}`, type, { unique: type === 'email' && index < 63 }),
      ),
    ),
  ]);

describe('limits', () => {
  it('refuses tables that an engine of the schema could not create', () => {
    expect(check(wide('email', 63))).toStrictEqual([]);
    const messages = check(wide('email', 65)).map(({ message }) => message);
    expect(messages).toStrictEqual([
      expect.stringMatching(/'wides' of 'wide' .* bytes in a row \(at most 65535\) on MySQL/u),
    ]);
    const engines = check(wide('boolean', 1600)).map(({ message }) => message.replace(/^.* on /u, ''));
    expect(engines).toStrictEqual(['PostgreSQL', 'MySQL']);
    expect(check({ ...wide('boolean', 1600), databases: ['sqlite'] })).toStrictEqual([]);
  });

  it('refuses an index that holds more of a row than an engine takes', () => {
    const texts = ['a', 'b', 'c', 'd'].map((name) => scalar(name, 'string', { indexed: true }));
    const indexedBy = (names: string): ContentModel => {
      const index = [...names].map((name) => ({ name, descending: name === 'b' }));
      return contentModel([{ ...contentType('wide', texts), indexes: [index] }]);
    };
    expect(check(indexedBy('ab'))).toStrictEqual([]);
    const engines = (names: string) =>
      check(indexedBy(names)).map(({ message }) => message.replace(/^.*would have /u, ''));
    expect(engines('abc')).toStrictEqual(['3068 bytes in the index of a, b, c, id (at most 2700) on PostgreSQL']);
    expect(engines('abcd')).toStrictEqual([
      '4088 bytes in the index of a, b, c, d, id (at most 2700) on PostgreSQL',
      '4088 bytes in the index of a, b, c, d, id (at most 3072) on MySQL',
    ]);
  });
});
