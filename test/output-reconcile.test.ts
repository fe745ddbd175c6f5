/** Who owns a file decides what a build does with it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { actionDiagnostics } from '../src/output/action-diagnostics.ts';
import { checkDiagnostics } from '../src/output/check-diagnostics.ts';
import { readDisk } from '../src/output/disk.ts';
import type { GeneratedFile } from '../src/files/generated-file.ts';
import { hashText } from '../src/files/hash.ts';
import { isGeneratedFile } from '../src/output/managed-path.ts';
import { type FileRecord, type ManifestState, parseManifest, printManifest } from '../src/output/manifest.ts';
import { planOutput } from '../src/output/plan-output.ts';
import { readProject } from '../src/output/read-project.ts';
import { filesToPrint, reconcile } from '../src/output/reconcile.ts';
import { unifiedDiff } from '../src/output/unified-diff.ts';
import { buildFiles, file, generated, temporaryFolder, tree } from './support/output-project.ts';

const TYPES = 'src/generated/article/types.ts';
const FILES = [
  file(TYPES, generated('types')),
  file('openapi.json', '{}\n'),
  file('src/main.ts', 'main\n', 'once'),
  file('migrations/0001_init/plan.json', 'plan\n', 'history'),
];

async function built(files: readonly GeneratedFile[] = FILES): Promise<string> {
  const root = temporaryFolder();
  expect((await buildFiles(root, files)).kind).toBe('written');
  return root;
}

function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function replace(path: string, ...by: readonly GeneratedFile[]): readonly GeneratedFile[] {
  return [...FILES.filter((one) => one.path !== path), ...by];
}

/** The actions but `keep unchanged` and `keep yours`, as text, and what is said about them. */
async function plan(root: string, files: readonly GeneratedFile[] = FILES, overwrite: readonly string[] = []) {
  const project = readProject(
    root,
    files.map(({ path }) => path),
  );
  const planned = await planOutput(files, project, new Set(overwrite));
  const actions = planned.actions
    .map((action) => {
      const reason = 'reason' in action ? action.reason : 'discards' in action ? action.discards : '';
      return `${action.kind} ${action.path} ${typeof reason === 'string' ? reason : reason?.kind}`.trim();
    })
    .filter((line) => !/ (unchanged|yours)$/.test(line));
  const messages = [...project.diagnostics, ...actionDiagnostics(planned.actions)];
  const checked = checkDiagnostics({ project, plan: planned, migration: undefined });
  return { actions, messages, codes: messages.map(({ code }) => code), check: checked.map(({ code }) => code) };
}

