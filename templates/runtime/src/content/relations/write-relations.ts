/**
 * Relations and media of one entry: `planRelations` checks everything and reads what it needs; the statement that writes the entry's
 * row has `plan.columns`; `relationSteps` are the rest.
 */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import type { Step, Transaction } from '../../database/write-plan.ts';
import type { Dialect } from '../../database/dialect.ts';
import { NewId } from '../../database/new-id.ts';
import type { Sql, SqlParam } from '../../database/sql.ts';
import { type Issue, ValidationError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { hasRight, lackOf } from '../../contract/policy/rights.ts';
import { type CheckedChange, checkTargets, notThere, type Trust } from './check-targets.ts';
import { countOtherSides, type OtherSide, planForeignKeys, takeOver, type Takeover } from './foreign-keys.ts';
import { type InverseOne, writeInverseOne } from './inverse-one.ts';
import { type ListWrites, planListWrites } from './plan-list-writes.ts';
import type { RelationChange } from './relation-change.ts';
import { areSidesOfOne, changedRelation, type ChangedRelation, type ListPart } from './relation-parts.ts';
import { writeList } from './write-list.ts';

export interface RelationsInput {
  /** A transaction that writes. Rows are locked in it in one order, so this comes best before other writes. */
  readonly tx: Transaction;
  readonly types: ContentTypes;
  readonly caller: Caller;
  readonly trusts?: Trust | undefined;
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
  readonly columns: Readonly<Record<string, SqlParam | Sql>>;
  readonly takeovers: readonly Takeover[];
  readonly otherSides: readonly OtherSide[];
  readonly inverseOnes: readonly InverseOne[];
  readonly lists: readonly PlannedList[];
  /** Whether the owner was found, and stays as it is until the transaction ends. */
  readonly ownerLocked: boolean;
}

/** The plan where no relations change. */
export const NO_RELATIONS: RelationPlan = {
  columns: {},
  takeovers: [],
  otherSides: [],
  inverseOnes: [],
  lists: [],
  ownerLocked: false,
};

/** `plan` is only good if there are no issues. */
export interface PlannedRelations {
  readonly issues: readonly Issue[];
  readonly plan: RelationPlan;
}

/** Plans a list; also where its plan can't be kept, so that all issues of a request are found together. */
async function planOneList(
  input: RelationsInput,
  part: ListPart,
  earlier: readonly ChangedRelation[],
  self: ChangedRelation,
): Promise<{ issues: readonly Issue[]; planned: PlannedList }> {
  const { tx, owner, type } = input;
  const { issues, writes } = await planListWrites(tx, part.list, owner, part.change, input);
  // Both sides of one relation: what the first does, the second must see. A new entry can't be related to itself.
  const stale = owner !== undefined && earlier.some((other) => areSidesOfOne(other, self, type));
  return { issues, planned: { writes: stale ? undefined : writes, ...part } };
}

/** Partners that other entries of the type have: whoever may not update those does not get them. */
function takeoverIssues({ caller, type, trusts }: RelationsInput, all: readonly Takeover[]): Issue[] {
  const takeovers = trusts ? all.filter(({ named }) => !trusts.target(named)) : all;
  if (takeovers.length === 0 || hasRight(caller, 'formerOwners', type.uid)) return [];
  const reason = lackOf(caller, 'formerOwners', type.uid);
  return takeovers.map(({ named }) => ({ path: named.path, message: notThere(named.path, [named]), reason }));
}

/** Whether planning a change of a list can find fault with it: with where its elements are to go. */
function hasAnchors(change: RelationChange): boolean {
  return change.kind === 'change' && change.connect.some(({ position }) => 'anchor' in position);
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
  const { columns, takeovers, otherSides } = await planForeignKeys({ tx, type, owner }, foreignKeys);
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
  return { issues, plan: { columns, takeovers, otherSides, inverseOnes, lists, ownerLocked } };
}

/**
 * The steps of what was planned, for the owner's row that is written before them. They throw ValidationError where a request gives
 * both sides of one relation and the second can't be done after the first.
 */
export function relationSteps(dialect: Dialect, plan: RelationPlan, owner: number | NewId): readonly Step[] {
  return [
    ...countOtherSides(dialect, plan.otherSides),
    ...plan.takeovers.flatMap((takeover) => takeOver(dialect, takeover, owner)),
    ...plan.inverseOnes.flatMap((inverseOne) => writeInverseOne(dialect, inverseOne, owner)),
    ...plan.lists.flatMap((planned): readonly Step[] => {
      const { list, writes } = planned;
      if (writes) return writeList({ dialect, list, owner }, writes);
      return [(tx) => planAgain(tx, planned, owner instanceof NewId ? owner.value : owner)];
    }),
  ];
}

async function planAgain(tx: Executor, { list, change }: ListPart, owner: number): Promise<readonly Step[]> {
  const { issues, writes } = await planListWrites(tx, list, owner, change);
  if (issues.length > 0) throw new ValidationError(issues);
  return writeList({ dialect: tx.dialect, list, owner }, writes);
}
