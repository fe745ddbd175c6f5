/** `npm run server -- openapi` of a generated server: writes or checks its OpenAPI document, including endpoints declared in code. */
import { readFile, writeFile } from 'node:fs/promises';
import { format, parse as parsePath } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../../base/command-errors.ts';
import type { ContentTypes } from '../../contract/content-type.ts';
import { type DescribedProject, describeProject, type Description } from '../describe.ts';
import { filterByTags, splitByTags } from '../describe-part.ts';
import { checkEndpoints, declaredEndpoints, type DeclaresEndpoints } from '../mount-endpoints.ts';
import { runWithoutDatabase } from './command.ts';
import { unknownCommand } from './wrong-arguments.ts';

const STANDARD_FILE = 'openapi.server.json';

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- openapi <command> [FILE] [--tags TAG,…] [--split N]

  write  writes openapi.json, with the endpoints of src/extensions/index.ts, to FILE (default: ${STANDARD_FILE})
  check  compares FILE with what write would write, and shows which operations differ

  --tags TAG,…  only the operations with these tags, such as the names of content types, and the schemas they refer to
  --split N     several documents of N tags each, for generators that are slow with large documents: with FILE site.json,
                site.1.json, site.2.json and so on

Exit codes: 0 done, 1 failed or different, 2 invalid arguments.
`;

/** The part of the server definition that the command needs. */
export interface DocumentDefinition extends DescribedProject {
  readonly contentTypes: ContentTypes;
}

interface Options {
  readonly command: 'write' | 'check';
  readonly file: string;
  /** Undefined for all. */
  readonly tags: readonly string[] | undefined;
  /** The number of tags per document; undefined for a single document. */
  readonly split: number | undefined;
}

/** A document, and the file that it belongs in. */
interface Output {
  readonly file: string;
  readonly description: Description;
}

/** The documents that the options ask for. */
function outputsOf({ file, tags, split }: Options, whole: Description): readonly Output[] {
  const description = tags ? filterByTags(whole, tags) : whole;
  if (split === undefined) return [{ file, description }];
  const { dir, name, ext } = parsePath(file);
  return splitByTags(description, split).map((part, index) => ({
    file: format({ dir, name: `${name}.${index + 1}`, ext }),
    description: part,
  }));
}

/** `GET /api/articles` → its operation as JSON. */
function operationsOf({ paths }: Description): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, JSON.stringify(operation)] as const,
      ),
    ),
  );
}

/** One line per operation that was added, removed or changed. */
function differences(written: Description, current: Description): readonly string[] {
  const [before, now] = [operationsOf(written), operationsOf(current)];
  return [
    ...[...now.keys()].filter((name) => !before.has(name)).map((name) => `  + ${name}`),
    ...[...before.keys()].filter((name) => !now.has(name)).map((name) => `  - ${name}`),
    ...[...now].filter(([name, text]) => (before.get(name) ?? text) !== text).map(([name]) => `  ~ ${name}`),
  ];
}

async function readDocument(file: string): Promise<Description | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as Description);
}

/** The command that writes what the options ask for. */
function writeCommand({ file, tags, split }: Options): string {
  const flags = [tags && `--tags ${tags.join(',')}`, split !== undefined && `--split ${split}`];
  return ['npm run server -- openapi write', file, ...flags.filter((flag) => flag)].join(' ');
}

/** Compares a file with its document; reports differences. */
async function isCurrent({ file, description }: Output, command: string): Promise<boolean> {
  const written = await readDocument(file);
  if (written === undefined) {
    process.stderr.write(`${file} does not exist. To write it: ${command}\n`);
    return false;
  }
  if (JSON.stringify(written) === JSON.stringify(description)) return true;
  const lines = [`${file} differs from what this server serves. To update it: ${command}`];
  process.stderr.write(`${[...lines, ...differences(written, description)].join('\n')}\n`);
  return false;
}

async function check(options: Options, outputs: readonly Output[]): Promise<number> {
  let differing = 0;
  for (const output of outputs) if (!(await isCurrent(output, writeCommand(options)))) differing += 1;
  return differing === 0 ? 0 : 1;
}

async function write(outputs: readonly Output[]): Promise<number> {
  for (const { file, description } of outputs) {
    await writeFile(file, `${JSON.stringify(description, undefined, 2)}\n`);
    process.stdout.write(`${file}\n`);
  }
  return 0;
}

/** Parses the value of `--split`. Throws UsageError. */
function splitOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,3}$/u.test(value)) return Number(value);
  throw new UsageError('--split needs a number of tags per document, such as --split 10');
}

/** Parses the arguments. Throws UsageError. */
function parse(args: readonly string[]): Options {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { tags: { type: 'string' }, split: { type: 'string' } },
  });
  const [command, file = STANDARD_FILE, further] = positionals;
  if (further !== undefined) throw new UsageError(`Expected one FILE; unexpected: ${further}`);
  const tags = values.tags?.split(',').map((tag) => tag.trim());
  const split = splitOf(values.split);
  if (command === 'write' || command === 'check') return { command, file, tags, split };
  throw unknownCommand(command, ['write', 'check']);
}

async function run(
  definition: DocumentDefinition,
  extensions: DeclaresEndpoints,
  args: readonly string[],
): Promise<number> {
  const options = parse(args);
  const { command, file } = options;
  // openapi.json is written by builds, which don't run the project's code.
  if (/(?:^|[\\/])openapi\.json$/u.test(file)) {
    throw new UsageError('openapi.json belongs to content-gen: choose another FILE');
  }
  checkEndpoints(declaredEndpoints(extensions), definition.contentTypes, []);
  const whole = JSON.parse(await describeProject(definition, extensions)) as Description;
  const outputs = outputsOf(options, whole);
  return command === 'check' ? check(options, outputs) : write(outputs);
}

/** Runs `npm run server -- openapi …`; it needs no database. Returns the exit code. */
export function runOpenapi(
  definition: DocumentDefinition,
  extensions: DeclaresEndpoints,
  args: readonly string[],
): Promise<number> {
  return runWithoutDatabase(() => run(definition, extensions, args), USAGE);
}
