/** How an entry is asked for, and how its text is made of the row that answers. */
import type { Row } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import type { Sql } from '../../database/sql.ts';
import type { EntrySelection } from '../read-query.ts';
import { entryJson } from './compile-entry.ts';
import type { Compiler } from './compiler.ts';
import type { TableRows } from './rows.ts';

export interface EntryAnswer {
  /** What stands behind SELECT or RETURNING. */
  readonly columns: Sql;
  /** The JSON text of the entry. */
  textOf(row: Row): string;
}

/** The database builds the text. */
export function entryAnswer(compiler: Compiler, entry: EntrySelection, rows: TableRows): EntryAnswer {
  const json = compiler.dialect.jsonText(entryJson(compiler, entry, rows));
  return { columns: sql`${json} AS data`, textOf: (row) => String(row['data']) };
}
