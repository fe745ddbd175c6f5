/** The command as a process of its own: killed, twice at once, in strange surroundings. Needs `npm run build`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { generatorFingerprint } from '../src/output/generator-fingerprint.ts';
import { differences, temporaryFolder, tree } from './support/output-project.ts';

const BIN = fileURLToPath(new URL('../bin/content-gen.js', import.meta.url));

const SCHEMA = `name: blog
databases: [sqlite]
contentTypes:
  article: { attributes: { title: { type: string }, tags: { type: relation, relation: manyToMany, target: tag } } }
  tag: { attributes: { İı: { type: string } } }
`.replace('İı', 'ii');

/** A module that ends the process, as `kill -9` does, at the n-th operation that changes the disk; else it tells how many there were. */
const killAt = (n: number) =>
  dataModule(`import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    let count = 0;
    for (const name of ['mkdirSync', 'openSync', 'fchmodSync', 'linkSync', 'renameSync', 'unlinkSync', 'rmdirSync', 'rmSync']) {
      const real = fs[name];
      fs[name] = (...args) => {
        if ((name !== 'openSync' || args[1] === 'wx') && ++count === ${n}) process.kill(process.pid, 'SIGKILL');
        return real(...args);
      };
    }
    process.on('exit', () => fs.writeSync(2, 'operations: ' + count));
    syncBuiltinESMExports();`);

/** A module that names on stderr what the process loads. */
const TELL_IMPORTS = dataModule(`import { register } from 'node:module';
  register(${JSON.stringify(
    dataModule(`import { writeSync } from 'node:fs';
    export async function load(url, context, next) { writeSync(2, url + '\\n'); return next(url, context); }`),
  )});
  import Module from 'node:module';
  process.on('exit', () => console.error(Object.keys(Module._cache).join('\\n')));`);

function dataModule(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

function folder(name = '', schema = SCHEMA): string {
  const cwd = join(temporaryFolder(), name);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'schema.yaml'), schema);
  return cwd;
}

async function run(
  cwd: string,
  args: readonly string[],
  { load, env }: { load?: string; env?: Record<string, string> } = {},
) {
  const imports = load === undefined ? [] : ['--import', load];
  return execa(process.execPath, [...imports, BIN, ...args], {
    cwd,
    env: env ?? {},
    reject: false,
    stripFinalNewline: false,
  });
}

const BUILD = ['build', 'schema.yaml'];

describe('a process', { timeout: 180_000 }, () => {
  test('that is killed is completed by the next one', async () => {
    const expected = folder();
    const { stderr, exitCode } = await run(expected, BUILD, { load: killAt(Number.MAX_SAFE_INTEGER) });
    expect(exitCode, stderr).toBe(0);
    const total = Number(/operations: (\d+)$/.exec(stderr)?.[1]);
    expect(total, stderr).toBeGreaterThan(100);
    for (const share of [0.6, 0.8, 0.95]) {
      const n = Math.max(1, Math.round(total * share));
      const cwd = folder();
      expect((await run(cwd, BUILD, { load: killAt(n) })).signal, `at ${n}`).toBe('SIGKILL');
      const next = await run(cwd, BUILD);
      expect(next.exitCode, `after ${n}: ${next.stderr}`).toBe(0);
      expect(differences(cwd, expected), `killed at ${n} of ${total}`).toEqual([]);
    }
  });

  test('waits for another one', async () => {
    const cwd = folder();
    const results = await Promise.all([run(cwd, BUILD), run(cwd, BUILD), run(cwd, BUILD)]);
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(results.filter(({ stdout }) => stdout.includes('created'))).toHaveLength(1);
    const expected = folder();
    expect(await run(expected, BUILD)).toMatchObject({ exitCode: 0 });
    expect(differences(cwd, expected)).toEqual([]);
  });

  test('writes the same bytes whatever the language, time zone and folder', async () => {
    const expected = folder();
    await run(expected, BUILD);
    for (const [env, name] of [
      [{ LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'Pacific/Kiritimati' }, 'ein Ordner/für ünï 日本'],
      [{ LANG: 'C', TZ: 'UTC', HOME: '/nowhere', USER: 'nobody' }, "it's $HOME"],
    ] as const) {
      const cwd = folder(name);
      expect(await run(cwd, BUILD, { env })).toMatchObject({ exitCode: 0 });
      expect(differences(cwd, expected)).toEqual([]);
    }
    expect(JSON.stringify(tree(expected)).includes(expected)).toBe(false);
  });

  test('loads printers lazily, only if files are printed, and the YAML parser only if the schema has changed', async () => {
    const cwd = folder();
    const help = await run(cwd, ['--help'], { load: TELL_IMPORTS });
    expect(help.stderr).toContain('commander');
    expect(help.stderr).not.toMatch(/ts-morph|prettier|handlebars|node_modules\/(yaml|zod)/);
    const first = await run(cwd, [...BUILD, '--out', '.'], { load: TELL_IMPORTS });
    expect(first.stderr).toContain('node_modules/ts-morph');
    // Generated code is printed in prettier's style: only lines that are too long need prettier itself.
    expect(first.stderr).not.toContain('node_modules/prettier');
    const unchanged = await run(cwd, [...BUILD, '--out', '.'], { load: TELL_IMPORTS });
    expect(unchanged).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('up to date') });
    expect(unchanged.stderr).not.toMatch(/node_modules\/(ts-morph|prettier|handlebars|yaml|zod)/);
  });

  test('ends quietly when nobody reads its output', async () => {
    const cwd = folder();
    const { stderr } = await execa(
      'sh',
      ['-c', `"$0" "$1" build schema.yaml --diff | head -n 1`, process.execPath, BIN],
      { cwd },
    );
    expect(stderr).toBe('');
  });

  test('is the same generator as its sources', async () => {
    const cwd = folder();
    await run(cwd, BUILD);
    const manifest = tree(join(cwd, 'blog'))['content-gen.manifest.json'] ?? '';
    expect(/"generator": "([^"]+)"/.exec(manifest)?.[1]).toBe(generatorFingerprint());
  });
});
