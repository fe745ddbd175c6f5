/** The commands of a project. Each is loaded only when it is run: a starting server needs none of them. */
import { ignoreClosedOutput } from '../base/closed-output.ts';
import { explainMissingModule } from '../base/missing-module.ts';
import { runWithoutDatabase } from './commands/command.ts';
import { unknownCommand } from './commands/wrong-arguments.ts';
import type { AnyExtensions, ServerDefinition } from './definition.ts';
import type { OwnCommand } from './own-commands.ts';

/** A project as its commands see it. */
export interface CommandProject {
  readonly definition: ServerDefinition;
  /** Loads the project's own code, which not every command needs. */
  readonly extensions: () => Promise<AnyExtensions>;
}

interface ProjectCommand {
  /** What `--help` prints. */
  readonly usage: string;
  /** Takes the arguments after the name of the command. Resolves with the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>;
}

interface LazyCommand {
  readonly does: string;
  readonly load: (project: CommandProject) => Promise<ProjectCommand>;
}

const COMMANDS: Readonly<Record<string, LazyCommand>> = {
  audit: {
    does: 'shows who did what, and verifies that nothing of it was changed',
    load: async ({ definition }) => {
      if (!definition.audit) return NO_AUDIT;
      const { runAudit, USAGE } = await import('./commands/run-audit.ts').catch(explainMissingModule('audit'));
      return { usage: USAGE, run: (args) => runAudit(definition, args) };
    },
  },
  backup: {
    does: 'copies the SQLite database and its uploads, and puts a copy back',
    load: async ({ definition }) => {
      const { runBackup, USAGE } = await import('./commands/run-backup.ts');
      return { usage: USAGE, run: (args) => runBackup(definition, args) };
    },
  },
  costs: {
    does: 'checks what the requests of a frontend cost with this schema, and with the one before',
    load: async ({ definition }) => {
      const { runCosts, USAGE } = await import('./commands/run-costs.ts');
      return { usage: USAGE, run: (args) => runCosts(definition, args) };
    },
  },
  data: {
    does: 'exports and imports all content',
    load: async ({ definition }) => {
      const { runData, USAGE } = await import('./commands/run-data.ts');
      return { usage: USAGE, run: (args) => runData(definition, args) };
    },
  },
  doctor: {
    does: 'checks settings, database, disks and files',
    load: async ({ definition }) => {
      const { runDoctor, USAGE } = await import('./commands/run-doctor.ts');
      return { usage: USAGE, run: (args) => runDoctor(definition, args) };
    },
  },
  explain: {
    does: 'shows the statements of a request and the indexes that it lacks, and whom rules let find an entry',
    load: async ({ definition }) => {
      const { runExplain, USAGE } = await import('./commands/run-explain.ts');
      return { usage: USAGE, run: (args) => runExplain(definition, args) };
    },
  },
  files: {
    does: 'compares the entries of files with the storage',
    load: async ({ definition }) => {
      if (!Object.hasOwn(definition.contentTypes.types, 'file')) return NO_FILES;
      const { runFiles, USAGE } = await import('./commands/run-files.ts').catch(explainMissingModule('media'));
      return { usage: USAGE, run: (args) => runFiles(definition, args) };
    },
  },
  graphql: {
    does: 'writes the GraphQL schema with the fields of src/extensions/, and the documents that clients may name',
    load: async ({ definition, extensions }) => {
      const { graphql } = definition;
      if (!graphql) return NO_GRAPHQL;
      const { runGraphql, USAGE } = await import('./commands/run-graphql.ts').catch(explainMissingModule('graphql'));
      return { usage: USAGE, run: async (args) => runGraphql(definition, await extensions(), graphql, args) };
    },
  },
  jobs: {
    does: 'shows the jobs of src/extensions/, and runs, repeats and removes them',
    load: async ({ definition, extensions }) => {
      if (!definition.jobs) return NO_OWN_JOBS;
      const { runJobs, USAGE } = await import('./commands/run-jobs.ts').catch(explainMissingModule('jobs'));
      return { usage: USAGE, run: async (args) => runJobs(definition, await extensions(), args) };
    },
  },
  migrate: {
    does: 'applies migrations, undoes them, and shows which are applied',
    load: async ({ definition }) => {
      const { runMigrations, USAGE } = await import('./commands/run-migrations.ts');
      return { usage: USAGE, run: (args) => runMigrations(definition, args) };
    },
  },
  openapi: {
    does: 'writes openapi.json with the endpoints of src/extensions/',
    load: async ({ definition, extensions }) => {
      const { runOpenapi, USAGE } = await import('./commands/run-openapi.ts');
      return { usage: USAGE, run: async (args) => runOpenapi(definition, await extensions(), args) };
    },
  },
  permissions: {
    does: 'compares the permissions in the database with the schema, and resets them to it',
    load: async ({ definition, extensions }) => {
      const { runPermissions, USAGE } = await import('./commands/run-permissions.ts');
      return { usage: USAGE, run: async (args) => runPermissions(definition, await extensions(), args) };
    },
  },
  seed: {
    does: 'creates the content of `seed` in src/extensions/, or random content',
    load: async ({ definition, extensions }) => {
      const { runSeed, USAGE } = await import('./commands/run-seed.ts');
      return { usage: USAGE, run: async (args) => runSeed(definition, await extensions(), args) };
    },
  },
  token: {
    does: 'creates, lists and revokes API tokens',
    load: async ({ definition }) => {
      const { runTokens, USAGE } = await import('./commands/run-tokens.ts');
      return { usage: USAGE, run: (args) => runTokens(definition, args) };
    },
  },
  user: {
    does: 'adds and lists users',
    load: async ({ definition }) => {
      const { runUsers, USAGE } = await import('./commands/run-user.ts');
      return { usage: USAGE, run: (args) => runUsers(definition, args) };
    },
  },
  webhooks: {
    does: 'shows whom the server tells of changes, and tells them again',
    load: async ({ definition }) => {
      const { webhooks } = definition;
      if (!webhooks) return NO_WEBHOOKS;
      const { runWebhooks, USAGE } = await import('./commands/run-webhooks.ts').catch(explainMissingModule('webhooks'));
      return { usage: USAGE, run: (args) => runWebhooks(definition, webhooks, args) };
    },
  },
};

/** A command of a feature that the project does not use: says so. */
function unused(text: string): ProjectCommand {
  return {
    usage: text,
    run: () => {
      process.stdout.write(text);
      return Promise.resolve(0);
    },
  };
}

const NO_FILES = unused('Nothing in the schema refers to files.\n');
const NO_GRAPHQL = unused('The schema does not switch GraphQL on: write `graphql: true` at its top level.\n');
const NO_OWN_JOBS = unused('The schema does not switch jobs on: write `jobs: true` at its top level.\n');
const NO_AUDIT = unused('The schema does not switch the audit on: write `audit: true` at its top level.\n');
const NO_WEBHOOKS = unused('The schema has no webhooks.\n');

/** Commands by name, with what they do. */
type Listed = readonly (readonly [name: string, does: string])[];

function linesOf(commands: Listed, width: number): string {
  return commands.map(([name, does]) => `  ${name.padEnd(width)} ${does}`.trimEnd()).join('\n');
}

function listCommands(own: Listed): string {
  const built: Listed = Object.entries(COMMANDS).map(([name, { does }]) => [name, does]);
  const width = Math.max(...[...built, ...own].map(([name]) => name.length)) + 1;
  const ofProject = own.length === 0 ? '' : `\n\nOf this project:\n\n${linesOf(own, width)}`;
  return `Usage: npm run server -- <command> [arguments]\n\n${linesOf(built, width)}${ofProject}\n\nnpm run server -- <command> --help shows the arguments of one.\n`;
}

const NAME = /^[a-z][a-z0-9]*(?:[:-][a-z0-9]+)*$/u;

/** The commands in `src/extensions/`. Throws for a name that is no command's, or one of the server's own. */
async function ownCommands(extensions: AnyExtensions): Promise<Readonly<Record<string, OwnCommand>>> {
  if (!extensions.commands) return {};
  const { declaredCommands } = await import('./commands/run-own.ts');
  const commands = declaredCommands(extensions);
  for (const name of Object.keys(commands)) {
    if (!NAME.test(name)) throw new Error(`the command ${JSON.stringify(name)} must have a name such as send-digest`);
    if (Object.hasOwn(COMMANDS, name)) throw new Error(`the server has a command ${name}: choose another name`);
  }
  return commands;
}

async function runOwnCommand(
  { definition, extensions }: CommandProject,
  [name, ...args]: readonly string[],
): Promise<number> {
  const own = await extensions();
  const commands = await ownCommands(own);
  const listed = listCommands(Object.entries(commands).map(([each, { summary = '' }]) => [each, summary]));
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (name !== undefined && command) {
    const { runOwn, usageOf } = await import('./commands/run-own.ts');
    if (!isHelp(args)) return runOwn(definition, own, { name, command, args });
    process.stdout.write(usageOf(name, command));
    return 0;
  }
  if (HELP.has(name)) {
    process.stdout.write(listed);
    return 0;
  }
  const known = [...Object.keys(COMMANDS), ...Object.keys(commands)];
  process.stderr.write(`${unknownCommand(name, known).message}\n\n${listed}`);
  return 2;
}

const HELP: ReadonlySet<string | undefined> = new Set(['--help', '-h', 'help']);

function isHelp(args: readonly string[]): boolean {
  return HELP.has(args[0]) || args.includes('--help');
}

/**
 * Runs the command that the first argument names, or prints its usage if it is asked for help. Resolves with the exit code: 2 if there is
 * no such command.
 */
export async function runProjectCommand(project: CommandProject, [name, ...args]: readonly string[]): Promise<number> {
  ignoreClosedOutput();
  const lazy = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (lazy) {
    const command = await lazy.load(project);
    if (!isHelp(args)) return command.run(args);
    process.stdout.write(command.usage);
    return 0;
  }
  return runWithoutDatabase(() => runOwnCommand(project, name === undefined ? [] : [name, ...args]), '');
}
