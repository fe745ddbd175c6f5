/**
 * Migrations of PostgreSQL that are too large for one transaction: its locks would fill the memory that all databases of a server share
 * for them. The generator has put lines between the parts. Each part is one transaction with the record of how far the migration has
 * come, so that it is run exactly once, whenever its process is killed.
 */
import type { Session } from '../database/database.ts';
import { raw, sql } from '../database/sql.ts';
import { whenUnlocked } from './locked.ts';
import { MigrationError } from './migration-error.ts';
import { begin, finish, hashOf, PROGRESS_TABLE, together, type Unfinished } from './progress.ts';
import type { Migration } from './read-migrations.ts';

const COMMIT = /^-- content-gen: commit\b.*$/mu;

/** Whether a script runs as several transactions. */
export function isBatched(script: string): boolean {
  return COMMIT.test(script);
}

interface Batch {
  readonly name: string;
  readonly parts: readonly string[];
  readonly index: number;
}

/** Runs a part; does nothing where another process has run it meanwhile. */
async function runBatch(session: Session, { name, parts, index }: Batch): Promise<void> {
  await together(session, async () => {
    const done = index + 1;
    const hash = hashOf(parts.slice(0, done));
    const { changes } = await session.run(
      sql`UPDATE ${raw(PROGRESS_TABLE)} SET done = ${done}, statements = ${hash} WHERE name = ${name} AND done = ${index}`,
    );
    if (changes > 0) await session.script(parts[index] ?? '');
  });
}

/**
 * Applies or undoes a migration, part by part, from where it is unfinished. Throws a MigrationError that names the part which
 * failed; nothing of that part is kept, and the next call goes on with it.
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
