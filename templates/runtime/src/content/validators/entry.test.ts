import { expect, test } from 'vitest';
import type { Attribute, ContentType, ContentTypes, ScalarAttribute } from '../../contract/content-type.ts';
import { createValidators, type Variant } from './entry.ts';

function scalar(type: ScalarAttribute['type'], rules: Partial<ScalarAttribute> = {}): Attribute {
  return { type, column: 'value', ...rules };
}

function relation(target: string, rules: { readonly many?: boolean; readonly required?: true } = {}): Attribute {
  const storage = { kind: 'foreignKey', column: 'target_id' } as const;
  return { type: 'relation', relation: 'manyToOne', many: false, target, storage, ...rules };
}

function component(uid: string, rules: { repeatable?: boolean; min?: number; max?: number } = {}): Attribute {
  return { type: 'component', column: 'value', component: uid, repeatable: false, ...rules };
}

function contentType(
  uid: string,
  attributes: ContentType['attributes'],
  rules: Partial<ContentType> = {},
): ContentType {
  const names = { uid, singularName: uid, pluralName: `${uid}s`, table: `${uid}s` };
  return { ...names, kind: 'collectionType', draftAndPublish: false, localized: false, attributes, ...rules };
}

const article = contentType(
  'article',
  {
    title: scalar('string', { required: true, minLength: 3, maxLength: 5 }),
    slug: scalar('uid', { targetField: 'title', required: true }),
    code: scalar('text', { unique: true, regex: '^[a-z]+$' }),
    mail: scalar('email', { minLength: 8 }),
    password: scalar('password', { minLength: 6 }),
    rating: scalar('decimal', { min: '0.1', max: 5, default: '1.5' }),
    isbn: scalar('biginteger', { max: '9007199254740992' }),
    views: scalar('integer', { required: true, default: 7, min: 0 }),
    day: scalar('date'),
    status: scalar('enumeration', { enum: ['idea', 'ready'], default: 'idea' }),
    extra: scalar('json', { default: { a: [1] } }),
    body: scalar('blocks'),
    cover: { type: 'media', many: false, required: true, storage: { kind: 'foreignKey', column: 'cover_id' } },
    tags: relation('tag', { many: true, required: true }),
    seo: component('shared.seo'),
    links: component('shared.link', { repeatable: true, min: 2, max: 3 }),
    zone: {
      type: 'dynamiczone',
      column: 'zone',
      components: ['shared.seo', 'shared.link'],
      required: true,
      min: 1,
    },
  },
  { draftAndPublish: true, localized: true },
);

const types: ContentTypes = {
  types: { article },
  components: {
    'shared.link': {
      uid: 'shared.link',
      attributes: {
        label: scalar('string', { maxLength: 5 }),
        url: scalar('string', { required: true }),
        weight: scalar('integer', { default: 1 }),
        page: relation('page'),
      },
    },
    'shared.seo': {
      uid: 'shared.seo',
      attributes: {
        title: scalar('string', { required: true, minLength: 3 }),
        links: component('shared.link', { repeatable: true, max: 2 }),
      },
    },
    'shared.counter': {
      uid: 'shared.counter',
      attributes: { label: scalar('string'), clicks: scalar('integer', { default: 0, writable: false }) },
    },
  },
  locales: ['en'],
};

const articles = createValidators(types, 'reject')(article);

const zone = [{ __component: 'shared.link', url: '/' }];
const least = { title: 'abc', cover: 3, tags: [], zone };

/** The paths of invalid values, and the valid values. */
function check(variant: Variant, data: unknown) {
  const { values, issues } = articles.check(variant, data);
  return { values, paths: issues.map(({ path }) => path.join('.')) };
}

/** The checked values of valid data. */
function valid(variant: Variant, data: unknown) {
  const { values, paths } = check(variant, data);
  expect(paths).toEqual([]);
  return values;
}

function paths(variant: Variant, data: object): string[] {
  return check(variant, data).paths;
}

test('the values of a create are cast, and defaults filled in', () => {
  const values = valid('create', {
    ...least,
    isbn: '007',
    day: '2020-01-02T10:00:00Z',
    views: '5',
    locale: 'fr',
  });
  expect(values).toEqual({
    title: 'abc',
    rating: '1.5',
    isbn: '7',
    views: 5,
    day: '2020-01-02',
    status: 'idea',
    extra: { a: [1] },
    cover: { kind: 'set', targets: [{ type: 'file', id: 3, path: ['cover'] }] },
    tags: { kind: 'set', targets: [] },
    zone: [{ __component: 'shared.link', url: '/', weight: 1 }],
    locale: 'fr',
  });
  expect(Object.keys(values)).toEqual([
    'title',
    'rating',
    'isbn',
    'views',
    'day',
    'status',
    'extra',
    'cover',
    'tags',
    'zone',
    'locale',
  ]);
});

