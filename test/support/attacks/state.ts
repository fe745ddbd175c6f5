/** Everything that a server has stored, as text for comparisons. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../../templates/runtime/src/database/database.ts';
import { openDatabase } from '../../../templates/runtime/src/database/open-database.ts';
import { raw } from '../../../templates/runtime/src/database/sql.ts';

/** Table → column that is updated independently of what a request does. */
const VOLATILE: Readonly<Record<string, string>> = { api_tokens: 'last_used_at' };

export interface StoredState {
  /** All tables with their rows, and all files with their hashes. Equal texts mean that nothing has changed. */
  dump(): Promise<string>;
  rows(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Runs statements without the server's knowledge. */
  script(statements: string): Promise<void>;
  close(): Promise<void>;
}

async function tableNames(database: Database): Promise<string[]> {
  const rows = await database.all(
    raw(`SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'sqlite_sequence' ORDER BY name`),
  );
  return rows.map((row) => String(row['name']));
}

async function tableText(database: Database, table: string): Promise<string> {
  const rows = await database.all(raw(`SELECT * FROM "${table}"`));
  const skipped = VOLATILE[table] ?? '';
  return JSON.stringify(rows, (key, value: unknown) => {
    if (key === skipped) return undefined;
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    return typeof value === 'bigint' ? String(value) : value;
  });
}

async function filesText(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.endsWith('.incoming'));
  const lines = files.map(async ({ parentPath, name }) => {
    const bytes = await readFile(join(parentPath, name));
    return `${join(parentPath, name)} ${createHash('sha256').update(bytes).digest('hex')}`;
  });
  return (await Promise.all(lines)).sort().join('\n');
}

/** Opens a second connection to the database file `path`; `uploads` is the upload folder. */
export async function openState(path: string, uploads: string): Promise<StoredState> {
  const database = await openDatabase(`sqlite:${path}`);
  const tables = await tableNames(database);
  return {
    async dump() {
      const parts = [];
      for (const table of tables) parts.push(`${table}: ${await tableText(database, table)}`);
      return [...parts, await filesText(uploads)].join('\n');
    },
    rows: (statement) => database.all(raw(statement)),
    script: (statements) => database.script(statements),
    close: () => database.close(),
  };
}
