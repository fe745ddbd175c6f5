import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEngine, type RuntimeDatabase, testedEngines } from '../../test-support/runtime-database.ts';
import { raw } from '../database/sql.ts';
import { type Correction, correctRecord } from './accept.ts';
import { migrate } from './migrate.ts';
import { textHash } from './sum.ts';

const PLACEHOLDER =
  '-- 0002_fill: applied on ENGINE\n-- Write the statements here, each ending in a semicolon; then run: content-gen migrations seal\n';
const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MySQL and MariaDB' };

describe.each(await testedEngines())('a migration that was applied with other SQL, on %s', (dialect) => {
  let folder: string;
  let opened: RuntimeDatabase;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    opened = await openEngine(dialect, 'accepted');
  });
  afterEach(async () => {
    await opened.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Writes sealed migrations with these names and SQL. */
  async function write(...chain: readonly (readonly [name: string, up: string])[]): Promise<void> {
    let previous = '';
    let sum = '';
    for (const [name, up] of chain) {
      await mkdir(join(folder, 'migrations', name, dialect), { recursive: true });
      const texts = [`${dialect}/down.sql`, `${dialect}/up.sql`].map(
        (path) => [path, path.includes('up') ? up : ''] as const,
      );
      for (const [path, text] of texts) await writeFile(join(folder, 'migrations', name, path), text);
      previous = textHash(`${previous}\n${texts.map(([path, text]) => `${path} ${textHash(text)}\n`).join('')}`);
      sum += `${name} ${previous}\n`;
    }
    await writeFile(join(folder, 'migrations/migrations.sum'), sum);
  }

  const options = () => ({ directory: join(folder, 'migrations'), dialect });
  const up = () => migrate(opened.database, options(), 'up');
  const correct = (correction: Correction, name: string, shown?: string) =>
    correctRecord(opened.database, options(), { correction, name, shown });
  const rows = () => opened.database.all(raw('SELECT n FROM a ORDER BY n'));

  const CREATE = ['0001_create', 'CREATE TABLE a (n integer);'] as const;
  const WRITTEN = 'INSERT INTO a VALUES (7);\n';
  const LATER = ['0003_later', 'INSERT INTO a VALUES (8);'] as const;

  it('N02: is shown, and run by the next start after `forget`', async () => {
    await write(CREATE, ['0002_fill', PLACEHOLDER.replace('ENGINE', ENGINES[dialect])]);
    await up();
    await write(CREATE, ['0002_fill', WRITTEN]);
    await expect(up()).rejects.toThrow(/different SQL.*npm run server -- migrate accept 0002_fill/u);
    const text = await correct('forget', '0002_fill');
    expect(text).toContain('nothing was run');
    expect(text).toContain('  INSERT INTO a VALUES (7);\n');
    await expect(up()).rejects.toThrow(/different SQL/u);
    const [, shown = ''] = /forget 0002_fill (\w+)/u.exec(text) ?? [];
    await correct('forget', '0002_fill', shown);
    expect((await up()).changed).toStrictEqual(['0002_fill']);
    expect(await rows()).toStrictEqual([{ n: 7 }]);
  });

  it('N02: is accepted by the shown checksum, without running any SQL', async () => {
    await write(CREATE, ['0002_fill', '-- once\n'], LATER);
    await up();
    await write(CREATE, ['0002_fill', WRITTEN], LATER);
    const text = await correct('accept', '0002_fill');
    expect(text).not.toContain('nothing was run');
    expect(text).not.toContain('migrate -- forget');
    const [, shown = ''] = /accept 0002_fill (\w+)/u.exec(text) ?? [];
    await expect(correct('forget', '0002_fill', shown)).rejects.toThrow(/other migrations were applied after it/u);
    await expect(correct('accept', '0002_fill', `${'0'.repeat(12)}`)).rejects.toThrow(
      /has changed since it was shown/u,
    );
    await expect(correct('accept', '0002_fill', '')).rejects.toThrow(/not the beginning of a checksum/u);
    await correct('accept', '0002_fill', shown);
    expect((await up()).changed).toStrictEqual([]);
    expect(await rows()).toStrictEqual([{ n: 8 }]);
    const sum = await readFile(join(folder, 'migrations/migrations.sum'), 'utf8');
    expect(sum).toContain('0002_fill');
  });

  it('N10: is shown with the SHA-256 of its file, or of the file with LF line ends', async () => {
    await write(CREATE, ['0002_fill', '-- once\n']);
    await up();
    await write(CREATE, ['0002_fill', WRITTEN]);
    const path = `migrations/0002_fill/${dialect}/up.sql`;
    const hashOf = async (): Promise<string> =>
      createHash('sha256')
        .update(await readFile(join(folder, path)))
        .digest('hex');
    const withLf = await hashOf();
    expect(await correct('accept', '0002_fill')).toContain(`${path} has now (SHA-256 ${withLf}):`);
    await writeFile(join(folder, path), WRITTEN.replaceAll('\n', '\r\n'));
    expect(await hashOf()).not.toBe(withLf);
    const text = await correct('accept', '0002_fill');
    expect(text).toContain(`${path} has now (SHA-256 with LF for each CRLF, as in version control: ${withLf}):`);
  });

  it('N02: is not confused with other states of a migration', async () => {
    await write(CREATE);
    await up();
    await write(CREATE, ['0002_fill', WRITTEN]);
    await expect(correct('accept', '0001_create')).rejects.toThrow(/exactly the SQL/u);
    await expect(correct('accept', '0002_fill')).rejects.toThrow(/was not applied/u);
    await expect(correct('accept', '0009_x')).rejects.toThrow(/no migration 0009_x/u);
  });
});
