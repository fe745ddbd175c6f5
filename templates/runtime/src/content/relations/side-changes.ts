/** Finds the entries of the other side that a change of an entry's relations updates: those that store the relation. */
import { type ContentType, isInverseStorage } from '../../contract/content-type.ts';
import type { Issue } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { hasRight, missingPermissionsMessage } from '../../contract/policy/rights.ts';
import type { Transaction } from '../../database/write-plan.ts';
import type { Trust } from './check-targets.ts';
import type { Takeover } from './foreign-keys.ts';
import type { Reach, SideChange } from './reach.ts';
import { relatedNow } from './related-now.ts';
import { type Target, without } from './relation-change.ts';
import { type ChangedRelation, listChangeOf } from './relation-parts.ts';

/** The write of the entry `owner`. */
interface Changing {
  readonly tx: Transaction;
  readonly type: ContentType;
  readonly owner: number | undefined;
  readonly caller: Caller;
  readonly reach: Reach;
  readonly trusts?: Trust | undefined;
}

interface Moved {
  readonly gained: readonly Target[];
  readonly lost: readonly Target[];
}

/** The entries that a change relates to the owner, and takes from it. */
export async function movedBy(tx: Transaction, changed: ChangedRelation, owner: number | undefined): Promise<Moved> {
  const change = listChangeOf(changed);
  if (change.kind === 'set') {
    const now = await relatedNow(tx, changed, owner);
    return { gained: without(change.targets, now), lost: without(now, change.targets) };
  }
  const { connect, disconnect } = change;
  const now = await relatedNow(tx, changed, owner, [...connect, ...disconnect]);
  return { gained: without(connect, now), lost: without(now, connect) };
}

/** Whether it must be known which entries of the type change: somebody wants to know, or the caller may not change them. */
function isWatched({ reach, caller }: Changing, type: ContentType): boolean {
  return reach.watches(type) || !hasRight(caller, 'otherSides', type.uid);
}

/** The type of the entries that a change of the relation updates, if these must be known. */
function watchedSide(changing: Changing, { inverse, storage, targets: [type] }: ChangedRelation) {
  const isTheirs = isInverseStorage(storage) && inverse !== undefined && type !== undefined;
  return isTheirs && isWatched(changing, type) ? { type, inverse } : undefined;
}

/** Whether `sideChanges` may find any. */
export function mayChangeSides(
  changing: Changing,
  changes: readonly ChangedRelation[],
  takeovers: readonly Takeover[],
): boolean {
  return takeovers.length > 0 || changes.some((changed) => watchedSide(changing, changed) !== undefined);
}

async function ofInverse(changing: Changing, changed: ChangedRelation): Promise<SideChange[]> {
  const { tx, type: own, owner, trusts } = changing;
  const { name } = changed;
  const side = watchedSide(changing, changed);
  if (!side) return [];
  const { type, inverse } = side;
  const { gained, lost } = await movedBy(tx, changed, owner);
  const change = { type, attribute: inverse, other: owner, path: [name] };
  const sides = [
    ...gained.map((target) => ({ ...change, id: target.id, gains: true, trusted: trusts?.target(target) === true })),
    ...lost.map(({ id }) => ({ ...change, id, gains: false, trusted: trusts?.attribute(name) === true })),
  ];
  // The entry itself is updated anyway.
  return sides.filter(({ id }) => type.uid !== own.uid || id !== owner);
}

/** The former owner of a one-to-one target: it loses the target. */
function ofTakeover({ type, trusts }: Changing, changes: readonly ChangedRelation[], takeover: Takeover): SideChange {
  const { named, target, holder, column } = takeover;
  const attribute = changes.find(({ part }) => part.kind === 'foreignKey' && part.storage.column === column)?.name;
  const trusted = trusts?.target(named) === true;
  return { type, id: holder, attribute, gains: false, other: target, path: named.path, trusted };
}

/** The entries that the changes update from the other side. Reads only for types that are watched. */
export async function sideChanges(
  changing: Changing,
  changes: readonly ChangedRelation[],
  takeovers: readonly Takeover[],
): Promise<readonly SideChange[]> {
  const found: SideChange[] = [];
  for (const changed of changes) found.push(...(await ofInverse(changing, changed)));
  if (!isWatched(changing, changing.type)) return found;
  return [...found, ...takeovers.map((takeover) => ofTakeover(changing, changes, takeover))];
}

/** Issues for entries of types that the caller may not update. */
export function sideIssues(caller: Caller, changes: readonly SideChange[]): readonly Issue[] {
  const issues = new Map<string, Issue>();
  for (const { type, path, trusted } of changes) {
    if (trusted || hasRight(caller, 'otherSides', type.uid)) continue;
    const message = `${path.join('.')} changes entries of ${type.uid}, which this role may not update`;
    const reason = missingPermissionsMessage(caller, 'otherSides', type.uid);
    issues.set(path.join('.'), { path, message, reason });
  }
  return [...issues.values()];
}
