/** `npm run data -- compare` of a generated server: sends the same requests to it and to another server. */
import { parseArgs } from 'node:util';
import { UsageError } from '../../base/command-errors.ts';
import {
  type CompareOptions,
  compareServers,
  type Comparison,
} from '../../features/transfer/compare/compare-servers.ts';
import { createProgress } from '../../features/transfer/progress.ts';
import type { CommandDefinition } from './command.ts';

/** The exit code if responses differ. */
const DIFFERENT = 1;
/** How many differences are printed. */
const MAX_PRINTED = 20;

function addressOf(name: string, value: string | undefined): string {
  if (value === undefined || !URL.canParse(value)) {
    throw new UsageError(`--${name} must be the address of a server, such as http://127.0.0.1:1337`);
  }
  const { protocol, origin, pathname } = new URL(value);
  if (protocol !== 'http:' && protocol !== 'https:') throw new UsageError(`--${name} must begin with http: or https:`);
  return `${origin}${pathname}`.replace(/\/+$/u, '');
}

function countOf(name: string, value: string): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count) || count < 0) throw new UsageError(`--${name} must be a number`);
  return count;
}

/** Parses the arguments after `compare`. Tokens come from the environment, where other users of the machine can't see them. */
function parse(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Omit<CompareOptions, 'signal' | 'progress'> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'base-a': { type: 'string' },
      'base-b': { type: 'string' },
      pages: { type: 'string', default: '4' },
      entries: { type: 'string', default: '10' },
      files: { type: 'string', default: '100' },
      ids: { type: 'boolean', default: false },
    },
  });
  return {
    servers: [
      { base: addressOf('base-a', values['base-a']), token: environment['COMPARE_TOKEN_A'] },
      { base: addressOf('base-b', values['base-b']), token: environment['COMPARE_TOKEN_B'] },
    ],
    pages: countOf('pages', values.pages),
    entries: countOf('entries', values.entries),
    files: countOf('files', values.files),
    ids: values.ids,
  };
}

function textOf({ requests, refused, different }: Comparison): string {
  const shown = different
    .slice(0, MAX_PRINTED)
    .flatMap(({ path, differences }) => [`GET ${path}`, ...differences.map((one) => `  ${one}`)]);
  const more = different.length > MAX_PRINTED ? [`… and ${different.length - MAX_PRINTED} more`] : [];
  const same = requests - different.length;
  return [
    ...shown,
    ...more,
    `${same} of ${requests} responses are the same (${refused} of them errors); ${different.length} differ.`,
  ].join('\n');
}

/** Compares two servers. Returns the exit code: 0 if all responses are the same, 1 if not. Rejects if a server doesn't respond. */
export async function runCompare(
  { contentTypes }: CommandDefinition,
  args: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const progress = createProgress(process.stderr);
  const compared = await compareServers(contentTypes, { ...parse(args, process.env), signal, progress });
  progress.clear();
  process.stdout.write(`${textOf(compared)}\n`);
  return compared.different.length === 0 ? 0 : DIFFERENT;
}
