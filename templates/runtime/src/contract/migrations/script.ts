/** How the migrator runs an SQL file of a migration: as data, so that it need not learn this from the SQL. */

/** A part of a script, which is done before the next one begins. `statements`: how many of the script's statements it consists of. */
export type ScriptPart =
  /** Statements in one transaction. */
  | { readonly runs: 'transaction'; readonly statements: number }
  /** Statements that each run in a transaction of their own. */
  | { readonly runs: 'each'; readonly statements: number }
  /** Statements that MySQL commits by itself. */
  | { readonly runs: 'autocommit'; readonly statements: number }
  /** Statements that only set what lives in the session: they are run again when an interrupted migration goes on. */
  | { readonly runs: 'session'; readonly statements: number }
  /** One statement, which PostgreSQL runs outside of transactions: it creates or drops an index. */
  | { readonly runs: 'concurrently'; readonly creates: string }
  | { readonly runs: 'concurrently'; readonly drops: string }
  /** One statement, which runs in a transaction for each range of `key`, the first column of the table's primary key. */
  | ({ readonly runs: 'ranges' } & Ranges);

/** The ids that a statement iterates over. */
export interface Ranges {
  readonly table: string;
  readonly key: string;
}

/** A constraint that stops the migration if there are rows that it can't keep. */
export interface Guard {
  /** The index of its first statement. */
  readonly at: number;
  /** The name of the constraint that fails. */
  readonly constraint: string;
  /** What is wrong, if the name doesn't say all of it. */
  readonly message?: string;
  /** A query that lists the rows. */
  readonly query: string;
  /** The table that exists only while three statements look for rows: one creates it, one fills it, one drops it. They change no data. */
  readonly table?: string;
}

/** The number of statements of a guard with a table. */
export const GUARD_STATEMENTS = 3;

export interface Script {
  readonly parts: readonly ScriptPart[];
  readonly guards?: readonly Guard[];
}

/** The scripts of a migration for one engine. */
export interface EngineScripts {
  readonly up: Script;
  readonly down: Script;
}

/** The number of statements in a part. */
export function statementCount(part: ScriptPart): number {
  return 'statements' in part ? part.statements : 1;
}

/** Adds a statement to the parts of a script. `isNew`: it begins another transaction than the statement before it. */
export function addStatement(
  parts: ScriptPart[],
  runs: Extract<ScriptPart, { readonly statements: number }>['runs'],
  isNew: boolean,
): void {
  const last = parts.at(-1);
  if (last?.runs === runs && 'statements' in last && !(isNew && runs === 'transaction')) {
    parts.splice(-1, 1, { ...last, statements: last.statements + 1 });
  } else {
    parts.push({ runs, statements: 1 });
  }
}

/**
 * All possible ids. Occurs once for each place in a statement that selects ids: as it stands in the file, it writes all rows at once,
 * so that it can also be run by hand.
 */
export const ALL_IDS = 'BETWEEN 0 AND 9223372036854775807';

/** The statement for the ids after `after`, up to `to`. */
export function withRange(statement: string, after: bigint, to: bigint): string {
  return statement.replaceAll(ALL_IDS, `BETWEEN ${after + 1n} AND ${to}`);
}
