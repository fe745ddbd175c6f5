/**
 * The entry point of the command line. It neither sets the exit code of the process nor exits: it returns the exit
 * code.
 */
import { Command, CommanderError } from 'commander';
import { addCommands } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';
import { packageVersion } from './version.ts';

const EXIT_CODES = `
Exit codes:
  ${EXIT.done}  success, or nothing to do
  ${EXIT.defect}  a bug in content-gen
  ${EXIT.input}  the schema or the command line is invalid
  ${EXIT.refused}  refused: a generated file was edited, data would be lost, or files could not be written
  ${EXIT.difference}  --check found a difference`;

/**
 * Runs the command line. `argv` excludes the program name. Results go to stdout, everything else to stderr. Never
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
    .addHelpText('after', EXIT_CODES);
  addCommands(program, io, onExit);
  hintAtHelp(program, program.name());
  return program;
}

/** After a wrong argument, each command names its own help. */
function hintAtHelp(command: Command, path: string): void {
  command.showHelpAfterError(`(for help, run: ${path} --help)`);
  for (const subcommand of command.commands) hintAtHelp(subcommand, `${path} ${subcommand.name()}`);
}

function describeDefect(error: unknown, { DEBUG }: Io['env']): string {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error && DEBUG ? `${error.stack ?? ''}\n` : '';
  return [
    `This is a bug in content-gen ${packageVersion()}: ${message}\n`,
    stack,
    'Nothing was written. Please report it with the schema',
    stack === '' ? ' and the output of the command with DEBUG=1.\n' : ' and the lines above.\n',
  ].join('');
}