test('defaults apply to attributes missing on create, not to null and not to updates', () => {
  expect(check('create', { ...least, rating: null, status: null }).values).toMatchObject({
    rating: null,
    status: null,
    views: 7,
  });
  expect(paths('create', { ...least, views: null })).toEqual(['views']);
  expect(valid('update', {})).toEqual({});
});

test('required attributes must be sent on create, and cannot be cleared later', () => {
  expect(paths('create', {})).toEqual(['title', 'cover', 'tags', 'zone']);
  const none = { title: null, slug: null, views: null, cover: null, tags: null, zone: null };
  expect(paths('create', none)).toEqual(['title', 'views', 'cover', 'tags', 'zone']);
  expect(paths('update', none)).toEqual(['title', 'slug', 'views', 'cover', 'tags', 'zone']);
  expect(paths('update', { cover: [], tags: [], zone: [] })).toEqual(['cover', 'zone']);
  expect(check('update', { code: null, seo: null, body: null }).values).toEqual({ code: null, seo: null, body: null });
});

test('a draft may lack required attributes and be too short, but nothing else', () => {
  expect(check('createDraft', { title: 'a', zone: [], seo: {}, password: 'abc', publishedAt: null })).toMatchObject({
    paths: [],
    values: { title: 'a', zone: [], seo: {}, publishedAt: null, rating: '1.5' },
  });
  expect(paths('updateDraft', { title: null, cover: null, tags: null, links: [{}] })).toEqual([]);
  expect(
    paths('createDraft', { title: 'too long', rating: 9, mail: 'x', zone: null, links: [{}, {}, {}, {}] }),
  ).toEqual(['title', 'mail', 'rating', 'links', 'zone']);
});

test('all invalid paths are reported together, in the order of the schema, followed by unknown names', () => {
  const data = {
    nope: 1,
    constructor: 1,
    zone: [
      { __component: 'shared.page' },
      5,
      { __component: 'shared.seo', title: 'x', links: [{}, { url: '\0', nope: 1 }] },
    ],
    links: [{ url: '/', label: 'too long', page: { connect: [1, 1] } }, { url: 5 }],
    seo: { links: 'x' },
    tags: { connect: [{ id: 1, position: {} }], set: [] },
    cover: { connect: [1] },
    body: [{ type: 'heading', level: 7, children: [] }],
    status: 'Idea',
    isbn: '9007199254740993',
    rating: '0.0999999999999999999999999999',
    mail: 'a@b.co',
    code: 'A',
    slug: 'a b',
    title: '😀😀',
  };
  expect(paths('create', data)).toEqual([
    'title',
    'slug',
    'code',
    'mail',
    'rating',
    'isbn',
    'status',
    'body.0.level',
    'cover',
    'tags',
    'seo.title',
    'seo.links',
    'links.0.label',
    'links.0.page.connect.1',
    'links.1.url',
    'zone.0.__component',
    'zone.1',
    'zone.2.title',
    'zone.2.links.0.url',
    'zone.2.links.1.url',
    'zone.2.links.1.nope',
    'nope',
    'constructor',
  ]);
});

test('an invalid value has a path of strings, and a readable name', () => {
  const { issues } = articles.check('update', { zone: [{ __component: 'shared.link', url: '/', label: 'abcdef' }] });
  expect(issues).toEqual([{ path: ['zone', '0', 'label'], message: 'zone[0].label must be at most 5 characters' }]);
});

test('valid values are returned beside the issues of invalid ones', () => {
  expect(check('update', { code: 'abc', title: 'x', views: '3' })).toEqual({
    values: { code: 'abc', views: 3 },
    paths: ['title'],
  });
});

test('lengths count characters, and the empty string has its own rules', () => {
  expect(paths('update', { title: '😀😀😀😀😀' })).toEqual([]);
  expect(paths('update', { title: '😀😀😀😀😀😀' })).toEqual(['title']);
  expect(paths('update', { title: '' })).toEqual(['title']);
  expect(paths('update', { code: '', slug: '' })).toEqual([]);
  expect(paths('update', { code: 'a'.repeat(255), slug: 'a'.repeat(255) })).toEqual([]);
  expect(paths('update', { code: 'a'.repeat(256), slug: 'a'.repeat(256) })).toEqual(['slug', 'code']);
  expect(paths('update', { password: 'x'.repeat(1_000_000) })).toEqual(['password']);
});

test('what clients echo back is ignored', () => {
  const echo = { id: 'x', createdAt: 1, updatedAt: {}, localizations: [], createdBy: 1, updatedBy: null };
  expect(check('create', { ...least, ...echo }).values).not.toHaveProperty('id');
  expect(check('update', { ...echo, locale: 'fr' })).toEqual({ values: {}, paths: [] });
  expect(paths('create', { ...least, documentId: 1, __pivot: 1, locale: 5, publishedAt: 'x' })).toEqual([
    'publishedAt',
    'locale',
    'documentId',
    '__pivot',
  ]);
});

