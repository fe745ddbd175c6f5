/** `npm run server -- seed` of a generated server. */
import { parseArgs } from 'node:util';
import { CommandRefused, UsageError } from '../../base/command-errors.ts';
import { explainMissingModule } from '../../base/missing-module.ts';
import type { TextsLike } from '../../contract/attribute-types/random-value.ts';
import type { ContentTypes } from '../../contract/content-type.ts';
import { createRandom } from '../../contract/values/random.ts';
import { sql } from '../../database/sql.ts';
import { createProgress } from '../../features/transfer/progress.ts';
import { type SeededType, seedRandom } from '../../features/seed/seed-random.ts';
import type { Writer } from '../../features/seed/context.ts';
import { entryWriter } from '../../features/seed/entry-writer.ts';
import type { AnyExtensions, ServerDefinition } from '../definition.ts';
import { type ContentServer, createServer } from '../server.ts';
import { type Command, runCommand } from './command.ts';

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- seed [options]

Without options: runs \`seed\` of src/extensions/index.ts.

  --random N       instead, creates N random entries of each content type that satisfy every rule of the schema.
                   The entry of a single type stays if there is one
  --type TYPE      only of this type; repeatable. The entries that it requires must exist; a single type gets a new entry
  --seed NUMBER    the seed of the random numbers, by default 1: another one creates different content

Hooks run as for requests. In production nothing is created unless --force is given.

Exit codes: 0 done, 1 failed, 2 invalid arguments, 3 refused.
`;

const MAX_RANDOM = 100_000;

interface Options {
  readonly count: number | undefined;
  readonly uids: readonly string[];
  readonly seed: number;
  readonly force: boolean;
}

type CommandContext = Parameters<Command>[0];

/** A function that stores sample files. Its dependencies are loaded when it is first called. */
function fileWriter(definition: ServerDefinition, context: CommandContext): Writer['upload'] {
  const open = async () => {
    const { openSampleFiles } = await import('./sample-uploads.ts').catch(explainMissingModule('media'));
    return openSampleFiles(definition, context);
  };
  let opened: ReturnType<typeof open> | undefined;
  return async (kinds) => (await (opened ??= open()))(kinds);
}

/** The maximum number of existing entries per type that relations may use. */
const MAX_EXISTING = 1000;

/** The ids of existing entries, by type, that relations can refer to; includes users. */
async function existingIds({ database }: CommandContext, { types }: ContentTypes): Promise<Map<string, number[]>> {
  const pools = new Map<string, number[]>();
  for (const [uid, { table }] of Object.entries(types)) {
    const rows = await database.all(
      sql`SELECT id FROM ${database.dialect.id(table)} ORDER BY id LIMIT ${MAX_EXISTING}`,
    );
    pools.set(
      uid,
      rows.map((row) => Number(row['id'])),
    );
  }
  return pools;
}

/** A generator of strings that match a regular expression; undefined if the package `fast-check` isn't installed. */
async function loadTextsLike(): Promise<TextsLike | undefined> {
  try {
    const { sample, stringMatching } = await import('fast-check');
    return (regex, random) => {
      const numRuns = 60;
      return sample(stringMatching(regex), { seed: random.below(2 ** 31), numRuns });
    };
  } catch {
    return undefined;
  }
}

function hasRegex(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, 'regex') || Object.values(value).some(hasRegex);
}

function describe({ uid, count, reason }: SeededType): string {
  return `${uid}: ${count} ${count === 1 ? 'entry' : 'entries'}${reason === undefined ? '' : ` (${reason})`}`;
}

async function runRandom(
  definition: ServerDefinition,
  context: CommandContext,
  server: ContentServer,
  { count = 0, uids, seed }: Options,
): Promise<void> {
  const own = Object.keys(definition.routes);
  const unknown = uids.find((uid) => !own.includes(uid));
  if (unknown !== undefined) throw new UsageError(`There is no content type ${unknown}; there are ${own.join(', ')}`);
  const progress = createProgress(process.stderr);
  const { contentTypes: types } = definition;
  const seeded = await seedRandom(
    {
      types,
      random: createRandom(seed),
      writer: entryWriter(server.services.entries, fileWriter(definition, context)),
      textsLike: hasRegex(types) ? await loadTextsLike() : undefined,
      pools: await existingIds(context, types),
      taken: new Map(),
    },
    {
      count,
      uids: uids.length === 0 ? own : uids,
      replacesSingles: uids.length > 0,
      onProgress: (done, total) => progress.report('writes', done, total),
    },
  ).finally(() => progress.clear());
  for (const type of seeded) context.print(describe(type));
}

function seedWith(definition: ServerDefinition, extensions: AnyExtensions, options: Options): Command {
  return async (context) => {
    const { settings } = context;
    if (settings.production && !options.force) {
      throw new CommandRefused('Refused in production: nothing was created. See --force');
    }
    const quiet = { ...settings, logLevel: 'warn' };
    const server = await createServer(definition, { settings: quiet, extensions });
    try {
      if (options.count !== undefined) await runRandom(definition, context, server, options);
      else if (extensions.seed) {
        await extensions.seed(server.services);
        context.print('Ran `seed` of src/extensions/index.ts.');
      } else {
        throw new CommandRefused(
          'src/extensions/index.ts has no `seed`. For random content: npm run server -- seed --random 10',
        );
      }
    } finally {
      await server.close();
    }
    return 0;
  };
}

function wholeNumber(text: string, name: string, most: number): number {
  const value = Number(text);
  if (!/^\d{1,10}$/u.test(text) || value > most) throw new UsageError(`${name} must be a whole number up to ${most}`);
  return value;
}

function parse(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      random: { type: 'string' },
      type: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string', default: '1' },
      force: { type: 'boolean', default: false },
    },
  });
  const [first] = positionals;
  if (first !== undefined) throw new UsageError(`Expected only options; unexpected: ${first}`);
  const count = values.random === undefined ? undefined : wholeNumber(values.random, '--random', MAX_RANDOM);
  if (count === undefined && values.type.length > 0) throw new UsageError('--type requires --random');
  return { count, uids: values.type, seed: wholeNumber(values.seed, '--seed', 2 ** 31), force: values.force };
}

/** Runs `npm run server -- seed …` with settings from the environment. Returns the exit code. */
export function runSeed(
  definition: ServerDefinition,
  extensions: AnyExtensions,
  args: readonly string[],
): Promise<number> {
  return runCommand(definition, () => seedWith(definition, extensions, parse(args)), USAGE);
}
