/** The names of columns that belong to no attribute are stated in one place, which generator and runtime share. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COLUMN_NAMES } from '#contract/column-names.ts';
import { root } from './support/project.ts';

/** Where the names stand: the constant, and the roles of columns in plans of a former format, which stays as it was. */
const STATED = ['column-names.ts', 'migrations/former-plans.ts'].map(
  (path) => `templates/runtime/src/contract/${path}`,
);

/** Names that could mean nothing else. Others, such as `locale`, are also those of members and of query parameters. */
const DISTINCTIVE = Object.values(COLUMN_NAMES).filter((name) => name.includes('_'));

const LITERAL = new RegExp(`'(?:${DISTINCTIVE.join('|')})'`, 'gu');

function literalsIn(path: string): readonly string[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  return lines.flatMap((line, index) => (line.match(LITERAL) ?? []).map((name) => `${path}:${index + 1} ${name}`));
}

it('are literals in no other module', () => {
  const modules = ['src', 'templates/runtime/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  );
  const others = modules.filter((path) => /(?<!\.test)\.ts$/u.test(path) && !STATED.includes(path));
  expect(STATED.map((path) => literalsIn(path).length > 0)).toEqual([true, true]);
  expect(others.flatMap(literalsIn)).toEqual([]);
});
