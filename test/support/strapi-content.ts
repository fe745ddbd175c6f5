/** A small project, and exports of it as Strapi 4 and 5 would have written them. */
import { component, type Content, contentType } from './strapi-archive.ts';

/** The schema of the project that the archives are imported into. */
export function schemaFor(databases: string, version: 4 | 5): string {
  return `
name: sample
databases: [${databases}]
locales: [en, de]
${version === 5 ? 'api: { format: v5 }\n' : ''}
contentTypes:
  article:
    draftAndPublish: true
    localized: true
    attributes:
      title: { type: string, required: true, maxLength: 20, localized: true }
      slug: { type: uid, targetField: title, localized: true }
      day: { type: date }
      cover: { type: media }
      gallery: { type: media, multiple: true }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
      category: { type: relation, relation: manyToOne, target: category, inversedBy: articles }
      seo: { type: component, component: shared.seo }
      zone: { type: dynamiczone, components: [shared.seo, shared.quote] }
  tag:
    attributes:
      name: { type: string, required: true, unique: true }
      rank: { type: integer }
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }
  category:
    attributes:
      name: { type: string }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: category }
components:
  shared.seo:
    attributes:
      title: { type: string }
      image: { type: media }
      tags: { type: relation, relation: manyWay, target: tag }
      quotes: { type: component, component: shared.quote, repeatable: true }
  shared.quote:
    attributes:
      text: { type: text }
      by: { type: relation, relation: oneWay, target: tag }
permissions:
  public:
    article: [find, findOne, preview]
    tag: [find, findOne]
    category: [find, findOne]
    upload: [find, findOne]
  authenticated:
    extends: public
    users: [me]
`;
}

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };
const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target,
  ...more,
});

const SCHEMAS = [
  contentType('plugin::upload.file', { name: { type: 'string' } }),
  contentType('plugin::upload.folder', { name: { type: 'string' } }),
  contentType('plugin::users-permissions.permission', { action: { type: 'string' } }),
  contentType('plugin::users-permissions.role', {
    name: { type: 'string' },
    description: { type: 'string' },
    type: { type: 'string' },
  }),
  contentType('plugin::users-permissions.user', {
    ...Object.fromEntries(
      ['username', 'provider', 'resetPasswordToken', 'confirmationToken'].map((name) => [name, { type: 'string' }]),
    ),
    email: { type: 'email' },
    password: { type: 'password' },
    confirmed: { type: 'boolean' },
    blocked: { type: 'boolean' },
    role: relation('manyToOne', 'plugin::users-permissions.role', { inversedBy: 'users' }),
  }),
  contentType('plugin::i18n.locale', { name: { type: 'string' }, code: { type: 'string' } }),
  contentType(
    'api::article.article',
    {
      title: { type: 'string', required: true, ...LOCALIZED },
      slug: { type: 'uid', targetField: 'title' },
      day: { type: 'date' },
      cover: { type: 'media', multiple: false },
      gallery: { type: 'media', multiple: true },
      tags: relation('manyToMany', 'api::tag.tag', { inversedBy: 'articles' }),
      category: relation('manyToOne', 'api::category.category', { inversedBy: 'articles' }),
      seo: { type: 'component', component: 'shared.seo' },
      zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
      gone: { type: 'string' },
    },
    { drafts: true, localized: true },
  ),
  contentType('api::tag.tag', {
    name: { type: 'string', unique: true },
    rank: { type: 'integer' },
    articles: relation('manyToMany', 'api::article.article', { mappedBy: 'tags' }),
  }),
  contentType('api::category.category', {
    name: { type: 'string' },
    articles: relation('oneToMany', 'api::article.article', { mappedBy: 'category' }),
  }),
  component('shared.seo', {
    title: { type: 'string' },
    image: { type: 'media' },
    tags: relation('oneToMany', 'api::tag.tag'),
    quotes: { type: 'component', component: 'shared.quote', repeatable: true },
  }),
  component('shared.quote', { text: { type: 'text' }, by: relation('oneToOne', 'api::tag.tag') }),
];

