/** The runtime that a project gets: built, with what its schema needs, and the sources once it is ejected. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../src/build.ts';
import { ejectRuntime } from '../../src/eject.ts';
import { hashText } from '../../src/files/hash.ts';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import { root } from '../support/project.ts';
import { differences, readTree } from '../support/tree.ts';

const MANIFEST = 'content-gen.manifest.json';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

async function buildProject(
  name: string,
  schema: string,
  allowDestructive: readonly string[] = [],
): Promise<{ readonly project: string; readonly messages: readonly string[] }> {
  const project = join(folder.path, name);
  const file = join(folder.path, `${name}.yaml`);
  writeFileSync(file, schema);
  const { outcome, diagnostics } = await build({
    schema: [file],
    cwd: folder.path,
    out: project,
    mode: 'write',
    diff: false,
    overwrite: [],
    allowDestructive,
    onWait: () => {},
  });
  const messages = diagnostics.map(({ code, message }) => `${code}: ${message}`);
  expect(['written', 'unchanged'], messages.join('\n')).toContain(outcome);
  return { project, messages };
}

function schemaOf(databases: string, attributes = 'title: { type: string }'): string {
  return `name: sample\ndatabases: [${databases}]\ncontentTypes:\n  article:\n    attributes:\n      ${attributes}\n`;
}

const WEBHOOK = 'webhooks: [{ url: $SITE_HOOK, events: [entry.publish], secret: $SITE_SECRET }]\n';

function runtimeOf(project: string) {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(project, 'runtime/package.json'), 'utf8'));
  const modules = readdirSync(join(project, 'runtime/lib')).filter((name) => name.endsWith('.js'));
  return { modules, packages: Object.keys(dependencies), peers: Object.keys(peerDependencies ?? {}) };
}

/** How many files there are, but for the page for editors, which nobody reads. */
function modulesIn(tree: ReturnType<typeof readTree>): number {
  return [...tree.keys()].filter((path) => !path.startsWith('admin/')).length;
}

const LAYERS = [
  ...[
    'access',
    'base',
    'content',
    'contract',
    'database',
    'entries',
    'features',
    'http',
    'migrator',
    'query',
    'server',
  ],
  ...['storage', 'write'],
];
const ON_DEMAND = ['admin', 'commands', 'docs', 'forms', 'panel', 'services', 'testing', 'tools', 'transfer'];
const COMMON = ['index', ...LAYERS, ...ON_DEMAND].map((name) => `${name}.js`).sort();

