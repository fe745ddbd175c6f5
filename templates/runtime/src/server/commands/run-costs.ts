/** `npm run server -- costs check FILE`: what the requests of a frontend cost with the schema as it is, and as it was. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { orNearest } from './wrong-arguments.ts';
import { UsageError } from '../../base/command-errors.ts';
import { printable } from '../../base/printable.ts';
import { ASSUMED_ROWS } from '../../contract/costs.ts';
import { HttpError } from '../../contract/errors.ts';
import { type Caller } from '../../contract/policy/caller.ts';
import { permissionSet } from '../../contract/policy/permission-set.ts';
import { PUBLIC } from '../../contract/policy/built-in-roles.ts';
import { serverCaller } from '../../contract/policy/server-caller.ts';
import { formatOf } from '../../query/format.ts';
import { parseQuery } from '../../query/parse-query-string.ts';
import { missingIndexes, priceRequest } from '../../query/price-request.ts';
import { type RequestedEntries, requestedEntries } from '../../query/requested-entries.ts';
import type { ServerDefinition } from '../definition.ts';
import { runWithoutDatabase } from './command.ts';
import { requestsIn } from './recorded-requests.ts';

/** How much more than recorded a request may cost. */
const GROWTH = 1.5;

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- costs check FILE [--as ROLE] [--record] [--baseline FILE] [--format v5]

Computes what the requests of a frontend cost with this schema, without a database, and compares it with what was recorded:
fails if a request lost its index, costs more than half as much again, or is refused.

  FILE             the requests: one per line, such as /api/articles?sort=title, an access log, or a HAR file
  --as ROLE        refuses what this role of the schema may not read; by default nothing is forbidden
  --record         records the costs, to be committed; without it, they are compared
  --baseline FILE  where they are recorded, by default FILE.costs.json
  --format v5      the format of the requests, if it is not that of the schema

Only GET requests for entries are considered. Requests that differ only in the values of their filters count as one.
`;

/** A request as it was recorded. */
interface Recorded {
  readonly request: string;
  readonly cost: number;
  /** The indexes that it lacked already. */
  readonly missing: readonly string[];
}

interface Baseline {
  readonly rows: number;
  readonly requests: readonly Recorded[];
}

type Outcome = Omit<Recorded, 'request'> | { readonly refusal: string };

interface Checked {
  readonly definition: ServerDefinition;
  readonly caller: Caller;
  readonly asked: string;
  readonly rows: number;
}

function callerOf({ contentTypes, roles, rules = {} }: ServerDefinition, role: string | undefined): Caller {
  if (role === undefined) return serverCaller(contentTypes);
  const permissions = Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (!permissions) throw new UsageError(`There is no role ${role}${orNearest(role, Object.keys(roles))}`);
  return { kind: role === PUBLIC ? 'public' : 'user', role, permissions: permissionSet(permissions, rules[role]) };
}

/** Requests with the same key cost the same. */
function keyOf({ type, id, query }: RequestedEntries): string {
  return `${type.uid} ${id === undefined ? '' : 'one'}?${parseQuery(query).shape ?? query}`;
}

function priced({ definition, caller, asked, rows }: Checked, request: string): Outcome {
  const { contentTypes: types, api } = definition;
  const found = requestedEntries(types, request);
  if (!found) return { refusal: 'no content type has this path' };
  const dialect = /^(?:mysql|mariadb):/u.test(process.env['DATABASE_URL'] ?? '') ? 'mysql' : 'sqlite';
  try {
    const price = priceRequest({ types, api, rows, dialect }, { caller, format: formatOf(api, asked) }, found);
    return { cost: price.cost, missing: missingIndexes(price) };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { refusal: `${error.status}: ${error.message}` };
  }
}

/** Why a request fails the check; undefined if it does not. `before` is undefined for one that was not recorded. */
function problemOf(now: Outcome, before: Recorded | undefined): string | undefined {
  if ('refusal' in now) return `is refused: ${now.refusal}`;
  if (!before) return undefined;
  const lost = now.missing.filter((index) => !before.missing.includes(index));
  if (lost.length > 0) return `lost its index ${lost.join(', ')}: it costs ${now.cost} instead of ${before.cost}`;
  return now.cost > before.cost * GROWTH ? `costs ${now.cost} instead of ${before.cost}` : undefined;
}

async function readBaseline(path: string, rows: number): Promise<Baseline> {
  if (!existsSync(path)) throw new UsageError(`There is no ${path}: record the costs with --record, and commit it`);
  try {
    const { rows: recordedRows, requests } = JSON.parse(await readFile(path, 'utf8')) as Baseline;
    if (recordedRows === rows && Array.isArray(requests)) return { rows, requests };
  } catch {
    throw new UsageError(`${path} is no record of costs: record them with --record`);
  }
  throw new UsageError(`${path} was recorded with another number of \`rows\`: record the costs again with --record`);
}

