/** What plans say of scripts is what their text says: for every kind of change, on each engine, up and down. */
import type { Change } from '#contract/migrations/change.ts';
import { readScript } from '#contract/migrations/read-script.ts';
import { statementCount } from '#contract/migrations/script.ts';
import type { Column, Table } from '#contract/migrations/planned-table.ts';
import { statementsOf } from '#contract/sql/statements.ts';
import { describe, expect, it } from 'vitest';
import { printSql } from './print-sql.ts';

const ID: Column = { name: 'id', type: 'id', role: 'id', nullable: false };
const TITLE: Column = { name: 'title', type: 'text', role: 'attribute', nullable: true, attribute: 'title' };
const TABLE: Table = {
  name: 'articles',
  kind: 'type',
  uid: 'article',
  primaryKey: ['id'],
  columns: [ID, TITLE],
  foreignKeys: [],
  indexes: [{ name: 'articles__title_unique', columns: ['title'], unique: true }],
};
const AT = { table: 'articles', cause: 'article.title' };
const INDEX = { name: 'articles__rank_unique', columns: ['rank'], unique: true };
const KEY = { name: 'articles__author_fk', column: 'author_id', references: 'authors', onDelete: 'setNull' } as const;
const AUTHOR_KEY = { name: 'author_id', type: 'id', role: 'foreignKey', nullable: true } as const;
const AUTHOR = { from: AUTHOR_KEY, to: { ...AUTHOR_KEY, nullable: false }, indexes: [INDEX] };
const PLACE = { column: 'seo', list: false, inside: [] };
const VALUES = [{ from: 'a', to: 'b' }];
const LABEL = { kind: 'type', uid: 'article' } as const;
const SYNCED = { ...AT, primaryKey: ['id'], columns: [{ from: 'title', to: 'name' }] };
const LOCALES = ['en', 'de'];
const MEMBER = { name: 'rank', kind: 'value', type: 'text' } as const;

