/** Reads and writes `migrations.sum`. The contract defines what is hashed. */
import {
  type MigrationFiles,
  migrationHash,
  normalizeLineEnds,
  readSumLine,
  type SumLine,
} from '#contract/migration-sum.ts';
import { hashText } from '../../files/hash.ts';

/** The hash of a migration, chained to the `previous` one: it covers its files and all migrations before it. */
export function hashAfter(previous: string, files: ReadonlyMap<string, string>): string {
  return migrationHash(previous, files, hashText);
}

/** The lines for migrations, in order. Each hash covers the files of its migration and the previous hash. */
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

/** The names in all well-formed lines, including both sides of a merge conflict. */
export function listedNames(text: string): ReadonlySet<string> {
  const lines = normalizeLineEnds(text).split('\n').map(readSumLine);
  return new Set(lines.flatMap((line) => line?.name ?? []));
}

/** Parses the file. Returns the first malformed line, such as a merge marker, instead of the lines if there is one. */
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
