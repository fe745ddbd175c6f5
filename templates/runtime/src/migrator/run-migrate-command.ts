/** `npm run migrate -- up|down|status` of a generated server. */
import { openDatabase } from '../database/open-database.ts';
import { MigrationError } from './migration-error.ts';
import { migrate, type Direction, type MigrationReport } from './migrate.ts';

const USAGE = `Usage: npm run migrate -- <command>

  up      apply all migrations that the database does not have
  down    undo the last one
  status  show which are applied
`;

function isDirection(text: string | undefined): text is Direction {
  return text === 'up' || text === 'down' || text === 'status';
}

function describe(direction: Direction, { changed, migrations }: MigrationReport): string {
  if (direction === 'status') {
    return migrations
      .map(({ name, appliedAt }) => `${name}  ${appliedAt === undefined ? 'pending' : `applied ${appliedAt}`}\n`)
      .join('');
  }
  if (changed.length === 0) return direction === 'up' ? 'The database is up to date.\n' : 'There is nothing to undo.\n';
  return changed.map((name) => `${direction === 'up' ? 'Applied' : 'Undid'} ${name}\n`).join('');
}

/**
 * Runs the command that `args` names. `directory` is the project's folder `migrations`; `write` prints text.
 * Answers the exit code: 0, 1 when it failed, 2 for arguments that are none. Throws where the database can't be opened.
 */
export async function runMigrateCommand(options: {
  readonly args: readonly string[];
  readonly directory: string;
  readonly databaseUrl: string;
  readonly write: (text: string) => void;
}): Promise<number> {
  const { args, directory, databaseUrl, write } = options;
  const [direction, ...rest] = args;
  if (!isDirection(direction) || rest.length > 0) {
    write(USAGE);
    return 2;
  }
  const database = await openDatabase(databaseUrl);
  try {
    const report = await migrate(database, { directory, dialect: database.dialect.name }, direction);
    write(describe(direction, report));
    return 0;
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    write(`${error.message}\n`);
    return 1;
  } finally {
    await database.close();
  }
}
