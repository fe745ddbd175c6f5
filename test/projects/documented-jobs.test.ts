/** The project of docs/jobs.md: its jobs are typed, and its own test passes. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import { blocks } from '../support/document-examples.ts';
import { compile, contentGen, install } from '../support/project.ts';

/** Path → text. */
const files = new Map(
  blocks.flatMap(({ info, text }) => {
    const [, path] = /^\w+ jobs (\S+)$/.exec(info) ?? [];
    return path === undefined ? [] : [[path, text] as const];
  }),
);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let project: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  project = join(folder.path, 'with-jobs');
  mkdirSync(project);
  writeFileSync(join(project, 'schema.yaml'), files.get('schema.yaml') ?? '');
  expect(await contentGen(['build', 'schema.yaml', '--out', '.'], project)).toMatchObject({ exitCode: 0 });
  await install(project);
}, 300_000);
afterAll(() => folder?.remove());

it('compiles as it is built, and with the jobs of the document, whose test passes', async () => {
  await compile(project);
  rmSync(join(project, 'test/extensions.test.ts'));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  const wrong = 'await context.jobs.sendAll.enqueue({ title: entry.attributes.title });';
  const index = files.get('src/extensions/index.ts') ?? '';
  writeFileSync(
    join(project, 'src/extensions/index.ts'),
    index.replace(wrong, `// @ts-expect-error: it is a text.\nawait context.jobs.sendAll.enqueue({ title: 7 });`),
  );
  await compile(project);
  writeFileSync(join(project, 'src/extensions/index.ts'), index);
  const lint = await execa('npm', ['run', '--silent', 'lint'], { cwd: project, reject: false });
  expect(lint.stdout).toContain('Found 0 warnings and 0 errors');
  const { exitCode, stdout } = await execa('npm', ['run', '--silent', 'test'], { cwd: project, reject: false });
  expect(exitCode, stdout).toBe(0);
  expect(stdout).toContain('an article is mailed to everybody');
}, 300_000);
