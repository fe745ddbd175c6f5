/**
 * Statements that fill many rows. They run in batches, one range of ids at a time, so that locks are held only briefly, and an
 * interrupted migration can resume. They are idempotent: rows that already have the value are skipped.
 */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import { ALL_IDS } from '#contract/migrations/script.ts';
import type { SqlLine } from './sql-line.ts';
import { inBatches } from './markers.ts';
import { sqlComment } from './text/sql-text.ts';

export interface Fill {
  readonly table: string;
  readonly column: string;
  /** An SQL expression. */
  readonly value: string;
  /** An SQL condition on the rows that lack the value. */
  readonly where: string;
  /** The first column of the table's primary key. */
  readonly key?: string;
}

type Quote = (name: string) => string;

/** Fills all rows at once. */
export function fillAtOnce(id: Quote, { table, column, value, where }: Fill): string {
  return `UPDATE ${id(table)}\n  SET ${id(column)} = ${value}\n  WHERE ${where};`;
}

/** Fills the rows that still lack the value after all batches. */
export function fillRest(id: Quote, fill: Fill): readonly string[] {
  return [sqlComment('Of rows that were added meanwhile:'), fillAtOnce(id, fill)];
}

/** Fills rows in batches. */
export function fillInBatches(id: Quote, fill: Fill): readonly SqlLine[] {
  const { table, where, key = COLUMN_NAMES.id } = fill;
  const text = fillAtOnce(id, { ...fill, where: `${where}\n    AND ${id(key)} ${ALL_IDS}` });
  return [inBatches(table, key), { text, ranges: { table, key } }];
}
