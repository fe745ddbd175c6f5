/** What a build keeps of a schema for the next one saves time, and changes neither what is written nor what is said. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { build, type BuildOptions } from '../src/build.ts';
import { CACHE_FOLDER } from '../src/output/project-path.ts';
import { temporaryFolder, tree } from './support/output-project.ts';

const SCHEMA = `name: blog
databases: [sqlite]
contentTypes:
  article: { attributes: { title: { type: string, renamedFrom: name }, tags: { type: relation, relation: manyToMany, target: tag } } }
  tag: { attributes: { name: { type: string } } }
permissions: { public: { article: [find] } }
`;
const TYPES = 'client/types.d.ts';

async function run(cwd: string, options: Partial<BuildOptions> = {}) {
  const defaults = { schema: ['schema.yaml'], out: 'project', mode: 'write', diff: false, overwrite: [] } as const;
  return build({ ...defaults, cwd, onWait: () => {}, ...options });
}

/** A project that has just been built. */
async function built(): Promise<{ readonly cwd: string; readonly root: string; readonly kept: string }> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'schema.yaml'), SCHEMA);
  expect(await run(cwd)).toMatchObject({ outcome: 'written' });
  const root = join(cwd, 'project');
  return { cwd, root, kept: join(root, CACHE_FOLDER, 'schema') };
}

type Change = (project: { readonly cwd: string; readonly root: string }) => void;

const CHANGES: Readonly<Record<string, Change>> = {
  nothing: () => {},
  'an edit of a generated file': ({ root }) => appendFileSync(join(root, TYPES), 'export const mine = 1;\n'),
  'another layout of a generated file': ({ root }) =>
    writeFileSync(join(root, TYPES), readFileSync(join(root, TYPES), 'utf8').replaceAll(';', '')),
  'a deleted generated file': ({ root }) => rmSync(join(root, TYPES)),
  'a deleted file of the team': ({ root }) => rmSync(join(root, '.env.example')),
  'an edit of a migration': ({ root }) => appendFileSync(join(root, migrationOf(root), 'sqlite/up.sql'), '-- mine\n'),
  'a migration of another branch': ({ root }) => {
    mkdirSync(join(root, 'migrations/0002_other/sqlite'), { recursive: true });
    writeFileSync(join(root, 'migrations/0002_other/sqlite/up.sql'), '-- nothing to do\n');
  },
  'a deleted migration': ({ root }) => rmSync(join(root, migrationOf(root)), { recursive: true }),
  'a missing manifest': ({ root }) => rmSync(join(root, 'content-gen.manifest.json')),
  'a link in place of a generated file': ({ root }) => {
    renameSync(join(root, TYPES), join(root, 'elsewhere.ts'));
    symlinkSync('../../../elsewhere.ts', join(root, TYPES));
  },
  'a comment in the schema': ({ cwd }) => appendFileSync(join(cwd, 'schema.yaml'), '# the end\n'),
  'another attribute': ({ cwd }) =>
    writeFileSync(join(cwd, 'schema.yaml'), SCHEMA.replace('name: { type', 'surplus: { type: string }, name: { type')),
  'an error in the schema': ({ cwd }) => appendFileSync(join(cwd, 'schema.yaml'), '  - x: [\n'),
  'a killed build': ({ root }) => mkdirSync(join(root, '.content-gen.staging')),
};

function migrationOf(root: string): string {
  const path = Object.keys(tree(root)).find((one) => /^migrations\/0001_[^/]+$/u.test(one));
  return path ?? expect.fail('there is no migration');
}

describe('after a build, the next one', { timeout: 120_000 }, () => {
  test.each(Object.entries(CHANGES))('does and says the same as without what was kept: %s', async (_name, change) => {
    const [one, other] = [await built(), await built()];
    rmSync(join(other.root, CACHE_FOLDER), { recursive: true });
    for (const project of [one, other]) change(project);
    const [withCache, without] = [await run(one.cwd), await run(other.cwd)];
    expect(JSON.stringify(withCache)).toBe(JSON.stringify(without));
    expect(tree(one.cwd)).toEqual(tree(other.cwd));
  });

  test('does not parse an unchanged schema, except for --check', async () => {
    const { cwd, kept } = await built();
    const text = readFileSync(kept, 'utf8');
    writeFileSync(
      kept,
      text.replace('"diagnostics":[', '"diagnostics":[{"code":"kept","severity":"info","message":"kept"},'),
    );
    expect((await run(cwd)).diagnostics).toContainEqual(expect.objectContaining({ code: 'kept' }));
    expect((await run(cwd, { mode: 'check' })).diagnostics).not.toContainEqual(
      expect.objectContaining({ code: 'kept' }),
    );
  });

  test.each([
    ['cut off', (text: string) => text.slice(0, 100)],
    ['of another generator', (text: string) => text.replace(/"key":"\w+"/u, `"key":"${'0'.repeat(64)}"`)],
    ['without what belongs to it', (text: string) => text.replace('"files":[', '"others":[')],
  ])('ignores what was kept if it is %s', async (_name, spoil) => {
    const { cwd, kept } = await built();
    writeFileSync(kept, spoil(readFileSync(kept, 'utf8')));
    expect(await run(cwd)).toMatchObject({ outcome: 'unchanged' });
  });

  test('keeps nothing through a link', async () => {
    const { cwd, root } = await built();
    const elsewhere = temporaryFolder();
    rmSync(join(root, CACHE_FOLDER), { recursive: true });
    symlinkSync(elsewhere, join(root, CACHE_FOLDER));
    CHANGES['another attribute']?.({ cwd, root });
    expect(await run(cwd)).toMatchObject({ outcome: 'written' });
    expect(existsSync(join(elsewhere, 'schema'))).toBe(false);
  });

  test('keeps git from taking notice', async () => {
    const { root } = await built();
    expect(readFileSync(join(root, CACHE_FOLDER, '.gitignore'), 'utf8')).toBe('*\n');
  });
});
