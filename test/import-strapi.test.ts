/** `content-gen import strapi`: schemas from project folders and exports, what it says, and what it refuses. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../src/cli/main.ts';
import { withoutLocations } from '../src/emit/without-locations.ts';
import { readModels } from '../src/read-models.ts';
import { loadSources } from '../src/schema/load-sources.ts';
import { temporaryFolder } from './support/output-project.ts';
import { root } from './support/project.ts';
import { writeExport } from './support/strapi-export.ts';

const FIXTURES = join(root, 'fixtures/strapi');
const PROJECT = join(FIXTURES, 'project4');

const READ = ['ship', 'sailor'].flatMap((name) => [`api::${name}.${name}.find`, `api::${name}.${name}.findOne`]);
const OPTIONS = {
  version: '4.25.1',
  roles: [
    {
      type: 'public',
      actions: [...READ, 'plugin::users-permissions.auth.register', 'plugin::i18n.locales.listLocales'],
    },
    {
      type: 'authenticated',
      actions: [
        ...READ,
        'plugin::i18n.locales.listLocales',
        'plugin::users-permissions.user.me',
        'api::front-page.front-page.update',
      ],
    },
    {
      type: 'Harbour Master',
      actions: ['api::berth.berth.delete', 'api::ship.ship.launch', 'plugin::upload.content-api.upload'],
    },
  ],
  locales: ['de', 'en'],
  links: [
    {
      kind: 'relation.morph',
      relation: 'morphToOne',
      left: { type: 'api::remark.remark', ref: 1, field: 'about' },
      right: { type: 'api::ship.ship', ref: 1 },
    },
  ],
};

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const text = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({ write: (chunk: string) => (text[name] += chunk), isTTY: false });
  const io = { stdout: output('stdout'), stderr: output('stderr'), cwd, env };
  return { code: await main(args, io), ...text };
}

/** What equal schemas have in common: everything but what only the content of a project knows, which are roles and locales. */
async function modelHash(cwd: string, ...paths: readonly string[]): Promise<string> {
  const { models, diagnostics } = readModels(await loadSources(paths, cwd));
  expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  if (!models) throw new Error('the schema does not build');
  const { contentTypes, components, api } = withoutLocations(models.model);
  // What the admin panel showed is in exports alone.
  const types = contentTypes.map((type) => ({ ...type, admin: undefined }));
  return createHash('sha256').update(JSON.stringify({ types, components, api })).digest('hex');
}

function written(cwd: string, name = 'schema.yaml'): string {
  return readFileSync(join(cwd, name), 'utf8');
}

/** A folder with an unpacked export of the fixture. */
function exported(): { readonly cwd: string; readonly folder: string } {
  const cwd = temporaryFolder();
  const folder = join(cwd, 'export');
  writeExport(PROJECT, folder, OPTIONS);
  return { cwd, folder };
}

