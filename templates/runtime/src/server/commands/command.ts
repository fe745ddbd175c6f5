/** Runs the commands of a generated server. */
import { fileURLToPath } from 'node:url';
import type { ProjectDefinition } from '../../contract/content-transfer.ts';
import { commandSettings } from '../../database/database-settings.ts';
import { openDatabase } from '../../database/open-database.ts';
import type { Database } from '../../database/database.ts';
import { CommandRefused, UsageError } from '../../base/command-errors.ts';
import { printable } from '../../base/printable.ts';
import { HttpError } from '../../contract/errors.ts';
import { ensureSecret, loadDotEnv, readSettings, type Settings } from '../settings.ts';
import { isMigrated, migrateUp } from '../../migrator/migrate.ts';
import { loadAudit } from '../load-audit.ts';
import { wrongOption } from './wrong-arguments.ts';

/** The part of the server definition that commands need. */
export type CommandDefinition = ProjectDefinition;

/** The context of a command. All migrations have been applied to the database. */
export interface CommandContext {
  readonly definition: CommandDefinition;
  readonly database: Database;
  readonly settings: Settings;
  readonly print: (line: string) => void;
}

/** Runs a command; returns its exit code. */
export type Command = (context: CommandContext) => Promise<number>;

/**
 * Opens the database with settings from the environment, and closes it after `work`. Applies pending migrations first if `mayMigrate` and
 * MIGRATE_ON_START permit it; otherwise it throws if there are any.
 */
export async function withDatabase<T>(
  definition: CommandDefinition,
  work: (context: CommandContext) => Promise<T>,
  mayMigrate: boolean,
): Promise<T> {
  loadDotEnv();
  ensureSecret();
  const settings = readSettings(definition.name, process.env);
  const database = await openDatabase(settings.databaseUrl, commandSettings(settings.database));
  try {
    const directory = fileURLToPath(definition.migrations);
    if (mayMigrate && settings.migrateOnStart) await migrateUp(database, directory);
    if (!(await isMigrated(database, directory))) {
      throw new Error('The database lacks migrations. Apply them first: npm run server -- migrate up');
    }
    const print = (line: string): void => void process.stdout.write(`${printable(line)}\n`);
    const audit = await loadAudit(definition, 'command');
    return await work({ definition, database: audit?.telling(database) ?? database, settings, print });
  } finally {
    await database.close();
  }
}

function exitCodeOf(error: unknown, isUsage: boolean): number {
  if (isUsage) return 2;
  return error instanceof CommandRefused ? 3 : 1;
}

/**
 * Runs the command that `parse` returns, with settings from the environment. Returns the command's exit code, 1 if it failed, 2 for
 * invalid arguments, 3 if it was refused. Applies pending migrations first if `mayMigrate` and MIGRATE_ON_START permit it;
 * otherwise it fails if there are any.
 */
export function runCommand(
  definition: CommandDefinition,
  parse: () => Command,
  usage: string,
  mayMigrate = true,
): Promise<number> {
  return runWithoutDatabase(async () => withDatabase(definition, parse(), mayMigrate), usage);
}

/**
 * Runs a command that needs no database. Returns its exit code, 1 if it failed, 2 for invalid arguments, 3 if it was refused. Prints
 * the message of an error to stderr, for invalid arguments followed by `usage`.
 */
export async function runWithoutDatabase(work: () => Promise<number>, usage: string): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof HttpError || error instanceof Error ? error.message : String(error);
    const isUsage = error instanceof UsageError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
    process.stderr.write(isUsage === true ? `${wrongOption(message, usage)}\n\n${usage}` : `${printable(message)}\n`);
    return exitCodeOf(error, isUsage === true);
  }
}
