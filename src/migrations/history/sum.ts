/** `migrations.sum` as the generator writes and reads it. What is hashed, the contract says. */
import {
  type MigrationFiles,
  migrationHash,
  normalizeLineEnds,
  readSumLine,
  type SumLine,
} from '#contract/migration-sum.ts';
import { hashText } from '../../files/hash.ts';

/** The hash of a migration that follows another one: it covers its files, and all before it. */
export function hashAfter(previous: string, files: ReadonlyMap<string, string>): string {
  return migrationHash(previous, files, hashText);
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

/** The names of all lines that are some, also on both sides of a merge that has left its markers. */
export function listedNames(text: string): ReadonlySet<string> {
  const lines = normalizeLineEnds(text).split('\n').map(readSumLine);
  return new Set(lines.flatMap((line) => line?.name ?? []));
}

/** Reads the file. A line that is none, such as the marker of a merge conflict, is answered as it is. */
export function parseSum(text: string): readonly SumLine[] | { readonly line: number; readonly text: string } {
  const lines: SumLine[] = [];
  for (const [index, line] of normalizeLineEnds(text).split('\n').entries()) {
    if (line === '') continue;
    const read = readSumLine(line);
    if (!read) return { line: index + 1, text: line };
    lines.push(read);
  }
  return lines;
}
