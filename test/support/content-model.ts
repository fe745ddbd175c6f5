/** Hand-made content models, for tests of the stages after the schema. */
import type {
  Attribute,
  Component,
  ContentModel,
  ContentType,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
  ScalarType,
} from '../../src/model/content-model.ts';

const location = { file: 'schema.yaml', line: 1, column: 1, length: 1 };

function base(name: string) {
  return {
    name,
    required: false,
    private: false,
    writable: true,
    localized: false,
    displayName: undefined,
    description: undefined,
    renamedFrom: undefined,
    location,
  };
}

export function scalar(name: string, type: ScalarType, more: Partial<ScalarAttribute> = {}): ScalarAttribute {
  return {
    ...base(name),
    kind: 'scalar',
    type,
    unique: false,
    default: undefined,
    minLength: undefined,
    maxLength: undefined,
    regex: undefined,
    min: undefined,
    max: undefined,
    enum: [],
    targetField: undefined,
    ...more,
  };
}

/** The owning side unless `more` says otherwise. */
export function relation(
  name: string,
  kind: RelationAttribute['relation'],
  targets: string | readonly string[],
  more: Partial<RelationAttribute> = {},
): RelationAttribute {
  const many = kind === 'oneToMany' || kind === 'manyToMany' || kind === 'manyWay' || kind === 'morphToMany';
  return {
    ...base(name),
    kind: 'relation',
    relation: kind,
    many,
    targets: typeof targets === 'string' ? [targets] : targets,
    owner: kind !== 'oneToMany',
    inverse: undefined,
    onDelete: 'setNull',
    shared: false,
    ...more,
  };
}

export function media(name: string, multiple: boolean): MediaAttribute {
  return { ...base(name), kind: 'media', multiple, allowedTypes: [] };
}

export function component(name: string, uid: string): Attribute {
  return { ...base(name), kind: 'component', component: uid, repeatable: true, min: undefined, max: undefined };
}

export function zone(name: string, components: readonly string[]): Attribute {
  return { ...base(name), kind: 'dynamiczone', components, min: undefined, max: undefined };
}

export function contentType(
  uid: string,
  attributes: readonly Attribute[],
  more: Partial<ContentType> = {},
): ContentType {
  const plural = `${uid}s`;
  return {
    uid,
    kind: 'collectionType',
    pluralName: plural,
    tableName: plural.replaceAll('-', '_'),
    route: plural,
    names: { pascal: uid, camel: uid },
    displayName: undefined,
    description: undefined,
    draftAndPublish: false,
    localized: false,
    documentIds: false,
    renamedFrom: undefined,
    builtIn: false,
    register: [],
    indexes: [],
    unique: [],
    search: [],
    admin: undefined,
    attributes,
    location,
    ...more,
  };
}

export function componentOf(uid: string, attributes: readonly Attribute[]): Component {
  return {
    uid,
    names: { pascal: uid, camel: uid },
    displayName: undefined,
    description: undefined,
    renamedFrom: undefined,
    attributes,
    location,
  };
}

export function contentModel(
  contentTypes: readonly ContentType[],
  components: readonly Component[] = [],
): ContentModel {
  return {
    name: 'test',
    databases: ['sqlite', 'postgres', 'mysql'],
    locales: ['en', 'fr'],
    api: {
      unknownAttributes: 'reject',
      defaultPageSize: 25,
      maxPageSize: 100,
      maxPopulateDepth: 5,
      maxPopulatedPaths: 100,
      bodyLimit: 1_048_576,
      maxAnswerEntries: 20_000,
      maxAnswerSize: 16 * 1024 * 1024,
    },
    docs: 'development',
    mcp: false,
    graphql: undefined,
    webhooks: undefined,
    imageSizes: undefined,
    resumableUploads: false,
    jobs: false,
    cacheTags: false,
    costs: undefined,
    audit: false,
    events: false,
    runtime: 'vendored',
    admin: undefined,
    contentTypes,
    components,
    roles: [],
  };
}

