/** Content types with drafts, locales, shared attributes and one entry only: descriptors and tables. */
import type {
  Attribute,
  Component,
  ContentType,
  ContentTypes,
  LinkStorage,
  RelationStorage,
} from '../src/contract/content-type.ts';

function type(uid: string, attributes: Record<string, Attribute>, rest: Partial<ContentType> = {}): ContentType {
  return {
    uid,
    kind: 'collectionType',
    singularName: uid,
    pluralName: `${uid}s`,
    table: `${uid}s`,
    draftAndPublish: false,
    localized: false,
    attributes,
    ...rest,
  };
}

const SHARED = { shared: true } as const;

function relation(relationKind: string, target: string, storage: RelationStorage, rest: object = {}): Attribute {
  const many = ['oneToMany', 'manyToMany', 'manyWay'].includes(relationKind);
  return { type: 'relation', relation: relationKind, many, target, storage, ...rest } as Attribute;
}

function link(table: string, turned = false, otherPosition = true, published?: string): LinkStorage {
  const [own, other, position, otherSide] = turned
    ? (['b', 'a', 'b_pos', 'a_pos'] as const)
    : (['a', 'b', 'a_pos', 'b_pos'] as const);
  const inverse = turned ? { isInverse: true as const } : {};
  return {
    kind: 'link',
    table,
    own,
    other,
    position,
    ...(otherPosition ? { otherPosition: otherSide } : {}),
    ...(published === undefined ? {} : { published }),
    ...inverse,
  };
}

const components: Record<string, Component> = {
  'shared.seo': {
    uid: 'shared.seo',
    attributes: {
      metaTitle: { type: 'string', column: 'metaTitle', required: true },
      secret: { type: 'password', column: 'secret', maxLength: 20 },
    },
  },
  'shared.spec': {
    uid: 'shared.spec',
    attributes: {
      label: { type: 'string', column: 'label' },
      leaf: relation('oneWay', 'leaf', {
        kind: 'link',
        table: '',
        own: 'owner_id',
        other: 'leaf_id',
        position: 'position',
      }),
    },
  },
};

const draftAndPublish = true;
const localized = true;
const kind = 'singleType' as const;
const name: Attribute = { type: 'string', column: 'name' };

export const entryTypes: ContentTypes = {
  types: {
    leaf: type('leaf', {
      name,
      products: relation('manyToMany', 'product', link('products_leaves', true), SHARED),
      housed: relation(
        'oneToMany',
        'product',
        { kind: 'inverseForeignKey', column: 'home_id', position: 'home_position' },
        SHARED,
      ),
      partner: relation('oneToOne', 'product', { kind: 'inverseForeignKey', column: 'partner_id' }, SHARED),
      near: relation('manyWay', 'leaf', link('leafs_near', false, false)),
    }),
    article: type(
      'article',
      {
        title: { type: 'string', column: 'title', required: true },
        body: { type: 'text', column: 'body', minLength: 3 },
        slug: { type: 'uid', column: 'slug', required: true, targetField: 'title' },
        code: { type: 'string', column: 'code', unique: true },
        number: { type: 'integer', column: 'number', unique: true },
        seo: { type: 'component', column: 'seo', component: 'shared.seo', repeatable: false },
        specs: { type: 'component', column: 'specs', component: 'shared.spec', repeatable: true, min: 2 },
        leaf: relation('manyToOne', 'leaf', { kind: 'foreignKey', column: 'leaf_id' }, { required: true }),
        see: relation('manyWay', 'article', {
          ...link('articles_see', false, false),
          published: 'articles_see_published',
        }),
      },
      {
        draftAndPublish,
        componentLinks: { table: 'articles_component_links', targets: { leaf: 'leaf_id' } },
        published: { table: 'articles_published', componentLinks: 'articles_component_links_published' },
      },
    ),
    product: type(
      'product',
      {
        name: { ...name, required: true },
        code: { type: 'string', column: 'code', unique: true },
        slug: { type: 'uid', column: 'slug', required: true, targetField: 'name' },
        sku: { type: 'string', column: 'sku', claim: '_sku_claim', unique: true, ...SHARED },
        price: { type: 'integer', column: 'price', default: 1, ...SHARED },
        tariff: { type: 'json', column: 'tariff', ...SHARED },
        info: { type: 'component', column: 'info', component: 'shared.seo', repeatable: false },
        specs: { type: 'component', column: 'specs', component: 'shared.spec', repeatable: true, ...SHARED },
        leaves: relation('manyToMany', 'leaf', link('products_leaves'), SHARED),
        similar: relation('manyWay', 'product', link('products_similar', false, false)),
        related: relation('manyToMany', 'product', link('products_related'), SHARED),
        relatedBy: relation('manyToMany', 'product', link('products_related', true), SHARED),
        home: relation(
          'manyToOne',
          'leaf',
          { kind: 'foreignKey', column: 'home_id', position: 'home_position' },
          SHARED,
        ),
        partner: relation('oneToOne', 'leaf', { kind: 'foreignKey', column: 'partner_id', unique: true }, SHARED),
        cover: { type: 'media', many: false, storage: { kind: 'foreignKey', column: 'cover_id' }, ...SHARED },
        pictures: {
          type: 'media',
          many: true,
          storage: link('products_pictures', false, false),
          ...SHARED,
        },
      },
      { localized, componentLinks: { table: 'products_component_links', targets: { leaf: 'leaf_id' } } },
    ),
    story: type(
      'story',
      {
        title: { type: 'string', column: 'title', required: true },
        level: { type: 'integer', column: 'level', required: true, ...SHARED },
      },
      {
        draftAndPublish,
        localized,
        pluralName: 'stories',
        table: 'stories',
        published: { table: 'stories_published' },
      },
    ),
    setting: type(
      'setting',
      {
        siteName: { type: 'string', column: 'site_name', required: true },
        tagline: { type: 'string', column: 'tagline' },
      },
      { kind },
    ),
    notice: type(
      'notice',
      { text: { type: 'string', column: 'text', required: true } },
      { kind, draftAndPublish, published: { table: 'notices_published' } },
    ),
    home: type(
      'home',
      {
        heading: { type: 'string', column: 'heading' },
        count: { type: 'integer', column: 'count', required: true, ...SHARED },
      },
      { kind, localized },
    ),
    safe: type(
      'safe',
      { pass: { type: 'password', column: 'pass', required: true, maxLength: 20 } },
      { draftAndPublish, published: { table: 'safes_published' } },
    ),
    file: type('file', { name }),
  },
  components,
  locales: ['en', 'fr', 'it'],
};