describe('a project folder', () => {
  test('becomes the schema that a person would have written', async () => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await run(cwd, ['import', 'strapi', PROJECT]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '\nNext: review it, and run npx content-gen init\n',
    });
    const expected = join(FIXTURES, 'schema4.yaml');
    const report = join(FIXTURES, 'report4.txt');
    if (process.env['UPDATE_GOLDEN'] === '1') {
      writeFileSync(expected, written(cwd));
      writeFileSync(report, stdout);
    }
    expect(written(cwd)).toBe(readFileSync(expected, 'utf8'));
    expect(stdout).toBe(readFileSync(report, 'utf8'));
  });

  test('is taken over the same in several files, which build together', async () => {
    const cwd = temporaryFolder();
    expect(await run(cwd, ['import', 'strapi', PROJECT])).toMatchObject({ code: 0 });
    expect(await run(cwd, ['import', 'strapi', PROJECT, '--split', '--out', 'schema'])).toMatchObject({ code: 0 });
    expect(readdirSync(join(cwd, 'schema'))).toContain('type-ship.yaml');
    expect(await modelHash(cwd, 'schema')).toBe(await modelHash(cwd, 'schema.yaml'));
  });

  test('reports as JSON', async () => {
    const cwd = temporaryFolder();
    const { stdout } = await run(cwd, ['import', 'strapi', PROJECT, '--json']);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ files: ['schema.yaml'], taken: { types: 5, components: 3 }, diagnostics: [] });
    expect(report.findings).toContainEqual({
      kind: 'unsupported',
      what: 'src/api/ship/content-types/ship/lifecycles.js',
      message: expect.stringContaining('hooks'),
      place: 'src/api/ship/content-types/ship/lifecycles.js',
    });
    const places = report.findings.map(({ what }: { what: string }) => what);
    for (const name of [
      'src/policies/is-captain.js',
      'src/api/ship/routes/launch.js',
      'strapi-plugin-sitemap',
      'config/api.js',
    ]) {
      expect(places, name).toContain(name);
    }
    expect(places).not.toContain('src/index.js');
    expect(places).not.toContain('src/api/sailor/controllers/sailor.js');
  });

  test('says its version by package.json, or has it said', async () => {
    const cwd = temporaryFolder();
    cpSync(PROJECT, join(cwd, 'project'), { recursive: true });
    writeFileSync(join(cwd, 'project/package.json'), '{}');
    const unknown = await run(cwd, ['import', 'strapi', 'project']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('--strapi 4 or --strapi 5') });
    expect(await run(cwd, ['import', 'strapi', 'project', '--strapi', '5'])).toMatchObject({ code: 0 });
    expect(written(cwd)).toContain('format: v5');
    writeFileSync(join(cwd, 'project/package.json'), '{"dependencies":{"@strapi/strapi":"3.6.0"}}');
    const old = await run(cwd, ['import', 'strapi', 'project', '--force']);
    expect(old).toMatchObject({ code: 2, stderr: expect.stringContaining('Strapi 3.6.0') });
  });
});

describe('an export', () => {
  test('gives the same model as the folder, with roles and locales', async () => {
    const { cwd } = exported();
    expect(await run(cwd, ['import', 'strapi', PROJECT, '--out', 'folder.yaml'])).toMatchObject({ code: 0 });
    const { code, stdout } = await run(cwd, ['import', 'strapi', 'export', '--out', 'archive.yaml']);
    expect(code, stdout).toBe(0);
    expect(await modelHash(cwd, 'archive.yaml')).toBe(await modelHash(cwd, 'folder.yaml'));
    const text = written(cwd, 'archive.yaml');
    expect(text).toContain('locales: [en, de]');
    expect(text.slice(text.indexOf('permissions:'))).toBe(`permissions:
  public:
    locales: [find]
    sailor: [find, findOne]
    ship: [find, findOne, preview]
  authenticated:
    extends: public
    front-page: [update]
  harbour_master:
    berth: [delete]
    upload: [upload]
`);
    expect(stdout).toContain('role Harbour Master: has unsupported permissions: api::ship.ship.launch');
    expect(stdout).toContain('The content contains ship.');
    expect(stdout).toContain('plugin::sitemap.sitemap');
  });

  test('has the titles, columns and labels of the admin panel', async () => {
    const cwd = temporaryFolder();
    const labels = (all: Readonly<Record<string, string>>) => ({
      metadatas: Object.fromEntries(Object.entries(all).map(([name, label]) => [name, { edit: { label } }])),
    });
    const ship = { settings: { mainField: 'name' }, layouts: { list: ['id', 'name', 'crew'] } };
    const views = {
      'content_types::api::ship.ship': { ...ship, ...labels({ name: 'Name', crew: 'People on board', id: 'Id' }) },
      'content_types::plugin::users-permissions.user': labels({ nickname: 'Known as', club: 'club' }),
      'components::shared.seo': labels({ metaTitle: 'Meta Title', robots: 'Robots: "index"' }),
    };
    writeExport(PROJECT, join(cwd, 'export'), { ...OPTIONS, views });
    const { code, stdout } = await run(cwd, ['import', 'strapi', 'export']);
    expect(code, stdout).toBe(0);
    const text = written(cwd);
    expect(text).toContain('admin: { mainField: name, columns: [name, crew] }');
    expect(text.split('\n').flatMap((line) => /(\w+): \{.*(displayName: .*) \}/u.exec(line)?.slice(1) ?? [])).toEqual([
      ...['crew', 'displayName: People on board'],
      ...['robots', `displayName: 'Robots: "index"'`],
      ...['nickname', 'displayName: Known as'],
    ]);
  });

  test('is recognised by its content, whatever it is called', async () => {
    const { cwd, folder } = exported();
    execFileSync('tar', ['czf', join(cwd, 'a.txt'), '-C', folder, '.']);
    expect(await run(cwd, ['import', 'strapi', 'a.txt'])).toMatchObject({ code: 0 });
    expect(await run(cwd, ['import', 'strapi', 'export', '--out', 'other.yaml'])).toMatchObject({ code: 0 });
    expect(await modelHash(cwd, 'schema.yaml')).toBe(await modelHash(cwd, 'other.yaml'));
  });
});

