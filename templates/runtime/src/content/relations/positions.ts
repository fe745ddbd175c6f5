/**
 * Places in a list: integers with gaps, so that a member can be put between two others without touching a third. They may
 * be negative, and stay far within what a number holds exactly.
 */

/** The distance between neighbours where there is nothing that limits it. */
export const POSITION_STEP = 2 ** 16;

/**
 * `count` positions in ascending order between two others, evenly spread; undefined stands for an end of the list. Answers
 * undefined if they, and their bounds, would be less than `stride` apart.
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
 * How far apart the members of a window must be after it was renumbered. Growing with the window, so that one that was
 * just renumbered takes many insertions, in proportion to its size, until it is full again: renumbering costs a few rows
 * an insertion in the long run.
 */
export function strideOfWindow(level: number): number {
  return Math.ceil(4 * 1.5 ** level);
}
