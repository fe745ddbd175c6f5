/** A content model with everything in it, hostile texts included: more than a schema could bring about. */
import type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentModel,
  ContentType,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
  ScalarType,
} from '../src/model/content-model.ts';
import { codeNames } from '../src/model/naming.ts';

const LOCATION = { file: 'schema.yaml', line: 1, column: 1, length: 1 };

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
    location: LOCATION,
  };
}

export function scalar(name: string, type: ScalarType, rest: Partial<ScalarAttribute> = {}): ScalarAttribute {
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
    ...rest,
  };
}

function relation(
  name: string,
  kind: RelationAttribute['relation'],
  targets: readonly string[],
  rest: Partial<RelationAttribute> = {},
): RelationAttribute {
  const many = ['oneToMany', 'manyToMany', 'manyWay', 'morphToMany'].includes(kind);
  const standard = { owner: true, inverse: undefined, onDelete: 'setNull', shared: false } as const;
  return { ...base(name), kind: 'relation', relation: kind, many, targets, ...standard, ...rest };
}

function media(name: string, multiple: boolean, rest: Partial<MediaAttribute> = {}): MediaAttribute {
  return { ...base(name), kind: 'media', multiple, allowedTypes: [], ...rest };
}

function component(name: string, uid: string, rest: Partial<ComponentAttribute> = {}): ComponentAttribute {
  return {
    ...base(name),
    kind: 'component',
    component: uid,
    repeatable: false,
    min: undefined,
    max: undefined,
    ...rest,
  };
}

function zone(
  name: string,
  components: readonly string[],
  rest: Partial<DynamicZoneAttribute> = {},
): DynamicZoneAttribute {
  return { ...base(name), kind: 'dynamiczone', components, min: undefined, max: undefined, ...rest };
}

export function contentType(
  uid: string,
  attributes: readonly Attribute[],
  rest: Partial<ContentType> = {},
): ContentType {
  const isSingle = rest.kind === 'singleType';
  return {
    uid,
    kind: 'collectionType',
    pluralName: `${uid}s`,
    tableName: `${uid.replaceAll('-', '_')}s`,
    route: isSingle ? uid : `${uid}s`,
    names: codeNames(uid),
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
    location: LOCATION,
    ...rest,
  };
}

function componentType(uid: string, attributes: readonly Attribute[], rest: Partial<Component> = {}): Component {
  return {
    uid,
    names: codeNames(uid),
    displayName: undefined,
    description: undefined,
    renamedFrom: undefined,
    attributes,
    location: LOCATION,
    ...rest,
  };
}

/** Text that closes comments, literals, templates and table cells, names compiler directives, and hides characters. */
const HOSTILE = [
  '*/ globalThis.canary = 1; /* \' " ` ${globalThis.canary = 1} \\',
  '@ts-ignore\n@deprecated {@link x}',
  '\u2028\u2029\u0000\u202e\ud800',
  '-->{{{canary}}} ${{ canary }} <script>canary=1</script> | a | [x](javascript:canary)',
].join('\n');

export function modelOf(rest: Partial<ContentModel>): ContentModel {
  return {
    name: 'rich',
    databases: ['sqlite', 'postgres'],
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
    contentTypes: [],
    components: [],
    roles: [],
    ...rest,
  };
}

