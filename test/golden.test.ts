/**
 * What each schema in `fixtures/` becomes, byte by byte. After a change of the generator that is meant: `npm run golden`, then
 * read the diff. The runtime is not among the expected files: `runtime.test.ts` is about it.
 */
import { readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, type BuildReport } from '../src/build.ts';
import { type Fixture, fixtures } from './support/fixtures.ts';
import { temporaryFolder } from '../templates/runtime/test-support/temporary-folder.ts';
import { root } from './support/project.ts';
import { differences, readTree, type Tree, writeTree } from './support/tree.ts';

const SERVED = join(root, 'templates/runtime/test-support/projects');
const servedSchemas = readdirSync(SERVED).filter((name) => name.endsWith('.yaml'));

const MANIFEST = 'content-gen.manifest.json';

/** What changes with every change of the generator or of the runtime says nothing here. */
function steadyManifest(text: string): string {
  return text.replace(/"generator": "[^"]+"/, '"generator": ""').replace(/^ {4}"(?:runtime|client\/lib)\/.*\n/gm, '');
}

/** A project as it is compared: without what is the same in each. */
function projectTree(project: string): Tree {
  const tree = new Map(readTree(project, (path) => !/^(?:runtime|client\/lib)\//u.test(path)));
  const manifest = tree.get(MANIFEST);
  if (manifest !== undefined) tree.set(MANIFEST, steadyManifest(manifest));
  return tree;
}

async function buildSchema(schema: string, out: string): Promise<BuildReport> {
  return build({ schema: [schema], cwd: root, out, mode: 'write', diff: false, overwrite: [], onWait: () => {} });
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

function compareTrees(expected: string, built: Tree): void {
  if (process.env['UPDATE_GOLDEN'] === '1') writeTree(expected, built);
  const difference = differences(readTree(expected), built);
  if (difference !== '') expect.fail(`${relative(root, expected)} is not what is built:\n${difference}`);
}

async function checkFixture({ name, steps }: Fixture): Promise<void> {
  const project = join(folder.path, name);
  for (const { schema, expected } of steps) {
    const { outcome, diagnostics } = await buildSchema(schema, project);
    expect(outcome, JSON.stringify(diagnostics, undefined, 2)).toBe('written');
    compareTrees(expected, projectTree(project));
  }
}

/** What servers in the runtime's own tests are made of: neither commands nor documents. */
function isServed(path: string): boolean {
  return (
    path.startsWith('migrations/') || /^src\/generated\/(?:(?:app|content-types|database)|.+\/[^/]+)\.ts$/u.test(path)
  );
}

async function checkServed(schema: string): Promise<void> {
  const project = join(folder.path, `served-${basename(schema)}`);
  const { outcome, diagnostics } = await buildSchema(schema, project);
  expect(outcome, JSON.stringify(diagnostics, undefined, 2)).toBe('written');
  compareTrees(schema.replace(/\.yaml$/u, ''), readTree(project, isServed));
}

describe('the tree of', () => {
  it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', (_, fixture) => checkFixture(fixture));

  it.each(servedSchemas)('the project %s of the runtime', (name) => checkServed(join(SERVED, name)));
});
