/** The command line. Sets nothing and ends nothing: it gives back the exit code. */
import { Argument, Command, CommanderError } from 'commander';
import type { BuildFlags } from './build-command.ts';
import { buildCommand } from './build-command.ts';
import { ejectCommand } from './eject-command.ts';
import { EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';
import { migrationsCommand } from './migrations-command.ts';
import type { MigrationsTask } from '../migrate.ts';
import { packageVersion } from './version.ts';

const EXIT_CODES = `
Exit codes:
  ${EXIT.done}  done, or nothing to do
  ${EXIT.defect}  a defect of content-gen
  ${EXIT.input}  the schema or the command line is wrong
  ${EXIT.refused}  refused: a generated file was edited, data would be lost, the disk failed
  ${EXIT.difference}  --check found a difference`;

/**
 * Runs the command line `argv`, without the program's own name. Results go to stdout, everything else to stderr. Never
 * throws and never exits the process.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = EXIT.done;
  const program = createProgram(io, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.input;
    io.stderr.write(describeDefect(error, io.env));
    return EXIT.defect;
  }
}

function createProgram(io: Io, onExit: (code: number) => void): Command {
  const program = new Command('content-gen')
    .description('Generates a complete, typed Koa content server from content types written in YAML.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError('(content-gen --help shows what there is)')
    .addHelpText('after', EXIT_CODES);
  addBuild(program, io, onExit);
  addMigrations(program, io, onExit);
  addEject(program, io, onExit);
  return program;
}

function addBuild(program: Command, io: Io, onExit: (code: number) => void): void {
  program
    .command('build')
    .description('write the server, or bring it up to date; an unchanged schema writes nothing')
    .argument('<schema...>', 'YAML files, or folders of them')
    .option('-o, --out <folder>', 'where to write (default: ./ and the name of the project)')
    .option('--check', 'write nothing; exit 4 when a build would change anything')
    .option('--dry-run', 'write nothing; say what a build would do')
    .option('--diff', 'write nothing; print what a build would change as a unified diff')
    .option('--overwrite <file>', 'lose the edits of one generated file; repeatable', collect, [])
    .option(
      '--allow-destructive <thing>',
      'let a migration delete the data of one type or attribute, such as article.body; repeatable',
      collect,
      [],
    )
    .option(
      '--zero-downtime',
      'split a migration in two where servers of the version before would fail: the second part is for when they are gone',
    )
    .option('--downgrade', 'let this version write a project that a newer version of content-gen wrote')
    .option('--json', 'print the result and all messages as one JSON document')
    .option('--annotations', 'print messages as annotations of a pull request')
    .action(async (schema: string[], flags: BuildFlags) => onExit(await buildCommand(schema, flags, io)));
}

function addMigrations(program: Command, io: Io, onExit: (code: number) => void): void {
  const migrations = program
    .command('migrations')
    .description('look at the migrations of a project, and change what no database has yet');
  const add = (usage: string, description: string, taskOf: (argument: string | undefined) => MigrationsTask): void => {
    migrations
      .command(usage)
      .description(description)
      .option('-o, --out <folder>', 'the folder of the project', '.')
      .action(async (...given: readonly unknown[]) => {
        const [argument, flags] = typeof given[0] === 'object' ? [undefined, given[0]] : [given[0], given[1]];
        const task = taskOf(typeof argument === 'string' ? argument : undefined);
        onExit(await migrationsCommand(task, flags as { readonly out?: string }, io));
      });
  };
  add('status', 'list the migrations, and say what is wrong with them', () => ({ kind: 'status' }));
  add('new <name>', 'add an empty migration, to write its SQL by hand', (title = '') => ({ kind: 'new', title }));
  add('seal', 'take migrations that were written or edited by hand for finished: only then are they applied', () => ({
    kind: 'seal',
  }));
  add('drop <migration>', 'give up the last migration, if no database has it', (name = '') => ({ kind: 'drop', name }));
  add('rebase [migration]', 'put the migrations of one branch after those of another', (name) => ({
    kind: 'rebase',
    name,
  }));
}

function addEject(program: Command, io: Io, onExit: (code: number) => void): void {
  program
    .command('eject')
    .description('take over a part of a project for good: its sources and tests, which no build touches from then on')
    .addArgument(new Argument('<part>', 'what to take over').choices(['runtime']))
    .option('-o, --out <folder>', 'the folder of the project', '.')
    .action(async (_part: string, flags: { readonly out?: string }) => onExit(await ejectCommand(flags, io)));
}

function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}

function describeDefect(error: unknown, { DEBUG }: Io['env']): string {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error && DEBUG ? `${error.stack ?? ''}\n` : '';
  return [
    `content-gen ${packageVersion()} has a defect: ${message}\n`,
    stack,
    'Nothing was written. Please report it with the schema that shows it',
    stack === '' ? ' and the output of the same command with DEBUG=1.\n' : ' and the lines above.\n',
  ].join('');
}
