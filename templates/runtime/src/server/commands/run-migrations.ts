/** `npm run server -- migrate …` of a generated server. */
import { fileURLToPath } from 'node:url';
import { loadDotEnv, readSettings } from '../settings.ts';
import { runMigrateCommand, USAGE } from '../../migrator/run-migrate-command.ts';

export { USAGE };

function print(text: string): void {
  process.stdout.write(text);
}

/** Runs `npm run server -- migrate …` with settings from the environment. Returns the exit code. */
export async function runMigrations(
  definition: { readonly name: string; readonly migrations: URL },
  args: readonly string[],
): Promise<number> {
  try {
    loadDotEnv();
    const { databaseUrl, database } = readSettings(definition.name, process.env);
    return await runMigrateCommand({
      args,
      directory: fileURLToPath(definition.migrations),
      databaseUrl: database.migrateUrl ?? databaseUrl,
      write: print,
      terminal: process.stderr.isTTY ? (text) => void process.stderr.write(text) : undefined,
    });
  } catch (error) {
    print(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
