/** `npm run server -- explain` of a generated server: query plans of a request with missing indexes, and what rules reach. */
import { parseArgs } from 'node:util';
import { ASSUMED_ROWS } from '../../contract/costs.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { serverCaller } from '../../contract/policy/server-caller.ts';
import { UsageError } from '../../base/command-errors.ts';
import type { Database } from '../../database/database.ts';
import { sql, type Sql } from '../../database/sql.ts';
import { V4, V5 } from '../../query/format.ts';
import { findEntry } from '../../entries/stored-entry.ts';
import type { IndexAdvice } from '../../query/missing-index.ts';
import { parseQuery } from '../../query/parse-query-string.ts';
import { priceRequest, type RequestPrice } from '../../query/price-request.ts';
import { createReader } from '../../query/reader.ts';
import { listPaths, type RequestedEntries, requestedEntries } from '../../query/requested-entries.ts';
import { type Command, runCommand } from './command.ts';
import { explainRole } from './explain-role.ts';
import { explainWho } from './explain-who.ts';
import { type ExplainedDefinition, explainedType } from './explained-types.ts';

/** How many users of each role `--who` asks about. */
const USERS = 1000;

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- explain 'GET /api/articles?filters[status]=ready&sort=day:desc'
       npm run server -- explain TYPE --as ROLE
       npm run server -- explain --who TYPE:ID [--users N]

A request: runs it with all permissions, shows its statements and their query plans, and says what it costs and which indexes are
missing.

  --as ROLE      shows what each action of a role reaches in a type: its rule, and the condition in SQL
  --who TYPE:ID  shows for each role who may find, change and delete an entry, and by which rule
  --users N      how many users of each role are asked about where a rule depends on the user, by default ${USERS}

Permissions and rules are those in the database. Hooks of the project, such as \`beforeFind\`, may narrow further.
`;

/** Throws UsageError. */
function requestOf(args: readonly string[], types: ContentTypes): RequestedEntries {
  const text = args.join(' ').replace(/^GET\s+/u, '');
  if (text === '') throw new UsageError('A request is missing');
  if (!text.startsWith('/')) throw new UsageError(`${args.join(' ')} is not a GET request`);
  const found = requestedEntries(types, text);
  if (found) return found;
  throw new UsageError(`${text.split('?', 1)[0]} is not a list of entries; there are ${listPaths(types).join(', ')}`);
}

/** The number of an entry; of a document, that of the version in its first locale. */
async function rowOf(database: Database, type: ContentType, id: string, isDocument: boolean): Promise<number> {
  if (!isDocument) {
    if (!/^\d+$/u.test(id)) throw new UsageError(`${id} is not an id`);
    return Number(id);
  }
  const row = await findEntry(database, type, sql`t.document_id = ${id}`);
  if (!row) throw new UsageError(`There is no ${type.uid} with the document id ${id}`);
  return row.id;
}

/** The database, recording in `statements` what is read from it. */
function recording(database: Database, statements: Sql[]): Database {
  const note = (statement: Sql): Sql => {
    if (!statements.some(({ text }) => text === statement.text)) statements.push(statement);
    return statement;
  };
  return {
    ...database,
    all: (statement, options) => database.all(note(statement), options),
    get: (statement, options) => database.get(note(statement), options),
    readTransaction: (options, work) =>
      database.readTransaction(options, (reader) =>
        work({
          ...reader,
          all: (statement, own) => reader.all(note(statement), own),
          get: (statement, own) => reader.get(note(statement), own),
        }),
      ),
  };
}

async function planOf({ dialect, all }: Database, { text, params }: Sql): Promise<readonly string[]> {
  const explain = dialect.name === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
  const rows = await all({ text: `${explain} ${text}`, params });
  return rows.map((row) => {
    if (dialect.name === 'sqlite') return String(row['detail']);
    const values = Object.entries(row).filter(([, value]) => value !== null && value !== '');
    return dialect.name === 'postgres'
      ? String(row['QUERY PLAN'])
      : values.map(([name, value]) => `${name}: ${String(value)}`).join(', ');
  });
}

function inYaml({ uid }: ContentType, name: string, value: string): readonly string[] {
  return ['', 'contentTypes:', `  ${uid}:`, `    ${name}: ${value}`];
}

