/** CONTRIBUTING.md is a map: what it names is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './support/project.ts';

const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

function folders(path: string): readonly string[] {
  const entries = readdirSync(join(root, path), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

it('leads to files that exist, and leaves out no folder', () => {
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
  const tests = [...text.matchAll(/`(test\/[\w-]+\.test\.ts)`/g)].map(([, path = '']) => path);
  expect(links.length).toBeGreaterThan(20);
  expect([...links, ...tests].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(folders('src').filter((name) => !text.includes(`\nsrc/${name}/ `))).toEqual([]);
  expect(folders('templates/runtime/src').filter((name) => !text.includes(`\n${name}/ `))).toEqual([]);
});

it('names the commands of package.json', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  const named = [...text.matchAll(/npm run ([\w:]+)(?![\w:]| -w)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

function filesWith(folder: string, text: RegExp): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /(?<!\.test)\.tsx?$/u.test(path) && text.test(readFileSync(join(root, path), 'utf8')));
}

/** Whoever tells attribute types apart elsewhere has to be found by who adds one. */
it('tells types of values apart in the contract alone', () => {
  const tellApart = /case '(?:blocks|richtext|timestamp)'|\bnew Set(?:<\w+>)?\(\[[^\]]*'(?:richtext|uid|blocks)'/;
  const inPanel = /'(?:richtext|enumeration|timestamp)'/;
  const telling = [
    ...filesWith('src', tellApart),
    ...filesWith('templates/runtime/src', tellApart),
    ...filesWith('templates/admin/src', inPanel),
  ];
  expect(telling).toEqual([]);
});
