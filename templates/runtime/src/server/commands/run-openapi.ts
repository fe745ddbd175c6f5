/** `npm run openapi` of a generated server: writes or checks its OpenAPI document, including endpoints declared in code. */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { UsageError } from '../../base/command-errors.ts';
import type { ContentTypes } from '../../contract/content-type.ts';
import { type DescribedProject, describeProject, type Description } from '../describe.ts';
import { partOf } from '../describe-part.ts';
import { checkEndpoints, declaredEndpoints, type DeclaresEndpoints } from '../mount-endpoints.ts';

const STANDARD_FILE = 'openapi.server.json';

const USAGE = `Usage: npm run openapi -- <command> [FILE] [--tags TAG,…]

  write  writes openapi.json, with the endpoints of src/extensions/index.ts, to FILE: ${STANDARD_FILE} unless it is said
  check  compares FILE with that, and shows which operations differ

  --tags TAG,…  only the operations of these tags, such as the names of content types, and what they refer to

Exit codes: 0 done, 1 failed or different, 2 wrong arguments.
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

async function check({ file, tags }: Options, current: Description): Promise<number> {
  const written = await readDocument(file);
  const mending = `npm run openapi -- write ${file}${tags ? ` --tags ${tags.join(',')}` : ''}`;
  if (written === undefined) {
    process.stderr.write(`There is no ${file}: ${mending}\n`);
    return 1;
  }
  if (JSON.stringify(written) === JSON.stringify(current)) return 0;
  const lines = [`${file} is not what this server serves: ${mending}`];
  process.stderr.write(`${[...lines, ...differences(written, current)].join('\n')}\n`);
  return 1;
}

/** Parses the arguments. Throws UsageError. */
function parse(args: readonly string[]): Options {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { tags: { type: 'string' } },
  });
  const [command, file = STANDARD_FILE, further] = positionals;
  if (further !== undefined) throw new UsageError(`There is one FILE, but also ${further}`);
  const tags = values.tags?.split(',').map((tag) => tag.trim());
  if (command === 'write' || command === 'check') return { command, file, tags };
  throw new UsageError(command === undefined ? 'A command is missing' : `There is no command ${command}`);
}

async function run(
  definition: DocumentDefinition,
  extensions: DeclaresEndpoints,
  args: readonly string[],
): Promise<number> {
  const options = parse(args);
  const { command, file, tags } = options;
  // openapi.json is written by builds, which don't run the project's code.
  if (/(?:^|[\\/])openapi\.json$/u.test(file)) {
    throw new UsageError('openapi.json belongs to content-gen: take another FILE');
  }
  checkEndpoints(declaredEndpoints(extensions), definition.contentTypes, []);
  const whole = JSON.parse(await describeProject(definition, extensions)) as Description;
  const current = tags ? partOf(whole, tags) : whole;
  if (command === 'check') return check(options, current);
  await writeFile(file, `${JSON.stringify(current, undefined, 2)}\n`);
  process.stdout.write(`${file}\n`);
  return 0;
}

/** Runs `npm run openapi -- …`, without a database. Returns the exit code. */
export async function runOpenapi(
  definition: DocumentDefinition,
  extensions: DeclaresEndpoints,
  args: readonly string[],
): Promise<number> {
  try {
    return await run(definition, extensions, args);
  } catch (error) {
    const isUsage = error instanceof UsageError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${isUsage ? `\n${USAGE}` : ''}`);
    return isUsage ? 2 : 1;
  }
}
