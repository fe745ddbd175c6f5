/**
 * Relations and media of one entry, in the transaction that writes it: `planRelations` checks everything and reads what it
 * needs; the caller writes the entry's row with `plan.columns`; `applyRelations` writes the rest.
 */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Executor } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import { ValidationError, type Issue } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { hasRight, lackOf } from '../../contract/policy/rights.ts';
import { checkTargets, notThere, type CheckedChange } from './check-targets.ts';
import { planForeignKeys, takeOver, type Takeover } from './foreign-keys.ts';
import { writeInverseOne, type InverseOne } from './inverse-one.ts';
import { planListWrites, type ListWrites } from './plan-list-writes.ts';
import type { RelationChange } from './relation-change.ts';
import { areSidesOfOne, changedRelation, type ChangedRelation, type ListPart } from './relation-parts.ts';
import { insertMembers, writeList } from './write-list.ts';

export interface RelationsInput {
  /** A transaction that writes. Rows are locked in it in one order, so this comes best before other writes. */
  readonly tx: Executor;
  readonly types: ContentTypes;
  readonly caller: Caller;
  readonly type: ContentType;
  /** Undefined for an entry that does not exist yet. */
  readonly owner: number | undefined;
  /** Attribute → change, of relation and media attributes of `type`. Written in this order, to-one columns first. */
  readonly changes: ReadonlyMap<string, RelationChange>;
  /** Ids of files that the request itself has brought. */
  readonly ownFiles?: ReadonlySet<number> | undefined;
  /** Changes that are planned elsewhere, but whose targets are checked with those of the entry's own. */
  readonly further?: readonly CheckedChange[];
}

/** A list with its writes; without any if they can only be planned when another attribute is written. */
interface PlannedList extends ListPart {
  readonly writes: ListWrites | undefined;
}

/** What is to be written. */
export interface RelationPlan {
  /** Columns of the entry's own row, for its INSERT or UPDATE. */
  readonly columns: Readonly<Record<string, Sql>>;
  readonly takeovers: readonly Takeover[];
  readonly inverseOnes: readonly InverseOne[];
  readonly lists: readonly PlannedList[];
  /** Whether only lists change, of an owner that is locked: then it is all the same whether its row is written before them. */
  readonly onlyLists: boolean;
}

/** `plan` is only good if there are no issues. */
export interface PlannedRelations {
  readonly issues: readonly Issue[];
  readonly plan: RelationPlan;
}

/** Plans a list; also where its plan can't be kept, so that all issues of a request are found together. */
async function planOneList(
  { tx, owner, type }: RelationsInput,
  part: ListPart,
  earlier: readonly ChangedRelation[],
  self: ChangedRelation,
): Promise<{ issues: readonly Issue[]; planned: PlannedList }> {
  const { issues, writes } = await planListWrites(tx, part.list, owner, part.change);
  // Both sides of one relation: what the first does, the second must see. A new entry can't be related to itself.
  const stale = owner !== undefined && earlier.some((other) => areSidesOfOne(other, self, type));
  return { issues, planned: { ...part, writes: stale ? undefined : writes } };
}

/** Partners that other entries of the type have: whoever may not update those does not get them. */
function takeoverIssues({ caller, type }: RelationsInput, takeovers: readonly Takeover[]): Issue[] {
  if (takeovers.length === 0 || hasRight(caller, 'formerOwners', type.uid)) return [];
  const reason = lackOf(caller, 'formerOwners', type.uid);
  return takeovers.map(({ named }) => ({ path: named.path, message: notThere(named.path, [named]), reason }));
}

/** Whether planning a change of a list can find fault with it: with where its elements are to go. */
function hasAnchors(change: RelationChange): boolean {
  return change.kind === 'change' && change.connect.some(({ place }) => 'anchor' in place);
}

/**
 * Checks the changes of one entry and plans their writes. Only reads, and locks: whatever fails, for whichever attribute,
 * is in `issues`, and nothing has been written.
 */
export async function planRelations(input: RelationsInput): Promise<PlannedRelations> {
  const { tx, types, type, owner, further = [] } = input;
  const changed = [...input.changes].map(([name, change]) => changedRelation(types, { type, id: owner }, name, change));
  const { issues, ownerLocked } = await checkTargets(input, [...changed.map(({ check }) => check), ...further]);

  const foreignKeys = changed.flatMap(({ part }) => (part.kind === 'foreignKey' ? part : []));
  const { columns, takeovers } = await planForeignKeys({ tx, type, owner }, foreignKeys);
  issues.push(...takeoverIssues(input, takeovers));
  const inverseOnes = changed.flatMap(({ part }) => (part.kind === 'inverseOne' ? part : []));

  const inOrder = changed.toSorted((a, b) => Number(a.part.kind === 'list') - Number(b.part.kind === 'list'));
  const lists: PlannedList[] = [];
  for (const [index, relation] of inOrder.entries()) {
    if (relation.part.kind !== 'list') continue;
    // Of a request that fails anyway, only what else is wrong is looked for.
    if (issues.length > 0 && !hasAnchors(relation.part.change)) continue;
    const { issues: found, planned } = await planOneList(input, relation.part, inOrder.slice(0, index), relation);
    for (const issue of found) issues.push(issue);
    lists.push(planned);
  }
  const onlyLists = ownerLocked && foreignKeys.length + inverseOnes.length === 0;
  return { issues, plan: { columns, takeovers, inverseOnes, lists, onlyLists } };
}

interface ApplyInput {
  readonly tx: Executor;
  readonly plan: RelationPlan;
  /** Whose row is written by now. */
  readonly owner: number;
}

/**
 * Writes what was planned, in the same transaction. Throws ValidationError, for the transaction to be rolled back, where a
 * request gives both sides of one relation and the second can't be done after the first.
 */
export async function applyRelations({ tx, plan, owner }: ApplyInput): Promise<void> {
  for (const takeover of plan.takeovers) await takeOver(tx, takeover, owner);
  for (const inverseOne of plan.inverseOnes) await writeInverseOne(tx, inverseOne, owner);
  for (const { list, change, writes } of plan.lists) {
    await writeList({ tx, list, owner }, writes ?? (await planAgain(tx, list, change, owner)));
  }
}

/** The lists of a new entry: for them it is all the same whether `owner` is its id, or what statements call it. */
export async function applyNewLists(tx: Executor, { lists }: RelationPlan, owner: number | Sql): Promise<void> {
  for (const { list, writes } of lists) if (writes) await insertMembers({ tx, list, owner }, writes.insert);
}

async function planAgain(
  tx: Executor,
  list: ListPart['list'],
  change: RelationChange,
  owner: number,
): Promise<ListWrites> {
  const { issues, writes } = await planListWrites(tx, list, owner, change);
  if (issues.length > 0) throw new ValidationError(issues);
  return writes;
}
