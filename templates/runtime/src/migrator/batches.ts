/**
 * PostgreSQL migrations that are too large for one transaction: its locks would exhaust the shared lock table of the
 * server. The generator splits their SQL into parts with marker lines. Each part is committed together with the
 * progress record, so that it runs exactly once even if the process is killed.
 */
import type { Session } from '../database/database.ts';
import { raw, sql } from '../database/sql.ts';
import { whenUnlocked } from './locked.ts';
import { MigrationError } from './migration-error.ts';
import { begin, finish, hashOf, inTransaction, PROGRESS_TABLE, type Unfinished } from './progress.ts';
import type { Migration } from './read-migrations.ts';

const COMMIT = /^-- content-gen: commit\b.*$/mu;

/** Whether a script is split into several transactions. */
export function isBatched(script: string): boolean {
  return COMMIT.test(script);
}

interface Batch {
  readonly name: string;
  readonly parts: readonly string[];
  readonly index: number;
}

/** Runs a part; a no-op if another process has run it in the meantime. */
async function runBatch(session: Session, { name, parts, index }: Batch): Promise<void> {
  await inTransaction(session, async () => {
    const done = index + 1;
    const hash = hashOf(parts.slice(0, done));
    const { changes } = await session.run(
      sql`UPDATE ${raw(PROGRESS_TABLE)} SET done = ${done}, statements = ${hash} WHERE name = ${name} AND done = ${index}`,
    );
    if (changes > 0) await session.script(parts[index] ?? '');
  });
}

/**
 * Applies or undoes a migration part by part, resuming after the last committed one. Throws a MigrationError that names
 * the part which failed; that part is rolled back, and the next call resumes with it.
 */
export async function runBatches(
  session: Session,
  step: { readonly migration: Migration; readonly number: number; readonly direction: 'up' | 'down' },
  unfinished: Unfinished | undefined,
): Promise<void> {
  const { migration, number, direction } = step;
  const { name } = migration;
  const parts = migration[direction].split(COMMIT);
  const from = unfinished ?? (await begin(session, migration, direction));
  if (hashOf(parts.slice(0, from.done)) !== from.statements) {
    throw new MigrationError(
      `The first ${from.done} parts of the migration ${name} were run, and are not those that this server has. ` +
        'Restore them from version control; only those after them can be mended.',
    );
  }
  for (let index = from.done; index < parts.length; index += 1) {
    try {
      await whenUnlocked(
        () => runBatch(session, { name, parts, index }),
        () => Promise.resolve(false),
      );
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new MigrationError(
        `The migration ${name} failed at part ${index + 1} of ${parts.length}. What came before it is kept, ` +
          `and the next start goes on there: ${reason}`,
        { cause: error },
      );
    }
  }
  await finish(session, migration, number, from);
}
