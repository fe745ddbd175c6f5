/** Statements that stop a migration while there are rows which it can't keep. */
import { COLUMN_NAMES } from '../../storage/column-names.ts';
import { hashText } from '../../files/hash.ts';
import type { ItemPlace } from '../history/items-edit.ts';
import { sqlComment } from './text/sql-text.ts';
import type { SqlWriter } from './sql-writer.ts';

/** Rows that must not be there. */
export interface RowGuard {
  readonly table: string;
  /** What there is to see of them, beside their key. */
  readonly columns: readonly string[];
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
export function guardRows({ id }: Pick<SqlWriter, 'id'>, { table, columns, where, what }: RowGuard): readonly string[] {
  const shown = [COLUMN_NAMES.id, ...columns].map(id).join(', ');
  return guard({ id }, table, shown, `FROM ${id(table)} WHERE ${where}`, what);
}

/** Component items that must not be there. */
export interface ItemGuard {
  readonly items: readonly { readonly table: string; readonly place: ItemPlace; readonly member: string }[];
  /** On the text of the member, which is called `value`. */
  readonly where: string;
  readonly what: string;
}

/** As `guardRows`, of component items. */
export function guardItems(
  { id, text, itemValues }: Pick<SqlWriter, 'id' | 'text' | 'itemValues'>,
  { items, where, what }: ItemGuard,
): readonly string[] {
  const found = items.map(
    ({ table, place, member }) =>
      `SELECT ${text(table)} AS entries, id, value FROM (${itemValues(table, place, member)}) AS items`,
  );
  return guard({ id }, '', 'entries, id, value', `FROM (${found.join(' UNION ALL ')}) AS found WHERE ${where}`, what);
}

function guard(
  { id }: Pick<SqlWriter, 'id'>,
  table: string,
  columns: string,
  rows: string,
  what: string,
): readonly string[] {
  const name = what.slice(-MAX_NAME);
  const found = id(`_found_${hashText(table + what).slice(0, HASH_LENGTH)}`);
  return [
    `CREATE TABLE IF NOT EXISTS ${found} (\n  ${id('found')} integer,\n  CONSTRAINT ${id(name)} CHECK (${id('found')} = 0)\n);`,
    sqlComment(`To list them: SELECT ${columns} ${rows}`),
    `INSERT INTO ${found}\n  SELECT count(*) ${rows};`,
    `DROP TABLE ${found};`,
  ];
}
