/** `migrations.sum`: one chained hash per migration. The generator writes it with this same code. */
import { hash } from 'node:crypto';
import {
  isConflictMarker,
  type MigrationFiles,
  migrationHash,
  normalizeLineEnds,
  readSumLine,
  type SumLine,
} from '../contract/migration-sum.ts';
import { MigrationError } from './migration-error.ts';

const RESTORE =
  'Restore the folder migrations/ from version control: a migration must not be changed once it is written.';

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** SHA-256 of a text in hex, with CRLF read as LF: a checkout may convert line ends. */
export function textHash(text: string): string {
  return sha256(normalizeLineEnds(text));
}

/** The chained hash of a migration: it covers its files and the previous hash. */
export function nextHash(previous: string, files: ReadonlyMap<string, string>): string {
  return migrationHash(previous, files, sha256);
}

function brokenSum(line: string): MigrationError {
  if (isConflictMarker(line)) {
    return new MigrationError(
      'migrations.sum has merge conflict markers: two branches have each added migrations. ' +
        'To see how to resolve this: npx content-gen migrations status',
    );
  }
  return new MigrationError(`migrations.sum has an invalid line: ${JSON.stringify(line)}. ${RESTORE}`);
}

/** The lines of the file. Throws a MigrationError for a malformed one. */
export function parseSum(text: string): readonly SumLine[] {
  return text
    .split(/\r?\n/u)
    .filter((line) => line !== '')
    .map((line) => {
      const read = readSumLine(line);
      if (!read) throw brokenSum(line);
      return read;
    });
}

/** Throws a MigrationError for the first migration that does not match the sum. */
export function checkSum(sum: string, migrations: readonly MigrationFiles[]): void {
  const expected = parseSum(sum);
  let previous = '';
  for (const [index, { name, files }] of migrations.entries()) {
    const line = expected[index];
    if (line?.name !== name) {
      const isListed = expected.some((other) => other.name === name);
      const [missing, what] = isListed ? [line?.name ?? '', 'is missing'] : [name, 'is not in migrations.sum'];
      throw new MigrationError(`The migration ${missing} ${what}. ${RESTORE}`);
    }
    previous = nextHash(previous, files);
    if (line.hash !== previous) {
      throw new MigrationError(`The migration ${name} was changed after it was written. ${RESTORE}`);
    }
  }
  const missing = expected[migrations.length];
  if (missing) throw new MigrationError(`The migration ${missing.name} is missing. ${RESTORE}`);
}
