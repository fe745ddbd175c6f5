/**
 * What a write reaches besides the entry in its path: entries that it relates to, and entries that store a relation to it, which are
 * updated by it. The layers above decide who may reach them, and what else their change causes.
 */
import type { ContentType } from '../../contract/content-type.ts';
import type { ErrorPath } from '../../contract/errors.ts';
import type { Step, Transaction } from '../../database/write-plan.ts';

/** A relation of an entry that changes without being named as its attribute: from the other side, or as what it refers to is deleted. */
export interface SideChange {
  /** The entry that stores the relation. */
  readonly type: ContentType;
  readonly id: number;
  /** The attribute with the relation; undefined if it is inside a component. */
  readonly attribute: string | undefined;
  /** Whether the entry is related to `other`, or not any longer. */
  readonly gains: boolean;
  /** The entry on the other side; undefined if it is being created. */
  readonly other: number | undefined;
  /** Where the request says so; empty for a deletion. */
  readonly path: ErrorPath;
  /** Whether the server's own code has set it, so that no right of the caller is needed. */
  readonly trusted: boolean;
}

/** An entry of a type. */
export interface EntryOf {
  readonly type: ContentType;
  readonly id: number;
}

/** Steps before and after others. */
export interface Around {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
}

export interface Reach {
  /** Whether entries of any type may be hidden from the caller. */
  readonly hides: boolean;
  /** Whether some entries of the type may be hidden from the caller. */
  mayHide(type: ContentType): boolean;
  /** Those of the entries that are hidden from the caller, or do not exist. */
  hidden(type: ContentType, ids: readonly number[]): Promise<ReadonlySet<number>>;
  /** Those of the entries to which the caller may relate no others, though they are not hidden. */
  unlinkable(tx: Transaction, type: ContentType, ids: readonly number[]): Promise<ReadonlySet<number>>;
  /** Whether it must be known which entries of the type change. */
  watches(type: ContentType): boolean;
  /** Plans what the deletion of entries causes that goes with another one. Throws if one of them may not be deleted. */
  removed(entries: readonly EntryOf[]): Promise<Around>;
  /** Plans what else the changes cause. Throws if one of them is refused. */
  changed(tx: Transaction, changes: readonly SideChange[]): Promise<readonly Step[]>;
}

/** For writes that concern no hooks, and from whose caller nothing is hidden. */
export const NO_REACH: Reach = {
  hides: false,
  mayHide: () => false,
  hidden: () => Promise.resolve(new Set()),
  unlinkable: () => Promise.resolve(new Set()),
  watches: () => false,
  removed: () => Promise.resolve({ before: [], after: [] }),
  changed: () => Promise.resolve([]),
};
