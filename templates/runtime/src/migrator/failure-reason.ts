/**
 * Why a migration failed, for the person who has to fix the data: table, columns, value, and a query that lists the
 * rows.
 */
import { type Session, UniqueViolation } from '../database/database.ts';
import type { Row } from '../database/statement-runner.ts';
import { raw, type SqlValue } from '../database/sql.ts';
import type { Change } from '../contract/migrations/change.ts';
import { RangeFailure } from './range-failure.ts';
import type { Run } from './progress.ts';
import { scriptOf } from './units.ts';

/** Rows that violate a unique constraint. */
interface Duplicates {
  readonly table: string;
  readonly columns: readonly string[];
}

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

/** A migration that failed, or of which a part did. */
export interface FailedRun extends Pick<Run, 'migration' | 'direction'> {
  /** Whether the renames of the migration were rolled back, or not yet made. */
  readonly isRolledBack: boolean;
}

/** The changes of a migration in the direction in which it runs, as far as they rename something. */
function changesOf({ migration: { plan }, direction }: FailedRun): readonly Change[] {
  if (direction === 'up') return plan.changes;
  return plan.changes.toReversed().map((change) => {
    if (change.kind !== 'renameTable' && change.kind !== 'renameColumn') return change;
    return { ...change, from: change.to, to: change.from };
  });
}

/** The indexes that a change creates, or that are created again when it is undone. */
function indexesOf(change: Change): readonly (Duplicates & { readonly name: string })[] {
  const { table, indexes } =
    change.kind === 'createTable' || change.kind === 'dropTable'
      ? { table: change.table.name, indexes: change.table.indexes }
      : change.kind === 'alterColumn'
        ? change
        : { table: 'table' in change ? change.table : '', indexes: 'index' in change ? [change.index] : [] };
  return indexes.filter(({ unique }) => unique).map(({ name, columns }) => ({ table, columns, name }));
}

/** The violated constraint: from the error, or else the unique index of that name in the migration. */
function duplicatesOf(error: UniqueViolation, cause: DriverError, changes: readonly Change[]): Duplicates | undefined {
  const { table, columns } = error;
  if (table !== undefined && columns.length > 0) return { table, columns };
  const key = keyOf(cause);
  return changes.flatMap(indexesOf).find(({ name }) => name === key);
}

/** The names before a change. */
function before({ table, columns }: Duplicates, change: Change): Duplicates {
  if (change.kind === 'renameColumn' && change.table === table) {
    return { table, columns: columns.map((name) => (name === change.to ? change.from : name)) };
  }
  return { table: change.kind === 'renameTable' && change.to === table ? change.from : table, columns };
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

async function uniqueReason(session: Session, error: UniqueViolation, run: FailedRun): Promise<string> {
  const cause = (error.cause ?? {}) as DriverError;
  const changes = changesOf(run);
  const violated = duplicatesOf(error, cause, changes);
  if (!violated) return `${error.message}: ${cause.message ?? ''}`;
  const now = run.isRolledBack ? changes.reduceRight(before, violated) : violated;
  const found = await findOne(session, now);
  if (found) return foundReason(session, shownColumns(violated), now, found);
  const value = valueIn(cause);
  const has = value === undefined ? 'have the same value' : `have '${value}'`;
  // SQL of a team may rename the table, too.
  const when = run.migration.plan.handWritten ? 'If no rows do now' : 'Currently no rows do';
  return `${shownColumns(violated)} must be unique, but several rows ${has}. ${when}: the migration itself makes them equal.`;
}

/** Types between which values stay equal or different. */
const TEXTS: ReadonlySet<string> = new Set(['string', 'text']);

/** Whether a change leaves the rows of a table and the values of these columns as they are. */
function keepsEqual(change: Change, { table, columns }: Duplicates): boolean {
  const isOther = (at: string, column: string): boolean => at !== table || !columns.includes(column);
  switch (change.kind) {
    case 'addColumn':
    case 'dropColumn':
    case 'fillEmpty':
      return isOther(change.table, change.column.name);
    case 'mapValues':
    case 'editItems':
      return isOther(change.table, change.column);
    case 'alterColumn': {
      const { from, to } = change;
      const isFilled = from.nullable && !to.nullable && to.default !== undefined;
      const isSame = from.type === to.type || (TEXTS.has(from.type) && TEXTS.has(to.type));
      return isOther(change.table, to.name) || (isSame && !isFilled);
    }
    case 'numberLists':
      return isOther(change.table, change.position);
    case 'claimValues':
      return isOther(change.table, change.claim);
    case 'copyRows':
      return change.table !== table;
    case 'copyColumn':
      return isOther(change.table, change.column);
    case 'copyRelation':
      return change.to.kind === 'column' ? isOther(change.to.table, change.to.column) : change.to.table !== table;
    case 'renameType':
      return change.single !== table;
    // These delete rows, also in tables that refer to them, or write what others have.
    case 'deleteRows':
    case 'shareValues':
    case 'shareItemLinks':
    case 'nameEntries':
      return false;
    default:
      return true;
  }
}

/**
 * Why a unique index can't be created by a migration, if rows that exist before it violate it; undefined if none are found, or if the
 * migration itself may change that.
 */
export async function duplicateReason(session: Session, run: FailedRun, index: string): Promise<string | undefined> {
  const changes = changesOf(run);
  const wanted = changes.flatMap(indexesOf).find(({ name }) => name === index);
  if (!wanted) return undefined;
  let now: Duplicates = wanted;
  for (const change of changes.toReversed()) {
    if (!keepsEqual(change, now)) return undefined;
    now = before(now, change);
  }
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

/** Explains a failure to the user. */
export async function failureReason(session: Session, error: unknown, run: FailedRun): Promise<string> {
  if (error instanceof RangeFailure) return `${error.message}: ${await failureReason(session, error.cause, run)}`;
  if (error instanceof UniqueViolation) return uniqueReason(session, error, run);
  const { guards = [] } = scriptOf(run.migration, run.direction, session.dialect.name);
  const check = checkOf(error);
  const guard = guards.find(({ constraint }) => constraint === check);
  if (!guard) return error instanceof Error ? error.message : String(error);
  const { constraint, message = constraint, query } = guard;
  return `${message}. Correct these rows, and start again. To list them: ${query};`;
}
