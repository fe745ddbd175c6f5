/** What `npm run server -- data` refuses: then nothing is changed, in the database, in the storage or on the disk. */
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
// @ts-expect-error: it has no types.
import S3rver from 's3rver';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { sumOf } from '../templates/runtime/src/features/transfer/schema-state.ts';
import { readMigrationFiles } from '../templates/runtime/src/migrator/read-migrations.ts';
import { createToken, dump, type TestProject } from '../templates/runtime/test-support/test-project.ts';
import { linesOf, openPlace, type Place } from './support/moving.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { pngOf } from '../templates/runtime/test-support/upload-server.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: shop
databases: [sqlite, postgres, mysql]
contentTypes:
  product:
    attributes:
      name: { type: string, required: true }
      stock: { type: integer }
      picture: { type: media }
      similar: { type: relation, relation: manyToOne, target: product }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: products }
  tag:
    attributes:
      name: { type: string }
      products: { type: relation, relation: manyToMany, target: product, mappedBy: tags }
permissions:
  public: { '*': '*', upload: '*' }
`;

let project: TestProject;
let other: TestProject;
let source: Place;
let exported: string;
let lines: readonly string[];
let folder: string;
const places: Place[] = [];

beforeAll(async () => {
  project = await openSchema(SCHEMA);
  other = await openSchema(SCHEMA.replace('stock: { type: integer }', 'stock: { type: float }'));
  source = await openPlace(project, 'sqlite', 'source');
  const server = await source.start();
  const form = new FormData();
  form.append('files', new Blob([pngOf(4, 3), 'bytes'.repeat(50_000)]), 'a.png');
  const uploaded = await fetch(`${server.origin}/api/upload`, { method: 'POST', body: form });
  const [{ id: picture }] = (await uploaded.json()) as [{ id: number }];
  for (const name of ['red', 'green']) await server.send('POST', '/api/tags', { body: { data: { name } } });
  for (const stock of [1, 2, 3]) {
    const data = { name: `product ${stock}`, stock, picture, tags: [2, 1], similar: stock > 1 ? 1 : null };
    expect((await server.send('POST', '/api/products', { body: { data } })).status).toBe(201);
  }
  await server.close();
  folder = dirname(source.uploads);
  exported = join(folder, 'shop.jsonl');
  expect(await source.data('export', exported)).toMatchObject({ code: 0, error: '' });
  lines = await linesOf(exported);
});
afterAll(async () => {
  await Promise.all(places.map((place) => place.drop()));
  await project?.remove();
  await other?.remove();
});

let number = 0;

it('says that an export is incomplete, by its exit code and the names of the files', async () => {
  const place = await openPlace(project, 'sqlite', 'incomplete');
  places.push(place);
  expect(await place.data('import', exported)).toMatchObject({ code: 0, error: '' });
  const stored = (await readdir(place.uploads)).filter((name) => name.endsWith('.png'));
  expect(stored).toHaveLength(1);
  await rm(join(place.uploads, stored[0]!));
  const made = await place.data('export', join(folder, 'incomplete.jsonl'));
  expect([made.code, made.error]).toEqual([
    4,
    expect.stringMatching(new RegExp(`^The export is incomplete: the bytes of 1 files .*\\n${stored[0]}\\n$`, 'u')),
  ]);
});

async function filesIn(place: Place): Promise<readonly string[]> {
  const names = await readdir(place.uploads, { recursive: true }).catch(() => []);
  return names.filter((name) => name !== '.incoming').sort();
}

/** The number, from 1, of the first line that has a text. */
function lineWith(text: string): number {
  const index = lines.findIndex((line) => line.includes(text));
  expect(index, text).toBeGreaterThan(-1);
  return index + 1;
}

function changed(line: number, from: string, to: string): string[] {
  const before = lines[line - 1] ?? '';
  expect(before).toContain(from);
  return lines.with(line - 1, before.replace(from, to));
}

function swapped(line: number): string[] {
  return lines.with(line - 1, lines[line] ?? '').with(line, lines[line - 1] ?? '');
}

describe.each(await testedEngines())('an import into %s refuses', (dialect) => {
  let place: Place;

  beforeAll(async () => {
    place = await openPlace(project, dialect, `refusals_${dialect}`);
    places.push(place);
    await (await place.start()).close();
  });

  /** Everything that tables hold. */
  async function state(): Promise<unknown> {
    const database = await place.open();
    try {
      const counts: unknown[] = [];
      for (const table of [
        'products',
        'tags',
        'files',
        'products_tags_links',
        'users',
        'user_roles',
        'access_changes',
      ]) {
        counts.push([table, Number((await database.get(raw(`SELECT COUNT(*) AS n FROM ${table}`)))?.['n'])]);
      }
      return [counts, await filesIn(place)];
    } finally {
      await database.close();
    }
  }

  async function refuses(text: string | Uint8Array, message: RegExp, code = 3): Promise<void> {
    number += 1;
    const path = join(folder, `changed-${number}.jsonl`);
    await writeFile(path, text);
    const before = await state();
    const result = await place.data('import', path);
    expect(result).toMatchObject({ code, out: '' });
    expect(result.error).toMatch(message);
    expect(await state()).toEqual(before);
  }
  const text = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');

  it('a file that ends early, wherever', async () => {
    for (const count of [0, 1, 2, lineWith('product 2'), lineWith('{"file"') + 1, lines.length - 1]) {
      await refuses(text(lines.slice(0, count)), new RegExp(`^Line ${count + 1} of the file: it is missing`, 'u'));
    }
    await refuses(
      text(lines).slice(0, -1),
      new RegExp(`^Line ${lines.length} of the file: the file ends within it`, 'u'),
    );
  });

  it('a file that was changed, and says where', async () => {
    const product = lineWith('product 2');
    const range = `Lines ${product - 1} to ${product + 1} of the file: the rows of products`;
    await refuses(text(changed(product, 'product 2', 'product 7')), new RegExp(range, 'u'));
    await refuses(text(swapped(product)), new RegExp(range, 'u'));
    await refuses(
      text(lines.toSpliced(product, 1)),
      new RegExp(`Line ${product + 1} .*it must be a row of products`, 'u'),
    );
    await refuses(
      text(changed(product, ',2,', ',"2",')),
      new RegExp(`Line ${product} .*stock of products must be written as 2`, 'u'),
    );
    await refuses(
      text(changed(product, ',2,', ',"x",')),
      new RegExp(`Line ${product} .*stock of products must be a number`, 'u'),
    );
    await refuses(text(changed(product, '[', '')), new RegExp(`Line ${product} .*it is not JSON`, 'u'));
    const file = lineWith('{"file"');
    const end = lineWith('{"sha256"');
    await refuses(
      text(changed(file + 1, 'iVBOR', 'iVBOS')),
      new RegExp(`Lines ${file} to ${end} .*the bytes of .*png`, 'u'),
    );
    await refuses(
      text(changed(end, '"sha256":"', '"sha256":"0')),
      new RegExp(`Line ${end} .*it must be the hash`, 'u'),
    );
    const fill = lineWith('{"fill"');
    await refuses(
      text(changed(fill + 1, ',1]', ',3]')),
      new RegExp(`Lines ${fill + 1} to ${fill + 2} .*rows of products`, 'u'),
    );
    const table = lineWith('{"table":"tags"');
    await refuses(text(changed(table, '"lastId":2', '"lastId":9')), /Lines 1 to \d+ .*something between the rows/u);
    await refuses(
      text(changed(table, '"name"', '"title"')),
      new RegExp(`Line ${table} .*tags can't have the column title`, 'u'),
    );
    await refuses(text(changed(table, '"tags"', '"users"')), /can't begin here|can't have the column/u);
    await refuses(text(lines.toSpliced(fill - 1, 3)), /the column similar_id of products must come before it/u);
    await refuses(text([...lines, '[]']), new RegExp(`Line ${lines.length + 1} .*after the end`, 'u'));
  });

  it('any other byte, also where the file is compressed', async () => {
    const bytes = Buffer.from(text(lines));
    for (let at = 3; at < bytes.length; at += Math.floor(bytes.length / 25)) {
      const one = Buffer.from(bytes);
      one[at] = (one[at] ?? 0) ^ 1;
      await refuses(one, /^Lines? \d+|^The file (?:was exported with another schema|has version)/u);
    }
    const path = join(folder, `packed-${dialect}.jsonl.gz`);
    expect(await source.data('export', path)).toMatchObject({ code: 0 });
    const packed = await readFile(path);
    expect(gunzipSync(packed).length).toBeGreaterThan(packed.length);
    await refuses(packed.subarray(0, packed.length / 2), /^Line \d+ of the file: the file is damaged or ends here/u);
    packed[200] = (packed[200] ?? 0) ^ 255;
    await refuses(packed, /^Lines? \d+ (?:to \d+ )?of the file/u);
  });

  it('a file that is not an export, of another version, or of another schema', async () => {
    await refuses('hello\n', /^Line 1 of the file: it is not JSON/u);
    await refuses('{"name":"shop"}\n', /^Line 1 of the file: it must be the beginning of an export/u);
    await refuses(text(changed(1, '"version":2', '"version":3')), /version 3 of the format.*reads versions 1 and 2/u);
    const foreign = await openPlace(other, 'sqlite', `foreign_${dialect}`);
    await (await foreign.start()).close();
    const path = join(dirname(foreign.uploads), `foreign-${dialect}.jsonl`);
    expect(await foreign.data('export', path)).toMatchObject({ code: 0 });
    const names =
      /with another schema: shop at the migration 0001_\w+ \([0-9a-f]{12}\), while this database is at 0001_\w+ \([0-9a-f]{12}\)/u;
    await refuses(await readFile(path), names);
  });

  it('rows that the database refuses, and names them', async () => {
    const table = lineWith('{"table":"tags"');
    const same = (lines[table] ?? '').replace('red', 'blue');
    const twice = lines.with(table + 1, same);
    await refuses(
      text(twice),
      new RegExp(`refused a row of tags, in the lines ${table + 1} to ${table + 2} .*unique`, 'u'),
      1,
    );
  });

  it('a database with content, and one with edited roles', async () => {
    const database = await place.open();
    const { dialect: engine } = database;
    const now = engine.bind('datetime', '2024-01-01T00:00:00.000Z');
    const columns = `name, created_at, updated_at`;
    await database.run(raw(`INSERT INTO tags (${columns}) VALUES ('x', '${String(now)}', '${String(now)}')`));
    await createToken(database, { kind: 'read-only' });
    await refuses(text(lines), /already has content, in tags, api_tokens\. /u);
    await database.run(raw('DELETE FROM tags'));
    await database.run(raw('DELETE FROM api_tokens'));
    await database.run(raw(`DELETE FROM user_role_permissions WHERE action = 'tag.find'`));
    await refuses(text(lines), /roles or permissions that differ from the schema/u);
    await database.run(
      raw(
        `INSERT INTO user_role_permissions SELECT id, 'tag.find' FROM user_roles WHERE ${engine.id('type').text} = 'public'`,
      ),
    );
    await database.close();
  });

  it('to replace a different file in the storage, and keeps identical ones', async () => {
    const name = (await filesIn(source))[0] ?? '';
    await writeFile(join(place.uploads, name), 'something else');
    await refuses(text(lines), new RegExp(`another file under the name ${name}`, 'u'));
    await cp(join(source.uploads, name), join(place.uploads, name));
    await refuses(text(lines.slice(0, -1)), /it is missing/u);
  });

  it('to run concurrently with another one', async ({ skip }) => {
    // On SQLite the second waits for the first, and then finds content.
    if (dialect === 'sqlite') skip();
    const database = await place.open();
    await database.migrating(1000, () =>
      refuses(text(lines), /^Another process is migrating this database or importing/u),
    );
    await database.close();
  });

  it('to commit rows that the database has altered', async ({ skip }) => {
    if (dialect !== 'sqlite') skip();
    const database = await place.open();
    await database.script(
      'CREATE TRIGGER shout AFTER INSERT ON tags BEGIN UPDATE tags SET name = upper(name) WHERE id = new.id; END',
    );
    await refuses(text(lines), /tags in the database differs from the file after the import \(2 of 2 rows\)/u, 1);
    await database.script('DROP TRIGGER shout');
    await database.close();
  });

  it('nothing that is valid', async () => {
    const before = createHash('sha256').update(text(lines)).digest('hex');
    const result = await place.data('import', exported);
    expect(result, result.error).toMatchObject({ code: 0 });
    const again = join(folder, `again-${dialect}.jsonl`);
    await place.data('export', again);
    // The tests before have used up some ids.
    const rows = (all: readonly string[]) => all.slice(0, -1).map((line) => line.replace(/"lastId":\d+/u, ''));
    expect(rows(await linesOf(again))).toEqual(rows(lines));
    expect(
      createHash('sha256')
        .update(await readFile(exported))
        .digest('hex'),
    ).toBe(before);
    await refuses(text(lines), /already has content, in .*products, tags/u);
  });
});