test('unknown names can be ignored, at every depth', () => {
  const page = contentType('page', { seo: component('shared.seo'), page: relation('page') });
  const lenient = createValidators(types, 'ignore')(page);
  const data = JSON.parse(
    '{"nope":1,"__proto__":{"x":1},"publishedAt":"x","locale":5,"seo":{"title":"abc","nope":1,"__component":"x"},"page":{"id":1,"nope":2}}',
  ) as object;
  const { values, issues } = lenient.check('create', data);
  expect(issues).toEqual([]);
  expect(values).toEqual({
    seo: { title: 'abc' },
    page: { kind: 'set', targets: [{ type: 'page', id: 1, path: ['page'] }] },
  });
  expect(Object.keys(values)).toEqual(['seo', 'page']);
});

test('a component with an id is updated in part, a new one is checked as a whole', () => {
  expect(check('update', { seo: { id: '4' }, links: [{ id: 7 }, { url: '/' }] })).toEqual({
    values: { seo: { id: 4 }, links: [{ id: 7 }, { url: '/', weight: 1 }] },
    paths: [],
  });
  expect(paths('update', { seo: {} })).toEqual(['seo.title']);
  expect(paths('update', { seo: { id: 4, title: null, links: [{}] } })).toEqual(['seo.title', 'seo.links.0.url']);
  expect(check('update', { seo: { title: 'abc', links: [{ id: 5 }] } }).values).toEqual({
    seo: { title: 'abc', links: [{ id: 5 }] },
  });
  expect(check('create', { ...least, seo: { id: 'x', title: 'abc' } }).values['seo']).toEqual({ title: 'abc' });
  for (const id of ['x', 0, -1, 1.5, null, true, '007', 2 ** 53]) {
    expect(paths('update', { seo: { id } })).toContain('seo.id');
  }
  expect(paths('update', { links: [{ id: 7 }, { id: '7' }] })).toEqual(['links.1.id']);
});

test.each(['x', 5, true, [], [{}]])('a component is not %j', (seo) =>
  expect(paths('update', { seo })).toEqual(['seo']),
);

test.each([null, 'x', 5, {}])('a list is not %j', (links) => expect(paths('update', { links })).toEqual(['links']));

test('the number of items is checked unless the list is empty and not required', () => {
  const item = { url: '/' };
  expect(paths('update', { links: [] })).toEqual([]);
  expect(paths('update', { links: [item] })).toEqual(['links']);
  expect(paths('update', { links: [item, item, item] })).toEqual([]);
  expect(paths('update', { links: Array.from({ length: 100_000 }, () => ({})) })).toEqual(['links']);
});

test.each([null, undefined, 'x', 5, [], [{ title: 'abc' }]])('data is not %j', (data) => {
  expect(check('create', data)).toEqual({ values: {}, paths: [''] });
});

test('a small body does not cause a huge response', () => {
  const unknown = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1]));
  expect(paths('update', unknown).filter((path) => path !== '')).toHaveLength(100);
});

test('attributes that no body may set are unknown in bodies, awaited from hooks, and taken from the server', () => {
  const post = contentType('post', {
    title: scalar('string'),
    owner: scalar('string', { required: true, writable: false }),
    links: component('shared.counter', { repeatable: true }),
  });
  const posts = createValidators(types, 'reject')(post);
  const data = { title: 'a', owner: 'me', links: [{ label: 'b', clicks: 7 }] };
  const named = (options?: Parameters<typeof posts.check>[2]) =>
    posts.check('create', data, options).issues.map(({ path, message }) => [path.join('.'), message]);

  expect(named()).toEqual([
    ['owner', 'owner must be defined'],
    ['links.0.clicks', 'links[0].clicks is not an attribute'],
    ['owner', 'owner is not an attribute'],
  ]);
  expect(named({ notWritable: 'awaited' })).toEqual([
    ['links.0.clicks', 'links[0].clicks is not an attribute'],
    ['owner', 'owner is not an attribute'],
  ]);
  expect(posts.check('create', { title: 'a', links: [{}] }, { notWritable: 'awaited' })).toEqual({
    values: { title: 'a', links: [{}] },
    issues: [],
  });
  expect(posts.check('create', data, { notWritable: 'taken' })).toEqual({ values: data, issues: [] });
});

test('an invalid default is a defect of the descriptor', () => {
  const broken = contentType('broken', { day: scalar('date', { default: 20_200_102 }) });
  expect(() => createValidators(types, 'reject')(broken)).toThrow(TypeError);
});
