/** A text of which some pieces are always the same, and the others are values of a row. */
import type { Row } from '../../database/statement-runner.ts';
import type { RowScalar } from '../../database/dialect.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import type { Compiler } from './compiler.ts';

/** A value, and the text that stands before it. */
export interface ValuePiece {
  readonly before: string;
  readonly value: Sql;
  readonly write: RowScalar['write'];
}

export interface RowText {
  /** What stands behind SELECT or RETURNING. */
  readonly columns: Sql;
  /** The text, of a row with these columns. Where a value is NULL it says `null`. */
  textOf(row: Row): string;
  /** What the column of a value is called; undefined where there is none. */
  nameOf(value: Sql): string | undefined;
}

/** The pieces, and `end` after them. */
export function rowText({ id }: Compiler, pieces: readonly ValuePiece[], end: string): RowText {
  const named = pieces.map((piece, index) => ({ ...piece, name: `c${index}` }));
  return {
    columns: join(
      named.map(({ value, name }) => sql`${value} AS ${id(name)}`),
      ', ',
    ),
    textOf(row) {
      let text = '';
      for (const { before, name, write } of named) {
        const value = row[name] ?? null;
        text += before;
        text += value === null ? 'null' : write(value);
      }
      return text + end;
    },
    nameOf: ({ text }) => named.find(({ value }) => value.text === text && value.params.length === 0)?.name,
  };
}
