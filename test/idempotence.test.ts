/** The same schema gives the same bytes, however it is written and wherever it is built; and a small change is a small diff. */
import { chmodSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Document, isMap, parseDocument, type YAMLMap } from 'yaml';
import { build } from '../src/build.ts';
import { renderReport } from '../src/cli/render-report.ts';
import { temporaryFolder } from '../templates/runtime/test-support/temporary-folder.ts';
import { root } from './support/project.ts';
import { differences, readTree, type Tree } from './support/tree.ts';

const SCHEMA = readFileSync(join(root, 'fixtures/every-attribute/schema.yaml'), 'utf8');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let first: Tree;

/** A new folder for one test. */
function newFolder(name: string): string {
  const path = join(folder.path, name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** Builds schema files, name → text, in a folder of their own; answers the project's folder and what was printed. */
async function buildIn(cwd: string, files: Readonly<Record<string, string>>, schema: readonly string[]) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const out = join(cwd, 'project');
  const report = await build({ schema, cwd, out, mode: 'write', diff: false, overwrite: [], onWait: () => {} });
  expect(report.outcome, JSON.stringify(report.diagnostics, undefined, 2)).not.toBe('stopped');
  return { out, outcome: report.outcome, text: renderReport({ ...report, out: 'project' }) };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  first = readTree((await buildIn(newFolder('first'), { 'schema.yaml': SCHEMA }, ['schema.yaml'])).out);
  expect(first.size).toBeGreaterThan(90);
});
afterAll(() => folder?.remove());

/** A sequence that is the same in every run. */
function shuffle<T>(items: readonly T[]): T[] {
  let state = 20_230_817;
  const keyed = items.map((item) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return [state, item] as const;
  });
  return keyed.sort(([a], [b]) => a - b).map(([, item]) => item);
}

function mapAt(document: Document, ...path: readonly string[]): YAMLMap {
  const node = document.getIn(path, true);
  if (!isMap(node)) throw new Error(`no map at ${path.join('.')}`);
  return node;
}

function keysOf(map: YAMLMap): readonly string[] {
  return map.items.map(({ key }) => String(key));
}

/** Every map in another order but those of `attributes`, whose order is that of the answers, and those within defaults. */
function shuffledSchema(): string {
  const document = parseDocument(SCHEMA, { intAsBigInt: true });
  const maps = [document.contents as YAMLMap, mapAt(document, 'api'), mapAt(document, 'permissions')];
  for (const role of keysOf(mapAt(document, 'permissions'))) maps.push(mapAt(document, 'permissions', role));
  for (const kind of ['contentTypes', 'components']) {
    maps.push(mapAt(document, kind));
    for (const name of keysOf(mapAt(document, kind))) {
      maps.push(mapAt(document, kind, name));
      const attributes = mapAt(document, kind, name, 'attributes');
      for (const attribute of keysOf(attributes)) maps.push(mapAt(document, kind, name, 'attributes', attribute));
    }
  }
  for (const map of maps) map.items = shuffle(map.items);
  return document.toString({ lineWidth: 0, indent: 4, commentString: () => '' });
}

/** Each content type and component, and all the rest, in a file of its own. */
function dividedSchema(): Record<string, string> {
  const rest = parseDocument(SCHEMA, { intAsBigInt: true });
  const files: Record<string, string> = {};
  for (const kind of ['contentTypes', 'components']) {
    for (const name of keysOf(mapAt(rest, kind))) {
      const part = parseDocument(`${kind}: {}`, { intAsBigInt: true });
      part.setIn([kind, name], mapAt(rest, kind, name));
      files[`${name}.yml`] = part.toString();
    }
    rest.delete(kind);
  }
  return { ...files, 'settings.yaml': rest.toString() };
}

describe('the same bytes come from', () => {
  it.each<[string, () => Record<string, string>]>([
    ['keys in another order, and other indentation', () => ({ 'schema.yaml': shuffledSchema() })],
    [
      'lines that end in CRLF, after a byte order mark',
      () => ({ 'x.yaml': `\ufeff${SCHEMA.replaceAll('\n', '\r\n')}` }),
    ],
    ['a folder with a file for each type', dividedSchema],
  ])('%s', async (name, files) => {
    const written = files();
    expect(Object.values(written)).not.toContain(SCHEMA);
    const cwd = newFolder(name.replaceAll(/\W+/g, '-'));
    mkdirSync(join(cwd, 'schema'));
    const { out } = await buildIn(join(cwd, 'schema'), written, ['.']);
    expect(differences(first, readTree(out))).toBe('');
  });

  it('files that are named one by one, in any order', async () => {
    const files = dividedSchema();
    // Without a name of its own the project has that of the first file.
    expect(files['settings.yaml']).toContain('name: every-attribute');
    const { out } = await buildIn(newFolder('one-by-one'), files, Object.keys(files).toReversed());
    expect(differences(first, readTree(out))).toBe('');
  });

  it('no other order of attributes', async () => {
    const other = SCHEMA.replace(/( +string: .*\n)( +text: .*\n)/, '$2$1');
    const { out } = await buildIn(newFolder('attributes'), { 'schema.yaml': other }, ['schema.yaml']);
    expect(differences(first, readTree(out))).toContain('client/types.d.ts');
  });

  it('another language, time zone, umask and folder', async () => {
    const project = newFolder("für ünï/日本 it's $HOME");
    const schema = join(newFolder('elsewhere'), 'schema.yaml');
    writeFileSync(schema, SCHEMA);
    const command = `umask 077 && exec "$0" "$1" build ../elsewhere/schema.yaml --out "$2"`;
    const trees = [];
    for (const [out, env] of [
      [project, { LANG: 'tr_TR.UTF-8', LC_ALL: 'ja_JP.UTF-8', TZ: 'Pacific/Kiritimati' }],
      [newFolder('plain'), { LANG: 'C', LC_ALL: 'C', TZ: 'UTC' }],
    ] as const) {
      const cwd = newFolder('cwd');
      const args = ['-c', command, process.execPath, join(root, 'bin/content-gen.js'), out];
      await execa('sh', args, { cwd, env });
      trees.push(readTree(out));
      expect(statSync(join(out, 'package.json')).mode & 0o777).toBe(0o644);
      expect(statSync(join(out, 'src/generated')).mode & 0o777).toBe(0o755);
    }
    const [there, here] = trees;
    expect(differences(here!, there!)).toBe('');
    // The compiled generator is the same as the one that runs here.
    expect(differences(first, here!)).toBe('');
  });
});

