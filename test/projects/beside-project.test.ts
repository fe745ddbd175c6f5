/** What runs beside a project, by the content-gen that npm installs: it needs the project installed, compiled, and of its own version. */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import { compile, install, root } from '../support/project.ts';
import { archiveOf } from '../support/strapi-archive.ts';
import { schemaFor, V5 } from '../support/strapi-content.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let tools: string;
let project: string;
const env = { DATABASE_URL: 'sqlite:./data/content.db', NO_COLOR: '1' };

/** Runs the installed content-gen; `cwd` is the folder of the project, or another. */
async function contentGen(cwd: string, ...args: readonly string[]) {
  const program = join(tools, 'node_modules/.bin/content-gen');
  const { exitCode, stdout, stderr } = await execa(program, args, { cwd, env, reject: false });
  return { code: exitCode, out: stdout, error: stderr };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  tools = join(folder.path, 'tools');
  project = join(folder.path, 'project');
  // As published: only the files of the package.
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder.path];
  const { stdout: packed } = await execa('npm', pack, { cwd: root });
  await execa('npm', ['install', '--no-audit', '--no-fund', '--prefix', tools, join(folder.path, packed.trim())]);
  writeFileSync(join(folder.path, 'schema.yaml'), schemaFor('sqlite', 5));
  writeFileSync(join(folder.path, 'archive.tar.gz'), await archiveOf(V5));
  const built = await contentGen(folder.path, 'build', 'schema.yaml', '--out', project);
  expect(built.code, built.error).toBe(0);
}, 600_000);

afterAll(() => folder?.remove());

test('content of Strapi comes and goes once the project is installed, compiled and of the same version', async () => {
  const importing = ['data', 'import-strapi', '../archive.tar.gz'];
  expect(await contentGen(folder.path, ...importing)).toMatchObject({
    code: 3,
    error: `There is no project of content-gen in ${folder.path}. Name its folder with --project.`,
  });
  expect(await contentGen(project, ...importing)).toMatchObject({
    code: 3,
    error: 'This project is not compiled yet. Run first: npm run build',
  });
  await install(project);
  await compile(project);

  const generated = join(project, 'src/generated/app.ts');
  utimesSync(generated, new Date(), new Date(Date.now() + 60_000));
  expect(await contentGen(project, ...importing)).toMatchObject({
    code: 3,
    error: 'src/generated/ is newer than what is compiled in dist/. Run first: npm run build',
  });
  utimesSync(generated, new Date(0), new Date(0));

  const description = join(project, 'runtime/package.json');
  const text = readFileSync(description, 'utf8');
  writeFileSync(description, text.replace(/"version": "[^"]+"/u, '"version": "0.1.0"'));
  const other = await contentGen(project, ...importing);
  expect(other).toMatchObject({ code: 3, out: '' });
  expect(other.error).toContain('The runtime of this project has the version 0.1.0, and this is content-gen ');
  writeFileSync(description, text);

  const imported = await contentGen(project, ...importing, '--report', 'report.json');
  expect(imported, imported.error).toMatchObject({ code: 4, error: '' });
  expect(imported.out).toContain('Imported. Something was left behind: see above.');
  expect(JSON.parse(readFileSync(join(project, 'report.json'), 'utf8'))).toMatchObject({ isKept: true });

  const exporting = ['data', 'export', '--format', 'strapi', '--out', 'back.tar.gz'];
  const exported = await contentGen(folder.path, ...exporting, '--project', 'project');
  expect(exported, exported.error).toMatchObject({ error: '' });
  expect(exported.out).toMatch(/^Exported \d+ entities, \d+ links and \d+ files for Strapi 5/u);
  const { stdout: names } = await execa('tar', ['tzf', join(folder.path, 'back.tar.gz')]);
  expect(names.split('\n')).toContain('metadata.json');
}, 600_000);
