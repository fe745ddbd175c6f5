/** Resolves a checksum mismatch: the SQL of an applied migration is not the SQL that its file has now. */
import type { Database, Session } from '../database/database.ts';
import type { Executor } from '../database/executor.ts';
import type { DialectName } from '../database/dialect.ts';
import { acceptSql, type Applied, forgetSql, readApplied } from './applied.ts';
import { MigrationError } from './migration-error.ts';
import { type Migration, readMigrations } from './read-migrations.ts';
import { readUnfinished } from './progress.ts';
import { textHash } from './sum.ts';

/**
 * `accept`: record the checksum of the file; the schema matches it already. `forget`: drop the record, so that the next
 * `up` runs the file.
 */
export type Correction = 'accept' | 'forget';

export function isCorrection(text: string | undefined): text is Correction {
  return text === 'accept' || text === 'forget';
}

/** How long to wait for the migration lock, in milliseconds. */
const LOCK_TIMEOUT = 10_000;

/** Length of the checksum prefix that confirms a correction: proof that the user has seen this very file. */
const SHOWN = 12;

interface Mismatch {
  readonly migration: Migration;
  readonly recorded: Applied;
  /** Whether it is the last applied migration. */
  readonly isLast: boolean;
}

interface Options {
  readonly directory: string;
  readonly dialect: DialectName;
}

const ENGINES: Readonly<Record<DialectName, string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  mysql: 'MySQL and MariaDB',
};

/**
 * Whether the applied SQL is the unedited template of a new migration: older versions applied migrations before they
 * were sealed.
 */
function wasPlaceholder({ migration, recorded }: Mismatch, dialect: DialectName): boolean {
  const { name } = migration;
  const text = `-- ${name}: applied on ${ENGINES[dialect]}\n-- Write the statements here, each ending in a semicolon; then run: content-gen migrations seal\n`;
  return recorded.checksum === textHash(text);
}

/** Throws a MigrationError unless the recorded checksum differs from that of the file. */
async function findMismatch(executor: Executor, options: Options, name: string): Promise<Mismatch> {
  const { migrations, unsealed } = await readMigrations(options.directory, options.dialect);
  if (unsealed.includes(name)) {
    throw new MigrationError(
      `The migration ${name} is not sealed. Finish its SQL first: npx content-gen migrations seal`,
    );
  }
  const migration = migrations.find((one) => one.name === name);
  if (!migration) {
    throw new MigrationError(`The project has no migration ${name}. See: npm run server -- migrate status`);
  }
  const applied = await readApplied(executor);
  const recorded = applied.find((one) => one.name === name);
  if (!recorded) {
    throw new MigrationError(`The migration ${name} was not applied to this database: there is nothing to do.`);
  }
  if (recorded.checksum === migration.checksum) {
    throw new MigrationError(
      `The migration ${name} was applied with exactly the SQL of its file: there is nothing to do.`,
    );
  }
  return { migration, recorded, isLast: applied.at(-1) === recorded };
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^(?=.)/gmu, '  ');
}

/** What the user needs to know to choose a correction, with the commands for it. */
function describe(mismatch: Mismatch, dialect: DialectName): string {
  const { migration, recorded, isLast } = mismatch;
  const { name, checksum, up } = migration;
  const shown = checksum.slice(0, SHOWN);
  const before = wasPlaceholder(mismatch, dialect)
    ? 'The applied SQL was the empty script of a new migration: nothing was run.'
    : `The applied SQL had the SHA-256 ${recorded.checksum}: \`git log -p -- migrations/${name}/${dialect}/up.sql\` may show it.`;
  const forget = isLast
    ? `If none of this SQL has been run yet:\n  npm run server -- migrate forget ${name} ${shown}\n  npm run server -- migrate up\n`
    : 'No command can run it, because other migrations were applied after it: run what the database lacks by hand.\n';
  const what = up.includes('\r\n') ? 'SHA-256 with LF for each CRLF, as in version control:' : 'SHA-256';
  return `${name} was applied on ${recorded.appliedAt} with different SQL than its file has now. ${before}
migrations/${name}/${dialect}/up.sql has now (${what} ${checksum}):

${indented(up)}

Nothing has been changed yet. Compare the database with this SQL.
If the database matches this SQL (run what it lacks by hand):
  npm run server -- migrate accept ${name} ${shown}
${forget}`;
}

async function correct(
  session: Session,
  options: Options,
  correction: Correction,
  name: string,
  shown: string,
): Promise<string> {
  const { migration, isLast } = await findMismatch(session, options, name);
  if (!migration.checksum.startsWith(shown)) {
    throw new MigrationError(
      `The SQL of ${name} has changed since it was shown. Review it again: npm run server -- migrate ${correction} ${name}`,
    );
  }
  if (correction === 'accept') {
    await session.script(acceptSql(session.dialect, migration));
    return `Accepted the SQL of ${name} as applied.\n`;
  }
  if (!isLast) throw new MigrationError(`${name} can't be run again: other migrations were applied after it.`);
  const unfinished = await readUnfinished(session);
  if (unfinished) {
    throw new MigrationError(
      `The migration ${unfinished.name} is incomplete. Complete it first: npm run server -- migrate up`,
    );
  }
  await session.script(forgetSql(session.dialect, migration));
  return `Forgot that ${name} was applied. To run its SQL: npm run server -- migrate up\n`;
}

/**
 * Without `shown`, describes the mismatch and changes nothing. With a prefix (12 or more hex digits) of the checksum
 * that was shown, corrects the record; no SQL of the migration is run. Returns text for the terminal. Throws a
 * MigrationError if there is no mismatch, the prefix does not match, or another process holds the lock.
 */
export async function correctRecord(
  database: Database,
  options: Options,
  request: { readonly correction: Correction; readonly name: string; readonly shown: string | undefined },
): Promise<string> {
  const { correction, name, shown } = request;
  if (shown === undefined) return describe(await findMismatch(database, options, name), options.dialect);
  if (!/^[0-9a-f]{12,64}$/u.test(shown)) {
    throw new MigrationError(
      `${shown} is not the beginning of a checksum. To see it: npm run server -- migrate ${correction} ${name}`,
    );
  }
  const done = await database.migrating(LOCK_TIMEOUT, (session) => correct(session, options, correction, name, shown));
  if (done === undefined) {
    throw new MigrationError('Another process is migrating this database. Try again when it has finished.');
  }
  return done;
}
