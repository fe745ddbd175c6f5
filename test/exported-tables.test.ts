/** Every table and column of a server is exported. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { openSqlite } from '../templates/runtime/src/database/sqlite.ts';
import { planSections } from '../templates/runtime/src/features/transfer/sections.ts';
import { transferTables } from '../templates/runtime/src/content/stored-rows/stored-tables.ts';
import { migrate } from '../templates/runtime/src/migrator/migrate.ts';
import { descriptorsOf, trees } from './support/fixtures.ts';

/** Transient tables, and those of the migrator. */
const NOT_EXPORTED = [
  ...['_migrations', 'access_changes', 'idempotency_keys', 'pending_files', 'rate_limits', 'sqlite_sequence'],
];

const CATALOGUE = `
  SELECT t.name || '.' || c.name AS place FROM sqlite_schema t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT IN (${NOT_EXPORTED.map((name) => `'${name}'`).join(', ')}) ORDER BY place`;

const REFERENCES = `
  SELECT t.name || '.' || k."from" || ' ' || k."table" AS place
    FROM sqlite_schema t, pragma_foreign_key_list(t.name) k WHERE t.type = 'table' ORDER BY place`;

describe.each([...trees])('of %s', (_, tree) => {
  it('every table and column that migrations create is exported, with its key', async () => {
    const app = readFileSync(join(tree, 'src/generated/app.ts'), 'utf8');
    const tables = transferTables(await descriptorsOf(tree), app.includes('\n  rules: {') ? { rules: {} } : {});
    const database = await openSqlite({ path: ':memory:' });
    try {
      await migrate(database, { directory: join(tree, 'migrations'), dialect: 'sqlite' }, 'up');
      const places = async (query: string) => (await database.all(raw(query))).map(({ place }) => place);
      const columns = tables.flatMap(({ name, columns: list }) => list.map((column) => [name, column] as const));
      const moved = columns.map(([table, { name }]) => `${table}.${name}`);
      expect(moved.sort()).toEqual((await places(CATALOGUE)).map(String).sort());
      const keys = columns.flatMap(([table, { name, references }]) =>
        references === undefined ? [] : [`${table}.${name} ${references}`],
      );
      expect(keys.sort()).toEqual((await places(REFERENCES)).map(String).sort());
    } finally {
      await database.close();
    }
    const there = new Set<string>();
    for (const { table, columns, fills } of planSections(tables)) {
      const missing = columns.filter(({ references }) => references !== undefined && !there.has(references));
      expect(missing, table).toEqual([]);
      if (!fills) there.add(table);
    }
    expect(there.size).toBe(tables.length);
  });
});
