/** What undoing a migration would take away, of what was written since it was applied. */
import type { Session } from '../database/database.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import type { StoredColumn } from '../contract/stored-table.ts';

/** As they are in `plan.json`, where `origin` says what of the schema a table or a column is for. */
interface PlannedTable {
  readonly name: string;
  readonly origin?: string;
}
type PlannedColumn = StoredColumn & { readonly origin?: string };

/** The changes whose undoing deletes something, and those that give another name to it; others are passed by. */
type Change =
  | { readonly kind: 'createTable' | 'dropTable'; readonly table: PlannedTable }
  | { readonly kind: 'renameTable'; readonly from: string; readonly to: string }
  | { readonly kind: 'renameColumn'; readonly table: string; readonly from: string; readonly to: string }
  | {
      readonly kind: 'addColumn' | 'dropColumn';
      readonly table: string;
      readonly column: PlannedColumn;
      readonly fillWith?: string;
    };

/** Rows of a table that would lose something. */
interface Loss {
  readonly table: string;
  readonly where: Sql;
  /** `values of body in 3 rows of articles` */
  readonly describe: (rows: number, table: string) => string;
}

/** What servers write by themselves. */
const SERVERS_OWN = new Set(['user-role']);
const API_TOKENS = 'API tokens';

/** Types, their lists, and tokens; servers fill the other tables. */
function holdsContent(origin: string | undefined): origin is string {
  if (origin === undefined || SERVERS_OWN.has(origin)) return false;
  return origin === API_TOKENS || /^[a-z0-9-]+(?:\.\w+)?$/u.test(origin);
}

function lossOfTable({ name, origin }: PlannedTable, created: ReadonlySet<string>): Loss | undefined {
  if (!holdsContent(origin)) return undefined;
  // What a list holds goes with its entries.
  const [owner = '', list] = origin.split('.');
  if (list !== undefined && created.has(owner)) return undefined;
  return { table: name, where: raw('1 = 1'), describe: (rows, table) => `${rows} rows of ${table}` };
}

/** Whether rows have another value than the one that the migration gave to all. */
function isWritten(column: Sql, { type, default: given }: StoredColumn): Sql {
  const isGiven = sql`${column} IS NOT NULL`;
  // Of moments and JSON engines have forms of their own.
  const isPlain = type !== 'json' && type !== 'date' && type !== 'time' && type !== 'datetime';
  if (given === undefined || !isPlain) return isGiven;
  if (typeof given === 'boolean') return sql`${column} = ${raw(given ? 'FALSE' : 'TRUE')}`;
  return sql`${column} <> ${given}`;
}

function lossOfColumn(
  session: Session,
  { table, column, fillWith }: Extract<Change, { kind: 'addColumn' | 'dropColumn' }>,
  name: string,
): Loss | undefined {
  const id = session.dialect.id(name);
  if (column.origin !== undefined) {
    const describe = (rows: number, at: string): string => `values of ${name} in ${rows} rows of ${at}`;
    return { table, where: isWritten(id, column), describe };
  }
  if (column.name === 'published_at') {
    const describe = (rows: number, at: string): string => `which ${rows} rows of ${at} are drafts: all could be read`;
    return { table, where: sql`${id} IS NULL`, describe };
  }
  if (column.name === 'locale' && fillWith !== undefined) {
    const describe = (rows: number, at: string): string => `the locales of ${rows} rows of ${at}`;
    return { table, where: sql`${id} <> ${fillWith}`, describe };
  }
  return undefined;
}

/** The names of a table and a column after later changes; undefined: it is gone. */
function nameAfter(
  later: readonly Change[],
  table: string,
  column?: string,
): { readonly table: string; readonly column: string | undefined } | undefined {
  let now = { table, column };
  for (const change of later) {
    if (change.kind === 'renameTable' && change.from === now.table) now = { ...now, table: change.to };
    if (change.kind === 'dropTable' && change.table.name === now.table) return undefined;
    if (change.kind === 'renameColumn' && change.table === now.table && change.from === now.column) {
      now = { ...now, column: change.to };
    }
    if (change.kind === 'dropColumn' && change.table === now.table && change.column.name === now.column) {
      return undefined;
    }
  }
  return now;
}

function lossesIn(session: Session, changes: readonly Change[]): readonly Loss[] {
  const made = changes.flatMap((change) => (change.kind === 'createTable' ? [change.table] : []));
  const created = new Set(made.map(({ origin = '' }) => origin));
  const fresh = new Set(made.map(({ name }) => name));
  return changes.flatMap((change, place): readonly Loss[] => {
    const later = changes.slice(place + 1);
    if (change.kind === 'createTable') {
      const now = nameAfter(later, change.table.name);
      const loss = now && lossOfTable({ ...change.table, name: now.table }, created);
      return loss ? [loss] : [];
    }
    if (change.kind !== 'addColumn' || fresh.has(change.table)) return [];
    const now = nameAfter(later, change.table, change.column.name);
    const loss = now && lossOfColumn(session, { ...change, table: now.table }, now.column ?? '');
    return loss ? [loss] : [];
  });
}

/**
 * What undoing a migration would delete, a line each; none of one that was written by hand. `plan`: the text of its `plan.json`.
 * Members of components and links that became others are not looked at.
 */
export async function lossesOfUndo(session: Session, plan: string): Promise<readonly string[]> {
  const { changes = [] } = JSON.parse(plan) as { readonly changes?: readonly Change[] };
  const lines: string[] = [];
  for (const { table, where, describe } of lossesIn(session, changes)) {
    const row = await session.get(sql`SELECT count(*) AS found FROM ${session.dialect.id(table)} WHERE ${where}`);
    const found = Number(row?.['found'] ?? 0);
    if (found > 0) lines.push(describe(found, table));
  }
  return lines;
}
