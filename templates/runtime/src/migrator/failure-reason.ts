/**
 * Why a migration failed, for the person who has to fix the data: table, columns, value, and a query that lists the
 * rows.
 */
import { type Row, type Session, UniqueViolation } from '../database/database.ts';
import { raw, type SqlValue } from '../database/sql.ts';

/** Rows that violate a unique constraint. */
interface Duplicates {
  readonly table: string;
  readonly columns: readonly string[];
}

const NAME = '["`]?(?<NAME>[^"`\\s(]+)["`]?';
const named = (group: string): string => NAME.replace('NAME', group);
const UNIQUE_INDEX = new RegExp(
  String.raw`CREATE\s+UNIQUE\s+INDEX\s+${named('index')}\s+ON\s+${named('table')}\s*\((?<columns>[^)]*)\)`,
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

/** The violated constraint: from the error, or else from the CREATE INDEX of that name in the migration. */
function duplicatesOf(error: UniqueViolation, cause: DriverError, sql: string): Duplicates | undefined {
  const { table, columns } = error;
  if (table !== undefined && columns.length > 0) return { table, columns };
  const key = keyOf(cause);
  for (const { groups = {} } of sql.matchAll(UNIQUE_INDEX)) {
    if (groups['index'] !== key) continue;
    const list = (groups['columns'] ?? '').split(',').map((name) => name.trim().replaceAll(/["`]/gu, ''));
    return { table: groups['table'] ?? '', columns: list };
  }
  return undefined;
}

/** The names of table and columns before the migration, to query a database where it was rolled back. */
function before({ table, columns }: Duplicates, sql: string): Duplicates {
  const statements = sql.split(';').toReversed();
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

async function uniqueReason(session: Session, error: UniqueViolation, sql: string): Promise<string> {
  const cause = (error.cause ?? {}) as DriverError;
  const violated = duplicatesOf(error, cause, sql);
  if (!violated) return `${error.message}: ${cause.message ?? ''}`;
  const { table, columns } = violated;
  const what = columns.length === 1 ? `${table}.${columns[0] ?? ''}` : `${table} (${columns.join(', ')})`;
  // MySQL does not roll back DDL: earlier renames are in effect.
  const now = session.dialect.name === 'mysql' ? violated : before(violated, sql);
  const found = await findOne(session, now);
  const valueInMessage = valueIn(cause);
  const value = found
    ? now.columns.map((name) => shown(found[name])).join(', ')
    : valueInMessage && `'${valueInMessage}'`;
  const count = found ? `${Number(found['row count'])} rows` : 'several rows';
  const has = value === undefined ? 'have the same value' : `have ${value}`;
  const must = `${what} must be unique, and ${count} ${has}`;
  if (!found) return `${must}. No rows do so now: the migration itself makes them the same.`;
  return `${must}. Give each a value of its own, or delete all but one, and start again. To list them: ${listing(session, now)}`;
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
  const query = /^-- To list them: (?<query>.+)$/mu.exec(sql.slice(Math.max(start, 0)))?.groups?.['query'];
  return query === undefined ? undefined : `${name}. Mend these rows, and start again. To list them: ${query};`;
}

/** The reason of a failure, for people. `sql` is the failed statement, or the script that contains it. */
export async function failureReason(session: Session, error: unknown, sql: string): Promise<string> {
  if (error instanceof UniqueViolation) return uniqueReason(session, error, sql);
  const check = checkOf(error);
  const guarded = check === undefined ? undefined : guardReason(check, sql);
  return guarded ?? (error instanceof Error ? error.message : String(error));
}
