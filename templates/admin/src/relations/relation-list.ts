/**
 * A to-many relation while it is edited. Of the server's list only the order is known, as runs of its places, so that a list of
 * 10,000 is as small as one of 10; what was moved or added stands between the runs.
 */
import { type EntryRef, keyOf } from './entry-ref.ts';
import type { RelationPlace } from './relation-place.ts';

/** Places `from` up to, and not including, `to` in the server's list. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/** An entry that was moved here from the place `was`, or added. */
interface Placed {
  readonly entry: EntryRef;
  readonly was?: number | undefined;
}

export type Segment = Run | Placed;

export interface RelationList {
  /** How many the server's list had. */
  readonly total: number;
  /** The first of them. */
  readonly head: readonly EntryRef[];
  /** Where the others are read; absent while the entry is new. */
  readonly place?: RelationPlace | undefined;
  readonly segments: readonly Segment[];
  readonly removed: readonly EntryRef[];
}

/** What stands at a place of the edited list: a place of the server's list, or an entry. */
export type Slot = { readonly kind: 'server'; readonly index: number } | ({ readonly kind: 'placed' } & Placed);

export function isRun(segment: Segment): segment is Run {
  return 'from' in segment;
}

/** A list as the server has it. */
export function listOf(total: number, head: readonly EntryRef[], place?: RelationPlace): RelationList {
  return { total, head, place, segments: total === 0 ? [] : [{ from: 0, to: total }], removed: [] };
}

function sizeOf(segment: Segment): number {
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

/** Undefined beyond the end. */
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

/** Where an entry stands that was moved or added, or is at a place of the server's list; -1 where it does not. */
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

/** Entries that are back where the server has them count as not moved; runs that touch become one. */
function tidy(segments: readonly Segment[]): Segment[] {
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

/** Takes out what stands at `index`, which is `entry`. */
export function remove(list: RelationList, index: number, entry: EntryRef): RelationList {
  const slot = slotAt(list, index);
  if (!slot) return list;
  const [before, after] = splitAt(list.segments, index);
  const segments = tidy([...before, ...splitAt(after, 1)[1]]);
  const wasThere = slot.kind === 'server' || slot.was !== undefined;
  return { ...list, segments, removed: wasThere ? [...list.removed, entry] : list.removed };
}

/** Puts `entry`, which stands at `from`, to the place `to` of the list without it. */
export function move(list: RelationList, from: number, to: number, entry: EntryRef): RelationList {
  const slot = slotAt(list, from);
  if (!slot || from === to) return list;
  const was = slot.kind === 'server' ? slot.index : slot.was;
  const [before, after] = splitAt(list.segments, from);
  const others = [...before, ...splitAt(after, 1)[1]];
  const [left, right] = splitAt(others, to);
  return { ...list, segments: tidy([...left, { entry, was }, ...right]) };
}

/** Adds an entry to the end. One that was taken out before is as if it had been moved there. */
export function connect(list: RelationList, entry: EntryRef): RelationList {
  const removed = list.removed.filter((other) => keyOf(other) !== keyOf(entry));
  return { ...list, segments: [...list.segments, { entry }], removed };
}
