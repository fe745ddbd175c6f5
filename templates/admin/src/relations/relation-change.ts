/** Converts a changed list to a request: one `connect` with positions and one `disconnect`, whatever its length. */
import type { EntryRef } from './entry-ref.ts';
import { isRun, type RelationList, type Segment } from './relation-list.ts';

type Link = number | string | { readonly id: number | string; readonly type: string };

type Position =
  { readonly after: Link } | { readonly before: Link } | { readonly start: true } | { readonly end: true };

export interface RelationChange {
  readonly connect?: readonly { readonly id: number | string; readonly type?: string; readonly position: Position }[];
  readonly disconnect?: readonly { readonly id: number | string; readonly type?: string }[];
}

/** Reads the entry at an index of the server's list. */
export type EntryAt = (index: number) => Promise<EntryRef | undefined>;

function linkTo({ id, type }: EntryRef): Link {
  return type === undefined ? id : { id, type };
}

function nameOf({ id, type }: EntryRef): { id: number | string; type?: string } {
  return type === undefined ? { id } : { id, type };
}

/**
 * The server applies `connect` in order, so everything before an element is already in place. Each element is positioned after
 * its predecessor, and only the neighbors of moved entries are named.
 */
async function positionOf(segments: readonly Segment[], index: number, entryAt: EntryAt): Promise<Position> {
  if (!segments.slice(index + 1).some(isRun)) return { end: true };
  const before = segments[index - 1];
  if (before === undefined) return { start: true };
  const anchor = isRun(before) ? await entryAt(before.to - 1) : before.entry;
  return anchor ? { after: linkTo(anchor) } : { end: true };
}

/** Undefined if nothing has changed. */
export async function changeOf(list: RelationList, entryAt: EntryAt): Promise<RelationChange | undefined> {
  const connect = [];
  for (const [index, segment] of list.segments.entries()) {
    if (isRun(segment)) continue;
    connect.push({ ...nameOf(segment.entry), position: await positionOf(list.segments, index, entryAt) });
  }
  const disconnect = list.removed.map(nameOf);
  if (connect.length === 0 && disconnect.length === 0) return undefined;
  return { ...(connect.length > 0 && { connect }), ...(disconnect.length > 0 && { disconnect }) };
}