describe('managed files', () => {
  test('an unchanged one is not printed; a changed input with the same text changes only the manifest', async () => {
    const root = await built();
    const again = FILES.map(({ path, owner }) =>
      file(path, { [TYPES]: generated('types'), 'openapi.json': '{}\n' }[path] ?? '', owner),
    );
    expect(await plan(root, again)).toMatchObject({ actions: [], check: [] });
    expect(again.map(({ prints }) => prints)).toEqual([0, 0, 0, 0]);
    const other = { ...file(TYPES, generated('types')), input: 'another input' };
    expect(await plan(root, replace(TYPES, other))).toMatchObject({ actions: [], check: ['output/outdated-manifest'] });
    expect(other.prints).toBe(0);
  });

  test('another version of the generator prints everything again, and writes what differs', async () => {
    const root = await built();
    const path = join(root, 'content-gen.manifest.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"generator": "[^"]+"/, `"generator": "${'0'.repeat(64)}"`));
    const same = { ...file(TYPES, 'printed otherwise\n'), input: 'input of types\n' };
    expect((await plan(root, replace(TYPES, same))).actions).toEqual([`update ${TYPES}`]);
  });

  test('an edited one stops the build, which names the extension point, and is overwritten only by name', async () => {
    const root = await built();
    put(root, TYPES, 'mine\n');
    for (const files of [FILES, replace(TYPES, file(TYPES, generated('types 2')))]) {
      const before = tree(root);
      const { actions, messages } = await plan(root, files);
      expect(actions).toEqual([`blocked ${TYPES} edited`]);
      expect(messages).toMatchObject([{ code: 'output/edited', severity: 'error', kind: 'refused' }]);
      expect(messages[0]?.hint).toContain('src/extensions/index.ts');
      expect(messages[0]?.hint).toContain(`--overwrite ${TYPES}`);
      expect((await buildFiles(root, files)).kind).toBe('refused');
      expect((await buildFiles(root, files, { overwrite: ['openapi.json'] })).kind).toBe('refused');
      expect(tree(root)).toEqual(before);
    }
    expect((await plan(root, FILES, [TYPES])).actions).toEqual([`update ${TYPES} edits`]);
    await buildFiles(root, FILES, { overwrite: [TYPES] });
    expect(tree(root)).toEqual(tree(await built()));
  });

  test('one that was edited into what would be written does not count as edited', async () => {
    const root = await built();
    put(root, TYPES, generated('types 2'));
    expect((await plan(root, replace(TYPES, file(TYPES, generated('types 2'))))).actions).toEqual([]);
  });

  test('a missing one is written again', async () => {
    const root = await built();
    rmSync(join(root, 'src/generated'), { recursive: true });
    expect(await plan(root)).toMatchObject({ actions: [`create ${TYPES}`], check: ['output/missing'] });
  });

  test('one that is no longer generated is deleted, with its folder, unless it was edited', async () => {
    const [root, edited] = [await built(), await built()];
    put(edited, TYPES, 'mine\n');
    const without = replace(TYPES);
    expect(await plan(root, without)).toMatchObject({ actions: [`delete ${TYPES}`], check: ['output/stale'] });
    await buildFiles(root, without);
    expect(existsSync(join(root, 'src/main.ts'))).toBe(true);
    expect(existsSync(join(root, 'src/generated'))).toBe(false);

    const kept = { actions: [`keep ${TYPES} left-over`], codes: ['output/left-over'], check: ['output/stale'] };
    expect(await plan(edited, without)).toMatchObject(kept);
    expect((await buildFiles(edited, without)).kind).toBe('unchanged');
    expect(await plan(edited, without), 'it is reported until it is gone').toMatchObject(kept);
    await buildFiles(edited, without, { overwrite: [TYPES] });
    expect(tree(edited)).toEqual(tree(root));
  });

  test('a folder with a file of the team is not removed', async () => {
    const root = await built();
    put(root, 'src/generated/article/notes.md', 'notes\n');
    await buildFiles(root, replace(TYPES));
    expect(tree(root)).toMatchObject({ 'src/generated/article/notes.md': 'notes\n' });
    expect(existsSync(join(root, TYPES))).toBe(false);
  });

  test('merge conflict markers are resolved by regeneration', async () => {
    const root = await built();
    put(root, TYPES, '<<<<<<< HEAD\ntypes a\n=======\ntypes b\n>>>>>>> branch\n');
    expect(await plan(root)).toMatchObject({ actions: [`update ${TYPES} conflict`], codes: ['output/merge-resolved'] });
    put(root, TYPES, 'a text about <<<<<<< HEAD\n');
    expect((await plan(root)).actions).toEqual([`blocked ${TYPES} edited`]);
  });

  test('a checkout with CRLF is the same project', async () => {
    const root = await built();
    for (const [path, text] of Object.entries(tree(root))) {
      if (text !== null) put(root, path, text.replaceAll('\n', '\r\n'));
    }
    const before = tree(root);
    expect(await plan(root)).toMatchObject({ actions: [], check: [] });
    expect((await buildFiles(root, FILES)).kind).toBe('unchanged');
    await buildFiles(root, replace('openapi.json', file('openapi.json', '{"a":1}\n')));
    expect(tree(root)).toMatchObject({
      ...before,
      'openapi.json': '{"a":1}\n',
      'content-gen.manifest.json': expect.anything(),
    });
  });
});

describe('files of the team', () => {
  test('are made once: edits and deletions stay', async () => {
    const root = await built();
    put(root, 'src/main.ts', 'mine\n');
    expect(await plan(root, replace('src/main.ts', file('src/main.ts', 'main 2\n', 'once')))).toMatchObject({
      actions: [],
      check: [],
    });
    rmSync(join(root, 'src/main.ts'));
    expect(await plan(root)).toMatchObject({
      actions: ['keep src/main.ts removed'],
      codes: ['output/removed'],
      check: [],
    });
    await buildFiles(root, replace('src/main.ts'));
    expect((await plan(root)).actions, 'it is remembered').toEqual(['keep src/main.ts removed']);
    expect((await plan(root, FILES, ['src/main.ts'])).actions).toEqual(['create src/main.ts']);
  });

  test('may be whatever the team wants', async () => {
    const root = await built();
    rmSync(join(root, 'src/main.ts'));
    mkdirSync(join(root, 'src/main.ts'));
    expect(await plan(root)).toMatchObject({ actions: [], codes: [] });
  });
});

describe('migrations', () => {
  test('are kept when no build generates them any more, and are never rewritten', async () => {
    const root = await built();
    const path = 'migrations/0001_init/plan.json';
    expect((await plan(root, replace(path))).actions).toEqual([]);
    const newer = replace(path, file(path, 'a later generator would write this\n', 'history'));
    expect((await plan(root, newer)).actions).toEqual([]);
    rmSync(join(root, path));
    expect((await plan(root, newer)).actions, 'a history that was begun anew').toEqual([`create ${path}`]);
    put(root, path, 'edited\n');
    expect((await plan(root, FILES, [path])).actions).toEqual([`blocked ${path} history-changed`]);
  });

  test('one that another tool has put in the place of a new one stops the build', async () => {
    const root = await built();
    const second = file('migrations/0002_x/plan.json', 'x\n', 'history');
    put(root, second.path, 'y\n');
    expect((await plan(root, [...FILES, second])).actions).toEqual([`blocked ${second.path} foreign`]);
    put(root, second.path, 'x\n');
    expect((await plan(root, [...FILES, second])).actions).toEqual([`adopt ${second.path}`]);
  });
});

describe('a folder without a manifest', () => {
  test('may be empty, or new from git', async () => {
    const files = [...FILES, file('.gitignore', 'dist\n', 'once'), file('README.md', 'how\n', 'once')];
    const root = temporaryFolder();
    for (const path of ['.git/config', '.gitignore', 'README.md', 'LICENSE', 'docs/idea.md']) put(root, path, 'mine\n');
    expect((await buildFiles(root, files)).kind).toBe('written');
    expect(tree(root)).toMatchObject({ '.gitignore': 'mine\n', 'README.md': 'mine\n', 'src/main.ts': 'main\n' });
  });

  test('is refused where a file is in the way', async () => {
    for (const path of [TYPES, 'src/main.ts']) {
      const root = temporaryFolder();
      put(root, path, 'of another project\n');
      const before = tree(root);
      const { actions, codes } = await plan(root);
      expect(actions).toContain(`blocked ${path} foreign`);
      expect(codes).toEqual(['output/foreign-file']);
      expect((await buildFiles(root, FILES)).kind).toBe('refused');
      expect(tree(root)).toEqual(before);
    }
  });

  test('is a project of ours whose manifest was lost, if a generated file is in it', async () => {
    const root = await built();
    rmSync(join(root, 'content-gen.manifest.json'));
    put(root, 'src/main.ts', 'mine\n');
    put(root, 'src/generated/author/types.ts', 'left over\n');
    const before = tree(root);
    await buildFiles(root, FILES);
    const { 'content-gen.manifest.json': manifest, ...rest } = tree(root);
    expect(rest).toEqual(before);
    expect(manifest).toBe(tree(await built())['content-gen.manifest.json']);
  });
});

function record(content: string): FileRecord {
  return { owner: 'managed', source: hashText('s'), content: hashText(content) };
}

describe('the manifest', () => {
  test('has one line per file in the order of code points, and reads as it was written', () => {
    const records = new Map([
      ['b.ts', record('b')],
      ['a"é.ts', record('a')],
      ['B.ts', { owner: 'once' } as const],
    ]);
    const text = printManifest({ generator: 'g', records });
    expect(
      text
        .split('\n')
        .slice(4, 7)
        .map((line) => line.trim().split(':')[0]),
    ).toEqual(['"B.ts"', '"a\\"é.ts"', '"b.ts"']);
    expect(printManifest({ generator: 'g', records: new Map() })).toContain('"files": {}');
    const safe = new Map([...records].filter(([path]) => !path.includes('"')));
    const read = parseManifest(printManifest({ generator: 'g', records: safe }));
    const short = (hash: string): string => hash.slice(0, 16);
    const [source, content] = [hashText('s'), hashText('b')];
    expect(read).toEqual({
      kind: 'read',
      manifest: {
        generator: 'g',
        records: new Map<string, FileRecord>([
          ['B.ts', { owner: 'once' }],
          ['b.ts', { owner: 'managed', source: short(source), content: short(content) }],
        ]),
      },
    });
    const before = `{ "owner": "managed", "source": "${source}", "content": "${content}" }`;
    const format1 = `{ "format": 1, "generator": "g", "files": { "B.ts": { "owner": "once" }, "b.ts": ${before} } }`;
    expect(parseManifest(format1)).toEqual(read);
  });

  test("has the files of both sides where git's merge=union has kept the lines of both", async () => {
    const others = [file('src/generated/zoo.ts', generated('zoo')), file('src/generated/zebra.ts', generated('zebra'))];
    const [base, ours, theirs] = [
      await built(),
      await built(replace(TYPES, file(TYPES, generated('types 1')), others[0]!)),
      await built(replace(TYPES, file(TYPES, generated('types 2')), others[1]!)),
    ];
    const paths = [ours, base, theirs].map((root) => join(root, 'content-gen.manifest.json'));
    const union = execFileSync('git', ['merge-file', '--union', '-p', ...paths], { encoding: 'utf8' });
    expect(union).not.toContain('<<<<');
    put(ours, 'content-gen.manifest.json', union);
    put(ours, 'src/generated/zebra.ts', generated('zebra'));
    const merged = replace(TYPES, file(TYPES, 'types 3\n'), ...others);
    for (const text of [generated('types 1'), generated('types 2')]) {
      put(ours, TYPES, text);
      const { actions, codes } = await plan(ours, merged);
      expect(actions).toEqual([`update ${TYPES}`]);
      expect(codes).toEqual(['output/merged-manifest']);
    }
    await buildFiles(ours, merged);
    expect(tree(ours)).toEqual(tree(await built(merged)));
  });

  test('deletes nothing if it has paths outside of the project, or is malformed', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'victim'), 'victim\n');
    const entry = `{ "owner": "managed", "source": "${hashText('s')}", "content": "${hashText('victim\n')}" }`;
    const paths = [
      '../victim',
      join(folder, 'victim'),
      'x/../../victim',
      '..\\victim',
      '.git/config',
      'node_modules/.bin/tsc',
      'C:victim',
      '',
      '__proto__/../../victim',
    ];
    const texts = paths.map((path) => `{"format":1,"generator":"g","files":{${JSON.stringify(path)}: ${entry}}}`);
    for (const text of [
      ...texts,
      '',
      '[]',
      'null',
      '{',
      '{"format":1}',
      '{"format":1,"generator":"g","files":[]}',
      '{"format":1,"generator":"g","files":{"a":{"owner":"me"}}}',
    ]) {
      const root = join(folder, 'blog');
      put(root, 'content-gen.manifest.json', text);
      const { codes } = await plan(root);
      expect(codes, text).toEqual(['output/unreadable-manifest']);
      expect((await buildFiles(root, FILES)).kind).toBe('written');
      expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('victim\n');
      rmSync(root, { recursive: true });
    }
  });

  test("S13: a team's file that it claims, or one that no build writes, is never deleted", async () => {
    const claimed = [
      'src/lib/mail.ts',
      'src/generated/notes.md',
      'src/generated/article/mine.ts',
      'runtime/NOTES.md',
      'README.md',
      'migrations/seed.sql',
    ];
    const root = await built();
    const text = readFileSync(join(root, 'content-gen.manifest.json'), 'utf8');
    const entry = `{ "owner": "managed", "source": "${hashText('s')}", "content": "${hashText('of the team\n')}" }`;
    const entries = claimed.map((path) => `    ${JSON.stringify(path)}: ${entry},\n`);
    put(root, 'content-gen.manifest.json', text.replace('"files": {\n', `"files": {\n${entries.join('')}`));
    for (const path of claimed) put(root, path, 'of the team\n');
    const { actions, codes, check } = await plan(root);
    expect(actions).toEqual([...claimed].sort().map((path) => `keep ${path} claimed`));
    expect(new Set(codes)).toEqual(new Set(['output/claimed']));
    expect(check).toEqual(['output/outdated-manifest']);
    expect((await buildFiles(root, FILES, { overwrite: claimed })).kind).toBe('written');
    expect(tree(root)).toMatchObject({
      ...Object.fromEntries(claimed.map((path) => [path, 'of the team\n'])),
      'content-gen.manifest.json': text,
    });
    expect(await plan(root), 'and is not heard of again').toMatchObject({ actions: [], codes: [], check: [] });
  });

  test('S13: each file that a build of the fixtures manages is one that a later build may delete', async () => {
    const roots = ['blog', 'every-attribute'];
    for (const name of roots) {
      const root = join(import.meta.dirname, '../fixtures', name, 'expected');
      const manifest = parseManifest(readFileSync(join(root, 'content-gen.manifest.json'), 'utf8'));
      const records = 'manifest' in manifest ? [...manifest.manifest.records] : [];
      const paths = records.filter(([, { owner }]) => owner === 'managed').map(([path]) => path);
      expect(paths.length).toBeGreaterThan(10);
      const disk = readDisk(root, paths);
      expect(
        paths.filter((path) => {
          const entry = disk.get(path);
          return entry?.kind !== 'file' || !isGeneratedFile(path, entry);
        }),
      ).toEqual([]);
    }
  });

  test('of a newer generator is refused', async () => {
    const root = temporaryFolder();
    put(root, 'content-gen.manifest.json', '{"format":3}');
    expect(await buildFiles(root, FILES)).toMatchObject({
      kind: 'failed',
      diagnostic: { code: 'output/newer-manifest' },
    });
  });

  test('with merge conflict markers has the files of both sides', async () => {
    const [ours, theirs] = [
      await built(),
      await built(replace(TYPES, file(TYPES, generated('types 2')), file('src/generated/tag.ts', generated('tag')))),
    ];
    const [a, b] = [ours, theirs].map((root) => readFileSync(join(root, 'content-gen.manifest.json'), 'utf8'));
    put(ours, 'content-gen.manifest.json', `<<<<<<< HEAD\n${a}=======\n${b}>>>>>>> branch\n`);
    put(ours, 'src/generated/tag.ts', generated('tag'));
    const merged = replace(TYPES, file(TYPES, 'types 3\n'));
    for (const text of [generated('types'), generated('types 2')]) {
      put(ours, TYPES, text);
      const { actions, codes } = await plan(ours, merged);
      expect(actions).toEqual([`update ${TYPES}`, 'delete src/generated/tag.ts']);
      expect(codes).toEqual(['output/merged-manifest']);
    }
    await buildFiles(ours, merged);
    expect(tree(ours)).toEqual(tree(await built(merged)));
  });

  test('does not depend on the order of builds', async () => {
    const root = await built(
      replace(TYPES, file(TYPES, generated('types 0')), file('src/generated/old.ts', generated('old'))),
    );
    await buildFiles(root, FILES);
    expect(tree(root)).toEqual(tree(await built([...FILES].reverse())));
  });
});

