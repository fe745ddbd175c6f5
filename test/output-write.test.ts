/** Writing a project: all or nothing, whenever the process ends. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileOperations, type FileOperations } from '../src/output/file-operations.ts';
import { printFile } from '../src/files/generated-file.ts';
import { hashText } from '../src/files/hash.ts';
import { stage, writeJournal } from '../src/output/journal.ts';
import { acquireLock } from '../src/output/lock.ts';
import { buildFiles, file, generated, temporaryFolder, tree } from './support/output-project.ts';

const OLD = [
  file('src/generated/app.ts', 'app\n'),
  file('src/generated/article/types.ts', 'article\n'),
  file('src/generated/author/types.ts', generated('author')),
  file('src/main.ts', 'main\n', 'once'),
  file('migrations/0001_init/plan.json', '{}\n', 'history'),
];

const NEW = [
  file('src/generated/app.ts', 'app 2\n'),
  file('src/generated/article/types.ts', 'article 2\n'),
  file('src/generated/tag/types.ts', 'tag\n'),
  file('src/main.ts', 'main 2\n', 'once'),
  file('migrations/0002_tag/plan.json', '{"tag":1}\n', 'history'),
];

class Killed extends Error {}

/** Operations of a process that dies at the n-th of them: half of that one happens, and none after it, clean-up included. */
function dyingAt(n: number): FileOperations & { readonly done: () => number } {
  let count = 0;
  const guard =
    <A extends readonly unknown[], R>(operation: (...args: A) => R, half?: (...args: A) => void) =>
    (...args: A): R => {
      count++;
      if (count === n) half?.(...args);
      if (count >= n) throw new Killed();
      return operation(...args);
    };
  return {
    makeFolder: guard(fileOperations.makeFolder),
    writeNew: guard(fileOperations.writeNew, (path, content) =>
      writeFileSync(path, content.slice(0, content.length / 2)),
    ),
    keepCopy: guard(fileOperations.keepCopy),
    rename: guard(fileOperations.rename),
    removeFile: guard(fileOperations.removeFile),
    removeEmptyFolder: guard(fileOperations.removeEmptyFolder),
    removeFolder: guard(fileOperations.removeFolder, (path) =>
      rmSync(join(path, 'new'), { recursive: true, force: true }),
    ),
    done: () => count,
  };
}

/** The lock of the killed build is that of this very process, as it is when containers are started anew. */
async function buildAndDie(root: string, files: typeof OLD, n: number): Promise<boolean> {
  const operations = dyingAt(n);
  try {
    await buildFiles(root, files, { operations });
    return false;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return true;
  }
}

/** A build of `NEW` that dies once its change is decided. */
async function dieWithJournal(root: string): Promise<void> {
  for (let n = 1; !existsSync(join(root, '.content-gen.staging/journal.json')); n++) {
    rmSync(join(root, '.content-gen.staging'), { recursive: true, force: true });
    rmSync(join(root, '.content-gen.lock'), { force: true });
    await buildAndDie(root, NEW, n);
  }
}

describe('a build that is killed', () => {
  test.each([
    ['the first build', false],
    ['a later build', true],
  ])('at any operation of %s is completed by the next one', async (_, later) => {
    const expected = temporaryFolder();
    if (later) await buildFiles(expected, OLD);
    await buildFiles(expected, later ? NEW : OLD);
    let kills = 0;
    for (let n = 1; ; n++) {
      const root = join(temporaryFolder(), 'deep', 'blog');
      if (later) await buildFiles(root, OLD);
      if (!(await buildAndDie(root, later ? NEW : OLD, n))) break;
      kills++;
      expect((await buildFiles(root, later ? NEW : OLD, { tries: 2 })).kind, `killed at ${n}`).not.toBe('failed');
      expect(tree(root), `killed at ${n}`).toEqual(tree(expected));
    }
    expect(kills).toBeGreaterThan(20);
  });

  test('twice, the second time while the first is being completed', async () => {
    const expected = temporaryFolder();
    await buildFiles(expected, OLD);
    await buildFiles(expected, NEW);
    for (let first = 20; first < 40; first += 6) {
      for (let second = 1; second < 16; second += 2) {
        const root = temporaryFolder();
        await buildFiles(root, OLD);
        await buildAndDie(root, NEW, first);
        await buildAndDie(root, NEW, second);
        await buildFiles(root, NEW, { tries: 2 });
        expect(tree(root), `killed at ${first} and ${second}`).toEqual(tree(expected));
      }
    }
  });

  test('leaves a file alone that was edited before the next build', async () => {
    const root = temporaryFolder();
    await buildFiles(root, OLD);
    await dieWithJournal(root);
    writeFileSync(join(root, 'src/generated/app.ts'), 'mine\n');
    const result = await buildFiles(root, NEW);
    expect(result.kind).toBe('refused');
    expect(tree(root)).toMatchObject({ 'src/generated/app.ts': 'mine\n', 'src/generated/tag/types.ts': 'tag\n' });
  });
});