const PAST = new Date('2001-02-03T04:05:06Z');

/** Every file of a project dated back, so that whatever is written again shows. */
function dateBack(out: string): readonly string[] {
  const paths = [...readTree(out).keys()];
  for (const path of paths) utimesSync(join(out, path), PAST, PAST);
  return paths;
}

function touched(out: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => statSync(join(out, path)).mtimeMs !== PAST.getTime());
}

describe('a second build', () => {
  it('writes nothing, and says so', async () => {
    const cwd = newFolder('second');
    const { out } = await buildIn(cwd, { 'schema.yaml': SCHEMA }, ['schema.yaml']);
    const paths = dateBack(out);
    // Nothing is opened for writing either: a project that can't be written to is up to date all the same.
    for (const path of paths) chmodSync(join(out, path), 0o444);
    chmodSync(out, 0o555);
    const again = await buildIn(cwd, { 'schema.yaml': shuffledSchema() }, ['schema.yaml']);
    chmodSync(out, 0o755);
    expect(again).toMatchObject({
      outcome: 'unchanged',
      text: `project is up to date: ${paths.length - 1} files, nothing to write.\n`,
    });
    expect(touched(out, paths)).toEqual([]);
    expect(differences(first, readTree(out))).toBe('');
  });

  it('writes nothing into a checkout with CRLF', async () => {
    const cwd = newFolder('crlf');
    const { out } = await buildIn(cwd, { 'schema.yaml': SCHEMA }, ['schema.yaml']);
    for (const [path, text] of readTree(out)) writeFileSync(join(out, path), text.replaceAll('\n', '\r\n'));
    const paths = dateBack(out);
    const again = await buildIn(cwd, { 'schema.yaml': SCHEMA }, ['schema.yaml']);
    expect(again.outcome).toBe('unchanged');
    expect(touched(out, paths)).toEqual([]);
  });
});

function sumOf(tree: Tree): readonly string[] {
  return (tree.get('migrations/migrations.sum') ?? '').trimEnd().split('\n');
}

/** What a build makes of the schema whatever was built before. */
function isNoHistory(path: string): boolean {
  return !path.startsWith('migrations/') && path !== 'content-gen.manifest.json';
}

/** What adding one attribute to `plain` touches. */
const TOUCHED = [
  'client/types.d.ts',
  'content-gen.manifest.json',
  'docs/model.md',
  'migrations/migrations.sum',
  'openapi.json',
  'src/generated/database.ts',
];

const LONGER = SCHEMA.replace(/( +)string: .*\n/, '$&$1surname: { type: string, maxLength: 80 }\n');

describe('one attribute more', () => {
  it.each(['LF', 'CRLF'])('changes the few files that say it, and adds a migration: %s', async (ends) => {
    const cwd = newFolder(`attribute-${ends}`);
    const { out } = await buildIn(cwd, { 'schema.yaml': SCHEMA }, ['schema.yaml']);
    if (ends === 'CRLF') {
      for (const [path, text] of readTree(out)) writeFileSync(join(out, path), text.replaceAll('\n', '\r\n'));
    }
    const paths = dateBack(out);
    await buildIn(cwd, { 'schema.yaml': LONGER }, ['schema.yaml']);
    expect(touched(out, paths)).toEqual(TOUCHED);
    const added = [...readTree(out).keys()].filter((path) => !paths.includes(path));
    const names = ['mysql/down.sql', 'mysql/up.sql', 'plan.json', 'postgres/down.sql', 'postgres/up.sql'];
    const folder = /^migrations\/0002_add_surname_to_plains_[0-9a-f]{8}\//u;
    expect(added.map((path) => path.replace(folder, ''))).toEqual([...names, 'sqlite/down.sql', 'sqlite/up.sql']);
    expect(new Set(added.map((path) => folder.exec(path)?.[0])).size).toBe(1);
    expect(sumOf(readTree(out)).slice(0, -1)).toEqual(sumOf(first));
  });

  it('is the same project as one that was built with it from the start, but for its history', async () => {
    const [grown, fresh] = [newFolder('grown'), newFolder('fresh')];
    await buildIn(grown, { 'schema.yaml': SCHEMA }, ['schema.yaml']);
    const { out } = await buildIn(grown, { 'schema.yaml': LONGER }, ['schema.yaml']);
    const whole = await buildIn(fresh, { 'schema.yaml': LONGER }, ['schema.yaml']);
    expect(differences(readTree(whole.out, isNoHistory), readTree(out, isNoHistory))).toBe('');
  });
});
