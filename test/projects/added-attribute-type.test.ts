/** An attribute type is added as CONTRIBUTING.md says: by one file and its line, in a copy of this repository. */
import { appendFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import { recompile, request, root, type RunningServer, start } from '../support/project.ts';

const COLOR = `import { ok, err } from '../values/cast-result.ts';
import type { AttributeType } from './attribute-type.ts';
import { readText } from './read-default.ts';

function formatProblem(value: string): string | undefined {
  return /^#[0-9a-f]{6}$/u.test(value) ? undefined : 'must be a color such as #ff8800';
}

/** A color, in lower case. */
export const color: AttributeType<string, never> = {
  options: [],
  columnType: 'text',
  isShort: true,
  canBeUnique: true,
  operators: 'text',
  cast: (value) => (typeof value === 'string' ? ok(value.toLowerCase()) : err('must be a string')),
  formatProblem,
  readDefault: readText({ problem: formatProblem, expected: 'a color' }),
  typescript: { output: 'string' },
  jsonSchema: { output: { type: 'string', pattern: '^#[0-9a-f]{6}$' } },
  sample: '#ff8800',
};
`;

const SCHEMA = `
name: colors
admin: false
databases: [sqlite]
contentTypes:
  paint:
    attributes:
      name: { type: string }
      shade: { type: color, required: true, unique: true }
      trim: { type: color, default: '#000000' }
permissions:
  public: { paint: [find, findOne, create] }
`;

/** What a build takes from the repository. */
const PARTS = ['package.json', 'package-lock.json', 'tsconfig.json', 'bin', 'src', 'templates'];
const LEFT_OUT = new Set(['dist', 'node_modules', 'test-support']);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: RunningServer | undefined;

/** Compiles the copy, as `npm run build` does, with the fastest compiler. */
async function buildCopy(copy: string): Promise<void> {
  const run = (...args: readonly string[]) => execa(process.execPath, args, { cwd: copy });
  const tsc = join(root, 'node_modules/typescript-7.0/bin/tsc');
  for (const part of ['contract', 'strapi']) await run(tsc, '-p', `templates/runtime/src/${part}`);
  await run(tsc, '-p', 'tsconfig.json');
  await run('dist/output/stamp-generator.js');
  await run('bin/build-runtime/runtime.js');
}

beforeAll(async () => {
  folder = await temporaryFolder();
  const copy = folder.path;
  for (const part of PARTS) {
    cpSync(join(root, part), join(copy, part), {
      recursive: true,
      filter: (path) =>
        !relative(root, path)
          .split(sep)
          .some((name) => LEFT_OUT.has(name)),
    });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const types = join(copy, 'templates/runtime/src/contract/attribute-types');
  writeFileSync(join(types, 'color.ts'), COLOR);
  appendFileSync(join(types, 'index.ts'), `export { color } from './color.ts';\n`);
  await buildCopy(copy);
  writeFileSync(join(copy, 'schema.yaml'), SCHEMA);
  await execa(process.execPath, ['bin/content-gen.js', 'build', 'schema.yaml', '--out', 'project'], { cwd: copy });
  const project = join(copy, 'project');
  mkdirSync(join(project, 'node_modules/@content-gen'), { recursive: true });
  symlinkSync('../../runtime', join(project, 'node_modules/@content-gen/runtime'));
  await recompile(project);
  const settings = {
    LOG_LEVEL: 'silent',
    JWT_SECRET: 'of-the-tests-0123456789-abcdefghijklmn',
    DATABASE_URL: 'sqlite:colors.db',
  };
  server = await start(project, settings);
});
afterAll(async () => {
  await server?.stop();
  await folder?.remove();
});

it('the schema knows it, and types and openapi.json describe it', () => {
  const read = (path: string) => readFileSync(join(folder.path, 'project', path), 'utf8');
  expect(read('client/types.d.ts')).toMatch(/\bshade: string;/u);
  const { schemas } = JSON.parse(read('openapi.json')).components;
  expect(JSON.stringify(schemas)).toContain('"shade":{"type":"string","pattern":"^#[0-9a-f]{6}$"}');
});

it('requests are checked by it, and filters may compare it', async () => {
  const origin = server?.origin ?? '';
  const create = (data: object) => request(origin, 'POST', '/api/paints', data);
  const { status, body } = await create({ name: 'orange', shade: '#FF8800' });
  expect([status, body.data.attributes]).toMatchObject([201, { shade: '#ff8800', trim: '#000000' }]);
  const refusals = [{ shade: 'orange' }, { shade: 1 }, { shade: '#ff8800' }, {}];
  const refused = await Promise.all(refusals.map(async (data) => (await create(data)).body.error.message));
  expect(refused).toEqual([
    'shade must be a color such as #ff8800',
    'shade must be a string',
    'This attribute must be unique',
    'shade must be defined',
  ]);
  const found = await request(origin, 'GET', '/api/paints?filters[shade][$eq]=%23FF8800');
  expect(found.body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)).toEqual([
    'orange',
  ]);
});