describe('a disk that fails', () => {
  test('at any operation leaves the project as it was, and no temporary file', async () => {
    let failures = 0;
    for (const code of ['ENOSPC', 'EMFILE']) {
      for (let n = 1; ; n++) {
        const root = temporaryFolder();
        await buildFiles(root, OLD);
        const before = tree(root);
        const result = await buildFiles(root, NEW, { operations: failingAt(n, code) });
        if (result.kind === 'written') break;
        failures++;
        expect(result).toMatchObject({ kind: 'failed', diagnostic: { code: 'output/io', kind: 'refused' } });
        expect(tree(root), `failed at ${n}`).toEqual(before);
      }
    }
    expect(failures).toBeGreaterThan(40);
  });

  test('on the first build removes the folder that it made', async () => {
    const root = join(temporaryFolder(), 'blog');
    const result = await buildFiles(root, OLD, { operations: failingAt(12, 'ENOSPC') });
    expect(result).toMatchObject({ kind: 'failed', diagnostic: { message: expect.stringContaining('no space left') } });
    expect(existsSync(root)).toBe(false);
  });
});

/** A disk on which the n-th operation that needs space fails; removing works. */
function failingAt(n: number, code: string): FileOperations {
  let count = 0;
  const guard =
    <A extends readonly unknown[], R>(operation: (...args: A) => R) =>
    (...args: A): R => {
      if (++count === n) throw Object.assign(new Error(code), { code, syscall: 'write', path: String(args[0]) });
      return operation(...args);
    };
  return {
    ...fileOperations,
    makeFolder: guard(fileOperations.makeFolder),
    writeNew: guard(fileOperations.writeNew),
    keepCopy: guard(fileOperations.keepCopy),
    rename: guard(fileOperations.rename),
  };
}

describe('builds at the same time', () => {
  test('wait for each other, and the last one has nothing left to do', async () => {
    const root = join(temporaryFolder(), 'blog');
    const results = await Promise.all(Array.from({ length: 5 }, () => buildFiles(root, OLD)));
    expect(results.map(({ kind }) => kind).sort()).toEqual([
      'unchanged',
      'unchanged',
      'unchanged',
      'unchanged',
      'written',
    ]);
    const expected = temporaryFolder();
    await buildFiles(expected, OLD);
    expect(tree(root)).toEqual(tree(expected));
  });

  test('refuse while another process holds the lock, and take over the lock of one that is gone', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, '.content-gen.lock'), `${process.ppid}\n`);
    const refused = await buildFiles(root, OLD, { tries: 1 });
    expect(refused).toMatchObject({ kind: 'failed', diagnostic: { code: 'output/locked', kind: 'refused' } });
    expect(Object.keys(tree(root))).toEqual(['.content-gen.lock']);

    const gone = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
    for (const stale of [`${gone}\n`, '', 'x', `${process.pid}\n`]) {
      writeFileSync(join(root, '.content-gen.lock'), stale);
      const release = await acquireLock(root, { operations: fileOperations, onWait: () => {}, tries: 1 });
      expect(readFileSync(join(root, '.content-gen.lock'), 'utf8')).toBe(`${process.pid}\n`);
      release();
      expect(Object.keys(tree(root))).toEqual([]);
    }
  });

  test('a build plans again if another one has written in the meantime', async () => {
    const root = temporaryFolder();
    await buildFiles(root, OLD);
    const slow = file('src/generated/slow.ts', 'slow\n');
    const meanwhile = {
      ...slow,
      print: async () => {
        await buildFiles(root, [...NEW, slow]);
        return printFile(slow);
      },
    };
    const result = await buildFiles(root, [...NEW, meanwhile]);
    expect(result.kind).toBe('unchanged');
  });
});

