/**
 * Positions in a list: integers with gaps, so that a member can be put between two others without changing a third. They may
 * be negative, and stay far within the range of safe integers.
 */

import { POSITION_STEP } from '../../contract/position-step.ts';

/**
 * `count` positions in ascending order between two others, evenly spread; an undefined bound is an end of the list. Returns
 * undefined if they and their bounds would be less than `stride` apart.
 */
export function allocatePositions(
  count: number,
  after: number | undefined,
  before: number | undefined,
  stride = 1,
): number[] | undefined {
  const indexes = Array.from({ length: count }, (_, index) => index + 1);
  if (after === undefined && before === undefined) return indexes.map((index) => index * POSITION_STEP);
  if (before === undefined) return indexes.map((index) => (after ?? 0) + index * POSITION_STEP);
  if (after === undefined) return indexes.map((index) => before - (count + 1 - index) * POSITION_STEP);
  const distance = Math.floor((before - after) / (count + 1));
  return distance < stride ? undefined : indexes.map((index) => after + index * distance);
}

/**
 * The minimum distance between the members of a window after renumbering. It grows with the window, so that a renumbered
 * window takes a number of insertions proportional to its size until it is full again: the amortized cost of an insertion is
 * a few renumbered rows.
 */
export function strideOfWindow(level: number): number {
  return Math.ceil(4 * 1.5 ** level);
}
