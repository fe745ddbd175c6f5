/**
 * In a copy of this repository, as CONTRIBUTING.md says: an attribute type is added by one file and its line, another one with a field
 * of the panel of its own, and an operator by its row.
 */
import { appendFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import { addAccount, fullAccess } from '../support/full-access.ts';
import { recompile, request, root, type RunningServer, start } from '../support/project.ts';
import { isSkipped, openBrowser, signIn, sitDown } from './admin/browser.ts';

/** The definition of a type of colors. */
const colorType = (name: string, input: string): string => `import { ok, err } from '../values/cast-result.ts';
import type { AttributeType } from './attribute-type.ts';
import { readText } from './read-default.ts';

function formatProblem(value: string): string | undefined {
  return /^#[0-9a-f]{6}$/u.test(value) ? undefined : 'must be a color such as #ff8800';
}

/** A color, in lower case. */
export const ${name}: AttributeType<string, never> = {
  options: [],
  columnType: 'text',
  input: '${input}',
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

const PICKER_FIELD = `import TextField from '@mui/material/TextField';
import type { ScalarAttribute } from '../model/model.ts';
import { fieldLabel } from './field-label.ts';
import type { FieldProps } from './field-props.ts';
import { HelperLine } from './helper-line.tsx';
import { useField } from './use-field.ts';

export function PickerField(props: FieldProps<ScalarAttribute>) {
  const { id, field, problem, isReadOnly } = useField(props);
  return (
    <TextField
      {...field}
      id={id}
      type="color"
      label={fieldLabel(props)}
      disabled={isReadOnly}
      error={problem !== undefined}
      helperText={<HelperLine attribute={props.attribute} problem={problem} />}
    />
  );
}
`;

const SCHEMA = `
name: colors
databases: [sqlite]
contentTypes:
  paint:
    attributes:
      name: { type: string }
      shade: { type: color, required: true, unique: true }
      trim: { type: color, default: '#000000' }
      tint: { type: tint }
permissions:
  public: { paint: [find, findOne, create] }
  editor: { admin: [access], paint: [find, findOne, create] }
`;

/** What a build takes from the repository. */
const PARTS = ['package.json', 'package-lock.json', 'tsconfig.json', 'bin', 'src', 'templates'];
const LEFT_OUT = new Set(['dist', 'node_modules', 'test-support']);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: RunningServer | undefined;

/** Inserts lines after another one, in a file of the copy. */
function insertAfter(path: string, line: string, ...lines: readonly string[]): void {
  const text = readFileSync(path, 'utf8');
  expect(text.split(`${line}\n`)).toHaveLength(2);
  writeFileSync(path, text.replace(`${line}\n`, [line, ...lines, ''].join('\n')));
}

function addType(copy: string, name: string, input: string): void {
  const types = join(copy, 'templates/runtime/src/contract/attribute-types');
  writeFileSync(join(types, `${name}.ts`), colorType(name, input));
  appendFileSync(join(types, 'index.ts'), `export { ${name} } from './${name}.ts';\n`);
}

function addPicker(copy: string): void {
  insertAfter(
    join(copy, 'templates/runtime/src/contract/attribute-types/input-kind.ts'),
    'export type InputKind =',
    "  | 'picker'",
  );
  const fields = join(copy, 'templates/admin/src/fields');
  writeFileSync(join(fields, 'picker-field.tsx'), PICKER_FIELD);
  const table = join(fields, 'attribute-field.tsx');
  insertAfter(
    table,
    "import { JsonField } from './json-field.tsx';",
    "import { PickerField } from './picker-field.tsx';",
  );
  insertAfter(table, '  json: JsonField,', '  picker: PickerField,');
}

/** Compiles the copy, as `npm run build` does, with the fastest compiler. */
async function buildCopy(copy: string): Promise<void> {
  const run = (...args: readonly string[]) => execa(process.execPath, args, { cwd: copy });
  const tsc = join(root, 'node_modules/typescript-7.0/bin/tsc');
  await run(tsc, '-b', 'tsconfig.json');
  await run('dist/output/stamp-generator.js');
  await run('bin/build-runtime/runtime.js');
  await run(tsc, '-p', 'templates/admin');
  await run('bin/build-admin.js');
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
  addType(copy, 'color', 'text');
  addType(copy, 'tint', 'picker');
  addPicker(copy);
  insertAfter(
    join(copy, 'templates/runtime/src/contract/operators.ts'),
    "  $between: operator('range', { kind: 'between' }),",
    "  $notBetween: not(operator('range', { kind: 'between' })),",
  );
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
    AUTH_PASSWORD_COST: '8',
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
  const totals = [
    ['a', 'z'],
    ['p', 'z'],
  ].map(async ([low, high]) => {
    const query = `filters[name][$notBetween][0]=${low}&filters[name][$notBetween][1]=${high}`;
    return (await request(origin, 'GET', `/api/paints?${query}`)).body.meta.pagination.total;
  });
  expect(await Promise.all(totals)).toEqual([0, 1]);
});

it.skipIf(isSkipped)('the panel has fields for both, with the rule of the type', async () => {
  const origin = server?.origin ?? '';
  const send = await fullAccess({ origin, databaseUrl: `sqlite:${join(folder.path, 'project/colors.db')}` });
  await addAccount(send, 'editor');
  const browser = await openBrowser();
  try {
    const editor = await sitDown(browser, { origin }, await signIn(browser, { origin }, 'editor'));
    const { page } = editor;
    await editor.open('paints/create');
    await page.getByLabel('Name', { exact: true }).fill('leaf');
    await page.getByLabel('Shade *', { exact: true }).fill('green');
    const save = page.getByRole('button', { name: 'Save' });
    await save.click();
    await page.getByText('must be a color such as #ff8800', { exact: true }).waitFor();
    expect(editor.requests().filter((line) => line.startsWith('POST'))).toEqual([]);
    await page.getByLabel('Shade *', { exact: true }).fill('#00AA44');
    await page.locator('input[type=color]').fill('#ff8800');
    await save.click();
    await page.waitForURL(/\/paints\/\d+$/u);
    const { data } = await send('GET', '/api/paints?filters[name]=leaf');
    expect(data[0].attributes).toMatchObject({ shade: '#00aa44', trim: '#000000', tint: '#ff8800' });
    await editor.open('paints');
    await page.getByRole('cell', { name: '#00aa44' }).waitFor();
    editor.expectNoComplaints();
  } finally {
    await browser.close();
  }
});
