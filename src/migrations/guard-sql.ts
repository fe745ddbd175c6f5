/** Statements that stop a migration while there are rows which it can't keep. */
import { hashText } from '../output/hash.ts';
import { sqlComment } from './sql-text.ts';
import type { SqlWriter } from './sql-writer.ts';

/** Rows that must not be there. */
export interface RowGuard {
  readonly table: string;
  /** What there is to see of them, beside their key. */
  readonly column: string;
  /** Of the migration's engine, as are the names in it. */
  readonly where: string;
  /** What is wrong, of ASCII: `article.rank has values that are no integer`. */
  readonly what: string;
}

/** What the shortest names of constraints may have. */
const MAX_NAME = 60;
const HASH_LENGTH = 8;

/**
 * Counts the rows into a table that takes no other number than 0: the only way to stop that all engines have. Its constraint
 * says what is wrong; the runtime's migrator adds the query in the comment to it.
 */
export function guardRows({ id }: Pick<SqlWriter, 'id'>, { table, column, where, what }: RowGuard): readonly string[] {
  const name = what.slice(-MAX_NAME);
  const found = id(`_found_${hashText(table + what).slice(0, HASH_LENGTH)}`);
  const rows = `FROM ${id(table)} WHERE ${where}`;
  return [
    `CREATE TABLE IF NOT EXISTS ${found} (\n  ${id('found')} integer,\n  CONSTRAINT ${id(name)} CHECK (${id('found')} = 0)\n);`,
    sqlComment(`To list them: SELECT ${id('id')}, ${id(column)} ${rows}`),
    `INSERT INTO ${found}\n  SELECT count(*) ${rows};`,
    `DROP TABLE ${found};`,
  ];
}