test('reconciling is pure, and reports bugs of the emitters', async () => {
  const around = {
    manifest: { kind: 'absent' } as ManifestState,
    disk: new Map(),
    generator: 'g',
    overwrite: new Set<string>(),
  };
  const one = file('a.ts', 'a\n');
  expect(filesToPrint([one], around)).toEqual([one]);
  const printed = new Map([['a.ts', { text: 'a\n', hash: hashText('a\n') }]]);
  expect(reconcile([one], printed, around).actions).toEqual([
    { kind: 'create', path: 'a.ts', ownership: 'managed', content: 'a\n' },
  ]);
  expect(() => reconcile([one], new Map(), around)).toThrow('was not printed');
  expect(() => reconcile([one, one], printed, around)).toThrow('two files');
  for (const path of ['../a.ts', '/a.ts', 'a//b.ts', '.git/hooks/x', 'a\\b.ts', 'b./a.ts']) {
    await expect(plan(temporaryFolder(), [file(path, 'a\n')]), path).rejects.toThrow('not a path');
  }
});

test('many files in the way are counted, not listed', async () => {
  const root = temporaryFolder();
  const files = Array.from({ length: 25 }, (_, index) => file(`src/f${index}.ts`, 'x\n'));
  for (const { path } of files) put(root, path, 'y\n');
  const { messages } = await plan(root, files);
  expect(messages).toHaveLength(11);
  expect(messages.at(-1)?.message).toContain('15 more');
});

