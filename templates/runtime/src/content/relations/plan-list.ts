/**
 * Computes the order of a list after `disconnect` and `connect` without reading the whole list: only the members named in the
 * request are known; the others form gaps between them, of which only the edges are known. Takes time proportional to the
 * request, not to the list.
 */
import { createSequence, type ListEdges, type Run, runsOf, type StoredMember } from './sequence.ts';

/** The part of a stored list that a change needs. */
export interface StoredList extends ListEdges {
  /** The members that the change connects, disconnects, or uses as anchors, in the order of the list. */
  readonly members: readonly StoredMember[];
}

/** An element of `connect`, by key. */
export interface ConnectStep {
  readonly key: string;
  readonly position:
    { readonly kind: 'start' | 'end' } | { readonly kind: 'before' | 'after'; readonly anchor: string };
}

/** Keys are unique within `connect`. */
export interface ListChange {
  readonly connect: readonly ConnectStep[];
  readonly disconnect: readonly string[];
}

/** Why the element `index` of `connect` can't be placed: its anchor isn't in the list, or the anchors form a cycle. */
export interface ListFault {
  readonly kind: 'unknownAnchor' | 'cycle';
  readonly index: number;
}

/** The result of a change, before positions are assigned. */
export interface ListPlan {
  /** Members that leave the list. */
  readonly removed: readonly string[];
  /** All connected keys, in the order of the list. Keys with no member that stays between them form one run. */
  readonly runs: readonly Run[];
  /** If there are any, the rest of the plan is invalid. */
  readonly faults: readonly ListFault[];
}

function anchorOf(step: ConnectStep): string | undefined {
  return 'anchor' in step.position ? step.position.anchor : undefined;
}

/** The indexes of the elements that were not placed because their anchors form a cycle. */
function findCycles(steps: readonly ConnectStep[], indexes: ReadonlyMap<string, number>, placed: Uint8Array): number[] {
  const visitedBy = new Int32Array(steps.length).fill(-1);
  const cycles: number[] = [];
  for (let start = 0; start < steps.length; start += 1) {
    let at: number | undefined = start;
    while (at !== undefined && placed[at] === 0 && visitedBy[at] === -1) {
      visitedBy[at] = start;
      at = nextOf(steps, indexes, at);
    }
    if (at === undefined || placed[at] !== 0 || visitedBy[at] !== start) continue;
    const first = at;
    do {
      cycles.push(at);
      at = nextOf(steps, indexes, at) ?? first;
    } while (at !== first);
  }
  return cycles;
}

function nextOf(steps: readonly ConnectStep[], indexes: ReadonlyMap<string, number>, at: number): number | undefined {
  const step = steps[at];
  const anchor = step && anchorOf(step);
  return anchor === undefined ? undefined : indexes.get(anchor);
}

/** Applies `disconnect`, then each element of `connect` in turn, each to the result of those before it. */
export function planList(stored: StoredList, { connect, disconnect }: ListChange): ListPlan {
  const sequence = createSequence(stored.members, stored);
  const indexes = new Map(connect.map(({ key }, index) => [key, index]));
  const placed = new Uint8Array(connect.length);
  /** Anchor → the elements to place as soon as it is placed. */
  const waiting = new Map<string, number[]>();
  const faults: ListFault[] = [];

  /** Places an element, then, depth first, the elements that wait for it. */
  function place(first: number): void {
    const stack = [first];
    for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
      const step = connect[index];
      if (!step) continue;
      placed[index] = 1;
      sequence.put(step.key, step.position);
      // The first element waiting is placed first, so it is pushed last.
      for (const next of (waiting.get(step.key) ?? []).reverse()) stack.push(next);
      waiting.delete(step.key);
    }
  }

  function wait(anchor: string, index: number): void {
    const others = waiting.get(anchor);
    if (others) others.push(index);
    else waiting.set(anchor, [index]);
  }

  // An entry that is both disconnected and connected stays, and is moved by its element of `connect`.
  const removed = [...new Set(disconnect)].filter((key) => !indexes.has(key) && sequence.has(key));
  for (const key of removed) sequence.tombstone(key);

  for (const [index, step] of connect.entries()) {
    const anchor = anchorOf(step);
    if (anchor === undefined || (sequence.has(anchor) && anchor !== step.key)) place(index);
    else if (indexes.has(anchor)) wait(anchor, index);
    else faults.push({ kind: 'unknownAnchor', index });
  }
  for (const index of findCycles(connect, indexes, placed)) faults.push({ kind: 'cycle', index });
  return { removed, runs: runsOf(sequence), faults: faults.sort((a, b) => a.index - b.index) };
}
