/** Commands of the project's own: `npm run server -- send-digest --days 7`. */
import type * as zod from 'zod';
import type { Awaitable } from '../entries/hook-types.ts';
import type { ExtensionContext } from '../entries/extension-context.ts';

/** What a command gets. */
export interface CommandCall<Entries, Args> extends ExtensionContext<Entries> {
  readonly args: Args;
  /** Writes a line to the standard output. */
  print(line: string): void;
}

export interface CommandDeclaration<Entries, Args extends zod.ZodObject | undefined> {
  /** What `help` prints. */
  readonly summary?: string;
  /** The options: `{ dryRun: z.boolean().optional() }` is `--dry-run`. Their `describe` texts are printed by `--help`. */
  readonly args?: Args;
  /** Resolves with the exit code, 0 by default. What it throws is printed, and the exit code is 1. */
  run(call: CommandCall<Entries, Args extends zod.ZodObject ? zod.output<Args> : unknown>): Awaitable<number | void>;
}

/** A command with any options. */
export type OwnCommand = CommandDeclaration<never, zod.ZodObject | undefined>;

/** The tools to declare commands with. */
export interface CommandTools<Entries> {
  /** Declares a command. Its schema types `args`. */
  command<Args extends zod.ZodObject | undefined = undefined>(
    declaration: CommandDeclaration<Entries, Args>,
  ): OwnCommand;
  /** The server's copy of zod. */
  readonly z: typeof zod;
}

/** The part of the extensions that declares commands. */
export interface DeclaresCommands {
  commands?(tools: CommandTools<never>): Readonly<Record<string, OwnCommand>>;
}
