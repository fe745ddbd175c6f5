/** Reads tables from the catalogue of a database: one file per engine says how. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Executor } from '../../database/executor.ts';
import type { DialectName } from '../../database/dialect.ts';
import { join, type Sql, sql } from '../../database/sql.ts';
import { type FoundTable, FoundTables } from './found-table.ts';
import { readMysqlTables } from './read-mysql-tables.ts';
import { readPostgresTables } from './read-postgres-tables.ts';
import { readSqliteTables } from './read-sqlite-tables.ts';

/** Adds what the tables have whose names are in the list. Tables that are not there are left out. */
export type ReadTables = (executor: Executor, names: Sql, found: FoundTables) => Promise<void>;

const READ: Readonly<Record<DialectName, ReadTables>> = {
  sqlite: readSqliteTables,
  postgres: readPostgresTables,
  mysql: readMysqlTables,
};

/** Tables that are asked for at once: with what they have, some hundred rows, which hold nobody up. */
const PAGE = 20;

/** The tables of these names that are there, a few at a time. Throws once `signal` is aborted. */
export async function readTables(
  executor: Executor,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, FoundTable>> {
  const found = new FoundTables();
  for (let start = 0; start < names.length; start += PAGE) {
    // Where the engine is in this process, nothing else would have its turn.
    await turn();
    signal?.throwIfAborted();
    const page = names.slice(start, start + PAGE).map((name) => sql`${name}`);
    await READ[executor.dialect.name](executor, join(page, ', '), found);
  }
  return found.tables;
}
