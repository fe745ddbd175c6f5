/**
 * `migrations.sum`: one line a migration, chained, so that two branches that both add one conflict in it. The migrator of
 * the runtime checks it with the same algorithm.
 */
import { hashText, normalizeLineEnds } from '../../output/hash.ts';

/** One migration's files: path within its folder → text. */
export interface MigrationFiles {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
}

/** One line of the sum. */
export interface SumLine {
  readonly name: string;
  /** SHA-256, in hex. */
  readonly hash: string;
}

/** The files of a migration's folder that count; whatever else lies there does not. */
const COUNTED = /^(?:plan\.json|(?:sqlite|postgres|mysql)\/(?:up|down)\.sql)$/u;

/** Whether a file of a migration's folder counts. The path is relative to that folder. */
export function isMigrationFile(path: string): boolean {
  return COUNTED.test(path);
}

/** The hash of a migration that follows another one: it covers its files, and all before it. */
export function hashAfter(previous: string, files: ReadonlyMap<string, string>): string {
  const lines = [...files]
    .filter(([path]) => isMigrationFile(path))
    // ASCII paths: code units are code points.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => `${path} ${hashText(normalizeLineEnds(text))}\n`);
  return hashText(`${previous}\n${lines.join('')}`);
}

/** The lines for migrations in order: each hash covers the files of its migration and the hash before it. */
export function sumOf(migrations: readonly MigrationFiles[]): readonly SumLine[] {
  const lines: SumLine[] = [];
  for (const { name, files } of migrations) {
    lines.push({ name, hash: hashAfter(lines.at(-1)?.hash ?? '', files) });
  }
  return lines;
}

/** The text of the file. */
export function printSum(lines: readonly SumLine[]): string {
  return lines.map(({ name, hash }) => `${name} ${hash}\n`).join('');
}

/** Whether a line is one that a merge leaves between two sides. */
export function isConflictMarker(line: string): boolean {
  return /^(?:<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|)/u.test(line);
}

/** The names of all lines that are some, also on both sides of a merge that has left its markers. */
export function listedNames(text: string): ReadonlySet<string> {
  const names = normalizeLineEnds(text).matchAll(/^(?<name>\d{4,}_[a-z0-9_]+) [0-9a-f]{64}$/gmu);
  return new Set([...names].map(({ groups }) => groups?.['name'] ?? ''));
}

/** Reads the file. A line that is none, such as the marker of a merge conflict, is answered as it is. */
export function parseSum(text: string): readonly SumLine[] | { readonly line: number; readonly text: string } {
  const lines: SumLine[] = [];
  for (const [index, line] of normalizeLineEnds(text).split('\n').entries()) {
    if (line === '') continue;
    const groups = /^(?<name>\d{4,}_[a-z0-9_]+) (?<hash>[0-9a-f]{64})$/u.exec(line)?.groups;
    if (!groups) return { line: index + 1, text: line };
    lines.push({ name: groups['name'] ?? '', hash: groups['hash'] ?? '' });
  }
  return lines;
}
