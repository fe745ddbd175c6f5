/** A small library in a real database, for tests of reads: every kind of storage, drafts and locales. */
import type {
  ApiSettings,
  Component,
  ContentType,
  ContentTypes,
  RelationAttribute,
  RelationStorage,
} from '../src/contract/content-type.ts';
import type { Database } from '../src/database/database.ts';
import type { Sql } from '../src/database/sql.ts';
import type { Caller } from '../src/contract/policy/caller.ts';
import type { EntryRequest } from '../src/query/entry-request.ts';
import { parseQuery } from '../src/query/parse-query-string.ts';
import { createReader, type Reader } from '../src/query/reader.ts';
import type { DialectName } from '../src/database/dialect.ts';
import { openEngine } from './runtime-database.ts';

function type(uid: string, attributes: ContentType['attributes'], rest: Partial<ContentType> = {}): ContentType {
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

function relation(
  kind: RelationAttribute['relation'],
  target: string | undefined,
  storage: RelationStorage,
  rest: { private?: true } = {},
): RelationAttribute {
  const many = kind === 'oneToMany' || kind === 'manyToMany' || kind === 'manyWay' || kind === 'morphToMany';
  return { type: 'relation', relation: kind, many, ...(target === undefined ? {} : { target }), storage, ...rest };
}

const INSIDE = { table: '', own: 'owner_id', position: 'position' } as const;

const components: Record<string, Component> = {
  'shared.seo': {
    uid: 'shared.seo',
    attributes: {
      metaTitle: { type: 'string', column: 'metaTitle' },
      weight: { type: 'decimal', column: 'weight' },
      extra: { type: 'json', column: 'extra' },
      hidden: { type: 'string', column: 'hidden', private: true },
      image: { type: 'media', many: false, storage: { kind: 'link', ...INSIDE, other: 'file_id' } },
    },
  },
  'shared.link': {
    uid: 'shared.link',
    attributes: {
      label: { type: 'string', column: 'label' },
      rank: { type: 'integer', column: 'rank' },
      tags: relation('manyWay', 'tag', { kind: 'link', ...INSIDE, other: 'tag_id' }),
      seo: { type: 'component', column: 'seo', component: 'shared.seo', repeatable: false },
    },
  },
  'blocks.quote': { uid: 'blocks.quote', attributes: { text: { type: 'string', column: 'text' } } },
};

const types: Record<string, ContentType> = {
  author: type('author', {
    name: { type: 'string', column: 'name' },
    email: { type: 'email', column: 'email', private: true },
    secret: { type: 'password', column: 'secret' },
    books: relation('oneToMany', 'book', {
      kind: 'inverseForeignKey',
      column: 'author_id',
      position: 'author_position',
    }),
    favourite: relation('oneWay', 'book', { kind: 'foreignKey', column: 'favourite_id' }),
  }),
  book: type(
    'book',
    {
      title: { type: 'string', column: 'title' },
      pages: { type: 'integer', column: 'pages' },
      price: { type: 'decimal', column: 'price' },
      rating: { type: 'float', column: 'rating' },
      available: { type: 'boolean', column: 'available' },
      isbn: { type: 'biginteger', column: 'isbn' },
      released: { type: 'date', column: 'released' },
      extra: { type: 'json', column: 'extra' },
      author: relation('manyToOne', 'author', { kind: 'foreignKey', column: 'author_id', position: 'author_position' }),
      tags: relation('manyToMany', 'tag', {
        kind: 'link',
        table: 'books_tags',
        own: 'owner_id',
        other: 'target_id',
        position: 'position',
        otherPosition: 'inverse_position',
      }),
      vault: relation('oneWay', 'vault', { kind: 'foreignKey', column: 'vault_id' }),
      shadow: relation('oneWay', 'author', { kind: 'foreignKey', column: 'vault_id' }, { private: true }),
      cover: { type: 'media', many: false, storage: { kind: 'foreignKey', column: 'cover_id' } },
      gallery: {
        type: 'media',
        many: true,
        storage: { kind: 'link', table: 'books_gallery', own: 'owner_id', other: 'target_id', position: 'position' },
      },
      seo: { type: 'component', column: 'seo', component: 'shared.seo', repeatable: false },
      links: { type: 'component', column: 'links', component: 'shared.link', repeatable: true },
      zone: { type: 'dynamiczone', column: 'zone', components: ['blocks.quote', 'shared.link'] },
      mentions: relation('morphToMany', undefined, {
        kind: 'morph',
        table: 'books_mentions',
        own: 'owner_id',
        position: 'position',
        targets: { author: 'author_id', article: 'article_id', vault: 'vault_id' },
      }),
      topic: relation('morphToOne', undefined, {
        kind: 'morph',
        table: 'books_topic',
        own: 'owner_id',
        position: 'position',
        targets: { tag: 'tag_id', article: 'article_id' },
      }),
    },
    { componentLinks: { table: 'books_component_links', targets: { tag: 'tag_id', file: 'file_id' } } },
  ),
  tag: type('tag', {
    name: { type: 'string', column: 'name' },
    books: relation('manyToMany', 'book', {
      kind: 'link',
      table: 'books_tags',
      own: 'target_id',
      other: 'owner_id',
      position: 'inverse_position',
      otherPosition: 'position',
    }),
  }),
  article: type(
    'article',
    {
      title: { type: 'string', column: 'title' },
      book: relation('manyToOne', 'book', { kind: 'foreignKey', column: 'book_id' }),
      next: relation('oneToOne', 'article', { kind: 'foreignKey', column: 'next_id', unique: true }),
      previous: relation('oneToOne', 'article', { kind: 'inverseForeignKey', column: 'next_id' }),
      see: relation('manyWay', 'article', {
        kind: 'link',
        table: 'articles_see',
        own: 'owner_id',
        other: 'target_id',
        position: 'position',
      }),
    },
    { draftAndPublish: true, localized: true },
  ),
  vault: type('vault', { name: { type: 'string', column: 'name' } }),
  file: type('file', { name: { type: 'string', column: 'name' }, url: { type: 'string', column: 'url' } }),
  setting: type(
    'setting',
    { siteName: { type: 'string', column: 'site_name' } },
    { kind: 'singleType', localized: true, draftAndPublish: true },
  ),
};

export const libraryTypes: ContentTypes = { types, components, locales: ['en', 'fr'] };

export const librarySettings: ApiSettings = {
  unknownAttributes: 'reject',
  defaultPageSize: 25,
  maxPageSize: 100,
  maxPopulateDepth: 5,
  maxPopulatedPaths: 100,
  bodyLimit: 1_000_000,
  maxAnswerEntries: 20_000,
  maxAnswerSize: 16 * 1024 * 1024,
};

const TIMES = `created_at {datetime} NOT NULL DEFAULT '2020-01-01T00:00:00.000Z', updated_at {datetime} NOT NULL DEFAULT '2020-01-02T00:00:00.000Z', _version {integer} NOT NULL DEFAULT 1`;
const LOCALIZED = 'published_at {datetime}, document_id {string}, locale {string}';
const LINK = 'owner_id {key} NOT NULL, target_id {key} NOT NULL, position {key} NOT NULL';

const TABLES = `
CREATE TABLE authors (id {id}, name {text}, email {string}, secret {string}, favourite_id {key}, ${TIMES});
CREATE TABLE books (id {id}, title {text}, pages {integer}, price {decimal}, rating {float}, available {boolean},
  isbn {biginteger}, released {date}, extra {json}, author_id {key}, author_position {key}, vault_id {key}, cover_id {key},
  seo {json}, links {json}, zone {json}, ${TIMES});
CREATE INDEX books_author ON books (author_id, author_position);
CREATE TABLE tags (id {id}, name {text}, ${TIMES});
CREATE TABLE books_tags (${LINK}, inverse_position {key} NOT NULL, PRIMARY KEY (owner_id, target_id));
CREATE INDEX books_tags_own ON books_tags (owner_id, position, target_id);
CREATE TABLE books_gallery (${LINK}, PRIMARY KEY (owner_id, target_id));
CREATE TABLE books_mentions (id {id}, owner_id {key} NOT NULL, position {key} NOT NULL,
  author_id {key}, article_id {key}, vault_id {key});
CREATE TABLE books_topic (id {id}, owner_id {key} NOT NULL, position {key} NOT NULL, tag_id {key}, article_id {key});
CREATE TABLE books_component_links (id {id}, owner_id {key} NOT NULL, item_id {biginteger} NOT NULL,
  attribute {string} NOT NULL, position {key} NOT NULL, tag_id {key}, file_id {key});
CREATE TABLE articles (id {id}, title {text}, book_id {key}, next_id {key} UNIQUE, ${LOCALIZED}, ${TIMES});
CREATE TABLE articles_see (${LINK}, PRIMARY KEY (owner_id, target_id));
CREATE TABLE vaults (id {id}, name {text}, ${TIMES});
CREATE TABLE files (id {id}, name {text}, url {text}, ${TIMES});
CREATE TABLE settings (id {id}, site_name {text}, singleton {integer} DEFAULT 1, ${LOCALIZED}, ${TIMES});
`;

const ROWS = `
INSERT INTO authors (id, name, email, secret, favourite_id) VALUES
  (1, 'Ann', 'ann@x.co', 'pw', 2), (2, 'Bob', 'bob@x.co', 'pw', NULL), (3, 'Émile', NULL, NULL, NULL);
INSERT INTO books (id, title, pages, price, rating, available, isbn, released, extra, author_id, author_position, vault_id,
  cover_id, seo, links, zone) VALUES
  (1, 'Alpha', 100, '9.99', 4.5, '1', 9007199254740993, '2001-01-01', '{"k":1}', 1, 20, 1, 1,
    '{"id":1,"metaTitle":"mt1","weight":"1.5","extra":{"a":[1]},"hidden":"h1"}',
    '[{"id":2,"label":"l1","rank":3,"seo":{"id":4,"metaTitle":"inner","hidden":"h"}},{"id":3,"label":"l2","rank":1,"seo":null}]',
    '[{"id":5,"__component":"shared.link","label":"z1","rank":7},{"id":6,"__component":"blocks.quote","text":"q"}]'),
  (2, 'beta', 200, '19.5', 3.5, '0', 200, '2002-02-02', '["x"]', 2, 10, NULL, NULL, '{"id":7,"metaTitle":"mt2","extra":"text"}', '[]', NULL),
  (3, 'Gamma', 200, NULL, NULL, NULL, NULL, NULL, NULL, 1, 10, NULL, NULL, NULL, NULL, NULL),
  (4, 'alpha two', 50, '100', 4.5, '1', 300, '2001-01-02', NULL, NULL, NULL, NULL, NULL, NULL, '[{"id":8,"label":"l1","rank":9}]', NULL),
  (5, '100% x_y\\', -5, '0', 0, '0', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (6, 'ÉMILE ß ς', 300, NULL, NULL, NULL, NULL, NULL, NULL, 3, 10, NULL, NULL, NULL, NULL, NULL);
INSERT INTO tags (id, name) VALUES (1, 'red'), (2, 'blue'), (3, 'green');
INSERT INTO books_tags (owner_id, target_id, position, inverse_position) VALUES
  (1, 1, 20, 30), (1, 2, 10, 10), (2, 2, 10, 20), (4, 1, 10, 20), (4, 3, 20, 10), (6, 1, 10, 10), (6, 2, 20, 30);
INSERT INTO files (id, name, url) VALUES (1, 'a.png', '/a.png'), (2, 'b.png', '/b.png');
INSERT INTO books_gallery VALUES (1, 2, 10), (1, 1, 20);
INSERT INTO vaults (id, name) VALUES (1, 'gold');
INSERT INTO articles (id, title, book_id, next_id, published_at, document_id, locale) VALUES
  (1, 'one', 1, 2, '2021-01-01T00:00:00.000Z', 'd1', 'en'), (2, 'draft', 1, NULL, NULL, 'd2', 'en'),
  (3, 'un', 2, NULL, '2021-01-01T00:00:00.000Z', 'd1', 'fr'), (4, 'four', NULL, 1, '2021-01-01T00:00:00.000Z', 'd4', 'en');
INSERT INTO articles_see VALUES (1, 2, 10), (1, 4, 20), (4, 2, 10);
INSERT INTO books_mentions (owner_id, position, author_id, article_id, vault_id) VALUES
  (1, 20, 1, NULL, NULL), (1, 10, NULL, 1, NULL), (1, 30, NULL, 2, NULL), (1, 40, NULL, NULL, 1);
INSERT INTO books_topic (owner_id, position, tag_id, article_id) VALUES (1, 10, 3, NULL), (2, 10, NULL, 2);
INSERT INTO books_component_links (owner_id, item_id, attribute, position, tag_id, file_id) VALUES
  (1, 1, 'image', 10, NULL, 2), (1, 2, 'tags', 20, 1, NULL), (1, 2, 'tags', 10, 3, NULL), (1, 5, 'tags', 10, 2, NULL);
INSERT INTO settings (id, site_name, published_at, document_id, locale) VALUES
  (1, 'Site', '2021-01-01T00:00:00.000Z', 's', 'en'), (2, 'Page', NULL, 's', 'fr');
`;

/** A caller who may find all types except `vault`. */
export const visitor: Caller = {
  kind: 'public',
  role: 'public',
  permissions: new Set(
    ['author', 'book', 'tag', 'article', 'setting'].flatMap((uid) => [`${uid}.find`, `${uid}.preview`]),
  ),
};

/** A request of the visitor for the query of a query string. */
export function asked(query: string, caller: Caller = visitor): EntryRequest {
  return { caller, query: parseQuery(query) };
}

let libraries = 0;

export interface Library {
  readonly database: Database;
  readonly reader: Reader;
  /** The statements run since the last `forget`. */
  readonly statements: Sql[];
  type(uid: string): ContentType;
  close(): Promise<void>;
}

/** Opens the library; `api` overrides its settings. Rejects if the engine is not running. */
export async function openLibrary(api: Partial<ApiSettings> = {}, dialect: DialectName = 'sqlite'): Promise<Library> {
  const opened = await openEngine(dialect, `library_${++libraries}`, TABLES + ROWS);
  const { database } = opened;
  const statements: Sql[] = [];
  const watched: Database = {
    ...database,
    all(statement) {
      statements.push(statement);
      return database.all(statement);
    },
    get(statement) {
      statements.push(statement);
      return database.get(statement);
    },
    readTransaction(options, work) {
      return database.readTransaction(options, (reader) =>
        work({
          ...reader,
          all(statement) {
            statements.push(statement);
            return reader.all(statement);
          },
        }),
      );
    },
  };
  return {
    database: watched,
    reader: createReader({ database: watched, types: libraryTypes, api: { ...librarySettings, ...api } }),
    statements,
    type(uid) {
      const found = types[uid];
      if (!found) throw new Error(`no type ${uid}`);
      return found;
    },
    close: opened.drop,
  };
}
