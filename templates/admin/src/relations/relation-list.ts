/**
 * A to-many relation while it is edited. The server's list is represented by runs of its indexes, so that a list of 10,000
 * entries takes no more memory than one of 10; moved and added entries stand between the runs.
 */
import { type EntryRef, keyOf } from './entry-ref.ts';
import type { RelationPlace } from './relation-place.ts';

/** Indexes of the server's list, from `from` (inclusive) to `to` (exclusive). */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/** An entry that was moved here from the server's index `was`, or added. */
export interface Placed {
  readonly entry: EntryRef;
  readonly was?: number | undefined;
}

/** The `was` of an entry whose index in the server's list is no longer known. */
export const SOMEWHERE = -1;

export type Segment = Run | Placed;

export interface RelationList {
  /** Length of the server's list. */
  readonly total: number;
  /** Its first entries. */
  readonly head: readonly EntryRef[];
  /** Where further entries are read; absent for a new entry. */
  readonly place?: RelationPlace | undefined;
  readonly segments: readonly Segment[];
  readonly removed: readonly EntryRef[];
}

/** The element at an index of the edited list: an index of the server's list, or an entry. */
export type Slot = { readonly kind: 'server'; readonly index: number } | ({ readonly kind: 'placed' } & Placed);

export function isRun(segment: Segment): segment is Run {
  return 'from' in segment;
}

/** An unchanged list. */
export function listOf(total: number, head: readonly EntryRef[], place?: RelationPlace): RelationList {
  return { total, head, place, segments: total === 0 ? [] : [{ from: 0, to: total }], removed: [] };
}

export function sizeOf(segment: Segment): number {
  return isRun(segment) ? segment.to - segment.from : 1;
}

export function lengthOf({ segments }: RelationList): number {
  return segments.reduce((length, segment) => length + sizeOf(segment), 0);
}

export function isChanged(list: RelationList): boolean {
  const [only] = list.segments;
  const isWhole = list.segments.length <= 1 && (only === undefined || isRun(only)) && lengthOf(list) === list.total;
  return !isWhole;
}

/** The element at an index; undefined beyond the end. */
export function slotAt({ segments }: RelationList, index: number): Slot | undefined {
  let start = 0;
  for (const segment of segments) {
    const size = sizeOf(segment);
    if (index < start + size) {
      return isRun(segment) ? { kind: 'server', index: segment.from + index - start } : { kind: 'placed', ...segment };
    }
    start += size;
  }
  return undefined;
}

/** The index at which a segment matches, -1 if none does. `isIt` returns the offset within the segment, or -1. */
export function indexOf({ segments }: RelationList, isIt: (slot: Segment) => number): number {
  let start = 0;
  for (const segment of segments) {
    const within = isIt(segment);
    if (within !== -1) return start + within;
    start += sizeOf(segment);
  }
  return -1;
}

function splitAt(segments: readonly Segment[], index: number): [Segment[], Segment[]] {
  const [before, after]: [Segment[], Segment[]] = [[], []];
  let start = 0;
  for (const segment of segments) {
    const cut = index - start;
    const size = sizeOf(segment);
    if (cut >= size) before.push(segment);
    else if (cut <= 0 || !isRun(segment)) after.push(segment);
    else {
      before.push({ from: segment.from, to: segment.from + cut });
      after.push({ from: segment.from + cut, to: segment.to });
    }
    start += size;
  }
  return [before, after];
}

/** Turns entries that are back in their original position into runs, and joins adjacent runs. */
export function normalize(segments: readonly Segment[]): Segment[] {
  const result: Segment[] = [];
  let end = 0;
  for (const [index, segment] of segments.entries()) {
    const next = segments.slice(index + 1).find(isRun)?.from ?? Infinity;
    const isBack = !isRun(segment) && segment.was !== undefined && segment.was >= end && segment.was < next;
    const run: Segment = isBack && segment.was !== undefined ? { from: segment.was, to: segment.was + 1 } : segment;
    const last = result.at(-1);
    if (isRun(run) && last && isRun(last) && last.to === run.from) result[result.length - 1] = { ...last, to: run.to };
    else result.push(run);
    if (isRun(run)) end = run.to;
  }
  return result;
}

/** Removes `entry`, which is at `index`. */
export function remove(list: RelationList, index: number, entry: EntryRef): RelationList {
  const slot = slotAt(list, index);
  if (!slot) return list;
  const [before, after] = splitAt(list.segments, index);
  const segments = normalize([...before, ...splitAt(after, 1)[1]]);
  const wasThere = slot.kind === 'server' || slot.was !== undefined;
  return { ...list, segments, removed: wasThere ? [...list.removed, entry] : list.removed };
}

/** Moves `entry` from index `from` to index `to`, counted in the list without it. */
export function move(list: RelationList, from: number, to: number, entry: EntryRef): RelationList {
  const slot = slotAt(list, from);
  if (!slot || from === to) return list;
  const was = slot.kind === 'server' ? slot.index : slot.was;
  const [before, after] = splitAt(list.segments, from);
  const others = [...before, ...splitAt(after, 1)[1]];
  const [left, right] = splitAt(others, to);
  return { ...list, segments: normalize([...left, { entry, was }, ...right]) };
}

/** Appends an entry. If it was removed before, the result is a move to the end. */
export function connect(list: RelationList, entry: EntryRef): RelationList {
  const removed = list.removed.filter((other) => keyOf(other) !== keyOf(entry));
  const was = removed.length < list.removed.length ? SOMEWHERE : undefined;
  return { ...list, segments: [...list.segments, { entry, was }], removed };
}
