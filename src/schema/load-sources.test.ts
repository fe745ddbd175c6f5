import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadSources } from './load-sources.ts';

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'sources-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function write(file: string, content: string | Uint8Array): void {
  writeFileSync(join(cwd, file), content);
}

it('reads files and directories, each file once, with paths as they are shown to people', async () => {
  mkdirSync(join(cwd, 'types/deeper'), { recursive: true });
  write('types/b.yml', 'b');
  write('types/a.yaml', 'a');
  write('types/Z.yaml', 'z');
  write('types/notes.txt', 'no schema');
  write('types/deeper/c.yaml', 'not read');
  write('main.yaml', 'main');
  symlinkSync('main.yaml', join(cwd, 'link.yaml'));
  const { value, diagnostics } = await loadSources(['main.yaml', 'types', './types/a.yaml', 'link.yaml'], cwd);
  expect(diagnostics).toEqual([]);
  expect(value).toEqual([
    { file: 'main.yaml', text: 'main' },
    { file: 'types/Z.yaml', text: 'z' },
    { file: 'types/a.yaml', text: 'a' },
    { file: 'types/b.yml', text: 'b' },
  ]);
  const above = await loadSources([join(cwd, 'main.yaml')], join(cwd, 'types'));
  expect(above.value).toEqual([{ file: '../main.yaml', text: 'main' }]);
});

it('takes a byte order mark and any line ends', async () => {
  write('a.yaml', '\ufeffname: café\r\nlocales: [en]\rx: y\n');
  const { value } = await loadSources(['a.yaml'], cwd);
  expect(value?.[0]?.text).toBe('name: café\nlocales: [en]\nx: y\n');
});

it('reads standard input only where there is one', async () => {
  expect((await loadSources(['-', '-'], cwd, 'a\r\nb')).value).toEqual([{ file: '<stdin>', text: 'a\nb' }]);
  expect((await loadSources(['-'], cwd)).diagnostics).toMatchObject([{ code: 'source/stdin' }]);
});

it('reports everything that can not be read, in one run and at once', async () => {
  mkdirSync(join(cwd, 'empty'));
  mkdirSync(join(cwd, 'crowded'));
  for (let index = 0; index <= 1000; index += 1) write(`crowded/${index}.yaml`, '');
  write('good.yaml', 'name: blog');
  write('utf16.yaml', Buffer.from('name: blog', 'utf16le'));
  write('latin1.yaml', Buffer.from('name: blog\n# caf\xe9', 'latin1'));
  write('nul.yaml', 'name: blog\n# \0');
  write('large.yaml', '');
  truncateSync(join(cwd, 'large.yaml'), 100 * 1024 * 1024);
  write('secret.yaml', '');
  chmodSync(join(cwd, 'secret.yaml'), 0);
  symlinkSync('loop.yaml', join(cwd, 'loop.yaml'));
  execFileSync('mkfifo', [join(cwd, 'pipe.yaml')]);
  const isRoot = process.getuid?.() === 0;
  const names = ['good', 'utf16', 'latin1', 'nul', 'large', 'loop', 'pipe', 'none', ...(isRoot ? [] : ['secret'])];
  const paths = [
    ...names.map((name) => `${name}.yaml`),
    'empty',
    'crowded',
    '/dev/zero',
    `good.yaml/x`,
    'x'.repeat(300),
  ];
  const started = performance.now();
  const { value, diagnostics } = await loadSources(paths, cwd);
  expect(performance.now() - started).toBeLessThan(2000);
  expect(value).toBeUndefined();
  const found = diagnostics.map(
    ({ code, message, location }) =>
      `${code} ${location ? `${location.file}:${location.line}:${location.column}` : message}`,
  );
  expect(found.filter((line) => !line.includes('secret.yaml'))).toEqual([
    'source/empty-directory the directory empty contains no .yaml or .yml file',
    expect.stringMatching(/^source\/not-a-file .*zero is neither a file nor a directory$/),
    'source/not-a-file pipe.yaml is neither a file nor a directory',
    'source/too-large large.yaml has 104857600 bytes; the maximum is 4194304',
    'source/too-many-files the directory crowded contains 1001 schema files; the maximum is 1000',
    'source/unreadable cannot read good.yaml/x: part of the path is not a directory',
    'source/unreadable cannot read loop.yaml: the symbolic links of the path form a loop',
    'source/unreadable cannot read none.yaml: there is no such file or directory',
    expect.stringMatching(/^source\/unreadable cannot read x+: the path is too long$/),
    'source/encoding latin1.yaml:2:6',
    'source/control-character nul.yaml:2:3',
    'source/encoding utf16.yaml:1:1',
  ]);
  expect(found.filter((line) => line.includes('secret.yaml'))).toHaveLength(isRoot ? 0 : 1);
});
