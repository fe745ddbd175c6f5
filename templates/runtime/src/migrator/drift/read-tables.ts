/** Reads tables from the catalogue of a database; there is one file per engine. */
import type { Executor } from '../../database/executor.ts';
import type { DialectName } from '../../database/dialect.ts';
import { join, type Sql, sql } from '../../database/sql.ts';
import { type FoundTable, FoundTables } from './found-table.ts';
import { readMysqlTables } from './read-mysql-tables.ts';
import { readPostgresTables } from './read-postgres-tables.ts';
import { readSqliteTables } from './read-sqlite-tables.ts';

/** Adds what the catalogue has of the tables in the list. Tables that do not exist are skipped. */
export type ReadTables = (executor: Executor, names: Sql, found: FoundTables) => Promise<void>;

const READ: Readonly<Record<DialectName, ReadTables>> = {
  sqlite: readSqliteTables,
  postgres: readPostgresTables,
  mysql: readMysqlTables,
};

/** The number of tables per query, which bounds its parameters. */
const PAGE = 200;

/** Reads those of the named tables that exist. */
export async function readTables(
  executor: Executor,
  names: readonly string[],
): Promise<ReadonlyMap<string, FoundTable>> {
  const found = new FoundTables();
  for (let start = 0; start < names.length; start += PAGE) {
    const page = names.slice(start, start + PAGE).map((name) => sql`${name}`);
    await READ[executor.dialect.name](executor, join(page, ', '), found);
  }
  return found.tables;
}
