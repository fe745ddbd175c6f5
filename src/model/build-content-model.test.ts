import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSchema } from '../schema/read-schema.ts';
import { buildContentModel } from './build-content-model.ts';
import type { Attribute, ContentModel, ScalarAttribute } from './content-model.ts';

function build(text: string): ContentModel {
  const schema = readSchema([{ file: 'schema.yaml', text }]);
  const model = schema.value && buildContentModel(schema.value);
  expect([...schema.diagnostics, ...(model?.diagnostics ?? [])].filter(({ severity }) => severity === 'error')).toEqual(
    [],
  );
  if (model?.value === undefined) throw new Error('no model');
  return model.value;
}

function attributesOf(model: ContentModel, uid: string): Readonly<Record<string, Attribute>> {
  const owner = [...model.contentTypes, ...model.components].find((candidate) => candidate.uid === uid);
  return Object.fromEntries(owner?.attributes.map((attribute) => [attribute.name, attribute]) ?? []);
}

it('N10: tells that an optional uid is not made', () => {
  const schema = readSchema([
    {
      file: 'schema.yaml',
      text: `
contentTypes:
  article:
    attributes:
      title: { type: string }
      made: { type: uid, targetField: title, required: true }
      free: { type: uid }
      slug: { type: uid, targetField: title }
      path: { type: uid, targetField: title, default: none }`,
    },
  ]);
  const { diagnostics } = buildContentModel(schema.value ?? expect.fail());
  expect(diagnostics.map(({ severity, message, hint }) => [severity, message, hint])).toEqual(
    (
      [
        ['slug', 'null'],
        ['path', 'its default'],
      ] as const
    ).map(([name, value]) => [
      'info',
      `\`${name}\` is optional, so no value is generated for it; if none is sent, it is ${value}`,
      'to generate it from `title`, add `required: true`; otherwise `targetField` has no effect',
    ]),
  );
});

const blog = build(`
name: blog
databases: [postgres]
locales: [en, fr-FR]
api: { maxPageSize: 10, bodyLimit: 512kb }
contentTypes:
  tag:
    attributes:
      name: { type: string }
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }
  work-item:
    description: Something to do.
    localized: true
    draftAndPublish: true
    renamedFrom: task
    attributes:
      title: { type: string, required: true }
      number: { type: integer, localized: false }
  article:
    attributes:
      title: { type: string, localized: false }
      cover: { type: media, allowedTypes: [images, images] }
      seo: { type: component, component: shared.seo }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: articles }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
      next: { type: relation, relation: oneToOne, target: article, inversedBy: previous }
      previous: { type: relation, relation: oneToOne, target: article, mappedBy: next }
      related: { type: relation, relation: manyToMany, target: article }
      one: { type: relation, relation: oneToOne, target: tag }
      many: { type: relation, relation: oneToMany, target: tag }
      any: { type: relation, relation: morphToMany, targets: [tag, author] }
      reviewer: { type: relation, relation: oneToOne, target: user, inversedBy: reviews }
  author:
    attributes:
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }
  homepage:
    kind: singleType
    attributes: { headline: { type: string } }
components:
  shared.seo:
    attributes: { title: { type: string }, tags: { type: relation, relation: oneToMany, target: tag } }
permissions:
  editor: { '*': '*', users: [find] }
  public: { '*': [find, findOne], upload: '*' }
`);

function typesOf(texts: readonly string[]): unknown {
  const schema = readSchema(texts.map((text, index) => ({ file: `${index}.yaml`, text: `contentTypes: { ${text} }` })));
  const model = schema.value && buildContentModel(schema.value);
  return model?.value?.contentTypes.filter(({ builtIn }) => !builtIn).map(({ uid }) => uid);
}