async function readRequests(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(code === 'ENOENT' ? `There is no file ${path}` : `${path} can't be read: ${message}`);
  }
}

/** The requests for entries by key, each as it came first; and how many others there are. */
function distinct({ definition }: Checked, requests: readonly string[]) {
  const byKey = new Map<string, string>();
  let others = 0;
  for (const request of requests) {
    const found = requestedEntries(definition.contentTypes, request);
    if (!found) others += 1;
    else if (!byKey.has(keyOf(found))) byKey.set(keyOf(found), request);
  }
  return { byKey, others };
}

async function record(checked: Checked, requests: readonly string[], path: string, print: Print): Promise<number> {
  const outcomes = requests.map((request) => ({ request, outcome: priced(checked, request) }));
  const refused = outcomes.flatMap(({ request, outcome }) =>
    'refusal' in outcome ? [`${request} is refused: ${outcome.refusal}`] : [],
  );
  refused.forEach(print);
  const recorded = outcomes.flatMap(({ request, outcome }) =>
    'refusal' in outcome ? [] : [JSON.stringify({ request, ...outcome })],
  );
  const text = `{\n  "rows": ${checked.rows},\n  "requests": [\n    ${recorded.sort().join(',\n    ')}\n  ]\n}\n`;
  await writeFile(path, text);
  print(`${recorded.length} requests are recorded in ${path}.`);
  return refused.length > 0 ? 1 : 0;
}

async function compare(checked: Checked, found: ReturnType<typeof distinct>, path: string, print: Print) {
  const { requests: recorded } = await readBaseline(path, checked.rows);
  const before = new Map<string, Recorded>();
  const vanished: string[] = [];
  for (const one of recorded) {
    const entries = requestedEntries(checked.definition.contentTypes, one.request);
    if (entries) before.set(keyOf(entries), one);
    else vanished.push(`${one.request} is refused: no content type has this path`);
  }
  const problems = [...found.byKey].flatMap(([key, request]) => {
    const problem = problemOf(priced(checked, request), before.get(key));
    return problem === undefined ? [] : [`${request} ${problem}`];
  });
  const unknown = [...found.byKey.keys()].filter((key) => !before.has(key)).length;
  const all = [...vanished, ...problems];
  all.forEach(print);
  const further = unknown > 0 ? `, ${unknown} of which are not recorded yet` : '';
  print(`${found.byKey.size} requests were checked${further}; ${all.length} have a problem.`);
  return all.length > 0 ? 1 : 0;
}

type Print = (line: string) => void;

function parse(definition: ServerDefinition, args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { as: text, record: { type: 'boolean' }, baseline: text, format: text } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [command, file, ...rest] = positionals;
  if (command !== 'check' || file === undefined || rest.length > 0) throw new UsageError('`check` needs one file');
  const { as: role, record: records = false, baseline = `${file}.costs.json`, format: asked = '' } = values;
  if (!['', 'v4', 'v5'].includes(asked)) throw new UsageError('--format must be v4 or v5');
  const rows = definition.costs?.rows ?? ASSUMED_ROWS;
  return { file, records, baseline, checked: { definition, caller: callerOf(definition, role), asked, rows } };
}

/** Runs `npm run server -- costs …`. Returns the exit code: 1 if a request has a problem. */
export function runCosts(definition: ServerDefinition, args: readonly string[]): Promise<number> {
  const print = (line: string): void => void process.stdout.write(`${printable(line)}\n`);
  return runWithoutDatabase(async () => {
    const { file, records, baseline, checked } = parse(definition, args);
    const found = distinct(checked, requestsIn(await readRequests(file)));
    if (found.others > 0) print(`${found.others} requests are none for entries of the schema, and left out.`);
    return records
      ? record(checked, [...found.byKey.values()], baseline, print)
      : compare(checked, found, baseline, print);
  }, USAGE);
}