const ID = 'id {id}';
const TIMES = 'created_at {datetime} NOT NULL, updated_at {datetime} NOT NULL, _version {integer} NOT NULL DEFAULT 1';
const LOCALIZED = 'document_id {string} NOT NULL, locale {string} NOT NULL';
const refers = (column: string, table: string) => `${column} {key} REFERENCES ${table} (id) ON DELETE SET NULL`;
const owned = (column: string, table: string, needed = ' NOT NULL') =>
  `${column} {key}${needed} REFERENCES ${table} (id) ON DELETE CASCADE`;

function linkTable(table: string, a: string, b: string, both = false): string {
  return `CREATE TABLE ${table} (${owned('a', a)}, ${owned('b', b)}, a_pos {key} NOT NULL
    ${both ? ', b_pos {key} NOT NULL' : ''}, PRIMARY KEY (a, b));`;
}

/** The table of drafts, and that of what is published of them. */
function inBothStates(table: string, columns: string): string {
  return `CREATE TABLE ${table} (${ID}, ${columns});
CREATE TABLE ${table}_published (id {key} PRIMARY KEY REFERENCES ${table} (id) ON DELETE CASCADE, ${columns});`;
}

function componentLinks(owner: string, state = ''): string {
  return `CREATE TABLE ${owner}_component_links${state} (${ID}, ${owned('owner_id', `${owner}${state}`)}, item_id {biginteger} NOT NULL,
    attribute {string} NOT NULL, position {key} NOT NULL, ${owned('leaf_id', 'leafs', '')});`;
}

/** SQL that makes the tables: for `engineSql`. */
export const ENTRY_TABLES = `
CREATE TABLE component_ids (${ID});
CREATE TABLE files (${ID}, name {text}, ${TIMES});
CREATE TABLE leafs (${ID}, name {text}, ${TIMES});
${inBothStates(
  'articles',
  `title {text}, body {text}, slug {string} UNIQUE, code {string} UNIQUE, number {integer} UNIQUE,
  seo {json}, specs {json}, ${refers('leaf_id', 'leafs')}, published_at {datetime}, ${TIMES}`,
)}
CREATE TABLE products (${ID}, name {text}, code {string}, slug {string}, sku {string}, _sku_claim {string}, price {integer}, tariff {json}, info {json}, specs {json},
  ${refers('home_id', 'leafs')}, home_position {key}, ${refers('partner_id', 'leafs')}, ${refers('cover_id', 'files')},
  ${LOCALIZED}, ${TIMES});
CREATE UNIQUE INDEX products_document ON products (document_id, locale);
CREATE UNIQUE INDEX products_code ON products (code, locale);
CREATE UNIQUE INDEX products_slug ON products (slug, locale);
CREATE UNIQUE INDEX products_sku ON products (sku, locale);
CREATE UNIQUE INDEX products_sku_claim ON products (_sku_claim);
CREATE UNIQUE INDEX products_partner ON products (partner_id, locale);
${inBothStates('stories', `title {text}, level {integer}, published_at {datetime}, ${LOCALIZED}, ${TIMES}, UNIQUE (document_id, locale)`)}
${inBothStates('safes', `pass {string}, published_at {datetime}, ${TIMES}`)}
CREATE TABLE settings (${ID}, site_name {text}, tagline {text}, singleton {integer} NOT NULL DEFAULT 1 UNIQUE, ${TIMES});
${inBothStates('notices', `text {text}, published_at {datetime}, singleton {integer} NOT NULL DEFAULT 1 UNIQUE, ${TIMES}`)}
CREATE TABLE homes (${ID}, heading {text}, count {integer}, singleton {integer} NOT NULL DEFAULT 1, ${LOCALIZED}, ${TIMES},
  UNIQUE (document_id, locale), UNIQUE (singleton, locale));
${linkTable('articles_see', 'articles', 'articles')}
${linkTable('articles_see_published', 'articles_published', 'articles')}
${linkTable('leafs_near', 'leafs', 'leafs')}
${linkTable('products_leaves', 'products', 'leafs', true)}
${linkTable('products_similar', 'products', 'products')}
${linkTable('products_related', 'products', 'products', true)}
${linkTable('products_pictures', 'products', 'files')}
${componentLinks('articles')}
${componentLinks('articles', '_published')}
${componentLinks('products')}
`;

/** Their names. */
export const TABLE_NAMES = [...ENTRY_TABLES.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table ?? '');