describe('the content model', () => {
  it('has types in order, and the built-in ones that are referred to after them', () => {
    const shown = blog.contentTypes.map(({ uid, route, tableName, builtIn }) => [uid, route, tableName, builtIn]);
    expect(shown.slice(0, 5)).toEqual([
      ['article', 'articles', 'articles', false],
      ['author', 'authors', 'authors', false],
      ['homepage', 'homepage', 'homepages', false],
      ['tag', 'tags', 'tags', false],
      ['work-item', 'work-items', 'work_items', false],
    ]);
    expect(shown.slice(5)).toEqual(
      expect.arrayContaining([
        ['file', 'files', 'files', true],
        ['user', 'users', 'users', true],
      ]),
    );
    expect(blog.contentTypes[4]).toMatchObject({
      names: { pascal: 'WorkItem', camel: 'workItem' },
      renamedFrom: 'task',
      attributes: [{ localized: true }, { localized: false }],
    });
  });

  it('resolves relations', () => {
    const sides = Object.values({ ...attributesOf(blog, 'article'), ...attributesOf(blog, 'author') })
      .filter((attribute) => attribute.kind === 'relation')
      .map(({ name, relation, many, owner, targets, inverse }) => [
        name,
        relation,
        many,
        owner,
        targets.join(),
        inverse,
      ]);
    expect(sides).toEqual([
      ['author', 'manyToOne', false, true, 'author', 'articles'],
      ['tags', 'manyToMany', true, true, 'tag', 'articles'],
      ['next', 'oneToOne', false, true, 'article', 'previous'],
      ['previous', 'oneToOne', false, false, 'article', 'next'],
      ['related', 'manyToMany', true, true, 'article', undefined],
      ['one', 'oneWay', false, true, 'tag', undefined],
      ['many', 'manyWay', true, true, 'tag', undefined],
      ['any', 'morphToMany', true, true, 'tag,author', undefined],
      ['reviewer', 'oneWay', false, true, 'user', undefined],
      ['articles', 'oneToMany', true, false, 'article', 'author'],
    ]);
    expect(attributesOf(blog, 'tag')['articles']).toMatchObject({ owner: false, inverse: 'tags' });
    expect(attributesOf(blog, 'shared.seo')['tags']).toMatchObject({ relation: 'manyWay', owner: true });
  });

  it('has users and their roles whatever the schema says, and files where something needs them', () => {
    const small = build('contentTypes: { a: { attributes: { b: { type: string } } } }');
    const builtIn = small.contentTypes.filter((type) => type.builtIn);
    expect(builtIn.map(({ uid, tableName }) => [uid, tableName])).toEqual([
      ['user', 'users'],
      ['user-role', 'user_roles'],
    ]);
    expect(attributesOf(small, 'user')['role']).toMatchObject({ relation: 'manyToOne', targets: ['user-role'] });
    const shown = Object.entries(attributesOf(small, 'user')).filter(([, attribute]) => !attribute.private);
    expect(shown.map(([name]) => name)).toEqual(['username', 'email', 'provider', 'confirmed', 'blocked', 'role']);
    expect(small.roles).toEqual([
      { role: 'public', permissions: [] },
      { role: 'authenticated', permissions: ['users.me'] },
    ]);
    expect(blog.contentTypes.map(({ uid }) => uid)).toContain('file');
  });

  it('writes out every permission', () => {
    const collections = ['article', 'author', 'tag', 'work-item'];
    const read = [...collections.flatMap((uid) => [`${uid}.find`, `${uid}.findOne`]), 'homepage.find'];
    const write = collections.flatMap((uid) => [`${uid}.create`, `${uid}.update`, `${uid}.delete`]);
    const uploads = ['upload.destroy', 'upload.find', 'upload.findOne', 'upload.upload'];
    expect(blog.roles.map(({ role }) => role)).toEqual(['public', 'authenticated', 'editor']);
    const [open, signedIn, editor] = blog.roles.map(({ permissions }) => permissions);
    expect(open).toEqual([...read, ...uploads].sort());
    expect(signedIn?.filter((permission) => !permission.startsWith('users.'))).toEqual([]);
    expect(editor).toEqual(
      expect.arrayContaining([...read, ...write, 'homepage.update', 'homepage.delete', 'users.find']),
    );
    expect(editor?.filter((permission) => /^(?:upload|locales|roles)\./.test(permission))).toEqual([]);
  });

  it('fills in the settings', () => {
    expect([blog.name, blog.databases, blog.locales]).toEqual(['blog', ['postgres'], ['en', 'fr-FR']]);
    expect(blog.api).toEqual({
      unknownAttributes: 'reject',
      defaultPageSize: 10,
      maxPageSize: 10,
      maxPopulateDepth: 5,
      maxPopulatedPaths: 100,
      bodyLimit: 512 * 1024,
      maxAnswerEntries: 20_000,
      maxAnswerSize: 16 * 1024 * 1024,
    });
    expect(build('api: { maxCount: 1000 }\ncontentTypes: { a: { attributes: {} } }').api.maxCount).toBe(1000);
    const plain = build('contentTypes: { a: { attributes: {} } }');
    expect([plain.name, plain.databases, plain.locales, plain.api.defaultPageSize]).toEqual([
      'schema',
      ['sqlite', 'postgres'],
      ['en'],
      25,
    ]);
  });

  it('can not be changed', () => {
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(frozen(blog)).toBe(true);
  });

  it('does not depend on the order of types, nor on how they are spread over files', () => {
    const types = ['b', 'a', 'c'].map((uid) => `${uid}: { attributes: { t: { type: string } } }`);
    expect(typesOf(types)).toEqual(['a', 'b', 'c']);
    expect(typesOf([types.join(', ')])).toEqual(['a', 'b', 'c']);
  });
});

