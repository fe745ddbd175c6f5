/** The table `_migrations`: which migrations are applied. */
import type { Executor } from '../database/executor.ts';
import type { Dialect } from '../database/dialect.ts';
import { join, sql } from '../database/sql.ts';
import { MigrationError } from './migration-error.ts';
import { isExpand } from './parts.ts';
import type { Migration, ProjectMigrations } from './read-migrations.ts';

export interface Applied {
  readonly name: string;
  readonly checksum: string;
  /** ISO 8601. */
  readonly appliedAt: string;
}

const TABLE = '_migrations';

/** The "no such table" messages of SQLite, PostgreSQL and MySQL. */
const NO_TABLE = /no such table|does not exist|doesn't exist/iu;

/** Whether an error means that the table does not exist. */
function isNoTable(error: unknown): boolean {
  return error instanceof Error && NO_TABLE.test(error.message);
}

/** What `read` returns; `otherwise` if its table does not exist. */
export async function unlessNoTable<T, U>(read: () => Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await read();
  } catch (error) {
    if (isNoTable(error)) return otherwise;
    throw error;
  }
}

/** The applied migrations, in order; empty if the table does not exist yet. One statement. */
export async function readApplied(executor: Executor): Promise<readonly Applied[]> {
  const { dialect } = executor;
  const columns = ['name', 'checksum', 'applied_at'].map((name) => dialect.id(name));
  const select = sql`SELECT ${join(columns, ', ')} FROM ${dialect.id(TABLE)} ORDER BY ${dialect.id('number')}`;
  const rows = await unlessNoTable(() => executor.all(select), []);
  return rows.map((row) => ({
    name: String(row['name']),
    checksum: String(row['checksum']),
    appliedAt: String(row['applied_at']),
  }));
}

/** Whether no server has ever started on the database: the first start adds roles. Some versions have no table of roles. */
export async function isUnused(executor: Executor): Promise<boolean> {
  const read = async (): Promise<boolean> =>
    (await executor.get(sql`SELECT 1 AS used FROM user_roles LIMIT 1`)) === undefined;
  return unlessNoTable(read, false);
}

/** SQL that records a migration as applied: a statement that creates the table if needed, and the record. */
export function recordSql(
  dialect: Dialect,
  { name, checksum }: Migration,
  number: number,
): readonly [createTable: string, insert: string] {
  const id = (column: string): string => dialect.id(column).text;
  const texts = [name, checksum, new Date().toISOString()].map((text) => dialect.text(text).text);
  const createTable = `CREATE TABLE IF NOT EXISTS ${id(TABLE)} (
  ${id('number')} integer NOT NULL PRIMARY KEY,
  ${id('name')} varchar(100) NOT NULL,
  ${id('checksum')} varchar(64) NOT NULL,
  ${id('applied_at')} varchar(30) NOT NULL
)`;
  const insert = `INSERT INTO ${id(TABLE)} (${['number', 'name', 'checksum', 'applied_at'].map(id).join(', ')})
  VALUES (${[String(number), ...texts].join(', ')})`;
  return [createTable, insert];
}

/** SQL that deletes the record of a migration. */
export function forgetSql(dialect: Dialect, { name }: Migration): string {
  return `DELETE FROM ${dialect.id(TABLE).text} WHERE ${dialect.id('name').text} = ${dialect.text(name).text};`;
}

/** How to undo migrations that only other code has. `last`: the last one that both have. */
function undoingElsewhere(last: string | undefined): string {
  return `in the version or branch that has it, run npm run server -- migrate down${last === undefined ? '' : ` --to ${last}`}`;
}

/** The error for an applied migration that this server does not know. `last`: the one before it. */
export function newerError(name: string, last: string | undefined): MigrationError {
  return new MigrationError(
    `The database is newer than this server: it has the migration ${name}, which this server does not know. ` +
      `Start the newer server, or undo the migration: ${undoingElsewhere(last)}.`,
  );
}

/** SQL that updates the recorded checksum of a migration. */
export function acceptSql(dialect: Dialect, { name, checksum }: Migration): string {
  return `UPDATE ${dialect.id(TABLE).text} SET ${dialect.id('checksum').text} = ${dialect.text(checksum).text} WHERE ${dialect.id('name').text} = ${dialect.text(name).text};`;
}

/** The error for a migration that is applied but not sealed. */
function unsealedError(name: string): MigrationError {
  return new MigrationError(
    `The migration ${name} was applied to the database, but is not in migrations.sum. If a merge dropped its line, ` +
      'restore migrations.sum from version control. If the migration was edited since, seal it: npx content-gen migrations seal',
  );
}

/**
 * Throws a MigrationError unless the applied migrations are a prefix of the project's, or all of them followed by
 * `__expand` migrations of a newer version, with which this server still works.
 */
export function checkApplied({ migrations, unsealed }: ProjectMigrations, applied: readonly Applied[]): void {
  for (const [index, { name, checksum }] of applied.entries()) {
    const migration = migrations[index];
    if (unsealed.includes(name)) throw unsealedError(name);
    if (!migration) {
      if (isExpand(name)) continue;
      throw newerError(name, applied[index - 1]?.name);
    }
    if (migration.name !== name) {
      throw new MigrationError(
        `The database has the migration ${name} where this server has ${migration.name}: they come from different branches. ` +
          'Put the migrations of both into one order (npx content-gen migrations status). If they already are in this one, ' +
          `undo ${name} first: ${undoingElsewhere(applied[index - 1]?.name)}. Or use a separate database for each branch.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new MigrationError(
        `The migration ${name} was applied to the database with different SQL than this server has. ` +
          'Restore the folder migrations/ from version control. If its SQL was changed on purpose, ' +
          `see how to resolve this: npm run server -- migrate accept ${name}`,
      );
    }
  }
}
