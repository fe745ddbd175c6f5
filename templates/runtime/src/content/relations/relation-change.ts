/** The change that the value of a relation attribute describes, after its shape has been checked. */
import type { ErrorPath } from '../../contract/errors.ts';

/** A reference to an entry: the singular API id of its type, and its id. */
export interface EntryRef {
  readonly type: string;
  readonly id: number;
}

/** An entry named in a request, and its path in the body. */
export interface Target extends EntryRef {
  readonly path: ErrorPath;
  /** The id in the request, if that is another row of the same entry. */
  readonly namedId?: number;
}

/** The entry by the id in the request. */
export function asNamed({ type, id, namedId = id }: Target): EntryRef {
  return { type, id: namedId };
}

/** Where a connected entry goes in a list: to one of its ends, or next to another entry. */
export type Position =
  { readonly kind: 'start' | 'end' } | { readonly kind: 'before' | 'after'; readonly anchor: EntryRef };

/** An element of `connect`. */
export interface Connect extends Target {
  readonly position: Position;
}

/** `set` replaces all related entries (an empty list clears the relation); `change` adds, moves and removes some. */
export type RelationChange =
  | { readonly kind: 'set'; readonly targets: readonly Target[] }
  | { readonly kind: 'change'; readonly connect: readonly Connect[]; readonly disconnect: readonly Target[] };

/** Whether the checked value of a relation or media attribute is a change. If not, there is nothing to do. */
export function isRelationChange(value: unknown): value is RelationChange {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** The key of an entry in sets and maps. */
export function keyOf({ type, id }: EntryRef): string {
  return `${type}:${id}`;
}

/** The entry with a key. */
export function refOf(key: string): EntryRef {
  const colon = key.lastIndexOf(':');
  return { type: key.slice(0, colon), id: Number(key.slice(colon + 1)) };
}

/** The entries that are not among the others. */
export function without<T extends EntryRef>(entries: readonly T[], others: readonly EntryRef[]): readonly T[] {
  const keys = new Set(others.map(keyOf));
  return entries.filter((entry) => !keys.has(keyOf(entry)));
}
