/** Whether the entries that a request connects exist, and may be seen by the caller; and their locks. */
import type { ContentType, ContentTypes } from '../content-type.ts';
import type { Executor } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { join, sql, type Sql } from '../database/sql.ts';
import type { Issue } from '../errors.ts';
import { may, type Caller } from '../policy/caller.ts';
import { idsOf } from './list-table.ts';
import type { RelationChange, Target } from './relation-change.ts';

/** Rows of a type that change although the request does not name them: those whose `column` names one of `ids`. */
export interface FurtherRows {
  readonly type: ContentType;
  readonly column: string;
  readonly ids: readonly number[];
  /** Each id is in one row at most, of localized types in one of each locale: another request may put it into another row. */
  readonly unique?: true;
}

/** One attribute's part of the check. */
export interface CheckedChange {
  readonly change: RelationChange;
  /** Files are seen with what they belong to; targets of relations only by those who may find them. */
  readonly media: boolean;
  /** Whether rows of the targets, or lists that belong to them, change. */
  readonly locksTargets: boolean;
  readonly furtherRows: readonly FurtherRows[];
}

export interface TargetCheck {
  readonly tx: Executor;
  readonly types: ContentTypes;
  readonly caller: Caller;
  readonly type: ContentType;
  readonly owner: number | undefined;
}

/** What is read of one table: which of the ids there are, and which rows are locked with them. */
interface TableRead {
  readonly type: ContentType;
  readonly ids: Set<number>;
  lock: boolean;
  readonly further: FurtherRows[];
}

/** The entries that a change relates. */
function connectedBy(change: RelationChange): readonly Target[] {
  return change.kind === 'set' ? change.targets : change.connect;
}

function typeOf(types: ContentTypes, uid: string): ContentType | undefined {
  return Object.hasOwn(types.types, uid) ? types.types[uid] : undefined;
}

function readableTypes({ types, caller }: TargetCheck, { change, media }: CheckedChange): ContentType[] {
  const uids = new Set(connectedBy(change).map(({ type }) => type));
  return [...uids].flatMap((uid) => (media || may(caller, 'find', uid) ? (typeOf(types, uid) ?? []) : []));
}

/** The reads by table, in the order of the tables' names: all requests lock in one order. */
function tableReads(check: TargetCheck, changes: readonly CheckedChange[]): TableRead[] {
  const { tx, type, owner } = check;
  const locking = tx.dialect.rowLock.text !== '';
  const reads = new Map<string, TableRead>();
  const readOf = (target: ContentType): TableRead => {
    const read = reads.get(target.table) ?? { type: target, ids: new Set(), lock: false, further: [] };
    reads.set(target.table, read);
    return read;
  };
  for (const checked of changes) {
    for (const target of readableTypes(check, checked)) {
      const read = readOf(target);
      for (const id of idsOf(target.uid, connectedBy(checked.change))) read.ids.add(id);
      read.lock ||= checked.locksTargets;
    }
    for (const further of locking ? checked.furtherRows : []) {
      const read = readOf(further.type);
      read.further.push(further);
      read.lock = true;
    }
  }
  // Where nothing is related, the write of the row itself locks it.
  if (locking && owner !== undefined && changes.length > 0) {
    const read = readOf(type);
    read.ids.add(owner);
    read.lock = true;
  }
  return [...reads.values()].sort((a, b) => (a.type.table < b.type.table ? -1 : 1));
}

/** What is held while it is found out, and changed, which rows have an id that only one may have. */
function keysOf(changes: readonly CheckedChange[]): string[] {
  const unique = changes.flatMap(({ furtherRows }) => furtherRows.filter((rows) => rows.unique));
  return unique.flatMap(({ type, column, ids }) => ids.map((id) => `${type.table}.${column} ${id}`));
}

function isIn(dialect: Dialect, column: string, values: Iterable<number>): Sql {
  return dialect.isOneOf(sql`t.${dialect.id(column)}`, [...values]);
}

async function readIds(tx: Executor, { type }: TableRead, conditions: readonly Sql[], lock: boolean) {
  const { dialect } = tx;
  const byId = lock ? (dialect.byIdOnly ?? sql``) : sql``;
  const select = sql`SELECT t.id FROM ${dialect.id(type.table)} AS t${byId} WHERE ${join(conditions, ' OR ')}`;
  const rows = await tx.all(lock ? sql`${select} ORDER BY t.id${dialect.rowLock}` : select);
  return rows.map((row) => Number(row['id']));
}

/** The ids of the rows that there are, locked in ascending order where they change. One statement, or two. */
async function existingIds(tx: Executor, read: TableRead): Promise<ReadonlySet<number>> {
  const { dialect } = tx;
  const { ids, lock, further } = read;
  const conditions = further.map(({ column, ids: values }) => isIn(dialect, column, values));
  if (conditions.length === 0 || !dialect.byIdOnly) {
    return new Set(await readIds(tx, read, [isIn(dialect, 'id', ids), ...conditions], lock));
  }
  const found = await readIds(tx, read, conditions, false);
  return new Set(await readIds(tx, read, [isIn(dialect, 'id', new Set([...ids, ...found]))], lock));
}

/** One issue for an attribute, at the first entry that is missing, which names all of them. */
function missingIssue({ change }: CheckedChange, isThere: (target: Target) => boolean): Issue[] {
  const missing = connectedBy(change).filter((target) => !isThere(target));
  const [first] = missing;
  if (!first) return [];
  const names = missing.map(({ type, id }) => `${type} ${id}`).join(', ');
  return [{ path: first.path, message: `${first.path.join('.')} names what does not exist: ${names}` }];
}

/**
 * Checks that all connected entries exist: one statement for each type of target, for all attributes together. An entry of
 * a type that the caller may not find does not exist for them. Locks what the request will change.
 */
export async function checkTargets(check: TargetCheck, changes: readonly CheckedChange[]): Promise<Issue[]> {
  const keys = keysOf(changes);
  if (keys.length > 0) await check.tx.dialect.lockKeys(check.tx, keys);
  const existing = new Map<string, ReadonlySet<number>>();
  for (const read of tableReads(check, changes)) existing.set(read.type.uid, await existingIds(check.tx, read));
  return changes.flatMap((checked) => {
    const readable = new Set(readableTypes(check, checked).map(({ uid }) => uid));
    return missingIssue(checked, ({ type, id }) => readable.has(type) && existing.get(type)?.has(id) === true);
  });
}
