/** Checks that the entries that a request connects exist and are visible to the caller, and locks the rows that will change. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import type { Transaction } from '../../database/write-plan.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { MAX_ISSUES } from '../../contract/limits.ts';
import type { ErrorPath, Issue } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { hasRight, missingPermissionsMessage } from '../../contract/policy/rights.ts';
import { type FormerSide, type FormerSides, readFormerSides } from './former-sides.ts';
import { hiddenAmong, unlinkableAmong } from './hidden-among.ts';
import type { Reach } from './reach.ts';
import { asNamed, keyOf, type RelationChange, type Target } from './relation-change.ts';

/** Rows of a type that change although the request doesn't name them: those whose `column` contains one of `ids`. */
export interface AffectedRows {
  readonly type: ContentType;
  readonly column: string;
  readonly ids: readonly number[];
  /** Each id occurs in at most one row, or one per locale of a localized type. Concurrent requests may move it to another row. */
  readonly unique?: true;
}

/** What is to be checked and locked for one attribute. */
export interface CheckedChange {
  readonly change: RelationChange;
  readonly media: boolean;
  /** Set if the relation is stored in rows of the target type, which therefore change. `path`: of the attribute. */
  readonly otherSide?: { readonly type: string; readonly path: ErrorPath };
  /** Whether rows of the targets, or their lists, change. */
  readonly locksTargets: boolean;
  /** Whether the rows written reference each target by a foreign key. */
  readonly isKeyed: boolean;
  readonly affectedRows: readonly AffectedRows[];
  /** Entries that lose a related entry: their versions are incremented, so they are locked. */
  readonly formerSides?: readonly FormerSides[];
}

/** Which parts of a write come from the server's own code, and need no permission of the caller. */
export interface Trust {
  target(target: Target): boolean;
  attribute(name: string): boolean;
}

/** The write whose targets are checked. `owner` is the id of the entry being written; undefined for a new one. */
export interface TargetCheck {
  readonly tx: Transaction;
  readonly types: ContentTypes;
  readonly caller: Caller;
  readonly type: ContentType;
  readonly owner: number | undefined;
  /** Ids of the files uploaded with the request. */
  readonly ownFiles?: ReadonlySet<number> | undefined;
  readonly trusts?: Trust | undefined;
  readonly reach: Reach;
}

/** The result of the check. */
export interface CheckedTargets {
  readonly issues: Issue[];
  /** Whether the owner exists and is locked until the transaction ends. */
  readonly ownerLocked: boolean;
}

/** The read of one table: the ids whose existence is checked, and further rows to lock. */
interface TableRead {
  readonly type: ContentType;
  readonly ids: Set<number>;
  lock: boolean;
  isKeyed: boolean;
  readonly further: AffectedRows[];
}

/** The entries that a change connects. */
function connectedBy(change: RelationChange): readonly Target[] {
  return change.kind === 'set' ? change.targets : change.connect;
}

function typeOf(types: ContentTypes, uid: string): ContentType | undefined {
  return Object.hasOwn(types.types, uid) ? types.types[uid] : undefined;
}

/** The message for targets that are missing or not permitted: the same for both, so that it doesn't reveal which entries exist. */
export function missingTargetsMessage(path: ErrorPath, targets: readonly Target[]): string {
  const names = targets.slice(0, MAX_ISSUES).map((target) => `${target.type} ${asNamed(target).id}`);
  const more = targets.length > names.length ? ` and ${targets.length - names.length} more` : '';
  return `${path.join('.')} names entries that do not exist or that this role may not find: ${names.join(', ')}${more}`;
}

/** A log message about the permission that the caller lacks to connect a target; undefined if the caller may connect it. */
function lackFor({ caller, ownFiles, trusts }: TargetCheck, { media, otherSide }: CheckedChange, target: Target) {
  if (trusts?.target(target)) return undefined;
  const { type, id } = target;
  if (media) {
    const isOwn = ownFiles?.has(id) === true;
    return isOwn || hasRight(caller, 'namedFiles', type)
      ? undefined
      : missingPermissionsMessage(caller, 'namedFiles', type);
  }
  if (!hasRight(caller, 'targets', type)) return missingPermissionsMessage(caller, 'targets', type);
  return otherSide && !hasRight(caller, 'otherSides', type)
    ? missingPermissionsMessage(caller, 'otherSides', type)
    : undefined;
}

