/** Assigns positions to the keys of runs, and renumbers members nearby where there is no room. */
import { allocatePositions, strideOfWindow } from './positions.ts';
import type { Run } from './sequence.ts';

/** A member of a list, by its key. */
export interface PositionedKey {
  readonly key: string;
  readonly position: number;
}

/** The members of the stored list nearest to a place, at most `limit` on each side, in the order of the list. */
export interface Neighbors {
  /** Up to and including the position `after`. */
  readonly left: readonly PositionedKey[];
  /** From the position `before` on. */
  readonly right: readonly PositionedKey[];
}

/** Reads the neighbors of the place between two positions. */
export type ReadNeighbors = (after: number, before: number, limit: number) => Promise<Neighbors>;

/** One side of a window: the members to renumber, nearest first, and as its bound the position of the next member, which stays. */
interface Side {
  readonly members: readonly PositionedKey[];
  readonly bound: number | undefined;
}

/** One side of a window, from the nearest members of the list; undefined if there are more and none of these can be the bound. */
function sideOf(nearestFirst: readonly PositionedKey[], limit: number, moving: ReadonlySet<string>): Side | undefined {
  const members = nearestFirst.filter(({ key }) => !moving.has(key));
  if (nearestFirst.length < limit) return { members, bound: undefined };
  const bound = members.pop();
  return bound && { members, bound: bound.position };
}

function isWithin(run: Run, after: number | undefined, before: number | undefined): boolean {
  const startsWithin = after === undefined || (run.after !== undefined && run.after >= after);
  const endsWithin = before === undefined || (run.before !== undefined && run.before <= before);
  return startsWithin && endsWithin;
}

/** The keys of members and runs, in the order of the list: a run directly follows the member at its position `after`. */
function interleave(members: readonly PositionedKey[], runs: readonly Run[]): string[] {
  const parts = [
    ...members.map(({ key, position }) => ({ keys: [key], position, rank: 0 })),
    ...runs.map(({ keys, after }) => ({ keys, position: after ?? -Infinity, rank: 1 })),
  ];
  parts.sort((a, b) => (a.position === b.position ? a.rank - b.rank : a.position < b.position ? -1 : 1));
  return parts.flatMap(({ keys }) => keys);
}

/**
 * Widens a window around a run that doesn't fit, doubling it each time, until there is enough room. The window becomes a run
 * itself: of members that would otherwise have stayed, and of the runs between them.
 */
async function makeRoom(
  run: Run,
  firstLevel: number,
  runs: Iterable<Run>,
  moving: ReadonlySet<string>,
  read: ReadNeighbors,
): Promise<{ window: Run; positions: readonly number[] }> {
  const { after, before } = run;
  if (after === undefined || before === undefined) throw new Error('There is always room at the end of a list');
  for (let level = firstLevel; ; level += 1) {
    const limit = 2 ** level + 1;
    const near = await read(after, before, limit);
    const left = sideOf([...near.left].reverse(), limit, moving);
    const right = sideOf(near.right, limit, moving);
    if (!left || !right) continue;
    const within = [...runs].filter((other) => isWithin(other, left.bound, right.bound));
    const keys = interleave([...left.members, ...right.members], within);
    const positions = allocatePositions(keys.length, left.bound, right.bound, strideOfWindow(level));
    if (positions) return { window: { keys, after: left.bound, before: right.bound }, positions };
  }
}

/**
 * The new position of every key of `runs`, and of the stored members that had to be moved to make room. `moving` are the
 * keys of the list that leave it or are in a run. Reads the stored list only around places without room.
 */
export async function placeRuns(
  runs: readonly Run[],
  moving: ReadonlySet<string>,
  read: ReadNeighbors,
): Promise<ReadonlyMap<string, number>> {
  const positions = new Map<string, number>();
  const taken = new Set(moving);
  const pending = new Set(runs);
  let windows = 0;

  function assign(keys: readonly string[], values: readonly number[]): void {
    for (const [index, key] of keys.entries()) positions.set(key, values[index] ?? 0);
  }

  for (const run of runs) {
    // A window for an earlier run may have absorbed this one.
    if (!pending.has(run)) continue;
    const fitting = allocatePositions(run.keys.length, run.after, run.before);
    if (fitting) {
      assign(run.keys, fitting);
      continue;
    }
    // Later windows start larger, which bounds the number of windows that a request can cause.
    const firstLevel = 1 + Math.floor(windows / 4);
    windows += 1;
    const { window, positions: spread } = await makeRoom(run, firstLevel, pending, taken, read);
    assign(window.keys, spread);
    for (const key of window.keys) taken.add(key);
    for (const other of pending) {
      if (isWithin(other, window.after, window.before)) pending.delete(other);
    }
    pending.add(window);
  }
  return positions;
}
