/** What `--check` tells apart, as a person, a program and a pull request see it. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../src/cli/main.ts';
import { compareVersions } from '../src/output/compare-versions.ts';
import { temporaryFolder, tree } from './support/output-project.ts';

const TITLE = 'title: { type: string }';
const BODY = 'body: { type: text }';
const RANK = 'rank: { type: integer }';
const MANIFEST = 'blog/content-gen.manifest.json';
const TYPES = 'blog/client/types.d.ts';

function run(cwd: string, ...flags: readonly string[]) {
  return contentGen(cwd, 'build', 'schema.yaml', '--out', 'blog', ...flags);
}

async function contentGen(cwd: string, ...argv: readonly string[]) {
  const text = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({ write: (chunk: string) => (text[name] += chunk) });
  const io = { stdout: output('stdout'), stderr: output('stderr'), cwd, env: {} };
  return { code: await main(argv, io), ...text };
}

function write(cwd: string, ...attributes: readonly string[]): void {
  const lines = attributes.map((attribute) => `      ${attribute}\n`).join('');
  const schema = `name: blog\ndatabases: [sqlite]\ncontentTypes:\n  article:\n    attributes:\n${lines}`;
  writeFileSync(join(cwd, 'schema.yaml'), schema);
}

async function built(): Promise<string> {
  const cwd = temporaryFolder();
  write(cwd, TITLE);
  expect(await run(cwd)).toMatchObject({ code: 0 });
  expect(await run(cwd, '--check')).toMatchObject({ code: 0 });
  return cwd;
}

function edit(cwd: string, path: string, change: (text: string) => string): void {
  const file = join(cwd, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

async function notBuilt(): Promise<string> {
  const cwd = temporaryFolder();
  write(cwd, TITLE);
  return cwd;
}

async function edited(): Promise<string> {
  const cwd = await built();
  edit(cwd, TYPES, (text) => `${text}// mine\n`);
  return cwd;
}

async function withoutMigration(): Promise<string> {
  const cwd = await built();
  write(cwd, TITLE, BODY);
  return cwd;
}

/** The folder of the first migration. */
function first(cwd: string): string {
  return readdirSync(join(cwd, 'blog/migrations')).sort()[0] ?? '';
}

async function withMigrationDeleted(): Promise<string> {
  const cwd = await built();
  rmSync(join(cwd, 'blog/migrations', first(cwd)), { recursive: true });
  return cwd;
}

/** Two branches that were merged, with the markers that git leaves in the sum. */
async function forked(): Promise<string> {
  const cwd = await built();
  const sum = (): string => readFileSync(join(cwd, 'blog/migrations/migrations.sum'), 'utf8');
  const [first = ''] = sum().split('\n');
  cpSync(join(cwd, 'blog'), join(cwd, 'before'), { recursive: true });
  write(cwd, TITLE, RANK);
  await run(cwd);
  const [, theirs = ''] = sum().split('\n');
  const theirFolder = `migrations/${theirs.split(' ')[0] ?? ''}`;
  cpSync(join(cwd, 'blog', theirFolder), join(cwd, 'theirs'), { recursive: true });
  rmSync(join(cwd, 'blog'), { recursive: true });
  cpSync(join(cwd, 'before'), join(cwd, 'blog'), { recursive: true });
  write(cwd, TITLE, BODY);
  await run(cwd);
  const [, ours = ''] = sum().split('\n');
  cpSync(join(cwd, 'theirs'), join(cwd, 'blog', theirFolder), { recursive: true });
  const merged = `${first}\n<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> theirs\n`;
  writeFileSync(join(cwd, 'blog/migrations/migrations.sum'), merged);
  write(cwd, TITLE, BODY, RANK);
  return cwd;
}

