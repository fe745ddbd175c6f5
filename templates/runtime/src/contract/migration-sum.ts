/**
 * `migrations.sum`: one line a migration, chained, so that two branches that both add one conflict in it. The generator writes it,
 * the migrator of the runtime checks it.
 */

/** One migration's files: path within its folder → text. */
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

/** The files of a migration's folder that are hashed; whatever else lies there is not. */
const COUNTED = /^(?:plan\.json|(?:sqlite|postgres|mysql)\/(?:up|down)\.sql)$/u;

const LINE = /^(?<name>\d{4,}_[a-z0-9_]+) (?<hash>[0-9a-f]{64})$/u;

/** Whether a file of a migration's folder is hashed. The path is relative to that folder. */
export function isMigrationFile(path: string): boolean {
  return COUNTED.test(path);
}

/** The text with LF for every CRLF: a checkout may convert line ends. */
export function normalizeLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The hash of a migration that follows another one: it covers its files, and all before it. */
export function migrationHash(previous: string, files: ReadonlyMap<string, string>, sha256: Sha256): string {
  const lines = [...files]
    .filter(([path]) => isMigrationFile(path))
    // ASCII paths: code units are code points.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => `${path} ${sha256(normalizeLineEnds(text))}\n`);
  return sha256(`${previous}\n${lines.join('')}`);
}

/** Reads a line of the file; undefined where it is none. */
export function readSumLine(line: string): SumLine | undefined {
  const groups = LINE.exec(line)?.groups;
  return groups && { name: groups['name'] ?? '', hash: groups['hash'] ?? '' };
}

/** Whether a line is one that a merge leaves between two sides. */
export function isConflictMarker(line: string): boolean {
  return /^(?:<{7}|={7}|>{7}|\|{7})/u.test(line);
}
