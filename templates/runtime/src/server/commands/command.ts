/** What the command lines of a generated server have in common. */
import { fileURLToPath } from 'node:url';
import type { ContentTypes } from '../../contract/content-type.ts';
import { openDatabase } from '../../database/open-database.ts';
import type { Database } from '../../database/database.ts';
import { Refused, UsageError } from '../../base/command-errors.ts';
import { HttpError } from '../../contract/errors.ts';
import { ensureSecret, loadDotEnv, readSettings, type Settings } from '../settings.ts';
import { isMigrated, migrateUp } from '../../migrator/migrate.ts';
import type { RolePermissions } from '../../access/role-rows.ts';

/** What a command needs of a generated server's definition. */
export interface CommandDefinition {
  readonly name: string;
  readonly contentTypes: ContentTypes;
  readonly roles: RolePermissions;
  readonly migrations: URL;
}

/** What a command is given: the database, brought up to date, and where its words go. */
interface CommandContext {
  readonly definition: CommandDefinition;
  readonly database: Database;
  readonly settings: Settings;
  readonly print: (line: string) => void;
}

/** Answers the exit code. */
export type Command = (context: CommandContext) => Promise<number>;

async function withDatabase(definition: CommandDefinition, work: Command, mayMigrate: boolean): Promise<number> {
  loadDotEnv();
  ensureSecret();
  const settings = readSettings(definition.name, process.env);
  const database = await openDatabase(settings.databaseUrl);
  try {
    const directory = fileURLToPath(definition.migrations);
    if (mayMigrate && settings.migrateOnStart) await migrateUp(database, directory);
    if (!(await isMigrated(database, directory))) {
      throw new Error('The database lacks migrations. Apply them first: npm run migrate -- up');
    }
    return await work({ definition, database, settings, print: (line) => process.stdout.write(`${line}\n`) });
  } finally {
    await database.close();
  }
}

function exitCodeOf(error: unknown, isUsage: boolean): number {
  if (isUsage) return 2;
  return error instanceof Refused ? 3 : 1;
}

/**
 * Runs the command that `parse` makes of the arguments, with the settings of the environment. Answers the exit code: that of
 * the command, 1 when it failed, 2 for arguments that make no sense, 3 when it was refused. Unless the command `mayMigrate`,
 * the database must be up to date.
 */
export async function runCommand(
  definition: CommandDefinition,
  parse: () => Command,
  usage: string,
  mayMigrate = true,
): Promise<number> {
  try {
    return await withDatabase(definition, parse(), mayMigrate);
  } catch (error) {
    const message = error instanceof HttpError || error instanceof Error ? error.message : String(error);
    const isUsage = error instanceof UsageError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
    process.stderr.write(isUsage === true ? `${message}\n\n${usage}` : `${message}\n`);
    return exitCodeOf(error, isUsage === true);
  }
}