describe('an export', () => {
  let names: readonly string[];
  beforeEach(async () => {
    names = await readdir(folder);
  });

  it('is readable by its owner only, and never overwrites a file', async () => {
    expect((await stat(exported)).mode & 0o777).toBe(0o600);
    const result = await source.data('export', exported);
    expect(result).toMatchObject({ code: 3, out: '' });
    expect(result.error).toContain('already exists');
    expect(await readdir(folder)).toEqual(names);
  });

  it('leaves nothing behind if it fails', async () => {
    const database = await source.open();
    await database.run(raw(`UPDATE products SET stock = 'many' WHERE id = 2`));
    const result = await source.data('export', join(folder, 'failed.jsonl.gz'));
    await database.run(raw(`UPDATE products SET stock = 2 WHERE id = 2`));
    await database.close();
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(result.error).toContain('stock of products, id 2 must be a number');
    expect(await readdir(folder)).toEqual(names);
  });

  it('does not migrate, and changes nothing', async () => {
    const fresh = await openPlace(project, 'sqlite', 'never_migrated');
    const result = await fresh.data('export', join(folder, 'fresh.jsonl'));
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(result.error).toContain('npm run server -- migrate up');
    const database = await source.open();
    const before = await dump(database);
    expect(await source.data('export', join(folder, 'once-more.jsonl'))).toMatchObject({ code: 0 });
    expect(await dump(database)).toBe(before);
    await database.close();
  });

  it('does not depend on the storage: a bucket gives the same bytes as a folder', async () => {
    const bucket = new S3rver({
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: [{ name: 'media' }, { name: 'empty' }],
    });
    const { port } = (await bucket.run()) as { port: number };
    try {
      const settings = (name: string) => ({
        S3_BUCKET: name,
        S3_ENDPOINT: `http://127.0.0.1:${port}`,
        S3_ACCESS_KEY_ID: 'S3RVER',
        S3_SECRET_ACCESS_KEY: 'S3RVER',
        S3_FORCE_PATH_STYLE: 'true',
        S3_PUBLIC_URL: `http://127.0.0.1:${port}/${name}`,
      });
      const place = await openPlace(project, 'sqlite', 'bucket', settings('media'));
      expect(await place.data('import', exported)).toMatchObject({ code: 0, error: '' });
      const [name = ''] = await filesIn(source);
      const server = await place.start();
      const { body } = await server.send('GET', '/api/upload/files');
      await server.close();
      expect(body).toMatchObject([{ provider: 's3', url: `http://127.0.0.1:${port}/media/${name}` }]);
      const bytes = Buffer.from(await (await fetch(body[0].url)).arrayBuffer());
      expect(bytes.equals(await readFile(join(source.uploads, name)))).toBe(true);
      const path = join(folder, 'from-bucket.jsonl');
      expect(await place.data('export', path)).toMatchObject({ code: 0, error: '' });
      expect(await readFile(path, 'utf8')).toBe(await readFile(exported, 'utf8'));
      // A bucket keeps nothing of an import that failed.
      const failing = join(folder, 'fails-late.jsonl');
      await writeFile(
        failing,
        lines
          .slice(0, -1)
          .map((line) => `${line}\n`)
          .join(''),
      );
      const empty = await openPlace(project, 'sqlite', 'empty_bucket', settings('empty'));
      expect(await empty.data('import', failing)).toMatchObject({ code: 3 });
      expect((await fetch(`http://127.0.0.1:${port}/empty/${name}`)).status).toBe(404);
    } finally {
      bucket.logger.exceptions.unhandle();
      await bucket.close();
    }
  });

  it('says which files are lost, and has everything else', async () => {
    const place = await openPlace(project, 'sqlite', 'lost');
    const { uploads } = place;
    await place.data('import', exported);
    const [name = ''] = await filesIn(place);
    await rm(join(uploads, name));
    const path = join(folder, 'lost.jsonl');
    const result = await place.data('export', path);
    expect(result).toMatchObject({ code: 4 });
    expect(result.error).toMatch(/the bytes of 1 files are not in it/u);
    expect(result.error.trim().split('\n').at(-1)).toBe(name);
    expect(await linesOf(path)).toHaveLength(
      lines.length - lines.filter((line) => /^(?:"|\{"(?:file|sha256)")/u.test(line)).length,
    );
  });

  it.each([
    [[], 'A command is missing'],
    [['dump', 'x'], 'There is no command dump'],
    [['exprt', 'x'], 'There is no command exprt; did you mean export?'],
    [['export'], 'The name of the file is missing'],
    [['import', 'a', 'b'], 'Expected one file; unexpected: b'],
  ])('is not what the arguments %j ask for', async (args, message) => {
    const result = await source.data(...args);
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.error).toContain(message);
    expect(result.error).toContain('Usage: npm run server -- data ');
  });
});

it('names the folder or the file that is not there', async () => {
  const lacking = join(folder, 'nowhere');
  expect(await source.data('export', join(lacking, 'all.jsonl'))).toMatchObject({
    code: 3,
    error: `There is no folder ${lacking}. Create it, or choose another name.\n`,
  });
  expect(await source.data('import', lacking)).toMatchObject({ code: 3, error: `There is no file ${lacking}\n` });
});

describe('N08: an export from before a database was added to the schema', () => {
  /** The export as the version before has written it: its hash covered the SQL of the engines at that time. */
  function former(sum: string): string {
    const header = (lines[0] ?? '')
      .replace('"version":2', '"version":1')
      .replace(/"sum":"[0-9a-f]{64}"/u, `"sum":"${sum}"`);
    const content = [header, ...lines.slice(1, -1)];
    const sha256 = createHash('sha256')
      .update(content.map((line) => `${line}\n`).join(''))
      .digest('hex');
    const end = (lines.at(-1) ?? '').replace(/"sha256":"[0-9a-f]{64}"\}$/u, `"sha256":"${sha256}"}`);
    return [...content, end, ''].join('\n');
  }

  it('is imported, also one of the version before', async () => {
    const before = await openSchema(SCHEMA.replace('[sqlite, postgres, mysql]', '[sqlite]'));
    try {
      const old = await openPlace(before, 'sqlite', 'before');
      await (await old.start()).close();
      const hashOf = async ({ definition }: Pick<TestProject, 'definition'>) =>
        sumOf(await readMigrationFiles(fileURLToPath(definition.migrations)), ['sqlite']);
      const oldHash = await hashOf(before);
      const here = await readFile(new URL('migrations.sum', project.definition.migrations), 'utf8');
      expect(here).not.toContain(oldHash);
      const path = join(folder, 'from-before.jsonl');
      expect(await old.data('import', exported)).toMatchObject({ code: 0, error: '' });
      expect(await old.data('export', path)).toMatchObject({ code: 0 });
      expect(await linesOf(path)).toStrictEqual(lines);
      const formerPath = join(folder, 'former.jsonl');
      await writeFile(formerPath, former(oldHash));
      for (const [name, file] of [
        ['now', path],
        ['former', formerPath],
      ] as const) {
        const place = await openPlace(project, 'sqlite', `n08_${name}`);
        places.push(place);
        await (await place.start()).close();
        expect(await place.data('import', file)).toMatchObject({ code: 0, error: '' });
      }
      await writeFile(formerPath, former('0'.repeat(64)));
      const place = await openPlace(project, 'sqlite', 'n08_foreign');
      places.push(place);
      await (await place.start()).close();
      expect(await place.data('import', formerPath)).toMatchObject({
        code: 3,
        error: expect.stringContaining('another schema'),
      });
    } finally {
      await before.remove();
    }
  });
});
