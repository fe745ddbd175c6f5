/** Pages with components on three levels, dynamic zones, and relations inside them, in a real database. */
import { hookedTypes, placeOf } from '../src/entries/hooked-types.ts';
import type {
  ApiSettings,
  Attribute,
  Component,
  ContentType,
  ContentTypes,
  ScalarType,
} from '../src/contract/content-type.ts';
import type { Database } from '../src/database/database.ts';
import { raw, type Sql } from '../src/database/sql.ts';
import type { CollectionService } from '../src/entries/service.ts';
import { createEntryServices } from '../src/entries/create-services.ts';
import { parseQuery } from '../src/query/parse-query-string.ts';
import { createReader } from '../src/query/reader.ts';
import type { Caller } from '../src/contract/policy/caller.ts';
import { createValidators } from '../src/content/validators/entry.ts';
import type { DialectName } from '../src/database/dialect.ts';
import { openEngine } from './runtime-database.ts';
import { watchTransactions } from './watched-database.ts';

type Scalars = Readonly<Record<string, ScalarType>>;

const scalars = (given: Scalars): Record<string, Attribute> =>
  Object.fromEntries(Object.entries(given).map(([name, type]): [string, Attribute] => [name, { type, column: name }]));
const INSIDE = { table: '', own: 'owner_id', position: 'position' };
const relation = (many: boolean, target: string): Attribute =>
  ({
    type: 'relation',
    relation: 'x',
    many,
    target,
    storage: { kind: 'link', ...INSIDE, other: `${target}_id` },
  }) as never;
const MORPH_TARGETS = { leaf: 'leaf_id', page: 'page_id' };
const morph = (many: boolean, targets: object): Attribute =>
  ({ type: 'relation', relation: 'x', many, storage: { kind: 'morph', ...INSIDE, targets } }) as never;
const media = (many: boolean, more: object = {}): Attribute =>
  ({ type: 'media', many, storage: { kind: 'link', ...INSIDE, other: 'file_id' }, ...more }) as never;
const component = (uid: string, repeatable: boolean, column: string): Attribute => ({
  type: 'component',
  column,
  component: uid,
  repeatable,
});

const components: Record<string, Record<string, Attribute>> = {
  'shared.seo': {
    metaTitle: { type: 'string', column: 'metaTitle', required: true },
    note: { type: 'text', column: 'note', maxLength: 20 },
    pass: { type: 'password', column: 'pass' },
    image: media(false),
  },
  'shared.link': {
    label: { type: 'string', column: 'label' },
    weight: { type: 'integer', column: 'weight', default: 1 },
    leaf: relation(false, 'leaf'),
    leaves: relation(true, 'leaf'),
    files: media(true),
    about: morph(false, MORPH_TARGETS),
    mentions: morph(true, { ...MORPH_TARGETS, vault: 'vault_id' }),
    vault: relation(false, 'vault'),
  },
  'shared.card': {
    ...scalars({ heading: 'string' }),
    seo: component('shared.seo', false, 'seo'),
    links: component('shared.link', true, 'links'),
  },
  'shared.deck': { ...scalars({ title: 'string' }), cards: component('shared.card', true, 'cards') },
  'shared.facts': scalars({
    big: 'biginteger',
    ratio: 'float',
    price: 'decimal',
    flag: 'boolean',
    at: 'datetime',
    day: 'date',
    extra: 'json',
    constructor: 'string' as const,
  }),
  'shared.named': {
    title: { type: 'string', column: 'title' },
    slug: { type: 'uid', column: 'slug', required: true, targetField: 'title' },
    code: { type: 'integer', column: 'code', unique: true },
  },
  'blocks.quote': { text: { type: 'string', column: 'text', required: true } },
  'blocks.hero': { ...scalars({ title: 'string' }), seo: component('shared.seo', false, 'seo') },
  'blocks.gallery': {
    ...scalars({ caption: 'string' }),
    leaves: relation(true, 'leaf'),
    pics: media(true, { allowedTypes: ['images'] }),
  },
};

const contentType = (
  uid: string,
  table: string,
  attributes: Record<string, Attribute>,
  rest: Partial<ContentType> = {},
): ContentType => ({
  uid,
  kind: 'collectionType',
  singularName: uid,
  pluralName: table,
  table,
  draftAndPublish: false,
  localized: false,
  attributes,
  ...rest,
});

const page = contentType(
  'page',
  'pages',
  {
    title: { type: 'string', column: 'title' },
    leaf: {
      type: 'relation',
      relation: 'oneWay',
      many: false,
      target: 'leaf',
      storage: { kind: 'foreignKey', column: 'leaf_id' },
    },
    mainSeo: component('shared.seo', false, 'main_seo'),
    links: component('shared.link', true, 'links'),
    card: component('shared.card', false, 'card'),
    decks: component('shared.deck', true, 'decks'),
    facts: component('shared.facts', false, 'facts'),
    named: component('shared.named', true, 'named'),
    zone: {
      type: 'dynamiczone',
      column: 'zone',
      components: ['blocks.quote', 'blocks.hero', 'blocks.gallery', 'shared.named'],
    },
  },
  {
    componentLinks: {
      table: 'pages_component_links',
      targets: { file: 'file_id', leaf: 'leaf_id', page: 'page_id', vault: 'vault_id' },
    },
  },
);

const types: ContentTypes = {
  types: {
    page,
    leaf: contentType('leaf', 'leaves', { name: { type: 'string', column: 'name' } }),
    vault: contentType('vault', 'vaults', {}),
    file: contentType('file', 'files', scalars({ name: 'string', mime: 'string' })),
  },
  components: Object.fromEntries(
    Object.entries(components).map(([uid, attributes]): [string, Component] => [uid, { uid, attributes }]),
  ),
  locales: ['en'],
};

