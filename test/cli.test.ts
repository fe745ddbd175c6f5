/** The command line: what it prints where, what it writes, and how it ends. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { main } from '../src/cli/main.ts';
import { renderReport } from '../src/cli/render-report.ts';
import { temporaryFolder, tree } from './support/output-project.ts';

const SCHEMA = `name: blog
databases: [sqlite]
contentTypes:
  article:
    attributes:
      title: { type: string }
  tag:
    attributes:
      name: { type: string }
`;

const WITH_BODY = SCHEMA.replace('{ type: string }', '{ type: string }\n      body: { type: text }');
const TYPES = 'client/types.d.ts';

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  cwd: string,
  args: readonly string[],
  settings: { env?: Record<string, string>; tty?: boolean } = {},
): Promise<Run> {
  const text = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    write: (chunk: string) => (text[name] += chunk),
    isTTY: settings.tty ?? false,
  });
  const io = { stdout: output('stdout'), stderr: output('stderr'), cwd, env: settings.env ?? {} };
  return { code: await main(args, io), ...text };
}

/** A folder with a schema in it, built or not. */
async function folder(schema = SCHEMA, ...args: readonly string[]): Promise<string> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'schema.yaml'), schema);
  if (args.length > 0) expect(await run(cwd, args)).toMatchObject({ code: 0 });
  return cwd;
}

const BUILD = ['build', 'schema.yaml'];

function times(root: string): readonly number[] {
  return ['', ...Object.keys(tree(root))].map((path) => statSync(join(root, path)).mtimeMs);
}

describe('build', () => {
  test('writes a project, says how to go on, and writes nothing the second time', async () => {
    const cwd = await folder();
    const first = await run(cwd, BUILD);
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('Next: cd ./blog && npm install') });
    expect(first.stdout).toMatch(/\.\/blog: \d+ files created, migration 0001_\w+\.\n$/);
    const before = [tree(cwd), times(cwd)];
    const second = await run(cwd, BUILD);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toMatch(/^\.\/blog is up to date: \d+ files, nothing to write\.\n$/);
    expect([tree(cwd), times(cwd)]).toEqual(before);
  });

  test('names the help of the command whose arguments are wrong', async () => {
    const cwd = await folder();
    for (const [args, help] of [
      [['buld'], 'content-gen --help'],
      [['build', '--chek'], 'content-gen build --help'],
      [['migrations', 'new'], 'content-gen migrations new --help'],
    ] as const) {
      expect(await run(cwd, args)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(`(for help, run: ${help})`),
      });
    }
  });

  test('lists each file of a small change', async () => {
    const cwd = await folder(SCHEMA, ...BUILD);
    writeFileSync(join(cwd, 'schema.yaml'), WITH_BODY);
    const { code, stdout } = await run(cwd, [...BUILD, '--out', 'blog']);
    expect(code).toBe(0);
    expect(stdout).toContain(`  update  ${TYPES}\n`);
    expect(stdout).toMatch(/ {2}create {2}migrations\/0002_\w+\/plan\.json\n/);
    expect(stdout).toMatch(/\nblog: \d+ files created, \d+ files updated, migration 0002_\w+\.\n$/);
  });

  test('reports what is wrong in the schema with its place, and writes nothing', async () => {
    const cwd = await folder(SCHEMA.replace('type: string', 'type: strnig'));
    const { code, stdout, stderr } = await run(cwd, BUILD);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^schema\.yaml:6:\d+: error [a-z-]+\/[a-z-]+: .*strnig/);
    expect(Object.keys(tree(cwd))).toEqual(['schema.yaml']);
    expect(await run(cwd, ['build', 'missing.yaml'])).toMatchObject({ code: 2, stdout: '' });
  });

  test('discards edits only with --overwrite, relative to the project or the working directory', async () => {
    // Of a folder, only the files that the team does not own.
    for (const name of [TYPES, `blog/${TYPES}`, 'client', 'blog/client/', 'blog', '.']) {
      const cwd = await folder(SCHEMA, ...BUILD);
      for (const own of ['README.md', 'src/extensions/index.ts']) writeFileSync(join(cwd, 'blog', own), '// ours\n');
      const before = tree(cwd);
      writeFileSync(join(cwd, 'blog', TYPES), '// mine\n');
      writeFileSync(join(cwd, 'schema.yaml'), WITH_BODY);
      const edited = tree(cwd);
      const refused = await run(cwd, BUILD);
      expect(refused).toMatchObject({ code: 3, stdout: '' });
      expect(refused.stderr).toContain(`output/edited: ${TYPES} is a generated file, but was edited`);
      expect(refused.stderr).toContain('src/extensions/index.ts');
      expect(tree(cwd)).toEqual(edited);
      writeFileSync(join(cwd, 'schema.yaml'), SCHEMA);
      for (const unknown of ['nonsense.ts', 'src/gen', '..']) {
        expect(await run(cwd, [...BUILD, '--overwrite', unknown])).toMatchObject({ code: 2 });
      }
      expect(await run(cwd, [...BUILD, '--overwrite', name])).toMatchObject({ code: 0 });
      expect(tree(cwd)).toEqual(before);
    }
  });

  test('refuses a folder that is not a project, and a file in its place', async () => {
    const cwd = await folder();
    writeFileSync(join(cwd, 'package.json'), '{"name":"mine"}\n');
    const before = tree(cwd);
    expect(await run(cwd, [...BUILD, '--out', '.'])).toMatchObject({ code: 3, stdout: '' });
    expect(await run(cwd, [...BUILD, '--out', 'package.json'])).toMatchObject({ code: 3, stdout: '' });
    expect(await run(cwd, [...BUILD, '--out', 'package.json/x'])).toMatchObject({ code: 3, stdout: '' });
    expect(tree(cwd)).toEqual(before);
  });

  test('E12: refuses to start a new history when the folder of migrations was deleted', async () => {
    const cwd = await folder(SCHEMA, ...BUILD);
    rmSync(join(cwd, 'blog/migrations'), { recursive: true });
    writeFileSync(join(cwd, 'schema.yaml'), WITH_BODY);
    const before = tree(cwd);
    expect(await run(cwd, BUILD)).toMatchObject({ code: 3, stdout: '' });
    expect(tree(cwd)).toEqual(before);
  });

  test('keeps a migration sum that a merge has brought, when it is right', async () => {
    const cwd = await folder(SCHEMA, ...BUILD);
    const manifest = readFileSync(join(cwd, 'blog/content-gen.manifest.json'), 'utf8');
    writeFileSync(join(cwd, 'schema.yaml'), WITH_BODY);
    await run(cwd, BUILD);
    const expected = tree(cwd);
    writeFileSync(join(cwd, 'blog/content-gen.manifest.json'), manifest);
    expect(await run(cwd, BUILD)).toMatchObject({ code: 0 });
    expect(tree(cwd)).toEqual(expected);
  });
});

