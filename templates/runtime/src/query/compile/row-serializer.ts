/** A string built from constant pieces and the values of a row. */
import type { Row } from '../../database/statement-runner.ts';
import type { RowScalar } from '../../database/dialect.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import type { Compiler } from './compiler.ts';

/** A value, and the constant string before it. */
export interface ValuePiece {
  readonly before: string;
  readonly value: Sql;
  readonly write: RowScalar['write'];
}

export interface RowSerializer {
  /** The columns for SELECT or RETURNING. */
  readonly columns: Sql;
  /** Builds the string from a row with these columns. NULL becomes `null`. */
  textOf(row: Row): string;
  /** The name of a value's column; undefined if it is not selected. */
  nameOf(value: Sql): string | undefined;
}

/** Builds a string from the pieces, followed by `end`. */
export function createRowSerializer({ id }: Compiler, pieces: readonly ValuePiece[], end: string): RowSerializer {
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
