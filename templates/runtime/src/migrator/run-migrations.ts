/** The command line of a generated server's migrations. */
import { fileURLToPath } from 'node:url';
import { loadDotEnv, readSettings } from '../http/settings.ts';
import { runMigrateCommand } from './run-migrate-command.ts';

/** Runs `npm run migrate -- up|down|status` with the settings of the environment. Answers the exit code. */
export async function runMigrations(
  definition: { readonly name: string; readonly migrations: URL },
  args: readonly string[],
): Promise<number> {
  const write = (text: string): void => void process.stdout.write(text);
  loadDotEnv();
  const { databaseUrl } = readSettings(definition.name, process.env);
  return runMigrateCommand({ args, directory: fileURLToPath(definition.migrations), databaseUrl, write });
}