/** All schemas; the type `file` has the attributes that its rows have. */
function schemas() {
  const names = ['name', 'alternativeText', 'caption', 'hash', 'ext', 'mime', 'url', 'previewUrl', 'provider'];
  const file = contentType('plugin::upload.file', {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    width: { type: 'integer' },
    height: { type: 'integer' },
    size: { type: 'decimal' },
    formats: { type: 'json' },
    provider_metadata: { type: 'json' },
  });
  return [file, ...SCHEMAS.slice(1)];
}

const TIME = '2020-02-03T04:05:06.789Z';
const LATER = '2021-02-03T04:05:06.789Z';
const times = { createdAt: TIME, updatedAt: LATER };

export const BYTES = Buffer.from('a few bytes');

function fileRow(id: number, name: string) {
  const hash = `${name}_00000000${String(id).padStart(2, '0')}`;
  const data = {
    ...{ name: `${name}.txt`, alternativeText: null, caption: null, width: null, height: null, formats: null },
    ...{
      hash,
      ext: '.txt',
      mime: 'text/plain',
      size: 0.01,
      url: `/uploads/${hash}.txt`,
      previewUrl: null,
      provider: 'local',
    },
    ...{ provider_metadata: null, folderPath: '/1', ...times },
  };
  return { type: 'plugin::upload.file', id, data };
}

export const PASSWORD = 'correct horse 🐎';
/** bcrypt hashes of PASSWORD and of another password. */
const HASHES = [
  '$2b$04$pLE.Xtr1ffzULbo6DXcZ5.xxcwP8FMBjPERZBQIWhSX7O2ZnVRCCO',
  '$2b$04$CuYpLIGdOvBHgwB4TqrNbuMec5vsfyP0/LK3dtDk5rIhce7ju6CM2',
] as const;

function users() {
  const user = (id: number, username: string, password: string) => ({
    type: 'plugin::users-permissions.user',
    id,
    data: {
      username,
      email: `${username}@example.org`,
      provider: 'local',
      password: password,
      resetPasswordToken: null,
      confirmationToken: null,
      confirmed: true,
      blocked: false,
      ...times,
    },
  });
  const role = (id: number, name: string) => ({
    type: 'plugin::users-permissions.role',
    id,
    data: { name, description: '', type: name.toLowerCase(), ...times },
  });
  const permission = (id: number, action: string) => ({
    type: 'plugin::users-permissions.permission',
    id,
    data: { action, ...times },
  });
  return [
    role(1, 'Authenticated'),
    role(2, 'Public'),
    role(3, 'Editor'),
    permission(1, 'api::tag.tag.find'),
    permission(2, 'api::tag.tag.delete'),
    permission(3, 'plugin::menus.menu.find'),
    permission(4, 'api::tag.tag.create'),
    user(7, 'erika', HASHES[0]),
    user(9, 'otto', HASHES[1]),
  ];
}

const link = (
  relationKind: string,
  [leftType, field, ref, leftPos]: readonly [string, string, number, number?],
  [rightType, rightRef, rightField, rightPos]: readonly [string, number, string?, (number | null)?],
) => ({
  kind: relationKind.startsWith('morph') ? 'relation.morph' : 'relation.basic',
  relation: relationKind,
  left: { type: leftType, field, ref, ...(leftPos === undefined ? {} : { pos: leftPos }) },
  right: {
    type: rightType,
    ref: rightRef,
    ...(rightField === undefined ? {} : { field: rightField }),
    ...(rightPos === undefined ? {} : { pos: rightPos }),
  },
});

const media = (file: number, [type, ref, field]: readonly [string, number, string], pos: number) =>
  link('morphToMany', ['plugin::upload.file', 'related', file], [type, ref, field, pos]);

const ARTICLE = 'api::article.article';
const TAG = 'api::tag.tag';

const tags = [1, 2, 3, 5].map((id) => ({ type: TAG, id, data: { name: `tag ${id}`, rank: id, ...times } }));

function article(id: number, title: string, locale: string, publishedAt: string | null, more: object = {}) {
  const data = {
    title,
    slug: `${locale}-${id}`,
    day: '1969-12-31',
    gone: 'x',
    ...times,
    publishedAt,
    locale,
    seo: null,
    zone: [],
    ...more,
  };
  return { type: ARTICLE, id, data };
}

