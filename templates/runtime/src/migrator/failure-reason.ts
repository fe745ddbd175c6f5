/**
 * Why a migration failed, for the person who has to fix the data: table, columns, value, and a query that lists the
 * rows.
 */
import { type Session, UniqueViolation } from '../database/database.ts';
import type { Row } from '../database/statement-runner.ts';
import { raw, type SqlValue } from '../database/sql.ts';
import { splitStatements } from '../contract/sql/statements.ts';
import { RangeFailure } from './range-failure.ts';
import { guardTable, withoutComments } from './guards.ts';

/** Rows that violate a unique constraint. */
interface Duplicates {
  readonly table: string;
  readonly columns: readonly string[];
}

const NAME = '["`]?(?<NAME>[^"`\\s(]+)["`]?';
const named = (group: string): string => NAME.replace('NAME', group);
const UNIQUE_INDEX = new RegExp(
  String.raw`CREATE\s+UNIQUE\s+INDEX\s+(?:CONCURRENTLY\s+)?${named('index')}\s+ON\s+${named('table')}\s*\((?<columns>[^)]*)\)`,
  'giu',
);
const RENAMED_TABLE = new RegExp(String.raw`ALTER\s+TABLE\s+${named('from')}\s+RENAME\s+TO\s+${named('to')}`, 'iu');
const RENAMED_COLUMN = new RegExp(
  String.raw`ALTER\s+TABLE\s+${named('table')}\s+RENAME\s+COLUMN\s+${named('from')}\s+TO\s+${named('to')}`,
  'iu',
);

interface DriverError {
  readonly message?: string;
  /** PostgreSQL. */
  readonly constraint?: string;
  readonly detail?: string;
}

/**
 * The constraint's name: the last quoted name, without its table (`Duplicate entry 'x' for key
 * 'articles.title_unique'`).
 */