test('the unified diff is one that git applies', async () => {
  const root = await built();
  const files = [file('openapi.json', '{"a":1}\n'), file('src/new.ts', 'new\n'), ...FILES.slice(2)];
  const project = readProject(
    root,
    files.map(({ path }) => path),
  );
  const { actions } = await planOutput(files, project, new Set());
  expect(await unifiedDiff(root, actions)).toBe(
    [
      '--- a/openapi.json\n+++ b/openapi.json\n@@ -1,1 +1,1 @@\n-{}\n+{"a":1}\n',
      `--- a/${TYPES}\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-${generated('types')}`,
      '--- /dev/null\n+++ b/src/new.ts\n@@ -0,0 +1,1 @@\n+new\n',
    ].join(''),
  );
});

test('N15: a formatter that ran over managed files does not stop a build, and an edit still does', async () => {
  const before = replace(TYPES, file(TYPES, generated("types\nexport const a = { b: 'c' };")));
  const root = await built(before);
  const formatted = readFileSync(join(root, TYPES), 'utf8').replace("{ b: 'c' };", '{\n  b: "c",\n}\n');
  put(root, TYPES, formatted);
  expect((await buildFiles(root, before)).kind).toBe('written');
  expect(readFileSync(join(root, TYPES), 'utf8')).toBe(formatted);
  put(root, TYPES, formatted.replace('"c"', '"d"'));
  expect((await buildFiles(root, before)).kind).not.toBe('written');
  put(root, TYPES, formatted);
  const after = replace(TYPES, file(TYPES, generated("types\nexport const a = { b: 'e' };")));
  expect((await buildFiles(root, after)).kind).toBe('written');
  expect(readFileSync(join(root, TYPES), 'utf8')).toContain("'e'");
});