/** Changes of every kind, more of those that run in several ways. */
const CHANGES: { readonly [Kind in Change['kind']]: readonly (Change & { readonly kind: Kind })[] } = {
  createTable: [{ kind: 'createTable', table: TABLE, cause: 'article' }],
  dropTable: [{ kind: 'dropTable', table: TABLE, cause: 'article' }],
  renameTable: [{ kind: 'renameTable', from: 'posts', to: 'articles', hasId: true }],
  relabelTable: [{ kind: 'relabelTable', table: 'articles', from: LABEL, to: { kind: 'type', uid: 'post' } }],
  addColumn: [
    { kind: 'addColumn', ...AT, column: TITLE, foreignKey: KEY },
    { kind: 'addColumn', ...AT, column: { ...TITLE, nullable: false } },
    { kind: 'addColumn', ...AT, column: { ...TITLE, nullable: false }, fillFrom: 'id' },
    { kind: 'addColumn', ...AT, column: { ...TITLE, role: 'documentId', nullable: false }, fillDocument: true },
    { kind: 'addColumn', ...AT, column: TITLE, fillWith: 'en' },
    { kind: 'addColumn', ...AT, column: { ...TITLE, type: 'position' }, fillFrom: 'owner_id' },
  ],
  dropColumn: [
    { kind: 'dropColumn', ...AT, column: TITLE, foreignKey: KEY },
    { kind: 'dropColumn', ...AT, column: { ...TITLE, type: 'string', nullable: false } },
    { kind: 'dropColumn', ...AT, column: { ...TITLE, role: 'publishedAt', type: 'datetime' } },
  ],
  renameColumn: [{ kind: 'renameColumn', table: 'articles', from: 'name', to: 'title' }],
  relabelColumn: [
    { kind: 'relabelColumn', ...AT, column: 'title', from: {}, to: { required: 'all' }, checked: true },
    { kind: 'relabelColumn', ...AT, column: 'title', from: {}, to: { required: 'published' }, checked: true },
  ],
  alterColumn: [
    { kind: 'alterColumn', ...AT, from: TITLE, to: { ...TITLE, nullable: false }, indexes: [] },
    { kind: 'alterColumn', ...AT, from: TITLE, to: { ...TITLE, nullable: false, default: 'x' }, indexes: [] },
    { kind: 'alterColumn', ...AT, from: TITLE, to: { ...TITLE, type: 'integer' }, indexes: [INDEX] },
    { kind: 'alterColumn', ...AT, from: TITLE, to: { ...TITLE, type: 'string' }, indexes: [] },
    { kind: 'alterColumn', ...AT, ...AUTHOR, foreignKey: { from: KEY, to: { ...KEY, onDelete: 'restrict' } } },
    { kind: 'alterColumn', ...AT, ...AUTHOR, foreignKey: { from: KEY, to: KEY } },
    {
      kind: 'alterColumn',
      ...AT,
      ...AUTHOR,
      foreignKey: { from: KEY, to: { ...KEY, onDelete: 'cascade' } },
      whole: TABLE,
    },
    {
      kind: 'alterColumn',
      ...AT,
      table: 'a_table_with_a_name_that_is_much_longer_than_a_constraint',
      from: TITLE,
      to: { ...TITLE, nullable: false },
      indexes: [],
    },
  ],
  createIndex: [
    { kind: 'createIndex', ...AT, index: INDEX },
    { kind: 'createIndex', ...AT, index: { name: 'articles__words', columns: ['title'], unique: false, search: [1] } },
    {
      kind: 'createIndex',
      ...AT,
      index: { name: 'm', columns: ['seo'], unique: false, member: { path: ['title'], type: 'text' } },
    },
  ],
  dropIndex: [{ kind: 'dropIndex', ...AT, index: INDEX }],
  renameIndex: [{ kind: 'renameIndex', ...AT, from: 'old', index: INDEX }],
  renameForeignKey: [
    { kind: 'renameForeignKey', ...AT, from: 'old', foreignKey: KEY },
    { kind: 'renameForeignKey', ...AT, from: 'old', foreignKey: KEY, required: true },
  ],
  copyRelation: [
    {
      kind: 'copyRelation',
      from: { kind: 'column', table: 'articles', column: 'author_id' },
      to: { kind: 'link', table: 'articles_authors_links', inversePosition: true },
      mirrored: false,
    },
  ],
  deleteRows: [{ kind: 'deleteRows', ...AT, rows: { of: 'locale', locale: 'de' } }],
  editItems: [
    {
      kind: 'editItems',
      ...AT,
      column: 'seo',
      edit: {
        list: false,
        items: [{ rename: [{ from: 'a', to: 'b' }], drop: [], convert: [{ member: 'c', to: 'text' }], nested: [] }],
      },
    },
  ],
  renameItemLinks: [{ kind: 'renameItemLinks', ...AT, owner: 'articles', places: [PLACE], renames: VALUES }],
  renameRecords: [
    {
      kind: 'renameRecords',
      records: ['scheduled_publications', 'planned_releases', 'trashed_entries'],
      types: [{ from: 'post', to: 'article' }],
      tables: [{ from: 'posts', to: 'articles' }],
    },
  ],
  renameType: [
    { kind: 'renameType', from: 'post', to: 'article', permissions: ['user_role_permissions'], single: 'a' },
  ],
  fillEmpty: [
    { kind: 'fillEmpty', ...AT, column: TITLE },
    { kind: 'fillEmpty', ...AT, column: { ...TITLE, role: 'other' }, published: true },
  ],
  checkValues: [{ kind: 'checkValues', ...AT, column: 'title', values: ['a', "it's; -- b"] }],
  checkItems: [{ kind: 'checkItems', items: [{ table: 'articles', place: PLACE }], member: 'kind', values: ['a'] }],
  checkRequired: [
    {
      kind: 'checkRequired',
      items: [{ table: 'articles', place: PLACE, published: true }],
      member: 'a',
      cause: 'seo.a',
    },
  ],
  mapValues: [
    { kind: 'mapValues', ...AT, column: 'title', values: VALUES, undo: VALUES },
    { kind: 'mapValues', ...AT, column: 'title', values: [...VALUES, { from: 'b', to: 'a' }], undo: [] },
  ],
  createSyncTriggers: [{ kind: 'createSyncTriggers', ...SYNCED }],
  dropSyncTriggers: [{ kind: 'dropSyncTriggers', ...SYNCED }],
  shareValues: [{ kind: 'shareValues', ...AT, column: 'title', type: 'articles', locales: LOCALES }],
  shareItemLinks: [
    {
      kind: 'shareItemLinks',
      ...AT,
      type: 'articles',
      column: 'seo',
      locales: LOCALES,
      places: [PLACE],
      copied: ['position'],
    },
  ],
  numberLists: [{ kind: 'numberLists', ...AT, key: 'author_id', position: 'author_position', entry: 'id' }],
  nameEntries: [{ kind: 'nameEntries', ...AT, column: 'author_id', target: 'authors', owner: ['owner_id'] }],
  copyRows: [
    {
      kind: 'copyRows',
      ...AT,
      table: 'articles_published',
      from: 'articles',
      columns: ['id', 'title'],
      published: true,
    },
    { kind: 'copyRows', ...AT, table: 'links_published', from: 'links', columns: ['owner_id', 'target_id'] },
  ],
  copyColumn: [{ kind: 'copyColumn', ...AT, table: 'articles_published', from: 'articles', column: 'document_id' }],
  claimValues: [{ kind: 'claimValues', ...AT, column: 'title', claim: '_title_claim' }],
  defineComponent: [
    {
      kind: 'defineComponent',
      from: { uid: 'shared.seo', members: [{ ...MEMBER, type: 'integer' }] },
      to: { uid: 'shared.seo', members: [MEMBER] },
      retyped: [{ member: 'rank', from: 'integer', to: 'text', items: [{ table: 'articles', place: PLACE }] }],
    },
  ],
  setLocales: [{ kind: 'setLocales', from: [], to: LOCALES }],
};

const PLANS = [
  ...Object.entries(CHANGES).flatMap(([kind, changes]) =>
    changes.map((change, index) => [`${kind} ${index + 1}`, [change]] as const),
  ),
  ['changes of every kind', Object.values(CHANGES).flat()] as const,
];

describe.each(['sqlite', 'postgres', 'mysql'] as const)('on %s', (dialect) => {
  it.each(PLANS)('%s', (_, changes) => {
    const plan = { format: 3, name: '0001_some', changes } as const;
    for (const maxLocks of [undefined, 20]) {
      const { up, down, scripts } = printSql(plan, dialect, maxLocks);
      for (const [text, script] of [
        [up, scripts?.up],
        [down, scripts?.down],
      ] as const) {
        expect(script).toStrictEqual(readScript(text, dialect));
        const count = script?.parts.reduce((sum, part) => sum + statementCount(part), 0);
        expect(count).toBe(statementsOf(text, dialect).length);
      }
    }
  });
});
