/**
 * `migrations.sum`: one line per migration, chained by hashes, so that merging two branches that both add a migration is a
 * conflict. Written by the generator, verified by the migrator of the runtime.
 */

/** The files of one migration: path within its folder → text. */
export interface MigrationFiles {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
}

/** One line of the sum. `hash`, SHA-256 in hex, covers this migration and all before it. */
export interface SumLine {
  readonly name: string;
  readonly hash: string;
}

/** SHA-256 of a text in UTF-8, in hex. */
export type Sha256 = (text: string) => string;

/** The files in a migration's folder that are hashed. */
const COUNTED = /^(?:plan\.json|(?:sqlite|postgres|mysql)\/(?:up|down)\.sql)$/u;

const LINE = /^(?<name>\d{4,}_[a-z0-9_]+) (?<hash>[0-9a-f]{64})$/u;

/** Whether a file in a migration's folder is hashed. `path` is relative to that folder. */
export function isMigrationFile(path: string): boolean {
  return COUNTED.test(path);
}

/** Replaces CRLF by LF, because a checkout may convert line ends. */
export function normalizeLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The hash of a migration: covers its files and, through the hash of the previous one, all earlier migrations. */
export function migrationHash(previous: string, files: ReadonlyMap<string, string>, sha256: Sha256): string {
  const lines = [...files]
    .filter(([path]) => isMigrationFile(path))
    // Paths are ASCII, so comparing code units gives the same order everywhere.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => `${path} ${sha256(normalizeLineEnds(text))}\n`);
  return sha256(`${previous}\n${lines.join('')}`);
}

/** Parses a line of the file; undefined if it is malformed. */
export function readSumLine(line: string): SumLine | undefined {
  const groups = LINE.exec(line)?.groups;
  return groups && { name: groups['name'] ?? '', hash: groups['hash'] ?? '' };
}

/** Whether a line is a marker of an unresolved merge conflict. */
export function isConflictMarker(line: string): boolean {
  return /^(?:<{7}|={7}|>{7}|\|{7})/u.test(line);
}
