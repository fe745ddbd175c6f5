/**
 * Statements that write many rows, and are run for one range of ids after the other. A line above them says so, and of which ids; as they
 * stand in the file they write all rows at once, so that they can be run by hand.
 */

/** The ids of which rows a statement is run for. */
export interface Ranges {
  readonly table: string;
  /** The first column of its primary key. */
  readonly key: string;
}

const MARKER = /^(?:\s|--[^\n]*\n)*?-- content-gen: in batches of (?<table>[^\s.]+)\.(?<key>[^\s.]+)/u;

/** All ids that there can be; once for each place in a statement. */
const ALL = /\bBETWEEN 0 AND 9223372036854775807\b/gu;

/** How a statement is run range by range; undefined where it is run at once. */
export function rangesOf(statement: string): Ranges | undefined {
  const { table, key } = MARKER.exec(statement)?.groups ?? {};
  if (table === undefined || key === undefined || statement.search(ALL) === -1) return undefined;
  return { table, key };
}

/** The statement for the ids after `after`, up to `to`. */
export function withRange(statement: string, after: bigint, to: bigint): string {
  return statement.replaceAll(ALL, `BETWEEN ${after + 1n} AND ${to}`);
}
