/** `npm run server -- migrate up|down|status|accept|forget` of a generated server. */
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { MigrationError } from './migration-error.ts';
import { type Correction, correctRecord, isCorrection } from './accept.ts';
import { isContract } from './parts.ts';
import { type Direction, type LongPartListener, migrate, type MigrationReport } from './migrate.ts';
import { showProgress } from './migration-progress.ts';

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- migrate <command>

  up             apply all pending migrations, except contract migrations and those after them
  up --contract  apply those too: they remove what servers of the previous version need, so none of those may be running
  up --to NAME   apply them up to and including this one; also with --contract
  down           undo the last one
  down --to NAME undo all after this one, which remains applied
  down NAME      undo this one, if it is the last one; its number is enough. Nothing is done if it is undone already
  down NAME --allow-destructive
                 undo it even if that deletes content that was written since; also with --to NAME
  status         show which are applied, and where the database differs from them; exit code 4 if it does

If the SQL of a migration was changed after it was applied to this database:

  accept NAME    show its SQL, and how to record it as applied
  forget NAME    show its SQL, and how to make the next \`up\` run it, if it is the last one
`;

function isDirection(text: string | undefined): text is Direction {
  return text === 'up' || text === 'down' || text === 'status';
}

function notSealed(name: string): string {
  return `${name} is not sealed and was not applied. Write its SQL, then run: npx content-gen migrations seal\n`;
}

/** What is to be done about a migration that was interrupted. */
function describeHalfDone({ name, direction }: NonNullable<MigrationReport['halfDone']>): string {
  if (direction === 'up') return 'half applied. To complete it: npm run server -- migrate up';
  return `half undone. To complete that: npm run server -- migrate down ${name} --allow-destructive. To complete it and apply ${name} again: npm run server -- migrate up`;
}

function describe(direction: Direction, { changed, migrations, unsealed, halfDone }: MigrationReport): string {
  if (direction === 'status') {
    const pending = migrations
      .map(({ name, appliedAt }) => {
        if (name === halfDone?.name) return `${name}  ${describeHalfDone(halfDone)}\n`;
        const state = isContract(name) ? 'waits for: npm run server -- migrate up --contract' : 'pending';
        return `${name}  ${appliedAt === undefined ? state : `applied ${appliedAt}`}\n`;
      })
      .join('');
    return `${pending}${unsealed.map((name) => `${name}  not sealed: it is not applied\n`).join('')}`;
  }
  if (direction === 'down') return changed.map((name) => `Undid ${name}\n`).join('') || 'There is nothing to undo.\n';
  const waiting = migrations.filter(({ appliedAt }) => appliedAt === undefined).map(({ name }) => name);
  const done = changed.map((name) => `Applied ${name}\n`).join('') || 'The database is up to date.\n';
  const open = unsealed.map(notSealed).join('');
  if (waiting.length === 0) return `${done}${open}`;
  const others = waiting.filter((name) => !isContract(name));
  if (others.length > 0) {
    return `${done}${open}${others.join(', ')} ${others.length === 1 ? 'is' : 'are'} still pending\n`;
  }
  const wait = waiting.length === 1 ? 'waits' : 'wait';
  return `${done}${open}${waiting.join(', ')} ${wait} until no server of the previous version is running: npm run server -- migrate up --contract\n`;
}

/** The minimum duration of a part that gets a line in the output, in seconds. */
const WORTH_A_LINE = 5;

/** Prints long parts when there is no terminal. */
function printLongParts(write: (text: string) => void): LongPartListener {
  return ({ name, what, seconds, isOver, progress }) => {
    if (seconds < WORTH_A_LINE) return;
    const state = isOver ? 'took' : 'has been running for';
    write(`${name}: ${what} ${state} ${seconds} s${progress === undefined ? '' : `, ${progress}`}\n`);
  };
}

/** The exit code of `status` if the database differs from what its migrations have made. */
const DRIFTED = 4;

/** Describes the differences between the database and what its migrations have made, with the exit code. */
async function describeDifferences(
  database: Database,
  directory: string,
): Promise<{ readonly text: string; readonly code: number }> {
  const { findDrift } = await import('./drift/find-drift.ts');
  const { describeAll } = await import('./drift/describe-drift.ts');
  const drift = await findDrift(database, directory);
  return { text: describeAll(drift, database.dialect.name), code: drift.drifted.length > 0 ? DRIFTED : 0 };
}