const SEO = {
  id: 4,
  title: 'about',
  quotes: [
    { id: 8, text: 'two' },
    { id: 3, text: 'one' },
  ],
};

const common = {
  schemas: schemas(),
  configuration: [{ type: 'core-store', value: { key: 'plugin_i18n_default_locale', value: 'en' } }],
  assets: { 'a_0000000001.txt': BYTES, 'b_0000000002.txt': BYTES },
};

const usersLinks = [
  link('manyToOne', ['plugin::users-permissions.user', 'role', 7], ['plugin::users-permissions.role', 3, 'users', 1]),
  link('manyToOne', ['plugin::users-permissions.user', 'role', 9], ['plugin::users-permissions.role', 1, 'users', 1]),
  ...[1, 2, 3, 4].map((id) =>
    link(
      'manyToOne',
      ['plugin::users-permissions.permission', 'role', id],
      ['plugin::users-permissions.role', 3, 'permissions', id],
    ),
  ),
];

const files = [
  fileRow(1, 'a'),
  fileRow(2, 'b'),
  fileRow(3, 'missing'),
  { type: 'plugin::upload.folder', id: 1, data: { name: 'texts' } },
];

/** Version 4: two locales of one article, a draft, orders that differ from the ids, and dangling links. */
export const V4: Content = {
  ...common,
  version: '4.26.2',
  entities: [
    ...users(),
    ...files,
    article(1, 'First', 'en', LATER, {
      seo: SEO,
      zone: [
        { __component: 'shared.quote', id: 9, text: 'zone' },
        { __component: 'shared.seo', id: 5, title: 'in a zone', quotes: [] },
      ],
    }),
    article(4, 'Erster', 'de', LATER),
    article(6, 'Draft', 'en', null),
    article(8, 'A title that is far too long', 'en', LATER),
    ...tags,
    { type: 'api::category.category', id: 2, data: { name: 'only', ...times, createdAt: null } },
  ],
  links: [
    ...usersLinks,
    link('oneToMany', [ARTICLE, 'localizations', 1, 1], [ARTICLE, 4]),
    link('oneToMany', [ARTICLE, 'localizations', 4, 1], [ARTICLE, 1]),
    link('manyToMany', [ARTICLE, 'tags', 1, 2], [TAG, 1, 'articles', 2]),
    link('manyToMany', [ARTICLE, 'tags', 1, 1], [TAG, 5, 'articles', 1]),
    link('manyToMany', [ARTICLE, 'tags', 1, 0.5], [TAG, 3, 'articles', 1]),
    link('manyToMany', [ARTICLE, 'tags', 8, 1], [TAG, 1, 'articles', 1]),
    link('manyToMany', [ARTICLE, 'tags', 8, 2], [TAG, 99, 'articles', 1]),
    link('manyToOne', [ARTICLE, 'category', 1], ['api::category.category', 2, 'articles', 5]),
    link('manyToOne', [ARTICLE, 'category', 8], ['api::category.category', 2, 'articles', 1]),
    link('manyToOne', [ARTICLE, 'category', 6], ['api::category.category', 2, 'articles', null]),
    link('oneToMany', ['shared.seo', 'tags', 4, 2], [TAG, 1]),
    link('oneToMany', ['shared.seo', 'tags', 4, 1], [TAG, 2]),
    link('oneToOne', ['shared.quote', 'by', 3], [TAG, 5]),
    link('oneToOne', ['shared.quote', 'by', 77], [TAG, 5]),
    media(1, [ARTICLE, 1, 'cover'], 1),
    media(2, [ARTICLE, 1, 'gallery'], 1),
    media(1, [ARTICLE, 1, 'gallery'], 2),
    media(2, ['shared.seo', 5, 'image'], 1),
    media(2, ['blocks.gone', 5, 'image'], 1),
  ],
};

const DOCUMENT = 'aaaaaaaaaaaaaaaaaaaaaaa';
const document = (id: number, name: string, publishedAt: string | null, title: string, more: object = {}) => {
  const made = article(id, title, 'en', publishedAt, more);
  return { ...made, data: { ...made.data, slug: name, documentId: `${DOCUMENT}${name}` } };
};

