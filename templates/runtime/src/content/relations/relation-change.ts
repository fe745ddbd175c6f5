/** What the value of a relation attribute asks for, once its shape is checked. */
import type { ErrorPath } from '../../contract/errors.ts';

/** One entry: the singular API id of its type, and its id. */
export interface EntryRef {
  readonly type: string;
  readonly id: number;
}

/** An entry that a request names, and where in the body it does. */
export interface Target extends EntryRef {
  readonly path: ErrorPath;
}

/** Where in a list a connected entry goes: to one of its ends, or next to another entry of it. */
export type Position =
  { readonly kind: 'start' | 'end' } | { readonly kind: 'before' | 'after'; readonly anchor: EntryRef };

export interface Connect extends Target {
  readonly position: Position;
}

/** Replaces what is related (by nothing: clears it), or changes it step by step. */
export type RelationChange =
  | { readonly kind: 'set'; readonly targets: readonly Target[] }
  | { readonly kind: 'change'; readonly connect: readonly Connect[]; readonly disconnect: readonly Target[] };

/** Whether a checked value of a relation or media attribute is a change; otherwise there is nothing to do. */
export function isRelationChange(value: unknown): value is RelationChange {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** An entry as the key of a set or map. */
export function keyOf({ type, id }: EntryRef): string {
  return `${type}:${id}`;
}
