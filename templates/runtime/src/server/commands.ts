/**
 * The command lines of a project, each loaded when it is run: a server that starts needs none of them. All take the arguments
 * behind the name of the script, and answer the exit code.
 */
import { leftOut } from '../base/left-out.ts';
import type { CommandDefinition } from './commands/command.ts';
import type { AnyExtensions, ServerDefinition } from './server.ts';

/** `npm run migrate -- …` */
export async function runMigrations(definition: CommandDefinition, args: readonly string[]): Promise<number> {
  const command = await import('./commands/run-migrations.ts');
  return command.runMigrations(definition, args);
}

/** `npm run token -- …` */
export async function runTokens(definition: CommandDefinition, args: readonly string[]): Promise<number> {
  const command = await import('./commands/run-tokens.ts');
  return command.runTokens(definition, args);
}

/** `npm run user -- …` */
export async function runUsers(definition: CommandDefinition, args: readonly string[]): Promise<number> {
  const command = await import('./commands/run-user.ts');
  return command.runUsers(definition, args);
}

/** `npm run permissions -- …` */
export async function runPermissions(definition: CommandDefinition, args: readonly string[]): Promise<number> {
  const command = await import('./commands/run-permissions.ts');
  return command.runPermissions(definition, args);
}

/** `npm run data -- …` */
export async function runData(definition: CommandDefinition, args: readonly string[]): Promise<number> {
  const command = await import('./commands/run-data.ts');
  return command.runData(definition, args);
}

/** `npm run files -- …` */
export async function runFiles(definition: CommandDefinition, args: readonly string[]): Promise<number> {
  if (!Object.hasOwn(definition.contentTypes.types, 'file')) {
    process.stdout.write('Nothing in the schema refers to files.\n');
    return 0;
  }
  const command = await import('./commands/run-files.ts').catch(leftOut('media'));
  return command.runFiles(definition, args);
}

/** `npm run seed -- …` */
export async function runSeed(
  definition: ServerDefinition,
  extensions: AnyExtensions,
  args: readonly string[],
): Promise<number> {
  const command = await import('./commands/run-seed.ts');
  return command.runSeed(definition, extensions, args);
}

/** `npm run openapi -- …` */
export async function runOpenapi(
  definition: ServerDefinition,
  extensions: AnyExtensions,
  args: readonly string[],
): Promise<number> {
  const command = await import('./commands/run-openapi.ts');
  return command.runOpenapi(definition, extensions, args);
}
