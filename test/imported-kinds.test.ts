/** Names, relations and values that Strapi allows and this server doesn't: the schema builds, and the content comes along. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../src/cli/main.ts';
import { archiveOf, component, contentType } from './support/strapi-archive.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openPlace } from './support/moving.ts';
import { temporaryFolder } from './support/output-project.ts';
import { openSchema } from './support/served-project.ts';

const engines = await testedEngines();

type Members = Readonly<Record<string, unknown>>;

const relation = (kind: string, target: string, sides: Members = {}): Members => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...sides,
});

const PAPER = {
  title: { type: 'string' },
  document: { type: 'media', multiple: false },
  año: { type: 'string' },
  meta: { type: 'json' },
  singleton: { type: 'boolean' },
  created_at: { type: 'string' },
  category: relation('manyToOne', 'merchant-home'),
  category_id: { type: 'integer' },
  grade: { type: 'enumeration', enum: ['good', 'good ', '\tbad', 'bad\r'] },
  home: { type: 'component', component: 'merchant.home' },
  // Both sides say that they own the relation.
  tags: relation('manyToMany', 'tag', { inversedBy: 'papers' }),
  // Its own other side.
  friends: relation('manyToMany', 'paper', { inversedBy: 'friends' }),
  // The list owns the relation, and so do the parts.
  parts: relation('oneToMany', 'part', { inversedBy: 'paper' }),
  // Strapi stores this link here, but a single type is no target.
  front: relation('manyToOne', 'front', { inversedBy: 'featured' }),
  // The other side is a single part, which would lose links.
  section: relation('manyToOne', 'section', { inversedBy: 'lead' }),
};

const TYPES = {
  paper: PAPER,
  tag: {
    name: { type: 'string' },
    papers: relation('manyToMany', 'paper', { inversedBy: 'tags' }),
    // The other side of paper.tags is tag.papers.
    others: relation('manyToMany', 'paper', { mappedBy: 'tags' }),
  },
  part: { name: { type: 'string' }, paper: relation('manyToOne', 'paper', { inversedBy: 'parts' }) },
  section: { name: { type: 'string' }, lead: relation('oneToOne', 'paper', { mappedBy: 'section' }) },
  'merchant-home': { name: { type: 'string' } },
  auth: { headline: { type: 'string' } },
  front: { headline: { type: 'string' }, featured: relation('oneToMany', 'paper', { mappedBy: 'front' }) },
};

const SINGLE = ['auth', 'front'];

const FILE = contentType('plugin::upload.file', {
  ...Object.fromEntries(['name', 'hash', 'ext', 'mime', 'url', 'provider'].map((name) => [name, { type: 'string' }])),
  size: { type: 'decimal' },
});

/** Where a file is that the archive itself has no bytes of. */
const STORED = { url: 'https://files.example.org/a.pdf', provider: 'aws-s3', size: 1 };

const HOME = {
  meta: { type: 'string' },
  createdAt: { type: 'string' },
  locale: { type: 'string' },
  año: { type: 'string' },
};

function typesOf(major: 4 | 5): Readonly<Record<string, Members>> {
  return major === 4 ? { ...TYPES, paper: { ...PAPER, locale: { type: 'string' } } } : TYPES;
}

function schemas(major: 4 | 5) {
  return [
    ...Object.entries(typesOf(major)).map(([name, attributes]) =>
      contentType(`api::${name}.${name}`, attributes, {
        kind: SINGLE.includes(name) ? 'singleType' : 'collectionType',
      }),
    ),
    component('merchant.home', HOME),
    FILE,
  ];
}

/** What the project declares; Strapi adds `locale` to the types of version 5, and to localized ones of version 4. */
function declared(major: 4 | 5) {
  const value = Object.fromEntries(
    Object.entries(typesOf(major)).map(([name, attributes]) => [
      `api::${name}.${name}`,
      { __schema__: { attributes } },
    ]),
  );
  return { type: 'core-store', value: { id: 1, key: 'strapi_content_types_schema', value } };
}

const TIMES = { createdAt: '2020-02-03T04:05:06.789Z', updatedAt: '2020-02-03T04:05:06.789Z' };