async function byAnother(version: string): Promise<string> {
  const cwd = await built();
  edit(cwd, MANIFEST, (text) => text.replace(/"generator": "[^"]+"/u, `"generator": "${version} ${'0'.repeat(64)}"`));
  return cwd;
}

/** Another version, whose files look different: the manifest knows their contents, so that they are not edits. */
async function byAnotherWithOtherFiles(): Promise<string> {
  const cwd = await built();
  const { createHash } = await import('node:crypto');
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
  const before = readFileSync(join(cwd, TYPES), 'utf8');
  edit(cwd, TYPES, (text) => `// printed otherwise\n${text}`);
  edit(cwd, MANIFEST, (text) =>
    text
      .replace(/"generator": "[^"]+"/u, `"generator": "9.8.7 ${'0'.repeat(64)}"`)
      .replace(hashOf(before), hashOf(`// printed otherwise\n${before}`)),
  );
  return cwd;
}

interface Case {
  readonly project: () => Promise<string>;
  /** Code, what the message says, what to do next. */
  readonly says: readonly (readonly [code: string, message: RegExp, next: RegExp])[];
}

test('E04: an older version refuses a project that a newer one wrote, unless with --downgrade', async () => {
  const cwd = await byAnother('0.3.0-beta.1');
  write(cwd, TITLE, BODY);
  const before = tree(cwd);
  for (const flags of [[], ['--dry-run'], ['--diff']]) {
    const { code, stdout, stderr } = await run(cwd, ...flags);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/written by content-gen 0\.3\.0-beta\.1; .*, which is older/u);
    expect(stderr).toMatch(/install content-gen 0\.3\.0-beta\.1 or later.*--downgrade/u);
  }
  const migration = await contentGen(cwd, 'migrations', 'new', 'copy', '--out', 'blog');
  expect(migration).toMatchObject({ code: 3, stderr: expect.stringContaining('content-gen 0.3.0-beta.1') });
  expect(await contentGen(cwd, 'migrations', 'status', '--out', 'blog')).toMatchObject({ code: 0 });
  expect(await run(cwd, '--check')).toMatchObject({ code: 4, stderr: expect.stringContaining('--downgrade') });
  expect(tree(cwd)).toEqual(before);
  expect(await run(cwd, '--downgrade')).toMatchObject({ code: 0 });
  expect(await run(cwd, '--check')).toMatchObject({ code: 0 });
});

test('E04: an older project is brought up to date, and a merge counts as the newer of its sides', async () => {
  const older = await byAnother('0.1.0-rc.1');
  expect(await run(older)).toMatchObject({ code: 0 });

  const merged = await built();
  const text = readFileSync(join(merged, MANIFEST), 'utf8');
  const theirs = text.replace(/"generator": "[^"]+"/u, `"generator": "0.10.0 ${'0'.repeat(64)}"`);
  edit(merged, MANIFEST, () => `<<<<<<< HEAD\n${theirs}=======\n${text}>>>>>>> branch\n`);
  expect(await run(merged)).toMatchObject({ code: 3, stderr: expect.stringContaining('content-gen 0.10.0') });
});

test('E04: versions are ordered as semantic versioning orders them', () => {
  const ordered = ['0.1.0-alpha', '0.1.0-alpha.1', '0.1.0-alpha.beta', '0.1.0-beta.2', '0.1.0-beta.11', '0.1.0-rc.1'];
  ordered.push('0.1.0', '0.1.1', '0.2.0', '0.10.0', '1.0.0');
  expect([...ordered].reverse().sort(compareVersions)).toEqual(ordered);
  expect(compareVersions('1.0.0+a', '1.0.0+b')).toBe(0);
});

const CASES: Readonly<Record<string, Case>> = {
  'a schema that was never built': {
    project: notBuilt,
    says: [['output/not-built', /has not been built/u, /commit the project/u]],
  },
  'a file that was edited by hand': {
    project: edited,
    says: [['output/edited', /client\/types\.d\.ts is a generated file, but was edited/u, /--overwrite/u]],
  },
  'a migration that was not written': {
    project: withoutMigration,
    says: [
      ['output/outdated', /out of date with the schema/u, /commit the changes/u],
      ['migrations/pending', /0002_add_body_to_articles/u, /review the SQL that it adds/u],
    ],
  },
  'a migration that is gone': {
    project: withMigrationDeleted,
    says: [['migrations/missing', /0001_create_article_\w+ is missing/u, /Restore it from version control/u]],
  },
  'a history that forks': {
    project: forked,
    says: [
      ['migrations/branches-diverged', /two branches have each added a migration after 0001/u, /migrations rebase/u],
    ],
  },
  'another version of the generator': {
    project: () => byAnother('9.8.7'),
    says: [
      [
        'output/other-generator',
        /written by content-gen 9\.8\.7.*the files are the same/u,
        /use the same version everywhere/u,
      ],
    ],
  },
  'another build of the same version': {
    project: async () => {
      const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
        version: string;
      };
      return byAnother(version);
    },
    says: [['output/other-generator', /another build of content-gen \d/u, /use the same version everywhere/u]],
  },
  'another version of the generator, and files that look different': {
    project: byAnotherWithOtherFiles,
    says: [
      [
        'output/other-generator',
        /written by content-gen 9\.8\.7, but this is content-gen [^;]+$/u,
        /use the same version/u,
      ],
      [
        'output/outdated',
        /1 file is different from what this version of content-gen generates/u,
        /commit the changes/u,
      ],
    ],
  },
};

