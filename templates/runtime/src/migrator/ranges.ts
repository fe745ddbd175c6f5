/**
 * Statements that write many rows and run for one range of ids at a time. A marker line above the statement names the table
 * and its key. As they stand in the file, they write all rows at once, so that they can also be run by hand.
 */

/** The ids that a statement iterates over. */
export interface Ranges {
  readonly table: string;
  /** The first column of its primary key. */
  readonly key: string;
}

const MARKER = /^(?:\s|--[^\n]*\n)*?-- content-gen: in batches of (?<table>[^\s.]+)\.(?<key>[^\s.]+)/u;

/** All possible ids; occurs once for each place in a statement that selects ids. */
const ALL = /\bBETWEEN 0 AND 9223372036854775807\b/gu;

/** How a statement runs range by range; undefined if it runs at once. */
export function rangesOf(statement: string): Ranges | undefined {
  const { table, key } = MARKER.exec(statement)?.groups ?? {};
  if (table === undefined || key === undefined || statement.search(ALL) === -1) return undefined;
  return { table, key };
}

/** The statement for the ids after `after`, up to `to`. */
export function withRange(statement: string, after: bigint, to: bigint): string {
  return statement.replaceAll(ALL, `BETWEEN ${after + 1n} AND ${to}`);
}