describe('N15: a formatter that ran over managed files since the last build', () => {
  const CODE = generated("types\nexport const a = { b: 'c' };");
  const FORMATTED = CODE.replace("{ b: 'c' };", '{\n  b: "c",\n}\n');
  const JSON_FILE = 'openapi.json';
  const others = FILES.filter(({ owner }) => owner !== 'managed');
  const before = [file(TYPES, CODE), file(JSON_FILE, '{"a":[1,2]}\n'), ...others];
  const after = [file(TYPES, CODE.replace("'c'", "'e'")), file(JSON_FILE, '{"a":[1,2,3]}\n'), ...others];

  async function formatted(code = FORMATTED): Promise<string> {
    const root = await built(before);
    put(root, TYPES, code);
    put(root, JSON_FILE, '{\n  "a": [1, 2]\n}\n');
    return root;
  }

  test('does not stop one that changes them', async () => {
    const root = await formatted();
    expect(await plan(root, after)).toMatchObject({ actions: [`update ${JSON_FILE}`, `update ${TYPES}`], codes: [] });
    expect((await buildFiles(root, after)).kind).toBe('written');
    expect(tree(root)).toEqual(tree(await built(after)));
  });

  test('does not keep those that are no longer generated', async () => {
    const root = await formatted();
    const rest = after.filter(({ path }) => path !== TYPES);
    expect((await plan(root, rest)).actions).toEqual([`update ${JSON_FILE}`, `delete ${TYPES}`]);
  });

  test('is distinguished from an edit, which still stops a build that changes them', async () => {
    const root = await formatted(FORMATTED.replace('"c"', '"d"'));
    expect((await plan(root, after)).actions).toEqual([`update ${JSON_FILE}`, `blocked ${TYPES} edited`]);
    const rest = after.filter(({ path }) => path !== TYPES);
    expect((await plan(root, rest)).actions).toEqual([`update ${JSON_FILE}`, `keep ${TYPES} left-over`]);
  });

  test('is recognised on either side of a merge that left its markers in the manifest', async () => {
    const [root, theirs] = [await formatted(), await built(after)];
    const manifests = [root, theirs].map((one) => readFileSync(join(one, 'content-gen.manifest.json'), 'utf8'));
    put(root, 'content-gen.manifest.json', `<<<<<<< ours\n${manifests.join('=======\n')}>>>>>>> theirs\n`);
    expect((await plan(root, after)).actions).toEqual([`update ${JSON_FILE}`, `update ${TYPES}`]);
  });
});
