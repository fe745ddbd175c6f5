/** The commands of a project. Each is loaded only when it is run: a starting server needs none of them. */
import { leftOut } from '../base/left-out.ts';
import type { AnyExtensions, ServerDefinition } from './definition.ts';

/** A project as its commands see it. */
export interface CommandProject {
  readonly definition: ServerDefinition;
  /** Loads the team's code, which not every command needs. */
  readonly extensions: () => Promise<AnyExtensions>;
}

/** Receives the arguments after the command's name; returns the exit code. */
type ProjectCommand = (project: CommandProject, args: readonly string[]) => Promise<number>;

const COMMANDS: Readonly<Record<string, ProjectCommand>> = {
  backup: async ({ definition }, args) => (await import('./commands/run-backup.ts')).runBackup(definition, args),
  data: async ({ definition }, args) => (await import('./commands/run-data.ts')).runData(definition, args),
  doctor: async ({ definition }, args) => (await import('./commands/run-doctor.ts')).runDoctor(definition, args),
  explain: async ({ definition }, args) => (await import('./commands/run-explain.ts')).runExplain(definition, args),
  files: async ({ definition }, args) => {
    if (!Object.hasOwn(definition.contentTypes.types, 'file')) {
      process.stdout.write('Nothing in the schema refers to files.\n');
      return 0;
    }
    const { runFiles } = await import('./commands/run-files.ts').catch(leftOut('media'));
    return runFiles(definition, args);
  },
  migrate: async ({ definition }, args) =>
    (await import('./commands/run-migrations.ts')).runMigrations(definition, args),
  openapi: async ({ definition, extensions }, args) =>
    (await import('./commands/run-openapi.ts')).runOpenapi(definition, await extensions(), args),
  permissions: async ({ definition, extensions }, args) =>
    (await import('./commands/run-permissions.ts')).runPermissions(definition, await extensions(), args),
  seed: async ({ definition, extensions }, args) =>
    (await import('./commands/run-seed.ts')).runSeed(definition, await extensions(), args),
  token: async ({ definition }, args) => (await import('./commands/run-tokens.ts')).runTokens(definition, args),
  user: async ({ definition }, args) => (await import('./commands/run-user.ts')).runUsers(definition, args),
};

/** Runs the command named by the first argument. Resolves with its exit code, or 2 if there is no such command. */
export async function runProjectCommand(
  project: CommandProject,
  [name = '', ...args]: readonly string[],
): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command(project, args);
  process.stderr.write(`There is no command "${name}". There are: ${Object.keys(COMMANDS).join(', ')}\n`);
  return 2;
}