describe('a project gets', () => {
  it('no engine but its own, and nothing for files without media', async () => {
    const { project } = await buildProject('sqlite', schemaOf('sqlite'));
    const { modules, packages, peers } = runtimeOf(project);
    expect(modules).toEqual([...COMMON, 'sqlite.js'].sort());
    expect(packages).toContain('@photostructure/sqlite');
    const optional = ['pg', 'mysql2', 'aws4fetch', 'file-type', 'image-size', '@sindresorhus/transliterate'];
    for (const name of optional) expect(packages).not.toContain(name);
    expect(peers).toEqual(['fast-check', 'nodemailer', 'prom-client']);
  });

  it('what both database servers need with either of them', async () => {
    const { project } = await buildProject('postgres', schemaOf('postgres'));
    expect(runtimeOf(project).modules).toEqual([...COMMON, 'postgres.js', 'servers.js'].sort());
    expect(runtimeOf(project).packages).not.toContain('@photostructure/sqlite');
  });

  it('nothing of the page for editors, or of the documentation, where the schema wants none', async () => {
    const schema = schemaOf('sqlite');
    const { project } = await buildProject('bare', `admin: false\ndocs: false\n${schema}`);
    const wanted = COMMON.filter((name) => !['admin.js', 'docs.js', 'panel.js'].includes(name));
    expect(runtimeOf(project).modules).toEqual([...wanted, 'sqlite.js'].sort());
    const tree = readTree(project);
    expect([...tree.keys()].filter((path) => /admin/u.test(path))).toEqual([]);
    const naming = [...tree].filter(([, text]) => /\/admin\b/u.test(text)).map(([path]) => path);
    // The language of schemas, and the code that every project has.
    const isKnown = (path: string) => path === 'content-gen.schema.json' || path.startsWith('runtime/lib/');
    expect(naming.filter((path) => !isKnown(path))).toEqual([]);
  });

  it('fewer than 37 files with two engines', async () => {
    const { project } = await buildProject('few', schemaOf('sqlite, postgres'));
    expect(modulesIn(readTree(join(project, 'runtime')))).toBeLessThan(37);
  });

  it('all there is in fewer than 57 files, which their imports hold together', async () => {
    const { project } = await buildProject(
      'all',
      `admin: { previewUrl: 'https://example.org/{id}' }\nmcp: true\ngraphql: true\njobs: true\nschedules: true\nevents: true\naudit: true\ncacheTags: true\ncosts: true\nuploads: { folders: true, focalPoints: true, crops: true, placeholders: true, resumable: true, tags: true, formats: [avif, webp] }\n${WEBHOOK}${schemaOf('sqlite, postgres, mysql', 'cover: { type: media }\n      slug: { type: uid }')}\n  post: { draftAndPublish: true, trash: 30d, history: true, attributes: { title: { type: string } } }\n`,
    );
    const { modules, packages } = runtimeOf(project);
    const tree = readTree(join(project, 'runtime'));
    expect(modulesIn(tree)).toBeLessThan(57);
    const source = JSON.parse(readFileSync(join(root, 'templates/runtime/package.json'), 'utf8'));
    expect(packages).toEqual(Object.keys(source.dependencies));
    for (const name of modules) {
      const code = tree.get(`lib/${name}`) ?? '';
      expect(code, name).toMatch(/^\/\/ Generated by content-gen from /u);
      for (const [, imported] of code.matchAll(/(?:from |import\()'\.\/([^']+)'/gu)) {
        expect(modules).toContain(imported);
      }
      expect(code.split('\n').length, name).toBeLessThan(8000);
    }
  });

  it('other modules when its schema changes', async () => {
    await buildProject('changing', schemaOf('sqlite', 'cover: { type: media }'));
    const { project } = await buildProject('changing', schemaOf('sqlite, mysql', 'cover: { type: media }'));
    expect(runtimeOf(project).modules).toEqual([...COMMON, 'mysql.js', 'servers.js', 'sqlite.js', 'uploads.js'].sort());
    await buildProject('changing', schemaOf('sqlite'), ['article.cover']);
    expect(runtimeOf(project).modules).toEqual([...COMMON, 'sqlite.js'].sort());
    expect(existsSync(join(project, 'runtime/lib/uploads.js'))).toBe(false);
  });
});

