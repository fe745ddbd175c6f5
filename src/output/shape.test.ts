/** Formatting changes are told apart from meaningful edits. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, type Options } from 'prettier';
import { expect, it } from 'vitest';
import { someOf } from '../../templates/runtime/test-support/in-full.ts';
import { shapeHash } from './shape.ts';

const STYLES: readonly Options[] = [
  { printWidth: 40 },
  { printWidth: 200, semi: false, singleQuote: true, trailingComma: 'none', useTabs: true },
  { arrowParens: 'avoid', quoteProps: 'consistent', bracketSpacing: false, tabWidth: 8, trailingComma: 'es5' },
  { objectWrap: 'collapse', experimentalOperatorPosition: 'start', quoteProps: 'preserve' },
];
const ROOT = join(import.meta.dirname, '../..');

async function isSameButFormat(path: string, text: string, other: string): Promise<boolean> {
  const shape = shapeHash(path, text);
  return shape !== undefined && shape === shapeHash(path, other);
}

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|json)$/u.test(path) && !path.includes('node_modules'))
    .map((path) => join(ROOT, folder, path));
}

it('N15: every generated file is the same after a formatter of any style', async () => {
  const all = [
    ...filesOf('fixtures/blog/expected/src'),
    ...filesOf('templates/runtime/src/http'),
    join(ROOT, 'fixtures/blog/expected/openapi.json'),
  ];
  const odd: string[] = [];
  for (const [index, path] of all.entries()) {
    const text = readFileSync(path, 'utf8');
    for (const style of someOf(STYLES, STYLES.length, index)) {
      const formatted = await format(text, { ...style, filepath: path });
      if (!(await isSameButFormat(path, text, formatted))) odd.push(`${path} ${JSON.stringify(style)}`);
    }
  }
  expect(all.length).toBeGreaterThan(40);
  expect(odd).toEqual([]);
}, 180_000);

it('N15: an edit that means something is none of a formatter', async () => {
  const edits: readonly (readonly [string, string])[] = [
    ['return x;', 'return\nx;'],
    ['a;\n(b);', 'a\n(b);'],
    ["const a = 'x y';", "const a = 'x  y';"],
    ['const a = `x y`;', 'const a = `x  y`;'],
    ['const a = /x y/;', 'const a = /x  y/;'],
    ['const a = 1;', 'let a = 1;'],
    ['const a = -b;', 'const a = +b;'],
    ['const a = [1];', 'const a = [1, ,];'],
    ['for (; a; ) b();', 'for (a; ; ) b();'],
    ['type A = readonly string[];', 'type A = string[];'],
    ['import type { a } from "b";', 'import { a } from "b";'],
    ['const a = (b + c) * d;', 'const a = b + c * d;'],
    ['const a = x?.y;', 'const a = x.y;'],
    ['const a = (x?.y).z;', 'const a = x?.y.z;'],
    ["('use strict');", "'use strict';"],
    ['const a = b ** (c ** d);', 'const a = (b ** c) ** d;'],
    ['f(a, b);', 'f((a, b));'],
    ['while (a) b();', 'while (a); b();'],
    ['/** One. */\nconst a = 1;', '/** Two. */\nconst a = 1;'],
    ['const a = 1;', '// @ts-nocheck\nconst a = 1;'],
    ['const a = 1;', 'const a = ;'],
  ];
  for (const [before, after] of edits) {
    if (after !== 'const a = ;') expect(await isSameButFormat('a.ts', before, `  ${before}  \n`), before).toBe(true);
    expect(await isSameButFormat('a.ts', before, after), `${before} → ${after}`).toBe(false);
  }
  expect(await isSameButFormat('a.json', '{"a": "x y"}', '{ "a":\n"x y" }')).toBe(true);
  expect(await isSameButFormat('a.json', '{"a": "x y"}', '{"a": "xy"}')).toBe(false);
  expect(await isSameButFormat('a.json', '[12345678901234567890]', '[12345678901234567891]')).toBe(false);
  expect(await isSameButFormat('a.sql', 'SELECT 1', 'SELECT  1')).toBe(false);
});