/** Every kind of attribute, drafts and locales, names that clash with the runtime's and with each other. */
export const richModel: ContentModel = modelOf({
  contentTypes: [
    contentType(
      'article',
      [
        scalar('title', 'string', {
          required: true,
          maxLength: 120,
          localized: true,
          displayName: HOSTILE,
          description: HOSTILE,
          unique: true,
        }),
        scalar('slug', 'uid', { required: true, targetField: 'title' }),
        scalar('body', 'richtext', { default: HOSTILE.replace('\u0000', '').replace('\ud800', '') }),
        scalar('rating', 'decimal', { min: '0', max: '5.5', default: 0 }),
        scalar('views', 'biginteger', { min: '-9223372036854775808', default: '0' }),
        scalar('status', 'enumeration', {
          enum: ['idea', "it's", 'a "b"', '\\', '`${canary}`', '*/'],
          default: "it's",
        }),
        scalar('code', 'string', { regex: '^[\\w\'"`/]+\\/$', minLength: 2 }),
        scalar('meta', 'json', { default: { a: [1, null, { "it's": true }], b: {} } }),
        scalar('content', 'blocks'),
        scalar('secret', 'string', { private: true }),
        scalar('pass', 'password', { minLength: 8 }),
        scalar('mail', 'email', { required: true, unique: true }),
        scalar('count', 'integer', { required: true, default: 3, unique: true, min: -5, max: 1e21 }),
        scalar('share', 'float'),
        scalar('day', 'date'),
        scalar('clock', 'time'),
        scalar('moment', 'datetime'),
        scalar('stamp', 'timestamp'),
        scalar('open', 'boolean', { default: false }),
        scalar('note', 'text', { default: '' }),
        media('cover', false, { allowedTypes: ['images'] }),
        media('gallery', true, { allowedTypes: ['images', 'files', 'videos', 'audios'], required: true }),
        component('seo', 'shared.seo'),
        component('links', 'shared.link-item', { repeatable: true, min: 1, max: 3, required: true }),
        zone('blocks', ['blocks.quote', 'shared.seo'], { max: 20 }),
        relation('author', 'manyToOne', ['author'], { required: true }),
        relation('related', 'manyWay', ['article'], { description: 'Others.' }),
        relation('any', 'morphToMany', ['article', 'work-item', 'author']),
        relation('hidden', 'oneWay', ['author'], { private: true }),
      ],
      { draftAndPublish: true, localized: true, description: HOSTILE, displayName: '@ts-nocheck' },
    ),
    contentType('class', [scalar('default', 'string'), relation('self', 'oneWay', ['class'])], {
      route: 'new',
      pluralName: 'new',
    }),
    contentType('author', [
      scalar('name', 'string', { required: true }),
      scalar('mood', 'enumeration', { enum: ['good'], required: true }),
      component('seo', 'shared.seo', { required: true }),
      zone('blocks', ['blocks.quote'], { min: 1 }),
      relation('owner', 'oneWay', ['user']),
      relation('anything', 'morphToOne', ['author']),
    ]),
    contentType('entry', [relation('entry', 'oneWay', ['entry']), relation('partial', 'oneWay', ['partial'])]),
    contentType('homepage', [scalar('headline', 'string')], { kind: 'singleType' }),
    contentType('partial', [relation('create', 'oneWay', ['entry-create'])]),
    contentType('entry-create', [relation('entries', 'manyWay', ['entry'])], {
      pluralName: 'routers',
      route: 'routers',
    }),
    contentType('router', [scalar('empty', 'string')], { kind: 'singleType' }),
    contentType('to-one', []),
    contentType('work-item', [
      scalar('aVeryLongAttributeNameThatGoesOnAndOnAndOnUntilItsColumnIsLong', 'string', {
        required: true,
        private: true,
      }),
      relation('parent', 'manyToOne', ['work-item']),
    ]),
    contentType('file', [scalar('name', 'string', { required: true }), scalar('url', 'string', { required: true })], {
      builtIn: true,
    }),
    contentType(
      'user',
      [scalar('username', 'string', { required: true }), scalar('password', 'password', { private: true })],
      {
        builtIn: true,
      },
    ),
  ],
  components: [
    componentType('blocks.quote', [scalar('text', 'text', { required: true }), component('seo', 'shared.seo')]),
    componentType('shared.link-item', [
      scalar('label', 'string', { required: true }),
      scalar('tone', 'enumeration', { enum: ['x'], required: true, default: 'x' }),
    ]),
    componentType(
      'shared.seo',
      [
        scalar('metaTitle', 'string', { required: true, description: HOSTILE }),
        media('image', false, { displayName: HOSTILE }),
        relation('articles', 'manyWay', ['article']),
        component('links', 'shared.link-item', { repeatable: true }),
      ],
      { description: HOSTILE },
    ),
  ],
  roles: [
    {
      role: 'public',
      permissions: [
        'article.find',
        'article.findOne',
        'homepage.find',
        'author.create',
        'author.delete',
        'author.findOne',
      ],
    },
    { role: 'authenticated', permissions: [] },
    { role: 'it-s', permissions: ['article.find'] },
  ],
});