describe('what is refused', () => {
  test('is what can not be read, by one message', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'empty'));
    writeFileSync(join(cwd, 'noise'), 'no archive');
    for (const source of ['nothing', 'empty', 'noise']) {
      const { code, stderr } = await run(cwd, ['import', 'strapi', source]);
      expect({ source, code }).toEqual({ source, code: 2 });
      expect(stderr.trim().split('\n'), source).toHaveLength(1);
      expect(stderr).toMatch(/^error: /u);
    }
    expect(existsSync(join(cwd, 'schema.yaml'))).toBe(false);
  });

  test('is a file that is there, unless it is to be overwritten', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'schema.yaml'), 'mine');
    const refused = await run(cwd, ['import', 'strapi', PROJECT]);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('--force') });
    expect(written(cwd)).toBe('mine');
    expect(await run(cwd, ['import', 'strapi', PROJECT, '--force'])).toMatchObject({ code: 0 });
  });

  const DEEP = `{ "attributes": { "a": { "type": "json", "default": ${'['.repeat(100_000)}${']'.repeat(100_000)} } } }`;
  test.each([
    ['schema.json:2 is not valid JSON', '{ "attributes": {\n "title": { "type": "string", }\n} }'],
    ['schema.json:1: `attributes` must be an object', '{ "attributes": [] }'],
    ['schema.json:1 must be an object', '[]'],
    ['schema.json:1 has values nested deeper than 200 levels', DEEP],
  ])('is a schema file that is none: %s', async (message, text) => {
    const cwd = temporaryFolder();
    const folder = join(cwd, 'src/api/a/content-types/a');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'schema.json'), text);
    const { code, stderr } = await run(cwd, ['import', 'strapi', '.', '--strapi', '4']);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('is no text that would end its line, or a name that is none', async () => {
    const cwd = temporaryFolder();
    const folder = join(cwd, 'src/api/a/content-types/a');
    mkdirSync(folder, { recursive: true });
    const schema = {
      kind: 'collectionType',
      info: { singularName: 'a', pluralName: 'as', displayName: 'A\nusers: {}', description: '#: "\u0007' },
      attributes: {
        title: { type: 'string', default: "it's\n- x: [" },
        strange: { type: 'customField', customField: 'plugin::x\ncontentTypes: {}' },
        'a: b': { type: 'string' },
        none: 'string',
        on: { type: 'enumeration', enum: ['yes', 'null', '1', ' '] },
        typo: { type: 'strnig' },
      },
    };
    writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema));
    const { code, stdout } = await run(cwd, ['import', 'strapi', '.', '--strapi', '4']);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('unknown attribute type "strnig"');
    expect(stdout).toContain('none (src/api/a/content-types/a/schema.json:1): the attribute has no type');
    expect(stdout).toMatch(/a\.typo \(src\/api\/a\/content-types\/a\/schema\.json:1\)/u);
    const { models } = readModels(await loadSources(['schema.yaml'], cwd));
    const [type] = models?.model.contentTypes ?? [];
    expect(type?.attributes.map(({ name }) => name)).toEqual(['title', 'strange', 'a_b', 'on']);
    expect(type?.attributes[0]).toMatchObject({ default: "it's\n- x: [" });
  });
});

