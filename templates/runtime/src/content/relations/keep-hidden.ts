/** What is hidden from a caller stays related: the lists that the caller knows lack such entries, so leaving them out says nothing. */
import type { ContentTypes } from '../../contract/content-type.ts';
import type { Issue } from '../../contract/errors.ts';
import type { Transaction } from '../../database/write-plan.ts';
import { hiddenAmong } from './hidden-among.ts';
import type { Reach } from './reach.ts';
import { relatedNow } from './related-now.ts';
import { keyOf, type RelationChange, type Target, without } from './relation-change.ts';
import { type ChangedRelation, listChangeOf } from './relation-parts.ts';

/** The write of the entry `owner`. */
interface Keeping {
  readonly tx: Transaction;
  readonly types: ContentTypes;
  readonly owner: number | undefined;
  readonly reach: Reach;
}

/** The wanted list with the hidden members, each after the member that it follows now. */
export function withHiddenMembers(
  now: readonly Target[],
  hidden: ReadonlySet<string>,
  wanted: readonly Target[],
): readonly Target[] {
  const isWanted = new Set(wanted.map(keyOf));
  const following = new Map<string, Target[]>([['', []]]);
  let place = following.get('') ?? [];
  for (const member of now) {
    const key = keyOf(member);
    if (isWanted.has(key)) following.set(key, (place = []));
    else if (hidden.has(key)) place.push(member);
  }
  const first = following.get('') ?? [];
  return [...first, ...wanted.flatMap((target) => [target, ...(following.get(keyOf(target)) ?? [])])];
}

/** The change without the hidden ones among the entries that it removes. */
async function keptIn(
  keeping: Keeping,
  changed: ChangedRelation,
  change: RelationChange,
): Promise<RelationChange | undefined> {
  const { tx, owner } = keeping;
  if (change.kind === 'change') {
    const hidden = await hiddenAmong(keeping, await relatedNow(tx, changed, owner, change.disconnect));
    if (hidden.size === 0) return undefined;
    return { ...change, disconnect: change.disconnect.filter((one) => !hidden.has(keyOf(one))) };
  }
  const now = await relatedNow(tx, changed, owner);
  const hidden = await hiddenAmong(keeping, without(now, change.targets));
  return hidden.size === 0 ? undefined : { kind: 'set', targets: withHiddenMembers(now, hidden, change.targets) };
}

/** A relation as it may be changed, or issues: a to-one relation can't keep its entry beside another. */
export interface Kept {
  readonly changed: ChangedRelation;
  readonly issues: readonly Issue[];
}

export async function keepHidden(keeping: Keeping, changed: ChangedRelation): Promise<Kept> {
  const { part, name, many } = changed;
  const mayHide = changed.targets.some((type) => keeping.reach.mayHide(type));
  if (!mayHide || keeping.owner === undefined || part.kind === 'foreignKey') return { changed, issues: [] };
  const change = await keptIn(keeping, changed, listChangeOf(changed));
  if (!change) return { changed, issues: [] };
  if (!many && change.kind === 'set') {
    const message = `${name} relates to an entry that this role may not find, so it stays`;
    return { changed, issues: [{ path: [name], message }] };
  }
  return { changed: { ...changed, part: { ...part, change } }, issues: [] };
}
