/** Content written since a migration was applied that undoing the migration would delete. */
import type { Session } from '../database/database.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import { COLUMN_NAMES as NAMES } from '../contract/column-names.ts';
import type { Change, RelationStorage } from '../contract/migrations/change.ts';
import type { MigrationPlan } from '../contract/migrations/plan.ts';
import type { Table } from '../contract/migrations/planned-table.ts';
import type { StoredColumn } from '../contract/stored-table.ts';
import { lossesOfCopies } from './lost-copies.ts';
import { lossesOfItems } from './lost-items.ts';
import { type Loss, lossesOfCopiedOrder, lossOfOrder } from './lost-order.ts';

type CopyRelation = Extract<Change, { kind: 'copyRelation' }>;
type AddColumn = Extract<Change, { kind: 'addColumn' }>;

/** Whether a table holds content: types, their lists, tokens and folders. Servers fill the other tables by themselves. */
function holdsContent(table: Table): boolean {
  if (table.kind !== 'server') return table.uid !== 'user-role';
  return table.role === 'apiTokens' || table.role === 'uploadFolders';
}

function lossOfTable(table: Table, created: ReadonlySet<string>): Loss | undefined {
  if (!holdsContent(table)) return undefined;
  // The rows of a list belong to entries that are counted already.
  if (table.kind !== 'type' && table.kind !== 'server' && created.has(table.uid)) return undefined;
  return { table: table.name, where: raw('1 = 1'), describe: (rows, at) => `${rows} of ${at}` };
}

/** The condition for rows with a value other than the one that the migration gave to all. */
function isWritten({ dialect }: Session, column: Sql, { type, default: given }: StoredColumn): Sql {
  if (given === undefined) return sql`${column} IS NOT NULL`;
  if (typeof given === 'boolean') return sql`${column} = ${raw(given ? 'FALSE' : 'TRUE')}`;
  // PostgreSQL compares JSON only as text, and MariaDB does not compare moments in ISO 8601.
  if (type === 'json' && dialect.name === 'postgres') return sql`CAST(${column} AS text) <> ${given}`;
  const isMoment = type === 'datetime' && dialect.name === 'mysql';
  return sql`${column} <> ${isMoment ? String(given).replace('T', ' ').replace('Z', '') : given}`;
}

/** The condition for rows in which two columns differ. */
function differ(one: Sql, other: Sql): Sql {
  return sql`(${one} <> ${other} OR (${one} IS NULL) <> (${other} IS NULL))`;
}

/** `name` and `filledFrom` are the present names of the column, and of the one that existing rows were filled from. */
function lossOfColumn(
  session: Session,
  { table, column, fillWith }: AddColumn,
  { name, filledFrom }: { readonly name: string; readonly filledFrom: string | undefined },
): Loss | undefined {
  const id = session.dialect.id(name);
  if (column.attribute !== undefined || column.targetType !== undefined) {
    const describe = (rows: string, at: string): string => `values of ${name} in ${rows} of ${at}`;
    const where =
      filledFrom === undefined ? isWritten(session, id, column) : differ(id, session.dialect.id(filledFrom));
    return { table, where, describe };
  }
  if (column.role === 'publishedAt') {
    const describe = (rows: string, at: string): string => `drafts: everyone could read ${rows} of ${at}`;
    return { table, where: sql`${id} IS NULL`, describe };
  }
  if (column.role === 'locale' && fillWith !== undefined) {
    const describe = (rows: string, at: string): string => `the locales of ${rows} of ${at}`;
    return { table, where: sql`${id} <> ${fillWith}`, describe };
  }
  return undefined;
}

/** The names of a table and a column after later changes; undefined if they were dropped. */
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

/** The tables and columns whose content undoing moves back to where it came from. */
function takenBack(changes: readonly Change[]): ReadonlySet<string> {
  return new Set(
    changes.flatMap((change) => {
      if (change.kind === 'copyRelation') return [keyOf(change.to.table, columnOf(change.to))];
      return change.kind === 'createSyncTriggers' ? change.columns.map(({ to }) => keyOf(change.table, to)) : [];
    }),
  );
}

/** The column in which a relation is stored; undefined for a link table. */
function columnOf(storage: RelationStorage): string | undefined {
  return storage.kind === 'column' ? storage.column : undefined;
}

function keyOf(table: string, column?: string): string {
  return column === undefined ? table : `${table}.${column}`;
}

/** Rows after the first one with the same value of a column. */
function lossOfLater({ dialect }: Session, table: string, key: string, order: string): Loss {
  const [rows, same, place] = [table, key, order].map((name) => dialect.id(name)) as [Sql, Sql, Sql];
  return {
    table,
    where: sql`EXISTS (SELECT 1 FROM ${rows} AS earlier WHERE earlier.${same} = ${rows}.${same} AND earlier.${place} < ${rows}.${place})`,
    describe: (count, at) => `${count} of ${at}: only the first with the same ${key} can be kept`,
  };
}

