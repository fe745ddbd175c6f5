/** Statements that stop a migration if there are rows which it can't keep. */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { ItemPlace } from '#contract/migrations/items-edit.ts';
import { hashText } from '../../files/hash.ts';
import { sqlComment } from './text/sql-text.ts';
import type { SqlLine } from './sql-line.ts';
import type { SqlWriter } from './sql-writer.ts';

/** A check for rows that must not exist. */
export interface RowGuard {
  readonly table: string;
  /** The columns to show in addition to the id. */
  readonly columns: readonly string[];
  /** An SQL condition for the migration's engine, with quoted names. */
  readonly where: string;
  /** The error message, in ASCII: `article.rank has non-integer values`. */
  readonly what: string;
}

/** The maximum length of constraint names that all engines support. */
const MAX_NAME = 60;
const HASH_LENGTH = 8;

/**
 * Inserts the number of such rows into a table with a constraint that allows only 0: the only way to fail that all engines support.
 * For people who run the SQL by hand, the name of the constraint is the error message, or its end, and the comment has the query that
 * lists the rows.
 */
export function guardRows(
  { id }: Pick<SqlWriter, 'id'>,
  { table, columns, where, what }: RowGuard,
): readonly SqlLine[] {
  const shown = [COLUMN_NAMES.id, ...columns].map(id).join(', ');
  return guard({ id }, table, shown, `FROM ${id(table)} WHERE ${where}`, what);
}

/** A check for component items that must not exist. */
export interface ItemGuard {
  readonly items: readonly {
    readonly table: string;
    readonly place: ItemPlace;
    readonly member: string;
    /** Only those of published entries. */
    readonly published?: true;
  }[];
  /** An SQL condition on the member's text, which is called `value`. */
  readonly where: string;
  readonly what: string;
}

/** Like `guardRows`, for component items. */
export function guardItems(
  { id, text, itemValues }: Pick<SqlWriter, 'id' | 'text' | 'itemValues'>,
  { items, where, what }: ItemGuard,
): readonly SqlLine[] {
  const found = items.map(({ table, place, member, published }) => {
    const entries = `SELECT ${id(COLUMN_NAMES.id)} FROM ${id(table)} WHERE ${id(COLUMN_NAMES.publishedAt)} IS NOT NULL`;
    const rows = `(${itemValues(table, place, member)}) AS items${published ? ` WHERE id IN (${entries})` : ''}`;
    return `SELECT ${text(table)} AS entries, id, value FROM ${rows}`;
  });
  return guard({ id }, '', 'entries, id, value', `FROM (${found.join(' UNION ALL ')}) AS found WHERE ${where}`, what);
}

function guard(
  { id }: Pick<SqlWriter, 'id'>,
  table: string,
  columns: string,
  rows: string,
  what: string,
): readonly SqlLine[] {
  const constraint = what.slice(-MAX_NAME);
  const message = constraint === what ? {} : { message: what };
  const scratch = `_found_${hashText(table + what).slice(0, HASH_LENGTH)}`;
  const found = id(scratch);
  const query = `SELECT ${columns} ${rows}`;
  return [
    {
      text: `CREATE TABLE IF NOT EXISTS ${found} (\n  ${id('found')} integer,\n  CONSTRAINT ${id(constraint)} CHECK (${id('found')} = 0)\n);`,
      guard: { constraint, ...message, query, table: scratch },
    },
    sqlComment(`${constraint === what ? '' : `${what}. `}To list them: ${query}`),
    `INSERT INTO ${found}\n  SELECT count(*) ${rows};`,
    `DROP TABLE ${found};`,
  ];
}
