/**
 * Statements that give many rows a value. They are run for one range of ids after the other, so that nobody waits for all of them, and a
 * start that was interrupted goes on where it was: rows that have the value already are left out, so that any of them may be run twice.
 */
import { COLUMN_NAMES } from '../../storage/column-names.ts';
import { inBatches } from './markers.ts';
import { sqlComment } from './text/sql-text.ts';

export interface Fill {
  readonly table: string;
  readonly column: string;
  /** SQL. */
  readonly value: string;
  /** SQL: which rows lack the value. */
  readonly where: string;
  /** The first column of the table's primary key. */
  readonly key?: string;
}

type Quote = (name: string) => string;

/** All rows at once. */
export function fillAtOnce(id: Quote, { table, column, value, where }: Fill): string {
  return `UPDATE ${id(table)}\n  SET ${id(column)} = ${value}\n  WHERE ${where};`;
}

/** The rows that lack the value after all ranges were run. */
export function fillRest(id: Quote, fill: Fill): readonly string[] {
  return [sqlComment('Of rows that were added meanwhile:'), fillAtOnce(id, fill)];
}

/** Range by range. */
export function fillInBatches(id: Quote, fill: Fill): readonly string[] {
  const { table, where, key = COLUMN_NAMES.id } = fill;
  const all = `${id(key)} BETWEEN 0 AND 9223372036854775807`;
  return [inBatches(table, key), fillAtOnce(id, { ...fill, where: `${where}\n    AND ${all}` })];
}
