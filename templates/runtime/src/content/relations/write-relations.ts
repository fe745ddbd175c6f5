/**
 * Relations and media of one entry: `planRelations` checks everything and reads what it needs; `plan.columns` are written with the
 * entry's row; `relationSteps` write everything else.
 */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import type { Step, Transaction } from '../../database/write-plan.ts';
import type { Dialect } from '../../database/dialect.ts';
import { NewId } from '../../database/new-id.ts';
import type { Sql, SqlParam } from '../../database/sql.ts';
import { type Issue, ValidationError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { hasRight, missingPermissionsMessage } from '../../contract/policy/rights.ts';
import { type CheckedChange, checkTargets, missingTargetsMessage, type Trust } from './check-targets.ts';
import {
  incrementVersionsOfOtherSides,
  type OtherSide,
  planForeignKeys,
  takeOver,
  type Takeover,
} from './foreign-keys.ts';
import { type InverseOne, writeInverseOne } from './inverse-one.ts';
import { hiddenAmong } from './hidden-among.ts';
import { keepHidden } from './keep-hidden.ts';
import type { Reach } from './reach.ts';
import { requiredIssues } from './required-sides.ts';
import { mayChangeSides, sideChanges, sideIssues } from './side-changes.ts';
import { type ListWrites, planListWrites } from './plan-list-writes.ts';
import { keyOf, type RelationChange } from './relation-change.ts';
import { areSidesOfSameRelation, changedRelation, type ChangedRelation, type ListPart } from './relation-parts.ts';
import { firstEntries, type FirstList, writeFirstLists } from './write-first-lists.ts';
import { writeList } from './write-list.ts';

/** The changes of one entry's relations. */
export interface RelationsInput {
  /** The transaction that writes. Rows are locked in a fixed order, so planning should precede other writes. */
  readonly tx: Transaction;
  readonly types: ContentTypes;
  readonly caller: Caller;
  readonly reach: Reach;
  readonly trusts?: Trust | undefined;
  readonly type: ContentType;
  /** Undefined for an entry that doesn't exist yet. */
  readonly owner: number | undefined;
  /** Relation or media attribute of `type` → change. Written in this order, but to-one relations before lists. */
  readonly changes: ReadonlyMap<string, RelationChange>;
  /** Ids of the files uploaded with the request. */
  readonly ownFiles?: ReadonlySet<number> | undefined;
  /** Changes planned elsewhere (inside components), whose targets are checked together with these. */
  readonly further?: readonly CheckedChange[];
}

/** A list with its writes; undefined if they can only be planned after another attribute has been written. */
interface PlannedList extends ListPart {
  readonly writes: ListWrites | undefined;
}

/** The planned writes. */
export interface RelationPlan {
  /** Columns for the INSERT or UPDATE of the entry's own row. */
  readonly columns: Readonly<Record<string, SqlParam | Sql>>;
  readonly takeovers: readonly Takeover[];
  readonly otherSides: readonly OtherSide[];
  readonly inverseOnes: readonly InverseOne[];
  readonly lists: readonly PlannedList[];
  /** Whether the owner exists and is locked until the transaction ends. */
  readonly ownerLocked: boolean;
  /** What else it causes that entries of the other side are updated: after everything else. */
  readonly consequences: readonly Step[];
}

/** The plan of a request that changes no relations. */
export const NO_RELATIONS: RelationPlan = {
  columns: {},
  takeovers: [],
  otherSides: [],
  inverseOnes: [],
  lists: [],
  ownerLocked: false,
  consequences: [],
};

/** `plan` is valid only if there are no issues. */
export interface PlannedRelations {
  readonly issues: readonly Issue[];
  readonly plan: RelationPlan;
}

/** Plans a list, even if the plan must be discarded, so that all issues of a request are reported together. */
async function planOneList(
  input: RelationsInput,
  part: ListPart,
  earlier: readonly ChangedRelation[],
  self: ChangedRelation,
): Promise<{ issues: readonly Issue[]; planned: PlannedList }> {
  const { tx, owner, type } = input;
  const { issues, writes } = await planListWrites(tx, part.list, owner, part.change, input);
  // If both sides of one relation change, the second must see the writes of the first. A new entry can't be related to itself.
  const stale = owner !== undefined && earlier.some((other) => areSidesOfSameRelation(other, self, type));
  return { issues, planned: { writes: stale ? undefined : writes, ...part } };
}

/**
 * Issues for one-to-one targets that other entries of the type have: taking them requires permission to update those entries, and
 * that they are not hidden from the caller.
 */
async function takeoverIssues(input: RelationsInput, all: readonly Takeover[]): Promise<Issue[]> {
  const { caller, type, trusts } = input;
  const takeovers = trusts ? all.filter(({ named }) => !trusts.target(named)) : all;
  if (takeovers.length === 0) return [];
  const mayUpdate = hasRight(caller, 'formerOwners', type.uid);
  const former = takeovers.map(({ holder }) => ({ type: type.uid, id: holder }));
  const hidden = mayUpdate ? await hiddenAmong(input, former) : new Set<string>();
  const refused = mayUpdate
    ? takeovers.filter(({ holder: id }) => hidden.has(keyOf({ type: type.uid, id })))
    : takeovers;
  const reason = mayUpdate ? undefined : missingPermissionsMessage(caller, 'formerOwners', type.uid);
  return refused.map(({ named }) => ({
    path: named.path,
    message: missingTargetsMessage(named.path, [named]),
    ...(reason !== undefined && { reason }),
  }));
}

/** Whether planning a change of a list can find issues: only anchors can be invalid. */
function hasAnchors(change: RelationChange): boolean {
  return change.kind === 'change' && change.connect.some(({ position }) => 'anchor' in position);
}

/**
 * Checks the changes of one entry and plans their writes. Only reads and locks. `issues` has the failures of all attributes.
 */
export async function planRelations(input: RelationsInput): Promise<PlannedRelations> {
  const { tx, types, type, owner, further = [] } = input;
  const asked = [...input.changes].map(([name, change]) => changedRelation(types, { type, id: owner }, name, change));
  const { issues, ownerLocked } = await checkTargets(input, [...asked.map(({ check }) => check), ...further]);
  const changed: ChangedRelation[] = [];
  for (const relation of asked) {
    const isFree = !input.reach.hides || input.trusts?.attribute(relation.name) === true;
    const kept = isFree ? { changed: relation, issues: [] } : await keepHidden(input, relation);
    changed.push(kept.changed);
    issues.push(...kept.issues);
  }

  const foreignKeys = changed.flatMap(({ part }) => (part.kind === 'foreignKey' ? part : []));
  const { columns, takeovers, otherSides } = await planForeignKeys({ tx, type, owner }, foreignKeys);
  if (takeovers.length > 0) issues.push(...(await takeoverIssues(input, takeovers)));
  if (issues.length === 0) issues.push(...(await requiredIssues(input, changed, takeovers)));
  const inverseOnes = changed.flatMap(({ part }) => (part.kind === 'inverseOne' ? part : []));

  const inOrder = changed.toSorted((a, b) => Number(a.part.kind === 'list') - Number(b.part.kind === 'list'));
  const lists: PlannedList[] = [];
  for (const [index, relation] of inOrder.entries()) {
    if (relation.part.kind !== 'list') continue;
    // If the request fails anyway, only lists that can add further issues are planned.
    if (issues.length > 0 && !hasAnchors(relation.part.change)) continue;
    const { issues: found, planned } = await planOneList(input, relation.part, inOrder.slice(0, index), relation);
    for (const issue of found) issues.push(issue);
    lists.push(planned);
  }
  const hasSides = issues.length === 0 && mayChangeSides(input, changed, takeovers);
  const sides = hasSides ? await sideChanges(input, changed, takeovers) : [];
  issues.push(...sideIssues(input.caller, sides));
  const consequences = sides.length === 0 || issues.length > 0 ? [] : await input.reach.changed(tx, sides);
  return { issues, plan: { columns, takeovers, otherSides, inverseOnes, lists, ownerLocked, consequences } };
}

/**
 * The steps that execute the plan after the owner's row has been written. They throw ValidationError if the request changes both
 * sides of one relation and the second change is impossible after the first.
 */
export function relationSteps(dialect: Dialect, plan: RelationPlan, owner: number | NewId): readonly Step[] {
  return [
    ...incrementVersionsOfOtherSides(dialect, plan.otherSides),
    ...plan.takeovers.flatMap((takeover) => takeOver(dialect, takeover, owner)),
    ...plan.inverseOnes.flatMap((inverseOne) => writeInverseOne(dialect, inverseOne, owner)),
    ...plan.lists.flatMap((planned): readonly Step[] => {
      const { list, writes } = planned;
      if (writes) return writeList({ dialect, list, owner }, writes);
      return [(tx) => planAgain(tx, planned, owner instanceof NewId ? owner.value : owner)];
    }),
  ];
}

/** A new entry and the plan of its relations. */
export interface NewOwner {
  readonly plan: RelationPlan;
  readonly owner: number;
}

/** The steps for the relations of many new entries: like `relationSteps` of each, but with one statement for what they share. */
export function relationStepsOfNew(dialect: Dialect, all: readonly NewOwner[]): readonly Step[] {
  const firstLists: FirstList[] = [];
  const rest = all.flatMap(({ plan, owner }) => {
    const lists = plan.lists.filter(({ list, writes }) => {
      const entries = firstEntries(list, writes);
      if (entries) firstLists.push({ list, owner, entries });
      return entries === undefined;
    });
    return relationSteps(dialect, { ...plan, otherSides: [], lists }, owner);
  });
  const sides = all.flatMap(({ plan }) => plan.otherSides);
  return [...incrementVersionsOfOtherSides(dialect, sides), ...writeFirstLists(dialect, firstLists), ...rest];
}

async function planAgain(tx: Executor, { list, change }: ListPart, owner: number): Promise<readonly Step[]> {
  const { issues, writes } = await planListWrites(tx, list, owner, change);
  if (issues.length > 0) throw new ValidationError(issues);
  return writeList({ dialect: tx.dialect, list, owner }, writes);
}