it('is built to the same bytes in another folder', async () => {
  const other = join(folder.path, 'checkout');
  for (const part of ['bin', 'dist', 'package.json', 'package-lock.json', 'templates', 'tsconfig.json']) {
    cpSync(join(root, part), join(other, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(other, 'node_modules'));
  const out = join(folder.path, 'built-again');
  await execa(process.execPath, ['bin/build-runtime/runtime.js', '--out', out], { cwd: other });
  const built = readTree(join(root, 'templates/runtime/dist'), (path) => !path.endsWith('.tsbuildinfo'));
  expect(differences(built, readTree(out))).toBe('');
  const { files } = JSON.parse(built.get('contents.json') ?? '');
  for (const [path, { content }] of Object.entries<{ content: string }>(files)) {
    expect(hashText(built.get(path) ?? ''), path).toBe(content);
  }
}, 240_000);

describe('a project that had the runtime as sources', () => {
  const HEADER = '// Generated by content-gen from its package `@content-gen/runtime`. Do not edit.\n';

  it('loses those that nobody has edited, and is told of the others', async () => {
    const { project } = await buildProject('older', schemaOf('sqlite'));
    const sources = { 'runtime/src/index.ts': 'export {};\n', 'runtime/src/http/body.ts': 'export const a = 1;\n' };
    let manifest = readFileSync(join(project, MANIFEST), 'utf8');
    for (const [path, text] of Object.entries(sources)) {
      mkdirSync(join(project, dirname(path)), { recursive: true });
      writeFileSync(join(project, path), HEADER + text);
      const hash = hashText(HEADER + text);
      const record = `    "${path}": { "owner": "managed", "source": "${hash}", "content": "${hash}" },\n`;
      manifest = manifest.replace('"files": {\n', `"files": {\n${record}`);
    }
    writeFileSync(join(project, MANIFEST), manifest);
    const edited = `${HEADER}export const a = 2;\n`;
    writeFileSync(join(project, 'runtime/src/http/body.ts'), edited);

    const { messages } = await buildProject('older', schemaOf('sqlite'));
    expect(existsSync(join(project, 'runtime/src/index.ts'))).toBe(false);
    expect(readFileSync(join(project, 'runtime/src/http/body.ts'), 'utf8')).toBe(edited);
    expect(messages).toEqual([
      'output/left-over: runtime/src/http/body.ts is no longer generated, but was kept because it has been edited',
    ]);
  });
});

describe('content-gen eject runtime', () => {
  const eject = async (project: string) =>
    (await ejectRuntime({ cwd: folder.path, out: project, onWait: () => {} })).map(({ message }) => message);

  it('puts sources and tests in the place of what is built, which builds leave alone, and which compile and pass', async () => {
    const { project } = await buildProject('ejected', schemaOf('sqlite'));
    expect(await eject(project)).toEqual([]);
    const tree = readTree(join(project, 'runtime'));
    expect([...tree.keys()].filter((path) => path.startsWith('lib/'))).toEqual([]);
    expect(tree.get('src/index.ts')).toBe(readFileSync(join(root, 'templates/runtime/src/index.ts'), 'utf8'));
    // Elsewhere these types are not there by chance, as they are here.
    expect(JSON.parse(tree.get('package.json') ?? '')).toMatchObject({
      devDependencies: { '@types/smtp-server': expect.any(String) },
    });
    const manifest = readFileSync(join(project, MANIFEST), 'utf8');
    expect(manifest.match(/"runtime\/.*/gu)).toEqual(['"runtime/package.json": "once",']);

    writeFileSync(join(project, 'runtime/src/index.ts'), `${tree.get('src/index.ts') ?? ''}// ours\n`);
    const { messages } = await buildProject('ejected', schemaOf('sqlite, mysql'));
    expect(messages).toEqual([]);
    expect(readFileSync(join(project, 'runtime/src/index.ts'), 'utf8')).toMatch(/\/\/ ours\n$/u);
    expect(existsSync(join(project, 'runtime/lib'))).toBe(false);
    expect(await eject(project)).toEqual(['runtime/ was already ejected']);

    mkdirSync(join(project, 'node_modules/@content-gen'), { recursive: true });
    symlinkSync('../../runtime', join(project, 'node_modules/@content-gen/runtime'));
    symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'));
    await execa(process.execPath, [join(root, 'node_modules/typescript-7.0/bin/tsc'), '-b'], { cwd: project });
    expect(existsSync(join(project, 'runtime/dist/index.d.ts'))).toBe(true);
    expect(existsSync(join(project, 'dist/main.js'))).toBe(true);
    // Some of each kind: of values, databases, entries, and of servers of generated projects. All of them run here, too.
    const folders = ['src/contract/values', 'src/database/write', 'src/entries/hooks', 'src/server/', 'src/migrator/'];
    const { stdout } = await execa('npm', ['test', '--', ...folders], {
      cwd: join(project, 'runtime'),
      env: { TEST_ENGINES: 'sqlite' },
    });
    const isRun = (path: string) => path.endsWith('.test.ts') && folders.some((folder) => path.startsWith(folder));
    const tests = [...tree.keys()].filter(isRun).length;
    expect(tests).toBeGreaterThan(8);
    // The files of other engines are skipped as a whole.
    expect(stripVTControlCharacters(stdout)).toMatch(new RegExp(`Test Files  \\d+ passed.* \\(${tests}\\)$`, 'mu'));
  }, 240_000);

  it('refuses where something would be lost, and where there is no such project', async () => {
    const { project } = await buildProject('edited', schemaOf('sqlite'));
    writeFileSync(join(project, 'runtime/lib/services.js'), '// mine\n');
    const before = readTree(project);
    expect(await eject(project)).toEqual([
      'runtime/lib/services.js is a generated file, but was edited by hand or by a merge',
    ]);
    expect(differences(before, readTree(project))).toBe('');
    expect(await eject(join(folder.path, 'nowhere'))).toEqual(['there is no project in this folder']);
  });
});