/** The links that don't fit if a relation moves back to a column: an owner has one target and, with `unique`, a target one owner. */
function lossesOfCopy(session: Session, { from, to, mirrored }: CopyRelation): readonly Loss[] {
  if (from.kind !== 'column') return [];
  const isUnique = from.unique !== undefined;
  const { table } = to;
  if (to.kind === 'column') return mirrored || isUnique ? [lossOfLater(session, table, to.column, 'id')] : [];
  const ofOwners = lossOfLater(session, table, NAMES.owner, NAMES.target);
  const ofTargets = lossOfLater(session, table, NAMES.target, NAMES.owner);
  if (isUnique) return [ofOwners, ofTargets];
  return [mirrored ? ofTargets : ofOwners];
}

/** What undoing would lose of an order that was added to an existing list. The index of the list begins with its key. */
function lossOfAddedOrder(session: Session, changes: readonly Change[], { table, column, fillFrom }: AddColumn) {
  const index = changes.find(
    (change) => change.kind === 'createIndex' && change.table === table && change.index.columns[1] === column.name,
  );
  const key = index?.kind === 'createIndex' ? index.index.columns[0] : undefined;
  const isNew = changes.some(
    (change) => change.kind === 'addColumn' && change.table === table && change.column.name === key,
  );
  if (key === undefined || fillFrom === undefined || isNew) return [];
  return [lossOfOrder(session, { table, key, position: column.name, former: fillFrom })];
}

function lossesOfMovedRelation(session: Session, change: CopyRelation, later: readonly Change[]): readonly Loss[] {
  const now = nameAfter(later, change.to.table, columnOf(change.to));
  if (!now) return [];
  const { table, column = '' } = now;
  const to = change.to.kind === 'column' ? { ...change.to, table, column } : { ...change.to, table };
  const moved = { ...change, to };
  return [...lossesOfCopy(session, moved), ...lossesOfCopiedOrder(session, moved)];
}

function lossesOfEdit(
  session: Session,
  { table, column, edit }: Extract<Change, { kind: 'editItems' }>,
  later: readonly Change[],
): readonly Loss[] {
  const now = nameAfter(later, table, column);
  return now?.column === undefined ? [] : lossesOfItems(session, { table: now.table, column: now.column, edit });
}

/** The table of the entries whose links are in a table; undefined for other tables. */
function entriesOf(made: readonly Table[], table: Table): Table | undefined {
  if (table.kind !== 'link' && table.kind !== 'componentLinks') return undefined;
  return made.find((one) => one.kind === 'type' && one.uid === table.uid);
}

function lossesIn(session: Session, changes: readonly Change[]): readonly Loss[] {
  const made = changes.flatMap((change) => (change.kind === 'createTable' ? [change.table] : []));
  const created = new Set(made.flatMap((table) => (table.kind === 'type' ? [table.uid] : [])));
  const fresh = new Set(made.map(({ name }) => name));
  const kept = takenBack(changes);
  return changes.flatMap((change, place): readonly Loss[] => {
    const later = changes.slice(place + 1);
    if (change.kind === 'copyRelation') return lossesOfMovedRelation(session, change, later);
    if (change.kind === 'editItems') return lossesOfEdit(session, change, later);
    if (change.kind === 'createTable') {
      const now = nameAfter(later, change.table.name);
      if (now === undefined || kept.has(now.table)) return [];
      const table = { ...change.table, name: now.table };
      const copy = later.find((one) => one.kind === 'copyRows' && one.table === change.table.name);
      if (copy?.kind === 'copyRows') return lossesOfCopies(session, table, { copy, entries: entriesOf(made, table) });
      const loss = lossOfTable(table, created);
      return loss ? [loss] : [];
    }
    if (change.kind !== 'addColumn' || fresh.has(change.table)) return [];
    if (change.column.type === 'position') return lossOfAddedOrder(session, changes, change);
    const now = nameAfter(later, change.table, change.column.name);
    const isLost = now !== undefined && !kept.has(keyOf(now.table, now.column));
    if (!isLost) return [];
    const source = change.fillFrom === undefined ? undefined : nameAfter(later, change.table, change.fillFrom);
    const names = { name: now.column ?? '', filledFrom: source?.column };
    const loss = lossOfColumn(session, { ...change, table: now.table }, names);
    return loss ? [loss] : [];
  });
}

/** The losses of undoing a migration, one line each; none for a hand-written one. */
export async function lossesOfUndo(session: Session, { changes }: MigrationPlan): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { table, rows, where, describe } of lossesIn(session, changes)) {
    const from = rows ?? session.dialect.id(table);
    const row = await session.get(sql`SELECT count(*) AS found FROM ${from} WHERE ${where}`);
    const found = Number(row?.['found'] ?? 0);
    if (found > 0) lines.push(describe(found === 1 ? '1 row' : `${found} rows`, table));
  }
  return lines;
}