const withDocuments = (entities: readonly { type: string; id: number; data: object }[]) =>
  entities.map((one) => ({
    ...one,
    data: { documentId: `t${String(one.id).padStart(23, '0')}`, publishedAt: LATER, locale: null, ...one.data },
  }));

/** Version 5: a published document, a changed one, and one that is only a draft. */
export const V5: Content = {
  ...common,
  version: '5.54.0',
  entities: [
    ...withDocuments([...users(), ...files, ...tags]),
    document(10, 'a', null, 'Same', { seo: { id: 20, title: 'x', quotes: [] } }),
    document(11, 'a', LATER, 'Same', { seo: { id: 21, title: 'x', quotes: [] } }),
    document(12, 'b', null, 'Changed'),
    document(13, 'b', LATER, 'Before'),
    document(14, 'c', null, 'Draft only'),
  ],
  links: [
    ...usersLinks,
    link('manyToMany', [ARTICLE, 'tags', 10, 1], [TAG, 1, 'articles', 1]),
    link('manyToMany', [ARTICLE, 'tags', 11, 1], [TAG, 1, 'articles', 1]),
    link('manyToMany', [ARTICLE, 'tags', 12, 1], [TAG, 2, 'articles', 1]),
    link('manyToMany', [ARTICLE, 'tags', 13, 1], [TAG, 3, 'articles', 1]),
    link('manyToMany', [ARTICLE, 'tags', 14, 1], [TAG, 5, 'articles', 1]),
    link('oneToMany', ['shared.seo', 'tags', 20, 1], [TAG, 2]),
    link('oneToMany', ['shared.seo', 'tags', 21, 1], [TAG, 2]),
  ],
};

export const PENDING_DOCUMENT = `${DOCUMENT}p`;
const quoteBlock = (id: number, text: string) => ({ __component: 'shared.quote', id, text });
const ordered = (owner: number, ids: readonly number[]) =>
  ids.map((id, index) => link('manyToMany', [ARTICLE, 'tags', owner, index + 1], [TAG, id, 'articles', 1]));
const gallery = (owner: number, ids: readonly number[]) =>
  ids.map((id, index) => media(id, [ARTICLE, owner, 'gallery'], index + 1));

/** Version 5: a published document, and its draft, in which all that an entry can have was changed. Both have the same times. */
export const PENDING: Content = {
  ...V5,
  entities: [
    ...withDocuments([...users(), ...files, ...tags]),
    // The draft comes after what is published, as it does after its changes have been discarded.
    document(30, 'p', LATER, 'What all read', {
      seo: { id: 40, title: 'about it', quotes: [] },
      zone: [quoteBlock(42, 'first'), quoteBlock(43, 'second')],
    }),
    document(31, 'p', null, 'What is new', {
      seo: { id: 41, title: 'about it', quotes: [] },
      zone: [quoteBlock(45, 'second'), quoteBlock(44, 'first')],
    }),
  ],
  links: [
    ...usersLinks,
    ...ordered(30, [3, 1, 2]),
    ...ordered(31, [2, 3]),
    ...gallery(30, [1, 2]),
    ...gallery(31, [2, 1]),
    link('oneToMany', ['shared.seo', 'tags', 40, 1], [TAG, 2]),
    link('oneToMany', ['shared.seo', 'tags', 40, 2], [TAG, 1]),
    link('oneToMany', ['shared.seo', 'tags', 41, 1], [TAG, 5]),
    link('oneToOne', ['shared.quote', 'by', 42], [TAG, 5]),
    link('oneToOne', ['shared.quote', 'by', 44], [TAG, 3]),
  ],
};

/** What it is read as, in each state. */
export const EXPECTED = {
  published: {
    ...{ title: 'What all read', slug: 'p', updatedAt: LATER, publishedAt: LATER, seo: ['about it', [2, 1]] },
    zone: [
      ['first', 5],
      ['second', undefined],
    ],
    ...{ tags: [3, 1, 2], gallery: [1, 2] },
  },
  draft: {
    title: 'What is new',
    slug: 'p',
    updatedAt: LATER.replace('789', '790'),
    publishedAt: null,
    seo: ['about it', [5]],
    zone: [
      ['second', undefined],
      ['first', 3],
    ],
    tags: [2, 3],
    gallery: [2, 1],
  },
};