describe('what a build writes to', () => {
  test('modes do not depend on the umask', async () => {
    const parent = temporaryFolder();
    for (const umask of [0o077, 0o000]) {
      const before = process.umask(umask);
      const root = join(parent, String(umask), 'blog');
      await buildFiles(root, OLD).finally(() => process.umask(before));
      const modes = ['', 'src', 'src/generated/article', 'src/main.ts', 'content-gen.manifest.json'].map(
        (path) => statSync(join(root, path)).mode & 0o777,
      );
      expect(modes).toEqual([0o755, 0o755, 0o755, 0o644, 0o644]);
    }
  });

  test('files with the same content keep their time, and an unchanged project is not touched at all', async () => {
    const root = temporaryFolder();
    await buildFiles(root, OLD);
    const past = new Date('2001-01-01T00:00:00Z');
    const paths = Object.keys(tree(root))
      .concat('')
      .sort((a, b) => b.length - a.length);
    for (const path of paths) utimesSync(join(root, path), past, past);
    const again = OLD.map((one) => ({ ...one, print: () => expect.fail('printed without need') }));
    expect((await buildFiles(root, again)).kind).toBe('unchanged');
    expect(paths.every((path) => statSync(join(root, path)).mtimeMs === past.getTime())).toBe(true);
    await buildFiles(
      root,
      NEW.map((one) => (one.path.endsWith('app.ts') ? (OLD[0] ?? one) : one)),
    );
    expect(statSync(join(root, 'src/generated/app.ts')).mtimeMs).toBe(past.getTime());
    expect(statSync(join(root, 'src/generated/article/types.ts')).mtimeMs).not.toBe(past.getTime());
  });

  test('never through a symbolic link, wherever it is', async () => {
    for (const place of [
      'src',
      'src/generated',
      'src/generated/app.ts',
      'content-gen.manifest.json',
      '.content-gen.staging',
    ]) {
      const [root, outside] = [temporaryFolder(), temporaryFolder()];
      writeFileSync(join(outside, 'app.ts'), 'outside\n');
      mkdirSync(join(root, place, '..'), { recursive: true });
      symlinkSync(place.includes('.ts') ? join(outside, 'app.ts') : outside, join(root, place));
      const result = await buildFiles(root, OLD, { overwrite: ['src/generated/app.ts'] });
      expect(result.kind, place).toMatch(/failed|refused/);
      expect(tree(outside)).toEqual({ 'app.ts': 'outside\n' });
      expect(existsSync(join(root, 'src/main.ts'))).toBe(false);
    }
  });

  test('a link that comes between planning and writing stops the build', async () => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()];
    const swap = {
      ...file('src/generated/app.ts', 'app\n'),
      print: () => (symlinkSync(outside, join(root, 'src')), 'app\n'),
    };
    expect(await buildFiles(root, [swap])).toMatchObject({ kind: 'failed', diagnostic: { code: 'output/obstacle' } });
    expect(tree(outside)).toEqual({});
    expect(Object.keys(tree(root))).toEqual(['src']);
  });

  test('pipes and folders in the place of a file are reported, not opened', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'src/generated/app.ts'), { recursive: true });
    mkdirSync(join(root, 'src/generated/article'), { recursive: true });
    execFileSync('mkfifo', [join(root, 'src/generated/article/types.ts')]);
    writeFileSync(join(root, 'migrations'), 'a file\n');
    const result = await buildFiles(root, OLD);
    const blocked = result.plan?.output?.actions.filter(({ kind }) => kind === 'blocked');
    expect(blocked?.map(({ path, ...rest }) => [path, 'reason' in rest && rest.reason])).toEqual([
      ['migrations/0001_init/plan.json', { kind: 'obstacle', what: 'file', at: 'migrations' }],
      ['src/generated/app.ts', { kind: 'obstacle', what: 'folder', at: 'src/generated/app.ts' }],
      ['src/generated/article/types.ts', { kind: 'obstacle', what: 'special', at: 'src/generated/article/types.ts' }],
    ]);
  });

  test('S13: a journal that came with a checkout or a copy is not replayed, and its staged files are dropped', async () => {
    const killed = temporaryFolder();
    await buildFiles(killed, OLD);
    await dieWithJournal(killed);
    const evil = temporaryFolder();
    await buildFiles(evil, OLD);
    const staging = join(evil, '.content-gen.staging');
    const journals = [
      // The folder of a killed build as it is, and what somebody makes of it.
      readFileSync(join(killed, '.content-gen.staging/journal.json'), 'utf8'),
      JSON.stringify({ direction: 'forward', entries: [{ path: 'evil', before: null, after: hashText('evil') }] }),
    ];
    for (const journal of journals) {
      const before = tree(evil);
      mkdirSync(join(staging, 'new'), { recursive: true });
      mkdirSync(join(staging, 'old'));
      writeFileSync(join(staging, 'origin'), '');
      writeFileSync(join(staging, 'new/0'), 'evil');
      const { entries } = JSON.parse(journal);
      const changed = entries.map((entry: object) => ({ ...entry, path: 'src/main.ts', after: hashText('evil') }));
      writeFileSync(join(staging, 'journal.json'), JSON.stringify({ ...JSON.parse(journal), entries: changed }));
      const result = await buildFiles(evil, OLD);
      expect(result).toMatchObject({
        kind: 'unchanged',
        plan: { diagnostics: [{ code: 'output/foreign-journal', severity: 'warning' }] },
      });
      expect(tree(evil)).toEqual(before);
    }
  });

  test("S13: the project's own journal is replayed wherever the folder was moved, and never touches what no build writes", async () => {
    const parent = temporaryFolder();
    const root = join(parent, 'before');
    await buildFiles(root, OLD);
    await dieWithJournal(root);
    renameSync(root, join(parent, 'after'));
    expect((await buildFiles(join(parent, 'after'), NEW)).kind).toBe('unchanged');

    const text = 'team\n';
    for (const [path, after] of [
      ['node_modules/.bin/tsc', hashText('x')],
      ['src/lib/mail.ts', null],
    ] as const) {
      const again = join(temporaryFolder(), 'blog');
      mkdirSync(join(again, path, '..'), { recursive: true });
      writeFileSync(join(again, path), text);
      stage(again, [{ entry: { path, before: hashText(text), after }, content: after && 'x' }], fileOperations);
      writeJournal(again, 'forward', [{ path, before: hashText(text), after }], fileOperations);
      await buildFiles(again, OLD);
      expect(readFileSync(join(again, path), 'utf8')).toBe(text);
    }
  });

  test('S13: a staging folder with anything else in it is left as it is', async () => {
    const root = temporaryFolder();
    await buildFiles(root, OLD);
    for (const path of ['thesis.txt', 'new/chapter', 'old/1/2']) {
      const full = join(root, '.content-gen.staging', path);
      mkdirSync(join(full, '..'), { recursive: true });
      writeFileSync(full, 'mine');
      const before = tree(root);
      const result = await buildFiles(root, NEW);
      expect(result).toMatchObject({ kind: 'failed', diagnostic: { code: 'output/obstacle', kind: 'refused' } });
      expect(tree(root)).toEqual(before);
      rmSync(join(root, '.content-gen.staging'), { recursive: true });
    }
  });

  test.each(['.content-gen.lock', '.content-gen.lock.stale'])(
    'S13: a pipe, a link or a folder at %s is an error at once',
    async (name) => {
      const makers = [
        (path: string) => execFileSync('mkfifo', [path]),
        (path: string) => symlinkSync('/dev/zero', path),
        (path: string) => symlinkSync('nowhere', path),
        (path: string) => mkdirSync(path),
      ];
      for (const make of makers) {
        const root = temporaryFolder();
        make(join(root, name));
        expect(await buildFiles(root, OLD)).toMatchObject({
          kind: 'failed',
          diagnostic: { code: 'output/obstacle', message: expect.stringContaining(name) },
        });
        expect(Object.keys(tree(root))).toEqual([name]);
      }
    },
  );

  test('a foreign journal cannot write outside of the project, or into .git', async () => {
    const root = join(temporaryFolder(), 'blog');
    const hash = 'a'.repeat(64);
    for (const path of ['../evil', '/evil', '.git/hooks/evil', 'src/.GIT/evil', 'a\\..\\..\\evil']) {
      mkdirSync(join(root, '.content-gen.staging/new'), { recursive: true });
      writeFileSync(join(root, '.content-gen.staging/new/0'), 'evil');
      const journal = { direction: 'forward', entries: [{ path, before: null, after: hash }] };
      writeFileSync(join(root, '.content-gen.staging/journal.json'), JSON.stringify(journal));
      await buildFiles(root, OLD);
      expect(Object.keys(tree(join(root, '..'))).filter((name) => /evil|staging/.test(name))).toEqual([]);
    }
  });

  test.skipIf(process.getuid?.() === 0)(
    'a folder that may not be written is reported, and nothing is left behind',
    async () => {
      const root = temporaryFolder();
      await buildFiles(root, OLD);
      const before = tree(root);
      chmodSync(join(root, 'src/generated/article'), 0o555);
      expect(await buildFiles(root, NEW)).toMatchObject({ kind: 'failed', diagnostic: { code: 'output/io' } });
      chmodSync(join(root, 'src/generated/article'), 0o755);
      expect(tree(root)).toEqual(before);
    },
  );
});