/** The codes of the errors that `--check` finds. */
async function check(cwd: string): Promise<readonly string[]> {
  const before = [tree(cwd), times(cwd)];
  const { code, stdout } = await run(cwd, [...BUILD, '--check', '--json']);
  expect([tree(cwd), times(cwd)], 'it writes nothing').toEqual(before);
  const { exitCode, diagnostics } = JSON.parse(stdout) as {
    exitCode: number;
    diagnostics: { code: string; severity: string }[];
  };
  const codes = diagnostics.filter(({ severity }) => severity === 'error').map((one) => one.code);
  expect([code, exitCode]).toEqual(codes.length === 0 ? [0, 0] : [4, 4]);
  return codes;
}

describe('--check', () => {
  test('distinguishes each kind of difference', async () => {
    const cwd = await folder();
    const project = join(cwd, 'blog');
    expect(await check(cwd)).toEqual(['output/not-built']);
    await run(cwd, BUILD);
    expect(await check(cwd)).toEqual([]);

    writeFileSync(join(cwd, 'schema.yaml'), WITH_BODY);
    expect(await check(cwd)).toEqual(['output/outdated', 'migrations/pending']);
    writeFileSync(join(cwd, 'schema.yaml'), SCHEMA.replace('name: blog', 'name: blog\napi: { maxPageSize: 50 }'));
    expect(await check(cwd), 'what is not stored needs no migration').toEqual(['output/outdated']);
    writeFileSync(join(cwd, 'schema.yaml'), SCHEMA);

    rmSync(join(project, TYPES));
    expect(await check(cwd)).toEqual(['output/missing']);
    writeFileSync(join(project, TYPES), '// mine\n');
    expect(await check(cwd)).toEqual(['output/edited']);
    expect((await run(cwd, [...BUILD, '--check'])).stdout).toBe('');
    await run(cwd, [...BUILD, '--overwrite', TYPES]);

    const manifest = readFileSync(join(project, 'content-gen.manifest.json'), 'utf8');
    const [line] = /^.*"client\/types.d.ts".*\n/m.exec(manifest) ?? [''];
    writeFileSync(
      join(project, 'content-gen.manifest.json'),
      manifest.replace(line, line.replace('client/types.d.ts', 'src/generated/aaa/types.ts') + line),
    );
    writeFileSync(join(project, 'src/generated/aaa.ts'), '');
    expect(await check(cwd)).toEqual(['output/outdated-manifest']);
    writeFileSync(join(project, 'content-gen.manifest.json'), manifest);

    const [name = ''] = Object.keys(tree(join(project, 'migrations'))).filter((path) => path.endsWith('/up.sql'));
    writeFileSync(join(project, 'migrations', name), 'SELECT 1;\n');
    expect(await check(cwd)).toEqual([expect.stringMatching(/^migrations\//)]);
  });

  test('reports an error in the schema as such', async () => {
    const cwd = await folder(SCHEMA.replace('type: string', 'type: strnig'));
    expect(await run(cwd, [...BUILD, '--check'])).toMatchObject({ code: 2 });
  });
});

describe('--dry-run and --diff', () => {
  test('write nothing, and say what a build would do', async () => {
    const cwd = await folder();
    const dry = await run(cwd, [...BUILD, '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.stdout).toMatch(/files would be created, migration 0001_/);
    expect(Object.keys(tree(cwd))).toEqual(['schema.yaml']);
    await run(cwd, BUILD);
    expect(await run(cwd, [...BUILD, '--diff'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('the diff is what a build changes: git can apply it with the same result', async () => {
    const cwd = await folder(SCHEMA, ...BUILD);
    writeFileSync(join(cwd, 'schema.yaml'), WITH_BODY);
    const { code, stdout } = await run(cwd, [...BUILD, '--diff']);
    expect(code).toBe(0);
    writeFileSync(join(cwd, 'diff'), stdout);
    execFileSync('git', ['apply', '../diff'], {
      cwd: join(cwd, 'blog'),
      env: { ...process.env, GIT_CEILING_DIRECTORIES: cwd },
    });
    const { 'content-gen.manifest.json': _, ...applied } = tree(join(cwd, 'blog'));
    await run(cwd, BUILD);
    const { 'content-gen.manifest.json': __, ...expected } = tree(join(cwd, 'blog'));
    expect(applied).toEqual(expected);
  });
});

describe('what is printed', () => {
  test('--json is one document on stdout and nothing else', async () => {
    const cwd = await folder();
    const { code, stdout, stderr } = await run(cwd, [...BUILD, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      format: 1,
      mode: 'write',
      outcome: 'written',
      exitCode: 0,
      out: './blog',
    });
    expect(JSON.parse(stdout).actions).toContainEqual({ kind: 'create', path: TYPES, ownership: 'managed' });
    writeFileSync(join(cwd, 'blog', TYPES), '// mine\n');
    const refused = await run(cwd, [...BUILD, '--json']);
    expect(refused).toMatchObject({ code: 3, stderr: '' });
    expect(JSON.parse(refused.stdout)).toMatchObject({
      outcome: 'stopped',
      exitCode: 3,
      actions: [{ kind: 'blocked', path: TYPES, reason: 'edited' }],
      diagnostics: [{ code: 'output/edited', severity: 'error', kind: 'refused' }],
    });
  });

  test('--annotations are those of a pull request', async () => {
    const cwd = await folder(SCHEMA.replace('type: string', 'type: strnig'));
    const { stderr } = await run(cwd, [...BUILD, '--annotations']);
    expect(stderr).toMatch(/^::error file=schema\.yaml,line=6,/);
    writeFileSync(join(cwd, 'schema.yaml'), SCHEMA);
    await run(cwd, BUILD);
    writeFileSync(join(cwd, 'blog', TYPES), '// mine\n');
    const refused = await run(cwd, [...BUILD, '--annotations']);
    expect(refused.stderr).toContain(`::error file=blog/${TYPES},title=output/edited::`);
  });

  test('colours only on a terminal, and not where they are not wanted', async () => {
    const cwd = await folder('contentTypes: 1\n');
    const colored = async (settings: Parameters<typeof run>[2]) =>
      (await run(cwd, BUILD, settings)).stderr.includes('\u001b[');
    expect(await colored({ tty: true })).toBe(true);
    expect(await colored({ tty: false })).toBe(false);
    expect(await colored({ tty: true, env: { NO_COLOR: '1' } })).toBe(false);
    expect(await colored({ tty: true, env: { TERM: 'dumb' } })).toBe(false);
  });

  test('help and the version are results, wrong flags are not', async () => {
    const cwd = await folder();
    expect(await run(cwd, ['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect(await run(cwd, ['--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('4  --check found'),
      stderr: '',
    });
    expect(await run(cwd, ['build', '--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('--overwrite'),
    });
    for (const args of [[], ['bild'], ['explain'], [...BUILD, '--force'], [...BUILD, '--out'], ['--chek']]) {
      const { code, stdout, stderr } = await run(cwd, args);
      expect({ code, stdout }, args.join(' ')).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('--help');
    }
    expect(existsSync(join(cwd, 'blog'))).toBe(false);
  });

  test('a bug is reported as such, with its stack only on demand', async () => {
    const cwd = await folder();
    const failing = async (env: Record<string, string>) => {
      let stderr = '';
      const stdout = {
        write: () => {
          throw new Error('boom');
        },
      };
      const code = await main(['--version'], { stdout, stderr: { write: (text) => (stderr += text) }, cwd, env });
      return { code, stderr };
    };
    expect(await failing({})).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/bug in content-gen \S+: boom\n[^]*report/),
    });
    expect((await failing({})).stderr).not.toContain('cli.test.ts');
    expect((await failing({ DEBUG: '1' })).stderr).toContain('cli.test.ts');
  });
});

describe('N13: colours on a terminal', () => {
  // eslint-disable-next-line no-control-regex -- what colours are made of
  const plain = (text: string): string => text.replace(/\u001b\[\d+m/gu, '');

  test('are in lists and diffs there, and nowhere else', async () => {
    for (const flags of [['--dry-run'], ['--diff']]) {
      const cwd = await folder(WITH_BODY, ...BUILD);
      writeFileSync(join(cwd, 'schema.yaml'), `${SCHEMA}# -- a comment\n`);
      const argv = [...BUILD, ...flags, '--allow-destructive', 'article.body'];
      const colored = await run(cwd, argv, { tty: true });
      const piped = await run(cwd, argv);
      expect(piped.stdout).toContain(TYPES);
      expect(piped.stdout).not.toContain('\u001b');
      expect(colored.stdout).toContain('\u001b[3');
      expect(plain(colored.stdout)).toBe(piped.stdout);
      for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }] as Record<string, string>[]) {
        expect((await run(cwd, argv, { tty: true, env })).stdout).toBe(piped.stdout);
      }
    }
  });

  test('of a diff are those of its lines, also where these look like heads', async () => {
    const report = { actions: [], outcome: 'planned', out: 'blog', migration: undefined, diagnostics: [] } as const;
    const diff = '--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n same\n--- gone\n+++ added\n--- a/y\n+++ /dev/null\n';
    const colors = { ...pc.createColors(true) };
    const lines = renderReport({ ...report, mode: 'dry-run', sources: [], diff }, colors).split('\n');
    expect(lines[0]).toBe(colors.bold('--- a/x.sql'));
    expect(lines[2]).toBe(colors.cyan('@@ -1,2 +1,2 @@'));
    expect(lines.slice(3, 6)).toEqual([' same', colors.red('--- gone'), colors.green('+++ added')]);
    expect(lines[6]).toBe(colors.bold('--- a/y'));
  });
});

test('N10: what comes next begins where the project is', async () => {
  const here = await folder();
  const { stderr } = await run(here, [...BUILD, '--out', '.']);
  expect(stderr).toContain('Next: npm install && npm run dev\n');
  expect((await run(await folder(), BUILD)).stderr).toContain('Next: cd ./blog && npm install && npm run dev\n');
});

test('a build whose server needs further packages says so, unless they are installed', async () => {
  const cwd = await folder(SCHEMA, ...BUILD);
  writeFileSync(join(cwd, 'schema.yaml'), `${SCHEMA}mcp: true\n`);
  const { stderr } = await run(cwd, BUILD);
  expect(stderr).toMatch(
    /Next: cd \.\/blog && npm install, since the server now needs .*@modelcontextprotocol\/server/,
  );
  const { dependencies } = JSON.parse(readFileSync(join(cwd, 'blog/runtime/package.json'), 'utf8')) as {
    readonly dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    mkdirSync(join(cwd, 'blog/node_modules', name), { recursive: true });
  }
  writeFileSync(join(cwd, 'schema.yaml'), SCHEMA);
  expect((await run(cwd, BUILD)).stderr).not.toContain('Next:');
});

test('N10: a migration that was written by hand and sealed is all that a check asks for', async () => {
  const cwd = await folder(SCHEMA, ...BUILD);
  expect(await run(cwd, ['migrations', 'new', 'copy', '--out', 'blog'])).toMatchObject({ code: 0 });
  const name = readdirSync(join(cwd, 'blog/migrations')).find((one) => one.startsWith('0002_')) ?? '';
  for (const side of ['up', 'down']) {
    writeFileSync(join(cwd, `blog/migrations/${name}/sqlite/${side}.sql`), "UPDATE tags SET name = 'x';\n");
  }
  const sealed = await run(cwd, ['migrations', 'seal', '--out', 'blog']);
  expect(sealed).toMatchObject({ code: 0 });
  // Lines of migrations.sum are hashes of all files so far, which a person would compare with one file: they are not shown.
  const { stdout } = await run(cwd, ['migrations', 'status', '--out', 'blog']);
  expect(sealed.stdout + stdout).not.toMatch(/[0-9a-f]{12}/);
  expect(await run(cwd, [...BUILD, '--check'])).toMatchObject({ code: 0, stderr: '' });
});
