/**
 * Reads how a script runs from its text. People write SQL with the lines `-- content-gen: commit`, `-- content-gen: each by itself` and
 * `-- content-gen: in batches of articles.id`, which `seal` translates into data; and in migrations of formats 1 and 2, the text is all
 * there is.
 */
import { type SqlStatement, statementsOf } from '../sql/statements.ts';
import type { SqlEngine } from '../sql/tokens.ts';
import { mysqlEffect } from './mysql-effect.ts';
import { addStatement, ALL_IDS, type Guard, type Script, type ScriptPart } from './script.ts';

const MARKER = /^-- content-gen: (?:(?<kind>commit|each)\b|in batches of (?<table>[^\s.]+)\.(?<key>[^\s.]+))/gmu;

/** The lines of comments before a statement. */
function commentsBefore({ text, sql }: SqlStatement): string {
  return text.slice(0, text.length - sql.length);
}

/** A name in SQL, as the catalogue stores it. */
function plainName(word = ''): string {
  const quote = word.charAt(0);
  return quote === '"' || quote === '`' ? word.slice(1, -1).replaceAll(quote + quote, quote) : word.toLowerCase();
}

const CONCURRENT: ReadonlySet<string> = new Set(['CREATE INDEX', 'CREATE UNIQUE INDEX', 'DROP INDEX']);

/** An index that a statement creates or drops CONCURRENTLY, which PostgreSQL only does outside of transactions. */
function concurrentPart({ words }: SqlStatement): ScriptPart | undefined {
  const at = words.indexOf('CONCURRENTLY');
  if (at === -1 || !CONCURRENT.has(words.slice(0, at).join(' '))) return undefined;
  const conditions = words[at + 1] === 'IF' ? words.indexOf('EXISTS') - at : 0;
  const name = plainName(words[at + 1 + conditions]);
  return words[0] === 'DROP' ? { runs: 'concurrently', drops: name } : { runs: 'concurrently', creates: name };
}

/** What follows a marker, until the next one. */
interface Section {
  readonly kind: 'commit' | 'each';
  readonly ranges: { readonly table: string; readonly key: string } | undefined;
}

/** The last marker before a statement. */
function markerBefore(statement: SqlStatement): Section | undefined {
  const groups = [...commentsBefore(statement).matchAll(MARKER)].at(-1)?.groups;
  if (!groups) return undefined;
  const { kind, table, key } = groups;
  const ranges =
    table === undefined || key === undefined || !statement.sql.includes(ALL_IDS) ? undefined : { table, key };
  return { kind: kind === 'commit' ? 'commit' : 'each', ranges };
}

function partsOf(statements: readonly SqlStatement[], engine: SqlEngine): readonly ScriptPart[] {
  const parts: ScriptPart[] = [];
  let kind: Section['kind'] = 'commit';
  for (const statement of statements) {
    const marker = markerBefore(statement);
    if (marker) kind = marker.kind;
    const concurrent = engine === 'postgres' && kind === 'each' ? concurrentPart(statement) : undefined;
    if (marker?.ranges) parts.push({ runs: 'ranges', ...marker.ranges });
    else if (concurrent) parts.push(concurrent);
    else if (engine === 'mysql') addStatement(parts, mysqlEffect(statement.words), false);
    else addStatement(parts, kind === 'commit' ? 'transaction' : 'each', marker !== undefined);
  }
  return parts;
}

const LISTS = 'To list them: ';
const FOUND = '_found_';

/** The guard that a statement is the failing part of. The comment before it has a query, and the message if it is long. */
function guardAt(statements: readonly SqlStatement[], index: number): Guard | undefined {
  const statement = statements[index];
  const line =
    statement &&
    commentsBefore(statement)
      .split('\n')
      .find((one) => one.includes(LISTS));
  if (!statement || line === undefined) return undefined;
  const place = line.indexOf(LISTS);
  const query = line.slice(place + LISTS.length);
  const message = line.slice('-- '.length, place - '. '.length);
  const { words } = statement;
  const about = { ...(message === '' ? {} : { message }), query };
  const table = plainName(words[2]);
  if (words[0] !== 'INSERT' || !table.startsWith(FOUND)) {
    return { at: index, constraint: plainName(words[words.indexOf('CONSTRAINT') + 1]), ...about };
  }
  const created = statements[index - 1]?.words ?? [];
  return { at: index - 1, constraint: plainName(created[created.indexOf('CONSTRAINT') + 1]), ...about, table };
}

/** How a script runs. */
export function readScript(text: string, engine: SqlEngine): Script {
  const statements = statementsOf(text, engine);
  const guards = statements.flatMap((_, index) => guardAt(statements, index) ?? []);
  return { parts: partsOf(statements, engine), ...(guards.length > 0 ? { guards } : {}) };
}