test.each(Object.entries(CASES))('--check tells %s', async (_, { project, says }) => {
  const cwd = await project();
  const json = await run(cwd, '--check', '--json');
  const { diagnostics } = JSON.parse(json.stdout) as {
    diagnostics: readonly { code: string; severity: string; message: string; hint: string }[];
  };
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ code }) => code)).toEqual(says.map(([code]) => code));
  for (const [index, [, message, next]] of says.entries()) {
    expect(errors[index]?.message).toMatch(message);
    expect(errors[index]?.hint).toMatch(next);
  }
  const text = await run(cwd, '--check');
  const annotations = await run(cwd, '--check', '--annotations');
  expect([json.code, text.code, annotations.code]).toEqual([4, 4, 4]);
  for (const { code, message, hint } of errors) {
    expect(text.stderr).toContain(`error ${code}: ${message}`);
    expect(text.stderr).toContain(hint);
    const line = annotations.stderr.split('\n').find((one) => one.includes(`title=${code}::`)) ?? '';
    expect(line).toMatch(/^::error /u);
    expect(line).toContain(`${message}%0A${hint}`);
  }
});

test('an invalid plan is reported with its first problem, on one line', async () => {
  const cwd = await built();
  edit(cwd, `blog/migrations/${first(cwd)}/plan.json`, (text) =>
    text.replaceAll('"nullable"', '"nulable"').replaceAll('"kind"', '"kin"'),
  );
  // It was changed; whoever seals the change is told why it is not valid.
  expect((await run(cwd, '--check')).stderr).toContain('migrations/changed');
  const { code, stderr } = await contentGen(cwd, 'migrations', 'seal', '--out', 'blog');
  expect(code).toBe(3);
  expect(stderr).toMatch(/the file is not a valid migration plan: changes\.0[^\n]{1,800} \(and \d+ more problems\)$/mu);
});

test('another version of the generator reports what files of the team lack, and how others differ, without changing them', async () => {
  const cwd = await byAnother('0.0.9');
  // As version 0.1.0 had a file for each command.
  const outdated = (text: string) => text.replace('runtime/bin/command.js start', 'dist/generated/start.js');
  const lacking = (text: string) => text.replace(/^ *"(?:server|tsx)": .*\n/gmu, '');
  edit(cwd, 'blog/package.json', (text) => lacking(outdated(text)));
  edit(cwd, 'blog/.env.example', (text) => text.replace(/^.*LOG_FORMAT=.*\n/mu, ''));
  edit(cwd, 'blog/.prettierignore', (text) => `notes/\n${text.replace('client/\n', '')}`);
  edit(cwd, 'blog/Dockerfile', (text) => `${text}# ours\n`);
  edit(cwd, 'blog/src/extensions/index.ts', (text) => `${text}// ours\n`);
  const mine = readFileSync(join(cwd, 'blog/package.json'), 'utf8');
  const gap =
    'would write: "start": "node runtime/bin/command.js start", "server": "node runtime/bin/command.js", "tsx": "^4.23.0"\n';
  const { stderr } = await run(cwd);
  expect(stderr).toContain(gap);
  expect(stderr).toContain('.env.example belongs to you and was not changed');
  expect(stderr).toContain('would write: LOG_FORMAT\n');
  expect(stderr).toContain('would write: client/\n');
  expect(stderr).toContain('differ from what this version of content-gen would write: Dockerfile\n');
  expect(stderr).toContain('build with --diff --overwrite Dockerfile');
  expect((await run(cwd, '--diff', '--overwrite', 'blog/Dockerfile')).stdout).toContain('\n-# ours\n');
  expect(readFileSync(join(cwd, 'blog/package.json'), 'utf8')).toBe(mine);
  // Known from then on.
  expect((await run(cwd)).stderr).not.toMatch(/yours/u);
});
