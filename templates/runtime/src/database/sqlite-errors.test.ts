/** The errors that callers get if a SQLite file can't be written. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { raw, sql } from './sql.ts';
import { openSqlite } from './sqlite.ts';

let folder: string;
let path: string;
let database: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'content-test-'));
  path = join(folder, 'data.db');
  database = await openSqlite({ path });
  await database.script('CREATE TABLE notes (text text)');
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const note = (length: number) => database.run(sql`INSERT INTO notes (text) VALUES (${'x'.repeat(length)})`);

it('R08: reports that there is no space left, still reads, and writes again when there is some', async () => {
  await database.script('PRAGMA max_page_count = 10');
  const full = { status: 507, headers: { 'Retry-After': '30' }, message: expect.stringMatching(/no space left/u) };
  await expect(note(100_000)).rejects.toMatchObject(full);
  await expect(
    database.transaction((tx) => tx.run(sql`INSERT INTO notes (text) VALUES (${'x'.repeat(100_000)})`)),
  ).rejects.toMatchObject(full);
  expect(await database.all(raw('SELECT * FROM notes'))).toStrictEqual([]);
  await database.script('PRAGMA max_page_count = 10000');
  await note(100_000);
});

it('R08: refuses for now what waited in vain for another process that writes', async () => {
  const other = new DatabaseSync(path);
  try {
    other.exec('BEGIN IMMEDIATE');
    await expect(note(1)).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    expect(await database.all(raw('SELECT * FROM notes'))).toStrictEqual([]);
    other.exec('COMMIT');
    await note(1);
  } finally {
    other.close();
  }
});