/** The built-in type `file`, which media attributes add. */
export const fileType = contentType('file', [scalar('name', 'string', { required: true })], { builtIn: true });

const everyScalar: readonly Attribute[] = [
  scalar('title', 'string', { required: true, default: `it's "\\" ; -- /* x */` }),
  scalar('slug', 'uid', { required: true, targetField: 'title' }),
  scalar('code', 'text', { unique: true }),
  scalar('body', 'richtext', { default: 'two\nlines' }),
  scalar('blocksOfText', 'blocks'),
  scalar('email', 'email', { unique: true }),
  scalar('password', 'password'),
  scalar('count', 'integer', { default: -3 }),
  scalar('big', 'biginteger', { default: '9007199254740993', unique: true }),
  scalar('ratio', 'float', { default: 1e21 }),
  scalar('price', 'decimal', { default: '10.5', required: true }),
  scalar('day', 'date', { default: '2024-02-29' }),
  scalar('at', 'time', { default: '12:30:00.000' }),
  scalar('since', 'datetime', { default: '2024-02-29T12:00:00.000Z' }),
  scalar('seen', 'timestamp'),
  scalar('active', 'boolean', { default: true, required: true }),
  scalar('status', 'enumeration', { enum: ['idea', 'ready'], default: 'idea' }),
  scalar('extra', 'json', { default: { a: ["it's"] } }),
];

/** A model with every kind of attribute and relation, circular references, and names of maximum length. */
export function richModel(): ContentModel {
  const long = `a${'b'.repeat(58)}`;
  return contentModel(
    [
      contentType('article', [
        ...everyScalar,
        relation('author', 'manyToOne', 'author', { inverse: 'articles' }),
        relation('tags', 'manyToMany', 'tag', { inverse: 'articles' }),
        relation('related', 'manyWay', 'article'),
        relation('detail', 'oneToOne', 'detail', { inverse: 'article' }),
        relation('subject', 'morphToOne', ['author', 'tag']),
        relation('mentions', 'morphToMany', ['article', 'owner']),
        media('cover', false),
        media('gallery', true),
        component('seo', 'shared.seo'),
        zone('parts', ['shared.quote', 'shared.seo']),
      ]),
      contentType('author', [
        scalar('name', 'string'),
        relation('articles', 'oneToMany', 'article', { inverse: 'author' }),
        relation('favourite', 'oneWay', 'article'),
      ]),
      contentType('detail', [relation('article', 'oneToOne', 'article', { owner: false, inverse: 'detail' })]),
      contentType('home', [scalar('headline', 'string', { required: true })], {
        kind: 'singleType',
        localized: true,
        tableName: 'home',
      }),
      contentType('news', [scalar('slug', 'uid'), relation('cover', 'oneToOne', 'detail')], {
        localized: true,
        draftAndPublish: true,
      }),
      contentType('owner', [scalar('select', 'string')], { tableName: 'order' }),
      contentType('settings', [], { kind: 'singleType', tableName: 'settings' }),
      contentType('tag', [
        scalar('name', 'string'),
        relation('articles', 'manyToMany', 'article', { owner: false, inverse: 'tags' }),
      ]),
      contentType(
        'long',
        [
          relation(`${long}c`, 'manyWay', 'long'),
          relation(`${long}d`, 'manyWay', 'long'),
          relation(`${long}e`, 'manyToOne', 'long', { inverse: `${long}f` }),
          relation(`${long}f`, 'oneToMany', 'long', { inverse: `${long}e` }),
          scalar(`${long}g`, 'string', { unique: true }),
        ],
        { tableName: `t${'u'.repeat(59)}` },
      ),
      fileType,
    ],
    [
      componentOf('shared.seo', [scalar('title', 'string'), media('image', false)]),
      componentOf('shared.quote', [relation('owner', 'oneWay', 'owner'), component('nested', 'shared.seo')]),
    ],
  );
}
