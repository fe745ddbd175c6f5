/** What the admin page is built into: what a browser loads before it shows anything, and whom it asks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../../support/project.ts';

const DIST = join(root, 'templates/admin/dist');

/** In bytes. */
const MOST_AT_FIRST = 300_000;

let page: string;
beforeAll(async () => {
  await execa(process.execPath, [join(root, 'bin/build-admin.js'), '--check']);
  page = readFileSync(join(DIST, 'index.html'), 'utf8');
});

/** The paths that a page, or a script, names for the browser to load at once. */
function loadedBy(text: string): readonly string[] {
  const inPage = [...text.matchAll(/(?:src|href)="\/admin\/(?<path>assets\/[^"]+\.js)"/gu)];
  const inScript = [...text.matchAll(/(?:from|import)\s*"\.\/(?<path>[^"]+\.js)"/gu)];
  return [
    ...inPage.map(({ groups }) => groups?.['path'] ?? ''),
    ...inScript.map(({ groups }) => `assets/${groups?.['path']}`),
  ];
}

test('the first load is bounded', () => {
  const loaded = new Set(loadedBy(page));
  expect(loaded.size).toBeGreaterThan(0);
  for (const path of loaded) for (const more of loadedBy(readFileSync(join(DIST, path), 'utf8'))) loaded.add(more);
  const bytes = [...loaded].map((path) => gzipSync(readFileSync(join(DIST, path))).length);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_AT_FIRST);
});

test('the texts are there for teams that add a language', () => {
  const texts = JSON.parse(readFileSync(join(DIST, 'english.json'), 'utf8'));
  expect(texts).toMatchObject({ session: { signIn: 'Sign in' }, ra: { action: { save: 'Save' } } });
});

test('the page has no script or style of its own text, and names no other host', () => {
  expect(page).not.toMatch(/<script(?![^>]* src=)/u);
  expect(page).not.toContain('<style');
  expect(page).not.toMatch(/https?:/u);
});

test('the script of previewed sites is small, and needs no other file', () => {
  const script = readFileSync(join(DIST, 'preview.js'), 'utf8');
  expect(Buffer.byteLength(script)).toBeLessThan(3000);
  expect(loadedBy(script)).toEqual([]);
  expect(script).not.toMatch(/import|https?:/u);
});