function entities(major: 4 | 5) {
  let number = 0;
  const entity = (type: string, id: number, data: Members): { type: string; id: number; data: Members } => {
    number += 1;
    const document = major === 5 ? { documentId: `d${String(number).padStart(23, '0')}`, locale: null } : {};
    return { type, id, data: { ...document, ...data, ...TIMES, publishedAt: TIMES.createdAt } };
  };
  const own = (name: string, id: number, data: Members) => entity(`api::${name}.${name}`, id, data);
  const home = { id: 1, meta: 'inside', createdAt: 'long ago', locale: 'here', año: '1999' };
  const first = {
    title: 'first',
    año: '2020',
    meta: { a: 1 },
    singleton: true,
    created_at: 'then',
    category_id: 7,
    grade: 'good ',
    home,
    ...(major === 4 ? { locale: 'own' } : {}),
  };
  return [
    own('paper', 1, first),
    own('paper', 2, { title: 'second', grade: 'bad\r' }),
    ...[1, 2, 3].map((id) => own('tag', id, { name: `tag ${id}` })),
    ...[1, 2].map((id) => own('part', id, { name: `part ${id}` })),
    own('section', 1, { name: 'section' }),
    own('merchant-home', 1, { name: 'category' }),
    own('auth', 1, { headline: 'sign in' }),
    own('front', 1, { headline: 'welcome' }),
    entity('plugin::upload.file', 1, { name: 'a.pdf', hash: 'a', ext: '.pdf', mime: 'application/pdf', ...STORED }),
  ];
}

type End = readonly [type: string, ref: number, field: string | undefined, pos?: number];

function link(kind: string, left: End, right: End) {
  const end = ([type, ref, field, pos]: End) => ({
    type: type.includes(':') ? type : `api::${type}.${type}`,
    ref,
    ...(field === undefined ? {} : { field }),
    ...(pos === undefined ? {} : { pos }),
  });
  const basic = kind.startsWith('morph') ? 'relation.morph' : 'relation.basic';
  return { kind: basic, relation: kind, left: end(left), right: end(right) };
}

const LINKS = [
  link('manyToMany', ['paper', 1, 'tags', 1], ['tag', 2, 'papers', 1]),
  link('manyToMany', ['paper', 1, 'tags', 2], ['tag', 1, 'papers', 1]),
  // The same as above, as the other side has it, and one that only the other side has.
  link('manyToMany', ['tag', 2, 'papers', 1], ['paper', 1, 'tags', 1]),
  link('manyToMany', ['tag', 3, 'papers', 1], ['paper', 1, 'tags', 3]),
  link('manyToMany', ['paper', 1, 'friends', 1], ['paper', 2, 'friends', 1]),
  link('oneToMany', ['paper', 1, 'parts', 1], ['part', 2, 'paper']),
  link('oneToMany', ['paper', 1, 'parts', 2], ['part', 1, 'paper']),
  link('manyToOne', ['paper', 2, 'front'], ['front', 1, 'featured', 1]),
  link('manyToOne', ['paper', 1, 'front'], ['front', 1, 'featured', 2]),
  link('manyToOne', ['paper', 1, 'section'], ['section', 1, 'lead', 1]),
  link('manyToOne', ['paper', 2, 'section'], ['section', 1, 'lead', 2]),
  link('manyToOne', ['paper', 1, 'category'], ['merchant-home', 1, undefined]),
  link('morphToMany', ['plugin::upload.file', 1, 'related'], ['paper', 1, 'document', 1]),
];

async function importSchema(archive: string): Promise<{ readonly schema: string; readonly report: string }> {
  const cwd = temporaryFolder();
  const text = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({ write: (chunk: string) => (text[name] += chunk), isTTY: false });
  const io = { stdout: output('stdout'), stderr: output('stderr'), cwd, env: {} };
  expect(await main(['import', 'strapi', archive], io), text.stderr).toBe(0);
  return { schema: readFileSync(join(cwd, 'schema.yaml'), 'utf8'), report: text.stdout };
}

