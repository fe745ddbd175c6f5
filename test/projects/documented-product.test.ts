/** The marketplace of docs/building-a-product.md: its files are a project, whose own tests pass on each database. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../../templates/runtime/test-support/runtime-database.ts';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import { blocks } from '../support/document-examples.ts';
import { compile, contentGen, install } from '../support/project.ts';

const MAX_LINES = 200;
/** Runs tests from their sources, as `npm test` does. */
const WITHOUT_BUILD = ['--conditions=content-gen-source', '--import', 'tsx', '--test'];

/** Path → text. */
const files = new Map(
  blocks.flatMap(({ info, text }) => {
    const [, path] = /^\w+ market (\S+)$/.exec(info) ?? [];
    return path === undefined ? [] : [[path, text] as const];
  }),
);
const extensions = [...files].filter(([path]) => path.startsWith('src/extensions/'));
const engines = testedEngines();

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let project: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  project = join(folder.path, 'market');
  mkdirSync(project);
  writeFileSync(join(project, 'schema.yaml'), files.get('schema.yaml') ?? '');
  expect(await contentGen(['build', 'schema.yaml', '--out', '.'], project)).toMatchObject({ exitCode: 0 });
  rmSync(join(project, 'test/extensions.test.ts'));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  await install(project);
}, 300_000);
afterAll(() => folder?.remove());

it('has less than 200 lines of extensions, which compile and pass the lint of a project', async () => {
  const lines = extensions.reduce((sum, [, text]) => sum + text.trimEnd().split('\n').length, 0);
  expect(extensions.length).toBeGreaterThan(3);
  expect(lines).toBeLessThan(MAX_LINES);
  await compile(project);
  const { stdout } = await execa('npm', ['run', '--silent', 'lint'], { cwd: project });
  expect(stdout).toContain('Found 0 warnings and 0 errors');
});

it('passes its own tests and those of every project, on each database', async () => {
  for (const dialect of await engines) {
    const database = dialect === 'sqlite' ? undefined : await createDatabase(dialect, 'market');
    const env = database === undefined ? {} : { TEST_DATABASE_URL: database.url };
    const args = database ? [...WITHOUT_BUILD, 'test/market.test.ts'] : ['run', '--silent', 'test'];
    const { exitCode, stdout } = await execa(database ? process.execPath : 'npm', args, {
      cwd: project,
      env,
      reject: false,
    });
    await database?.drop();
    expect(exitCode, `${dialect}\n${stdout}`).toBe(0);
    expect(stdout).toMatch(/sellers sign in with a link, once/);
  }
}, 300_000);
