/** `content-gen import strapi`: schemas from project folders and exports, what it says, and what it refuses. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
    [
      'schema.json:2: the attribute "title" must be an object with a `type`',
      '{ "attributes": {\n "title": "string"\n} }',
    ],
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
        on: { type: 'enumeration', enum: ['yes', 'null', '1', ' '] },
        typo: { type: 'strnig' },
      },
    };
    writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema));
    const { code, stdout } = await run(cwd, ['import', 'strapi', '.', '--strapi', '4']);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('unknown attribute type "strnig"');
    expect(stdout).toMatch(/a\.typo \(src\/api\/a\/content-types\/a\/schema\.json:1\)/u);
    const { models } = readModels(await loadSources(['schema.yaml'], cwd));
    const [type] = models?.model.contentTypes ?? [];
    expect(type?.attributes.map(({ name }) => name)).toEqual(['title', 'strange', 'on']);
    expect(type?.attributes[0]).toMatchObject({ default: "it's\n- x: [" });
  });
});