const TIMES = 'created_at {datetime}, updated_at {datetime}, _version {integer} NOT NULL DEFAULT 1';
const key = (column: string, table: string) => `${column} {key} REFERENCES ${table} (id) ON DELETE CASCADE`;

export const LEAVES = 6;

const SCHEMA = `
  CREATE TABLE component_ids (id {id});
  CREATE TABLE leaves (id {id}, name {text}, ${TIMES});
  CREATE TABLE vaults (id {id}, ${TIMES});
  CREATE TABLE files (id {id}, name {text}, mime {string} NOT NULL DEFAULT 'image/png', ${TIMES});
  CREATE TABLE pages (id {id}, title {text}, ${key('leaf_id', 'leaves')}, main_seo {json}, links {json},
    card {json}, decks {json}, facts {json}, named {json}, zone {json}, ${TIMES});
  CREATE TABLE pages_component_links (id {id}, owner_id {key} NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    item_id {biginteger} NOT NULL, attribute {string} NOT NULL, position {key} NOT NULL, ${key('file_id', 'files')}, ${key('leaf_id', 'leaves')},
    ${key('page_id', 'pages')}, ${key('vault_id', 'vaults')});
  CREATE INDEX pages_component_links_item ON pages_component_links (owner_id, item_id, attribute, position);
  INSERT INTO leaves (name) VALUES ${Array.from({ length: LEAVES }, (_, index) => `('leaf ${index + 1}')`).join(', ')};
  INSERT INTO files (name) VALUES ('a'), ('b'), ('c');
  INSERT INTO files (name, mime) VALUES ('text', 'text/plain');
  INSERT INTO vaults (created_at) VALUES (NULL);
`;

const api: ApiSettings = {
  unknownAttributes: 'reject',
  defaultPageSize: 25,
  maxPageSize: 100,
  maxPopulateDepth: 9,
  maxPopulatedPaths: 200,
  bodyLimit: 1_000_000,
  maxAnswerEntries: 20_000,
  maxAnswerSize: 16 * 1024 * 1024,
};

/** A caller who may do everything except read vaults. */
const caller: Caller = {
  kind: 'public',
  role: 'public',
  permissions: new Set(['page.find', 'leaf.find', 'upload.find']),
};

const POPULATED = [
  'mainSeo',
  'links',
  'card.links',
  'card.seo',
  'decks.cards.links',
  'decks.cards.seo',
  'facts',
  'named',
];
const ZONE = {
  'blocks.quote': 'true',
  'blocks.hero][populate][seo][populate': '*',
  'blocks.gallery][populate': '*',
  'shared.named': 'true',
};

/** The query that populates everything of a page. */
const EVERYTHING = [
  ...POPULATED.map((path) => `populate[${path.replaceAll('.', '][populate][')}][populate]=*`),
  ...Object.entries(ZONE).map(([path, value]) => `populate[zone][on][${path}]=${value}`),
].join('&');

export interface Pages {
  readonly database: Database;
  /** Closes and drops the database. */
  readonly drop: () => Promise<void>;
  /** The statements run in transactions since this was last emptied. */
  readonly statements: Sql[];
  create(data: unknown): Promise<Page>;
  update(id: number, data: unknown): Promise<Page>;
  read(id: number): Promise<Page>;
  delete(id: number): Promise<void>;
  /** All rows of all tables, including id sequences. */
  dump(): Promise<unknown>;
}

/** An entry as in a response, fully populated. Relations are reduced to ids; to `type:id` if polymorphic. */
export interface Page {
  readonly id: number;
  readonly [attribute: string]: any;
}

function plainEntry({ id, attributes }: any): unknown {
  const type = attributes.__type;
  return type === undefined ? id : `${String(type).split('.')[1]}:${id}`;
}

function plain(value: any): any {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('data' in value) {
    return Array.isArray(value.data) ? value.data.map(plainEntry) : value.data && plainEntry(value.data);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === 'extra' ? inner : plain(inner)]),
  );
}

function pageOf(body: string): Page {
  const { id, attributes } = JSON.parse(body).data;
  const { createdAt: _created, updatedAt: _updated, ...shown } = attributes;
  return { id, ...plain(shown) };
}

let opened = 0;

/** Opens an empty database with leaves, files and a vault. */
export async function openPages(engine: DialectName = 'sqlite'): Promise<Pages> {
  opened += 1;
  const { database, drop } = await openEngine(engine, `pages_${opened}`, SCHEMA);
  const statements: Sql[] = [];
  const watched = watchTransactions(database, (statement) => void statements.push(statement));
  const validatorsOf = createValidators(types, 'reject');
  const reader = createReader({ database: watched, types, api });
  const service: CollectionService = createEntryServices(
    types,
    hookedTypes({ types, validatorsOf, ...placeOf(watched, reader), hooks: {} }),
  ).collection('page');
  const request = { caller, query: parseQuery(EVERYTHING) };
  return {
    database,
    drop,
    statements,
    create: async (data) => pageOf(String((await service.create(data, request)).body)),
    update: async (id, data) => pageOf(String((await service.update(id, data, request)).body)),
    read: async (id) => pageOf(String((await service.findOne(id, request)).body)),
    delete: async (id) => void (await service.delete(id, request)),
    async dump() {
      const tables = ['component_ids', 'pages', 'pages_component_links'];
      // Only SQLite rolls sequences back.
      if (engine === 'sqlite') tables.push('sqlite_sequence');
      return Promise.all(tables.map((table) => database.all(raw(`SELECT * FROM ${table} ORDER BY 1`))));
    },
  };
}