/** The type of a target; undefined if the caller may not connect it. */
function permittedType(check: TargetCheck, checked: CheckedChange, target: Target): ContentType | undefined {
  return lackFor(check, checked, target) === undefined ? typeOf(check.types, target.type) : undefined;
}

/** Whether the request brings the target with it, or the server's own code does. */
function isOwn({ ownFiles, trusts }: TargetCheck, target: Target): boolean {
  return trusts?.target(target) === true || (target.type === 'file' && ownFiles?.has(target.id) === true);
}

const NOTHING: ReadonlySet<string> = new Set();

/** The keys of the connected entries that are hidden from the caller, or that the caller may not connect. */
async function hiddenTargets(check: TargetCheck, changes: readonly CheckedChange[]): Promise<ReadonlySet<string>> {
  const connected = changes.flatMap(({ change }) => connectedBy(change));
  const named = connected.filter((target) => !isOwn(check, target));
  const hidden = await hiddenAmong(check, named);
  return new Set([...hidden, ...(await unlinkableAmong(check, named))]);
}

/** The reads, one per table, sorted by table name: all requests lock in the same order, which prevents deadlocks. */
function tableReads(check: TargetCheck, changes: readonly CheckedChange[], former: readonly FormerSide[]): TableRead[] {
  const { tx, type, owner } = check;
  const locking = tx.dialect.rowLock.text !== '';
  const reads = new Map<string, TableRead>();
  const readOf = (target: ContentType): TableRead => {
    const read = reads.get(target.table) ?? { type: target, ids: new Set(), lock: false, isKeyed: true, further: [] };
    reads.set(target.table, read);
    return read;
  };
  for (const checked of changes) {
    for (const named of connectedBy(checked.change)) {
      const target = permittedType(check, checked, named);
      if (!target) continue;
      const read = readOf(target);
      read.ids.add(named.id);
      read.lock ||= checked.locksTargets;
      read.isKeyed &&= checked.isKeyed;
    }
    for (const further of locking ? checked.affectedRows : []) {
      if (further.ids.length === 0) continue;
      const read = readOf(further.type);
      read.further.push(further);
      read.lock = true;
    }
  }
  for (const { type: of, id } of former) {
    const read = readOf(of);
    read.ids.add(id);
    read.lock = true;
  }
  // Without changes of relations, writing the owner's row locks it.
  if (locking && owner !== undefined && changes.length > 0) {
    const read = readOf(type);
    read.ids.add(owner);
    read.lock = true;
  }
  return [...reads.values()].sort((a, b) => (a.type.table < b.type.table ? -1 : 1));
}

/** Keys of the advisory locks held while the row that contains a unique id is looked up and changed. */
function lockKeysOf(changes: readonly CheckedChange[]): string[] {
  const unique = changes.flatMap(({ affectedRows }) => affectedRows.filter((rows) => rows.unique));
  return unique.flatMap(({ type, column, ids }) => ids.map((id) => `${type.table}.${column} ${id}`));
}

function isIn(dialect: Dialect, column: string, values: Iterable<number>): Sql {
  return dialect.isOneOf(sql`t.${dialect.id(column)}`, [...values]);
}

/** Selects the ids that meet one of the conditions, as rows `part, id`, locked in ascending order if the rows change. */
function selectIds(dialect: Dialect, { type, lock }: TableRead, part: number, conditions: readonly Sql[]): Sql {
  const byId = lock ? (dialect.primaryKeyHint ?? sql``) : sql``;
  const from = sql`${dialect.id(type.table)} AS t${byId}`;
  const select = sql`SELECT ${raw(String(part))} AS part, t.id FROM ${from} WHERE ${join(conditions, ' OR ')}`;
  return lock && dialect.rowLock.text !== '' ? sql`${select} ORDER BY t.id${dialect.rowLock}` : select;
}

/**
 * The conditions of a read. On engines that lock every row they examine (`primaryKeyHint`), the ids of further rows are looked up
 * first, and the rows then locked by id.
 */
async function conditionsOf(tx: Executor, { type, ids, further }: TableRead): Promise<readonly Sql[]> {
  const { dialect } = tx;
  const conditions = further.map(({ column, ids: values }) => isIn(dialect, column, values));
  if (conditions.length === 0 || !dialect.primaryKeyHint) return [isIn(dialect, 'id', ids), ...conditions];
  const rows = await tx.all(sql`SELECT t.id FROM ${dialect.id(type.table)} AS t WHERE ${join(conditions, ' OR ')}`);
  return [isIn(dialect, 'id', new Set([...ids, ...rows.map((row) => Number(row['id']))]))];
}