function adviceLines(type: ContentType, { index, members, search, notes }: IndexAdvice): readonly string[] {
  const missing = [...(index ? [index] : []), ...members.map((name) => [name])];
  return [
    ...notes,
    ...(search
      ? ['`_q` scans all texts of all entries. Add to the schema:', ...inYaml(type, 'search', `[${search.join(', ')}]`)]
      : []),
    ...(missing.length > 0
      ? [
          `${missing.length > 1 ? 'Indexes are' : 'An index is'} missing. Add to the \`indexes\` of the schema:`,
          ...inYaml(type, 'indexes', `[${missing.map((keys) => `[${keys.join(', ')}]`).join(', ')}]`),
        ]
      : ['No index on the type itself is missing.']),
  ];
}

function costLines({ cost, scans, rows }: RequestPrice): readonly string[] {
  const parts = scans.map(({ table, cost: part }) => `   ${part}: examining ${table}`);
  return ['', `It costs ${cost}, if each table has ${rows} rows.`, ...parts];
}

async function explain(
  definition: ExplainedDefinition,
  database: Database,
  request: RequestedEntries,
): Promise<readonly string[]> {
  const { contentTypes, api, costs } = definition;
  const { type, id, query } = request;
  const statements: Sql[] = [];
  const caller = serverCaller(contentTypes);
  const reader = createReader({ database: recording(database, statements), types: contentTypes, api });
  const parsed = parseQuery(query);
  const format = api.format === 'v5' ? V5 : V4;
  const row = id === undefined ? undefined : await rowOf(database, type, id, format === V5);
  const started = performance.now();
  const asked = { caller, query: parsed, format };
  if (row !== undefined) await reader.one(type, asked, row);
  else if (type.kind === 'singleType') await reader.single(type, asked);
  else await reader.list(type, asked);
  const time = performance.now() - started;
  const lines = [`${type.uid}: ${statements.length} statements, ${time.toFixed(1)} ms the first time`];
  for (const [number, statement] of statements.entries()) {
    lines.push('', `${number + 1}. ${statement.text}`);
    if (statement.params.length > 0) lines.push(`   with ${JSON.stringify(statement.params.map(String))}`);
    lines.push(...(await planOf(database, statement)).map((line) => `   ${line}`));
  }
  const basis = { types: contentTypes, api, rows: costs?.rows ?? ASSUMED_ROWS, dialect: database.dialect.name };
  const price = priceRequest(basis, { caller, format }, request);
  const advice = price.advice ? ['', ...adviceLines(type, price.advice)] : [];
  return [...lines, ...costLines(price), ...advice];
}

async function roleCommand({ database, definition }: Explained, type: string, role: string) {
  return explainRole({ definition, database }, { type, role });
}

/** `article:7`, or `article:DOCUMENT-ID` in the v5 format. */
async function whoCommand({ database, definition }: Explained, entry: string, most: number) {
  const [name = '', id = ''] = entry.split(/:(.*)/su);
  const type = explainedType(definition.contentTypes, name);
  const isDocument = definition.api.format === 'v5' && !/^\d+$/u.test(id);
  const row = await rowOf(database, type, id, isDocument);
  if (!(await findEntry(database, type, sql`t.id = ${row}`))) throw new UsageError(`There is no ${type.uid} ${row}`);
  return explainWho({ definition, database }, type, { id: row, most });
}

type Explained = Pick<Parameters<Command>[0], 'database'> & { readonly definition: ExplainedDefinition };

function parse(
  definition: ExplainedDefinition,
  args: readonly string[],
): (context: Explained) => Promise<readonly string[]> {
  const text = { type: 'string' } as const;
  const options = { as: text, who: text, users: text };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { as: role, who, users = String(USERS) } = values;
  if (!/^[1-9]\d{0,8}$/u.test(users)) throw new UsageError('--users must be a number from 1');
  if (role !== undefined && who !== undefined) throw new UsageError('Either --as or --who must be given, not both');
  if (who !== undefined) {
    if (positionals.length > 0) throw new UsageError(`--who can't take: ${positionals.join(' ')}`);
    return (context) => whoCommand(context, who, Number(users));
  }
  if (role !== undefined) {
    const [type, ...rest] = positionals;
    if (type === undefined || rest.length > 0) throw new UsageError('--as needs one type: article --as public');
    return (context) => roleCommand(context, type, role);
  }
  const request = requestOf(positionals, definition.contentTypes);
  return ({ database }) => explain(definition, database, request);
}

/** Runs `npm run server -- explain …` with settings from the environment. Returns the exit code. */
export function runExplain(definition: ExplainedDefinition, args: readonly string[]): Promise<number> {
  return runCommand(
    definition,
    () => {
      const lines = parse(definition, args);
      return async ({ database, print }) => {
        for (const line of await lines({ database, definition })) print(line);
        return 0;
      };
    },
    USAGE,
    false,
  );
}