type Command =
  | {
      readonly direction: Direction;
      readonly contract: boolean;
      readonly keepsContent: boolean;
      readonly to: string | undefined;
      readonly only: string | undefined;
    }
  | { readonly correction: Correction; readonly name: string; readonly shown: string | undefined };

const DESTRUCTIVE = '--allow-destructive';

/** The other option of a command, besides `--to`. */
const OPTIONS: Readonly<Record<Direction, string | undefined>> = {
  up: '--contract',
  down: DESTRUCTIVE,
  status: undefined,
};

function parse([command, ...rest]: readonly string[]): Command | undefined {
  if (isCorrection(command)) {
    const [name, shown, ...more] = rest;
    return name === undefined || more.length > 0 ? undefined : { correction: command, name, shown };
  }
  if (!isDirection(command)) return undefined;
  const option = OPTIONS[command];
  const isGiven = option !== undefined && rest.includes(option);
  const asked = { direction: command, contract: isGiven && command === 'up', keepsContent: !isGiven };
  const [flag, to, ...more] = rest.filter((one) => one !== option);
  if (flag === undefined) return needsName(command, rest) ? undefined : { ...asked, to: undefined, only: undefined };
  if (command === 'down' && !flag.startsWith('-') && to === undefined) return { ...asked, to, only: flag };
  if (command === 'status' || flag !== '--to' || to === undefined || more.length > 0) return undefined;
  return { ...asked, to, only: undefined };
}

/** Whether a consent to delete content does not say which migration it is for: run again, it would be for another one. */
function needsName(command: Direction, rest: readonly string[]): boolean {
  return command === 'down' && rest.includes(DESTRUCTIVE) && rest.every((one) => one === DESTRUCTIVE);
}

/** What is wrong with arguments that `parse` does not understand. */
function whatIsWrong([command, ...rest]: readonly string[]): string {
  if (command === undefined) return 'A command is missing';
  if (!isDirection(command) && !isCorrection(command)) return `There is no command ${command}`;
  if (isDirection(command) && needsName(command, rest)) {
    return `${DESTRUCTIVE} needs the name of the migration to undo, as npm run server -- migrate status shows it: down NAME ${DESTRUCTIVE}`;
  }
  return rest.length === 0 ? `${command} needs the name of a migration` : `${command} can't take: ${rest.join(' ')}`;
}

/**
 * Runs the command named by `args`. `directory` is the project's folder `migrations`; `write` prints text. Returns the exit
 * code: 0 on success, 1 if it failed or skipped unsealed migrations, 2 for invalid arguments, 4 if `status` finds
 * differences between the database and what its migrations have made. Throws if the database can't be opened.
 */
export async function runMigrateCommand(options: {
  readonly args: readonly string[];
  readonly directory: string;
  readonly databaseUrl: string;
  readonly write: (text: string) => void;
  /** Writes progress to a terminal, if there is one. */
  readonly terminal?: ((text: string) => void) | undefined;
}): Promise<number> {
  const { args, directory, databaseUrl, write } = options;
  const command = parse(args);
  if (!command) {
    write(`${whatIsWrong(args)}\n\n${USAGE}`);
    return 2;
  }
  const database = await openDatabase(databaseUrl);
  try {
    const project = { directory, dialect: database.dialect.name };
    if ('correction' in command) {
      write(await correctRecord(database, project, command));
      return 0;
    }
    const { direction, ...wanted } = command;
    const progress = options.terminal && direction !== 'status' ? showProgress(options.terminal) : undefined;
    const listeners = progress ?? { onStep: undefined, onLongPart: printLongParts(write) };
    const { onStep, onLongPart } = listeners;
    const report = await migrate(database, { ...project, ...wanted, onStep, onLongPart }, direction).finally(() =>
      progress?.clear(),
    );
    write(describe(direction, report));
    if (direction === 'status') {
      const { text, code } = await describeDifferences(database, directory);
      write(text);
      return code;
    }
    return direction === 'up' && report.unsealed.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    write(`${error.message}\n`);
    return 1;
  } finally {
    await database.close();
  }
}