function keyOf({ constraint, message = '' }: DriverError): string | undefined {
  return constraint ?? /'(?:[^'.]*\.)?(?<key>[^']+)'[^']*$/u.exec(message)?.groups?.['key'];
}

/** The duplicate value, if the driver's message has it. */
function valueIn({ detail = '', message = '' }: DriverError): string | undefined {
  const quoted = /\)=\((?<value>.*)\)/su.exec(detail) ?? /Duplicate entry '(?<value>.*)' for key/su.exec(message);
  return quoted?.groups?.['value'];
}

/** The column names in the definition of an index. */
function columnsOf(list = ''): readonly string[] {
  return list.split(',').map((name) => name.trim().replaceAll(/["`]/gu, ''));
}

/** The violated constraint: from the error, or else from the CREATE INDEX of that name in the migration. */
function duplicatesOf(error: UniqueViolation, cause: DriverError, sql: string): Duplicates | undefined {
  const { table, columns } = error;
  if (table !== undefined && columns.length > 0) return { table, columns };
  const key = keyOf(cause);
  for (const { groups = {} } of sql.matchAll(UNIQUE_INDEX)) {
    if (groups['index'] !== key) continue;
    return { table: groups['table'] ?? '', columns: columnsOf(groups['columns']) };
  }
  return undefined;
}

/** Translates names to those before the migration, to query a database where it was rolled back. */
function before({ dialect }: Session, { table, columns }: Duplicates, sql: string): Duplicates {
  const statements = splitStatements(sql, dialect.name).toReversed();
  return statements.reduce<Duplicates>(
    (now, text) => {
      const column = RENAMED_COLUMN.exec(text)?.groups;
      if (column && column['table'] === now.table) {
        const former = (name: string): string => (name === column['to'] ? (column['from'] ?? name) : name);
        return { ...now, columns: now.columns.map(former) };
      }
      const renamed = RENAMED_TABLE.exec(text)?.groups;
      return renamed && renamed['to'] === now.table ? { ...now, table: renamed['from'] ?? now.table } : now;
    },
    { table, columns },
  );
}

function shown(value: SqlValue | undefined): string {
  if (typeof value === 'string') return `'${value}'`;
  return String(value);
}

/** One duplicate value and its row count; undefined if there is none, or no such table or column. */
async function findOne(session: Session, { table, columns }: Duplicates): Promise<Row | undefined> {
  const id = (name: string): string => session.dialect.id(name).text;
  const list = columns.map(id).join(', ');
  const given = columns.map((name) => `${id(name)} IS NOT NULL`).join(' AND ');
  const text = `SELECT ${list}, count(*) AS ${id('row count')} FROM ${id(table)} WHERE ${given} GROUP BY ${list} HAVING count(*) > 1 ORDER BY ${list} LIMIT 1`;
  return session.get(raw(text)).catch(() => undefined);
}

/** A query that lists all duplicate rows. */
function listing({ dialect }: Session, { table, columns }: Duplicates): string {
  const id = (name: string): string => dialect.id(name).text;
  const list = columns.map(id).join(', ');
  const same = columns.map((name) => `other.${id(name)} = ${id(table)}.${id(name)}`).join(' AND ');
  const twice = `(SELECT count(*) FROM ${id(table)} other WHERE ${same}) > 1`;
  return `SELECT * FROM ${id(table)} WHERE ${twice} ORDER BY ${list};`;
}

/** The table and its columns for messages: `articles.title`, `articles (title, locale)`. */
function shownColumns({ table, columns }: Duplicates): string {
  return columns.length === 1 ? `${table}.${columns[0] ?? ''}` : `${table} (${columns.join(', ')})`;
}

/** Explains that several rows have the same values, one of which was found, and what to do about it. */
function foundReason(session: Session, what: string, now: Duplicates, found: Row): string {
  const value = now.columns.map((name) => shown(found[name])).join(', ');
  return `${what} must be unique, but ${Number(found['row count'])} rows have ${value}. Give each a different value, or delete all but one, and start again. To list them: ${listing(session, now)}`;
}

async function uniqueReason(session: Session, error: UniqueViolation, sql: string): Promise<string> {
  const cause = (error.cause ?? {}) as DriverError;
  const violated = duplicatesOf(error, cause, sql);
  if (!violated) return `${error.message}: ${cause.message ?? ''}`;
  // MySQL does not roll back DDL: earlier renames are in effect.
  const now = session.dialect.name === 'mysql' ? violated : before(session, violated, sql);
  const found = await findOne(session, now);
  if (found) return foundReason(session, shownColumns(violated), now, found);
  const value = valueIn(cause);
  const has = value === undefined ? 'have the same value' : `have '${value}'`;
  return `${shownColumns(violated)} must be unique, but several rows ${has}. Currently no rows do: the migration itself makes them equal.`;
}

/** Statements that may change rows without naming their columns. */
const HIDDEN_CHANGE = /^(?:DELETE|TRUNCATE|MERGE|WITH|SELECT|DO|CALL|COPY)\b/iu;

/** Statements that name a column but keep its values: renames, defaults, keys, and another length. */
const ALTERS = /^(?:ALTER\s+TABLE|(?:CREATE|DROP)\s+(?:UNIQUE\s+)?INDEX)\b/iu;
const REPLACES =
  /\b(?:ADD|DROP)\s+COLUMN\b|\bTYPE\s+(?!(?:text|varchar\(\d+\))\s+USING\s+"[^"]+"::(?:text|varchar)\b)/iu;

/** Whether these statements leave the values of the columns as they are, judging by their text. */
function keepsEqual(statements: readonly string[], { table, columns }: Duplicates): boolean {
  return statements.map(withoutComments).every((statement) => {
    if (guardTable(statement) !== undefined) return true;
    if (HIDDEN_CHANGE.test(statement)) return false;
    const names = new Set(statement.match(/[\p{L}\p{N}_$]+/gu));
    if (!names.has(table) || !columns.some((name) => names.has(name))) return true;
    return ALTERS.test(statement) && !REPLACES.test(statement);
  });
}

/**
 * Why the unique index at the end of `statements` can't be created, if rows that exist before the migration violate it;
 * undefined if none are found. `statements`: those before the index, and its own.
 */
export async function duplicateReason(session: Session, statements: readonly string[]): Promise<string | undefined> {
  const groups = [...(statements.at(-1) ?? '').matchAll(UNIQUE_INDEX)][0]?.groups;
  if (!groups) return undefined;
  const wanted = { table: groups['table'] ?? '', columns: columnsOf(groups['columns']) };
  const now = before(session, wanted, statements.join(';\n'));
  if (!keepsEqual(statements.slice(0, -1), wanted) || !keepsEqual(statements.slice(0, -1), now)) return undefined;
  const found = await findOne(session, now);
  return found && foundReason(session, shownColumns(wanted), now, found);
}

/** The name of a violated CHECK constraint, from the message of each engine. */
function checkOf(error: unknown): string | undefined {
  const { message = '', constraint } = error as DriverError;
  const said =
    /^CHECK constraint failed: (?<name>.+)$/su.exec(message) ??
    /^CONSTRAINT `(?<name>[^`]+)` failed for /su.exec(message) ??
    /^Check constraint '(?<name>[^']+)' is violated/su.exec(message);
  return said?.groups?.['name'] ?? constraint;
}

/** The reason of a failed guard (a CHECK that the generator wrote), with the query in the comment next to it. */
function guardReason(name: string, sql: string): string | undefined {
  // Where statements run one by one, `sql` is only the failed one: the name may be missing.
  const start = sql.indexOf(name);
  const queries = /^-- (?:(?<what>.+)\. )?To list them: (?<query>.+)$/mu;
  const found = (queries.exec(sql.slice(Math.max(start, 0))) ?? queries.exec(sql))?.groups;
  if (found?.['query'] === undefined) return undefined;
  return `${found['what'] ?? name}. Correct these rows, and start again. To list them: ${found['query']};`;
}

/** Explains a failure to the user. `sql` is the failed statement, or the script that contains it. */
export async function failureReason(session: Session, error: unknown, sql: string): Promise<string> {
  if (error instanceof RangeFailure) return `${error.message}: ${await failureReason(session, error.cause, sql)}`;
  if (error instanceof UniqueViolation) return uniqueReason(session, error, sql);
  const check = checkOf(error);
  const guarded = check === undefined ? undefined : guardReason(check, sql);
  return guarded ?? (error instanceof Error ? error.message : String(error));
}
