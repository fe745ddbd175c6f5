/** Asks the database of a project which migrations it has applied, by the command of the project itself. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The command of a project's runtime, in the project or installed. */
const COMMANDS = [
  join('runtime', 'bin', 'command.js'),
  join('node_modules', '@content-gen', 'runtime', 'bin', 'command.js'),
];
/** How long the database may take, in milliseconds. */
const TIMEOUT = 20_000;

const APPLIED = /^(?<name>\S+) {2}applied \d/u;

/**
 * The names of the migrations that the database in the settings of the project has applied; undefined if the project is not
 * installed, or the database can't be reached.
 */
export async function appliedMigrations(folder: string): Promise<ReadonlySet<string> | undefined> {
  const command = COMMANDS.find((path) => existsSync(join(folder, path)));
  if (command === undefined || !existsSync(join(folder, 'node_modules'))) return undefined;
  const output = await new Promise<string>((resolve) => {
    const options = { cwd: folder, timeout: TIMEOUT };
    // It also fails if the database differs from its migrations; what it has printed is valid all the same.
    execFile(process.execPath, [command, 'migrate', 'status'], options, (_error, stdout) => resolve(stdout));
  });
  const names = output.split('\n').flatMap((line) => APPLIED.exec(line)?.groups?.['name'] ?? []);
  const isAnswer = names.length > 0 || / {2}(?:pending|waits for)/u.test(output);
  return isAnswer ? new Set(names) : undefined;
}