describe('a project with', () => {
  /** A folder with files: a schema, text or bytes by path. */
  function projectOf(files: Readonly<Record<string, object | string | Uint8Array>>): string {
    const cwd = temporaryFolder();
    const all = { 'package.json': { dependencies: { '@strapi/strapi': '4.20.0' } }, ...files };
    for (const [name, content] of Object.entries(all)) {
      mkdirSync(join(cwd, 'project', dirname(name)), { recursive: true });
      const isBytes = typeof content === 'string' || content instanceof Uint8Array;
      writeFileSync(join(cwd, 'project', name), isBytes ? content : JSON.stringify(content));
    }
    return cwd;
  }
  const file = (name: string, api = name) => `src/api/${api}/content-types/${name}/schema.json`;
  const type = (attributes: object, more: object = {}) => ({ kind: 'collectionType', ...more, attributes });
  async function imported(files: Readonly<Record<string, object | string | Uint8Array>>) {
    const cwd = projectOf(files);
    const { code, stdout, stderr } = await run(cwd, ['import', 'strapi', 'project']);
    expect(code, stderr + stdout).toBe(0);
    return { schema: written(cwd), report: stdout };
  }
  const text = { type: 'string' };

  test('files that are not UTF-8, broken or not needed builds, and names them', async () => {
    const latin1 = Buffer.from(JSON.stringify(type({ title: { type: 'string', default: 'é' } })), 'latin1');
    const { schema, report } = await imported({
      [file('article')]: latin1,
      [file('note')]: Buffer.from(`\uFEFF${JSON.stringify(type({ title: text }))}`, 'utf16le'),
      'src/components/shared/unused.json': '{ "attributes": ',
      'src/api/article/controllers/article.js': Buffer.concat([
        Buffer.from([0xff, 0xfe, 0x81]),
        Buffer.alloc(2_000_000),
      ]),
      'src/extensions/upload/content-types/file/schema.json': 'not JSON',
    });
    expect(schema).toContain('default: é');
    expect(schema).toContain('note:');
    for (const told of [
      'article/schema.json: not UTF-8: it was read as windows-1252',
      'note/schema.json: not UTF-8: it was read as utf-16le',
      'shared.unused: left out, since nothing uses it: src/components/shared/unused.json:1 is not valid JSON',
    ]) {
      expect(report).toContain(told);
    }
    const used = { [file('article')]: type({ seo: { type: 'component', component: 'shared.seo' } }) };
    const refused = await run(projectOf({ ...used, 'src/components/shared/seo.json': '{' }), [
      ...['import', 'strapi', 'project'],
    ]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('src/components/shared/seo.json:1') });
  });

  test('files of config-sync has their roles, locales and views', async () => {
    const { schema, report } = await imported({
      [file('article')]: type({ title: text }, { pluginOptions: { i18n: { localized: true } } }),
      'config/plugins.js': "module.exports = { 'config-sync': { config: { syncDir: './sync/all/' } } };",
      'sync/all/user-role.public.json': {
        name: 'Public',
        type: 'public',
        permissions: [{ action: 'api::article.article.find' }, { action: 'api::article.article.launch' }],
      },
      'sync/all/i18n-locale.de.json': { name: 'German', code: 'de' },
      'sync/all/i18n-locale.fr.json': { name: 'French', code: 'fr' },
      'sync/all/core-store.plugin_i18n_default_locale.json': {
        key: 'plugin_i18n_default_locale',
        value: '"fr"',
        type: null,
      },
      'sync/all/core-store.plugin_content_manager_configuration_content_types##api##article.article.json': {
        key: 'plugin_content_manager_configuration_content_types::api::article.article',
        value: { settings: { mainField: 'title' }, layouts: { list: ['id', 'title'] } },
        type: 'object',
      },
      'sync/all/user-role.broken.json': '{',
    });
    expect(schema).toContain('locales: [fr, de]');
    expect(schema).toContain('admin: { mainField: title, columns: [title] }');
    expect(schema.slice(schema.indexOf('permissions:'))).toBe('permissions:\n  public:\n    article: [find]\n');
    expect(report).toContain('role public: has unsupported permissions: api::article.article.launch');
    expect(report).toContain('sync/all/user-role.broken.json');
    expect(report).toContain('taken from these files of config-sync');
    expect(report).not.toContain('a folder does not contain');
  });

  test('names that are used twice or reserved gets others, and names that are only reserved for entries keeps them', async () => {
    const single = { kind: 'singleType' };
    const info = (singularName: string, pluralName: string) => ({ info: { singularName, pluralName } });
    const { schema, report } = await imported({
      [file('item', 'blog')]: type({ title: text }, info('item', 'items')),
      [file('item', 'shop')]: type({ title: text }, info('item', 'items')),
      [file('login')]: type({ title: text }, info('login', 'auth')),
      [file('auth')]: type({ title: text }, { ...single, ...info('auth', 'auths') }),
      [file('upload')]: type({ title: text }, { ...single, ...info('upload', 'uploads') }),
      'src/components/Shared/SEO_x.json': { attributes: { id: text, publishedAt: text, meta: text } },
      'src/components/shared/seo-x.json': { attributes: { meta: text } },
    });
    const uids = [...schema.matchAll(/^ {2}(?<uid>[\w.-]+):$/gmu)].map(({ groups }) => groups?.['uid']);
    expect(uids).toEqual([
      'auth',
      'item',
      'login',
      'content-item',
      'content-upload',
      'shared.seo-x',
      'shared.seo-x-component',
    ]);
    expect(schema).toMatch(/seo-x-component:\n {4}attributes:\n {6}publishedAt: .*\n {6}meta:/u);
    expect(report).toContain(
      'login (src/api/login/content-types/login/schema.json:1): its path is /api/logins, because auth is already used',
    );
  });

  test('relations whose sides do not fit has them settled', async () => {
    const to = (relation: string, target: string, sides: object = {}) => ({
      ...{ type: 'relation', relation, target: `api::${target}.${target}` },
      ...sides,
    });
    const { schema } = await imported({
      [file('a')]: type({
        one: to('oneToOne', 'b', { inversedBy: 'one' }),
        // Nothing names it back.
        list: to('oneToMany', 'b', { mappedBy: 'owner' }),
        // Both want to be the other side of b.tags.
        first: to('manyToMany', 'b', { inversedBy: 'tags' }),
        second: to('manyToMany', 'b', { inversedBy: 'tags' }),
        self: to('oneToMany', 'a', { mappedBy: 'self' }),
        gone: to('manyToMany', 'b', { mappedBy: 'nothing' }),
      }),
      [file('b')]: type({
        one: to('oneToOne', 'a', { inversedBy: 'one' }),
        owner: to('manyToOne', 'a'),
        tags: to('manyToMany', 'a', { mappedBy: 'first' }),
      }),
    });
    const lines = schema
      .split('\n')
      .flatMap((line) => /^ {6}(?<text>\w+: \{.*\})$/u.exec(line)?.groups?.['text'] ?? []);
    expect(lines.map((line) => line.replace('type: relation, relation: ', ''))).toEqual([
      'one: { oneToOne, target: b, inversedBy: one }',
      'list: { oneToMany, target: b, mappedBy: owner }',
      'first: { manyToMany, target: b, inversedBy: tags }',
      'second: { manyToMany, target: b }',
      'self: { oneToMany, target: a }',
      'gone: { manyWay, target: b }',
      'one: { oneToOne, target: a, mappedBy: one }',
      'owner: { manyToOne, target: a, inversedBy: list }',
      'tags: { manyToMany, target: a, mappedBy: first }',
    ]);
  });

  test('code of its own is told what that reads, and which settings are missing', async () => {
    const field = (name: string) => ({ type: 'customField', customField: name });
    const { schema, report } = await imported({
      [file('a')]: type({
        body: field('plugin::my-rich-editor.html'),
        list: field('plugin::string-array.string-array'),
        color: field('plugin::color-picker.color'),
        other: field('plugin::x.y'),
        phone: { type: 'string', regex: '/^\\d+$/' },
      }),
      'config/api.js': 'module.exports = { rest: { defaultLimit: 30000 } };',
      'src/api/a/controllers/a.js': `
        // ctx.query.commented
        module.exports = { async find(ctx) { const { page = 1, size: n } = ctx.query; return ctx.request.query.q + ctx.query['from'] + ctx.query.filters; } };`,
    });
    expect(schema).toMatch(
      /body: \{ type: text \}[^]*list: \{ type: json \}[^]*color: \{ type: string \}[^]*other: \{ type: string \}/u,
    );
    expect(report).toContain('src/api/a/controllers/a.js: reads the query parameters from, page, q, size:');
    expect(report).toContain('write api: { defaultPageSize: 30000 }');
    expect(report).toContain('config/api.js: no maxLimit');
    expect(report).toContain('the server has no media library');
    expect(schema).toContain('regex: ^\\d+$');
    expect(report.match(/which is a guess/gu)).toHaveLength(2);
  });
});