describe('values', () => {
  it('are in the form in which they are stored', () => {
    const attributes = attributesOf(
      build(`contentTypes: { a: { attributes: {
        big: { type: biginteger, min: 9007199254740993, default: "+9007199254740995" },
        dec: { type: decimal, min: -1.50, max: 1e3, default: 0.10 },
        int: { type: integer, min: -0, default: 7 },
        flt: { type: float, default: 1.5e3 },
        day: { type: date, default: 2024-02-29 },
        tim: { type: time, default: 03:04 },
        dtm: { type: datetime, default: "2020-01-02T03:04:05Z" },
        jsn: { type: json, default: { a: [1, null, "x"] } },
        nul: { type: string, default: null },
        emp: { type: string, default: "" } } } }`),
      'a',
    );
    const of = (name: string): Pick<ScalarAttribute, 'default' | 'min' | 'max'> => {
      const { default: value, min, max } = attributes[name] as ScalarAttribute;
      return { default: value, min, max };
    };
    const none = { min: undefined, max: undefined };
    expect(of('big')).toEqual({ default: '9007199254740995', min: '9007199254740993', max: undefined });
    expect(of('dec')).toEqual({ default: '0.1', min: '-1.5', max: '1000' });
    expect(of('int')).toEqual({ default: 7, min: 0, max: undefined });
    expect(of('flt')).toEqual({ default: 1500, ...none });
    expect(of('day')).toEqual({ default: '2024-02-29', ...none });
    expect(of('tim')).toEqual({ default: '03:04:00.000', ...none });
    expect(of('dtm')).toEqual({ default: '2020-01-02T03:04:05.000Z', ...none });
    expect(of('jsn')).toEqual({ default: { a: [1, null, 'x'] }, ...none });
    expect(of('nul')).toEqual({ default: undefined, ...none });
    expect(of('emp')).toEqual({ default: '', ...none });
  });
});

describe('names', () => {
  it('of all kinds work, also where they are words of SQL or JavaScript', () => {
    const words =
      'name data order group key length class default select index user rank where type value table column count';
    const attributes = words.split(' ').map((word) => `${word}: { type: string }`);
    const types = [
      'class',
      'default',
      'order',
      'group',
      'select',
      'await',
      'new',
      'date',
      'promise',
      'api',
      'count',
      'data',
    ];
    const model = build(
      `contentTypes: { ${types.map((type) => `${type}: { pluralName: ${type}-list, attributes: { ${attributes.join(', ')} } }`).join(', ')} }`,
    );
    const identifiers = model.contentTypes.filter(({ builtIn }) => !builtIn).map(({ names }) => names.pascal);
    expect(new Set(identifiers).size).toBe(types.length);
  });

  it('never clash silently: two types with one name in code are refused', () => {
    const uid = fc.stringMatching(/^[a-z][a-z0-9-]{0,6}$/);
    fc.assert(
      fc.property(fc.uniqueArray(uid, { minLength: 2, maxLength: 6 }), (uids) => {
        const text = `contentTypes: { ${uids.map((name) => `"${name}": { attributes: {} }`).join(', ')} }`;
        const schema = readSchema([{ file: 'schema.yaml', text }]);
        const model = schema.value && buildContentModel(schema.value);
        if (model?.value === undefined) return;
        const { contentTypes } = model.value;
        for (const list of [contentTypes.map((type) => type.names.pascal), contentTypes.map((type) => type.route)]) {
          expect(new Set(list).size).toBe(list.length);
        }
      }),
      { numRuns: 200 },
    );
  });
});

it('250 types of 12 attributes take no time', () => {
  const attributes = Array.from(
    { length: 11 },
    (_, index) => `a${index}: { type: string, maxLength: 100, default: x }`,
  );
  const types = Array.from(
    { length: 250 },
    (_, index) =>
      `type-${index}: { attributes: { ${attributes.join(', ')}, next: { type: relation, relation: manyToOne, target: type-0 } } }`,
  );
  const schema = readSchema([{ file: 'schema.yaml', text: `contentTypes:\n  ${types.join('\n  ')}\n` }]);
  if (schema.value === undefined) throw new Error('no schema');
  const before = process.cpuUsage();
  const { value } = buildContentModel(schema.value);
  expect(value?.contentTypes.filter(({ builtIn }) => !builtIn)).toHaveLength(250);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(1.5);
});