/** The SELECTs of the reads. */
async function selectsOf(tx: Executor, reads: readonly TableRead[]): Promise<Sql[]> {
  const selects: Sql[] = [];
  for (const [part, read] of reads.entries()) {
    selects.push(selectIds(tx.dialect, read, part, await conditionsOf(tx, read)));
  }
  return selects;
}

/** Whether the transaction may assume that all of the rows exist, and verify that later. */
function isAssumed(tx: Transaction, reads: readonly TableRead[]): boolean {
  if (reads.some(({ further }) => further.length > 0)) return false;
  const { dialect } = tx;
  return tx.assume({
    rows: reads.map((read, part) => ({
      table: read.type.table,
      ids: read.ids,
      locks: read.lock,
      select: (ids) => selectIds(dialect, read, part, [isIn(dialect, 'id', ids)]),
    })),
    isKeyed: reads.every((read) => read.isKeyed),
  });
}

/** The ids that exist, by type; rows that change are locked in the order of the reads. One statement for all tables. */
async function existingIds(
  tx: Transaction,
  reads: readonly TableRead[],
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  if (reads.length === 0) return new Map();
  if (isAssumed(tx, reads)) return new Map(reads.map(({ type, ids }) => [type.uid, ids]));
  const existing = reads.map(() => new Set<number>());
  const rows = await tx.all(tx.dialect.unionAll(await selectsOf(tx, reads)));
  for (const row of rows) existing[Number(row['part'])]?.add(Number(row['id']));
  return new Map(reads.map(({ type }, part) => [type.uid, existing[part] ?? new Set()]));
}

/** One issue per attribute, with the path of the first entry that is missing or not permitted; the message names all of them. */
function missingIssue(check: TargetCheck, checked: CheckedChange, isThere: (target: Target) => boolean): Issue[] {
  const missing = connectedBy(checked.change).filter((target) => !isThere(target));
  const [first] = missing;
  if (!first) return [];
  const message = missingTargetsMessage(first.path, missing);
  const lacking = missing.find((target) => lackFor(check, checked, target) !== undefined);
  const reason = lacking && lackFor(check, checked, lacking);
  return [{ path: first.path, message, ...(reason !== undefined && { reason }) }];
}

/** Removing entries from the other side requires the same permission as connecting them, even if the request doesn't name them. */
function releaseIssue(check: TargetCheck, { otherSide, change }: CheckedChange): Issue[] {
  const { caller, owner } = check;
  if (!otherSide || owner === undefined || hasRight(caller, 'otherSides', otherSide.type)) return [];
  const { type, path } = otherSide;
  if (check.trusts?.attribute(path[0] ?? '')) return [];
  const releases = change.kind === 'set' ? change.targets.length === 0 : change.disconnect.length > 0;
  if (!releases) return [];
  const message = `${path.join('.')} changes entries of ${type}, which this role may not update`;
  return [{ path, message, reason: missingPermissionsMessage(caller, 'otherSides', type) }];
}

/**
 * Checks that all connected entries exist, for all attributes together, and locks the rows that the request will change. Entries of
 * a type that the caller may not find count as missing.
 */
export async function checkTargets(check: TargetCheck, changes: readonly CheckedChange[]): Promise<CheckedTargets> {
  const keys = lockKeysOf(changes);
  if (keys.length > 0) await check.tx.dialect.lockKeys(check.tx, keys);
  const locks = check.tx.dialect.rowLock.text !== '';
  const sides = locks ? changes.flatMap(({ formerSides = [] }) => formerSides) : [];
  const former = await readFormerSides(check.tx, sides);
  const existing = await existingIds(check.tx, tableReads(check, changes, former));
  const isThere = (type: string, id: number): boolean => existing.get(type)?.has(id) === true;
  const hidden = check.reach.hides ? await hiddenTargets(check, changes) : NOTHING;
  const issues = changes.flatMap((checked) => [
    ...missingIssue(check, checked, (target) => {
      const isPermitted = permittedType(check, checked, target) !== undefined && !hidden.has(keyOf(target));
      return isPermitted && isThere(target.type, target.id);
    }),
    ...releaseIssue(check, checked),
  ]);
  return { issues, ownerLocked: locks && check.owner !== undefined && isThere(check.type.uid, check.owner) };
}
