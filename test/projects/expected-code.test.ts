/** The code of the trees in `fixtures/` compiles with each compiler that a team may have, and is linted and formatted. */
import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../src/build.ts';
import { prettify } from '../../src/output/format.ts';
import { trees } from '../support/fixtures.ts';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import { root } from '../support/project.ts';
import { readTree } from '../support/tree.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

/** The runtime of a project that uses all there is, and the part of the client that is the same in each. */
async function buildRuntime(out: string): Promise<void> {
  const schema = [join(root, 'fixtures/every-attribute/schema.yaml')];
  const { outcome } = await build({
    schema,
    cwd: root,
    out: join(out, 'project'),
    mode: 'write',
    diff: false,
    overwrite: [],
    onWait: () => {},
  });
  expect(outcome).toBe('written');
  renameSync(join(out, 'project/runtime'), join(out, 'runtime'));
  renameSync(join(out, 'project/client/lib'), join(out, 'client-lib'));
}

/** All trees side by side, as one program beside one runtime: the compiler reads the declarations of packages once. */
beforeAll(async () => {
  folder = await temporaryFolder();
  const { path } = folder;
  await buildRuntime(path);
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
  mkdirSync(join(path, 'trees/node_modules/@content-gen'), { recursive: true });
  symlinkSync(join(path, 'runtime'), join(path, 'trees/node_modules/@content-gen/runtime'));
  for (const [name, expected] of trees) {
    for (const part of ['package.json', 'src', 'test', 'client']) {
      cpSync(join(expected, part), join(path, 'trees', name, part), { recursive: true });
    }
    symlinkSync(join(path, 'client-lib'), join(path, 'trees', name, 'client/lib'));
  }
  // Code of a team's, which calls entries with all their types, and makes mistakes that the compiler must find.
  const team = join(root, 'fixtures/every-attribute/extensions.ts');
  cpSync(team, join(path, 'trees/every-attribute/src/extensions/index.ts'));
  // The options are those of the projects, which are the same in each, and what a team may add to them.
  const config = {
    extends: join(root, 'fixtures/blog/expected/tsconfig.json'),
    compilerOptions: {
      rootDir: '.',
      noEmit: true,
      incremental: false,
      allowImportingTsExtensions: true,
      skipLibCheck: false,
    },
    include: ['*/src/**/*.ts', '*/test/*.ts', '*/client/**/*.d.ts'],
    references: [],
  };
  writeFileSync(join(path, 'trees/tsconfig.json'), JSON.stringify(config));
});
afterAll(() => folder?.remove());

function typescript(compiler: string, project: string) {
  return execa('node', [join(root, 'node_modules', compiler, 'bin/tsc'), '-p', project], {
    cwd: folder.path,
    reject: false,
  });
}

describe('the code of every tree', () => {
  it.each(['typescript-7.0', 'typescript', 'typescript-5.9'])(
    'compiles with %s',
    async (compiler) => {
      const { exitCode, stdout } = await typescript(compiler, join(folder.path, 'trees'));
      expect(stdout).toBe('');
      expect(exitCode).toBe(0);
    },
    240_000,
  );

  it('passes our own lint', async () => {
    const flags = ['--type-aware', '--deny-warnings'];
    const cwd = join(folder.path, 'trees');
    // As if it were the projects' own, so that what it says of `test/` holds there too.
    for (const name of trees.keys()) cpSync(join(root, '.oxlintrc.json'), join(cwd, name, '.oxlintrc.json'));
    const folders = [...trees.keys()].flatMap((name) => [
      `${name}/src/generated`,
      `${name}/src/main.ts`,
      `${name}/test`,
    ]);
    const { stdout } = await execa(join(root, 'node_modules/.bin/oxlint'), [...flags, ...folders], {
      cwd,
      reject: false,
    });
    expect(stdout).toMatch(/^Found 0 warnings and 0 errors\.\nFinished in \S+ on [1-9]\d+ files /m);
  });

  it('is formatted, whether by prettier or by its printer', async () => {
    // A tree that differs from the one before it in few files is formatted for those only.
    const formatted = new Set<string>();
    for (const [name, expected] of trees) {
      for (const [path, text] of readTree(expected, (file) => file.endsWith('.ts'))) {
        if (formatted.has(text)) continue;
        expect(await prettify(text), `${name}/${path}`).toBe(text);
        formatted.add(text);
      }
    }
  });
});
