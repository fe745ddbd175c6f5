/** `npm run server -- audit list|verify` of a generated server. */
import { parseArgs } from 'node:util';
import { UsageError } from '../../base/command-errors.ts';
import type { AuditRow } from '../../contract/audit/audit-log.ts';
import { findAudit } from '../../features/audit/audit-rows.ts';
import type { ChainEnd } from '../../features/audit/chain.ts';
import { verifyChain } from '../../features/audit/verify-chain.ts';
import type { ServerDefinition } from '../definition.ts';
import { type Command, runCommand } from './command.ts';
import { unknownCommand } from './wrong-arguments.ts';

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- audit <command>

  list [--last 20]
          shows what was done last
  verify [--noted 4711:3f8a…]
          checks the chain of hashes, and shows its last position and hash: note them elsewhere;
          --noted: what was shown before must still be in the chain
`;

const MOST_LISTED = 1000;

function lineOf({ at, event, actor, type, subjectId, address, requestId, details }: AuditRow): string {
  const who = actor.id === undefined ? actor.kind : `${actor.kind} ${actor.id}`;
  const what = type === null ? [] : [subjectId === null ? type : `${type} ${subjectId}`];
  const rest = [address, requestId, details && JSON.stringify(details)].filter((one) => one !== null);
  return [at, event, ...what, `by ${who}`, ...rest].join('  ');
}

function list(args: readonly string[]): Command {
  const { values } = parseArgs({ args: [...args], options: { last: { type: 'string', default: '20' } } });
  const most = Number(values.last);
  if (!Number.isInteger(most) || most < 1 || most > MOST_LISTED) {
    throw new UsageError(`--last must be from 1 to ${MOST_LISTED}`);
  }
  return async ({ database, print }) => {
    const rows = await findAudit(database, {}, { before: undefined, most });
    for (const row of rows.toReversed()) print(lineOf(row));
    return 0;
  };
}

function notedEnd(text: string | undefined): ChainEnd | undefined {
  if (text === undefined) return undefined;
  const { position, hash } = /^(?<position>\d{1,15}):(?<hash>[0-9a-f]{64})$/u.exec(text)?.groups ?? {};
  if (position === undefined || hash === undefined) {
    throw new UsageError('--noted must be a position and a hash, as `verify` shows them: 4711:3f8a…');
  }
  return { position: Number(position), hash };
}

function verify(args: readonly string[]): Command {
  const { values } = parseArgs({ args: [...args], options: { noted: { type: 'string' } } });
  const noted = notedEnd(values.noted);
  return async ({ database, print }) => {
    const { links, unlinked, first, head, problem } = await verifyChain(database, noted);
    if (problem !== undefined) {
      print(`The audit was tampered with: ${problem}.`);
      return 1;
    }
    print(`${links} rows from position ${first} on are as they were written; ${unlinked} are not in the chain yet.`);
    if (head.position > 0) print(`It ends at ${head.position}:${head.hash}`);
    return 0;
  };
}

function parse([command, ...args]: readonly string[]): Command {
  if (command === 'list') return list(args);
  if (command === 'verify') return verify(args);
  throw unknownCommand(command, ['list', 'verify']);
}

/** Runs `npm run server -- audit …` with settings from the environment. Returns the exit code. */
export function runAudit(definition: ServerDefinition, args: readonly string[]): Promise<number> {
  return runCommand(definition, () => parse(args), USAGE);
}