describe.each([4, 5] as const)('a project of version %i', (major) => {
  it.each(engines)(
    'has all of its content here, on %s',
    async (engine) => {
      const archive = join(temporaryFolder(), 'export.tar.gz');
      const version = major === 4 ? '4.26.2' : '5.40.0';
      const content = {
        version,
        schemas: schemas(major),
        entities: entities(major),
        links: LINKS,
        configuration: [declared(major)],
      };
      writeFileSync(archive, await archiveOf(content));
      const { schema, report } = await importSchema(archive);
      for (const told of [
        'api::paper.paper.año: renamed to ano',
        'api::paper.paper.category_id: renamed to content_category_id',
        'merchant.home: renamed to merchant.home-component',
        'paper.grade: values with spaces, tabs or line ends at their ends are kept as they are: "good ", "\\tbad", "bad\\r"',
        'paper.friends: inversedBy: friends was omitted, because a relation is not its own other side',
        'tag.papers: inversedBy became mappedBy, because api::paper.paper.tags has inversedBy, too; the links that either of them has are taken',
        "front.featured: mappedBy: front was omitted, because a single type can't be the target of api::paper.paper.front; the links of that are taken",
        'tag.others: mappedBy: tags was omitted, because the other side of api::paper.paper.tags is api::tag.tag.papers',
        'section.lead: oneToOne became oneToMany, to fit api::paper.paper.section; the links of api::paper.paper.section are taken',
      ]) {
        expect(report).toContain(told);
      }
      expect(report.includes('api::paper.paper.meta: renamed to content_meta')).toBe(major === 4);
      const project = await openSchema(
        schema.replace(/^name: .*$/mu, 'name: imported\ndatabases: [sqlite, postgres, mysql]'),
      );
      const place = await openPlace(project, engine, `kinds${major}`);
      try {
        const moved = await place.contentGen('import-strapi', archive, '--allow-drops');
        expect(moved, moved.out).toMatchObject({ code: 0, error: '' });
        expect(moved.out).not.toContain('which this project does not have');
        const database = await place.open();
        const token = await createToken(database, { kind: 'full-access' });
        await database.close();
        const server = await place.start();
        try {
          await check(server, token, major);
        } finally {
          await server.close();
        }
      } finally {
        await place.drop();
        await project.remove();
      }
    },
    180_000,
  );
});

async function check(server: TestServer, token: string, major: 4 | 5): Promise<void> {
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { 'strapi-response-format': 'v4' };
    const answer = await server.send(method, `/api/${path}`, { token, body, headers });
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body.data;
  };
  /** `papers/1`, or with the document id. */
  const at = (type: string, id: number): string => {
    const found = entities(major).find((one) => one.type === `api::${type}.${type}` && one.id === id);
    return `${type}s/${String(found?.data['documentId'] ?? id)}`;
  };
  const { attributes: paper } = await send('GET', `${at('paper', 1)}?populate=*`);
  const meta = major === 5 ? 'meta' : 'content_meta';
  expect(paper).toMatchObject({
    ano: '2020',
    [meta]: { a: 1 },
    singleton: true,
    created_at: 'then',
    content_category_id: 7,
    grade: 'good ',
    home: { meta: 'inside', createdAt: 'long ago', locale: 'here', ano: '1999' },
    createdAt: TIMES.createdAt,
    ...(major === 4 ? { content_locale: 'own' } : {}),
  });
  const idsOf = (value: { data: { id: number } | { id: number }[] }) => [value.data].flat().map(({ id }) => id);
  expect(
    Object.fromEntries(
      ['document', 'category', 'tags', 'friends', 'parts', 'section'].map((name) => [name, idsOf(paper[name])]),
    ),
  ).toEqual({ document: [1], category: [1], tags: [2, 1, 3], friends: [2], parts: [2, 1], section: [1] });
  expect(idsOf((await send('GET', 'front?populate=*')).attributes.featured)).toEqual([2, 1]);
  expect(idsOf((await send('GET', `${at('section', 1)}?populate=*`)).attributes.lead)).toEqual([1, 2]);
  expect(idsOf((await send('GET', `${at('tag', 2)}?populate=*`)).attributes.papers)).toEqual([1]);
  // The path of the single type is beside those of the feature.
  expect((await send('GET', 'auth')).attributes.headline).toBe('sign in');
  const signIn = await server.send('POST', '/api/auth/local', { body: { identifier: 'x', password: 'y' } });
  expect(signIn).toMatchObject({ status: 400, body: { error: { message: 'Invalid identifier or password' } } });
  // They are written, filtered and sorted by like any others.
  const written = {
    grade: '\tbad',
    [meta]: [1],
    created_at: 'now',
    document: null,
    home: { meta: 'm', createdAt: 'c', locale: 'l' },
  };
  const changed = await send('PUT', `${at('paper', 1)}?populate=*`, { data: written });
  expect(changed.attributes).toMatchObject({ ...written, document: { data: null } });
  const found = await send(
    'GET',
    'papers?filters[grade]=%09bad&filters[home][createdAt]=c&filters[home][locale]=l&filters[created_at]=now&sort=home.meta',
  );
  expect(found.map(({ id }: { id: number }) => id)).toEqual([1]);
}
