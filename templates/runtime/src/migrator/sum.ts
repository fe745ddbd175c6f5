/** `migrations.sum`: one chained hash per migration. The generator writes it with this same code. */
import { hash } from 'node:crypto';
import { MigrationError } from './migration-error.ts';

/** One migration's files: path within its folder → text. */
export interface MigrationFiles {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
}

/** `hash`, in hex, covers this migration and all before it. */
export interface SumLine {
  readonly name: string;
  readonly hash: string;
}

/** The files of a migration's folder that are hashed; others are ignored. */
const COUNTED = /^(?:plan\.json|(?:sqlite|postgres|mysql)\/(?:up|down)\.sql)$/u;

const RESTORE =
  'Restore the folder migrations/ from version control: a migration is never changed once it was written.';

/** Whether a file of a migration's folder is hashed. The path is relative to that folder. */
export function isMigrationFile(path: string): boolean {
  return COUNTED.test(path);
}

/** SHA-256 of a text in hex, with CRLF read as LF: a checkout may convert line ends. */
export function textHash(text: string): string {
  return hash('sha256', text.replaceAll('\r\n', '\n'), 'hex');
}

/** The chained hash of a migration: it covers its files and the previous hash. */
export function nextHash(previous: string, files: ReadonlyMap<string, string>): string {
  const lines = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, text]) => `${path} ${textHash(text)}\n`);
  return textHash(`${previous}\n${lines.join('')}`);
}

function brokenSum(line: string): MigrationError {
  if (/^(?:<{7}|={7}|>{7}|\|{7})/u.test(line)) {
    return new MigrationError(
      'migrations.sum holds the markers of a merge: two branches have each added migrations. ' +
        'What to do about it: content-gen migrations status',
    );
  }
  return new MigrationError(`migrations.sum has a line that is none: ${JSON.stringify(line)}. ${RESTORE}`);
}

/** The lines of the file. Throws a MigrationError for a malformed one. */
export function parseSum(text: string): readonly SumLine[] {
  return text
    .split(/\r?\n/u)
    .filter((line) => line !== '')
    .map((line) => {
      const groups = /^(?<name>\d{4,}_[a-z0-9_]+) (?<hash>[0-9a-f]{64})$/u.exec(line)?.groups;
      if (!groups) throw brokenSum(line);
      return { name: groups['name'] ?? '', hash: groups['hash'] ?? '' };
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
