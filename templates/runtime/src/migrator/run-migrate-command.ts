/** `npm run migrate -- up|down|status` of a generated server. */
import { openDatabase } from '../database/open-database.ts';
import { MigrationError } from './migration-error.ts';
import { isContract } from './parts.ts';
import { migrate, type Direction, type MigrationReport } from './migrate.ts';

const USAGE = `Usage: npm run migrate -- <command>

  up             apply all migrations that the database does not have, but for those that wait
  up --contract  apply those too: they end what servers of the version before need, so that none of these may run
  down           undo the last one
  status         show which are applied
`;

function isDirection(text: string | undefined): text is Direction {
  return text === 'up' || text === 'down' || text === 'status';
}

function describe(direction: Direction, { changed, migrations }: MigrationReport): string {
  if (direction === 'status') {
    return migrations
      .map(({ name, appliedAt }) => {
        const pending = isContract(name) ? 'waits for: npm run migrate -- up --contract' : 'pending';
        return `${name}  ${appliedAt === undefined ? pending : `applied ${appliedAt}`}\n`;
      })
      .join('');
  }
  if (direction === 'down') return changed.map((name) => `Undid ${name}\n`).join('') || 'There is nothing to undo.\n';
  const waiting = migrations.filter(({ appliedAt }) => appliedAt === undefined).map(({ name }) => name);
  const done = changed.map((name) => `Applied ${name}\n`).join('') || 'The database is up to date.\n';
  if (waiting.length === 0) return done;
  return `${done}${waiting.join(' and ')} waits until no server of the version before runs: npm run migrate -- up --contract\n`;
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
  const contract = direction === 'up' && rest.join(' ') === '--contract';
  if (!isDirection(direction) || (rest.length > 0 && !contract)) {
    write(USAGE);
    return 2;
  }
  const database = await openDatabase(databaseUrl);
  try {
    const report = await migrate(database, { directory, dialect: database.dialect.name, contract }, direction);
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
