/** The number of items in a repeatable component or dynamic zone. */

export interface ItemCountRules {
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
}

/**
 * What is wrong with a number of items, as a predicate; undefined if it is allowed. `min` is ignored for drafts, and for empty lists
 * that aren't required.
 */
export function itemCountProblem(
  count: number,
  { required, min = 0, max = Infinity }: ItemCountRules,
  isDraft: boolean,
): string | undefined {
  if (count > max) return `must have at most ${max} items`;
  if (count < min && (required === true || count > 0) && !isDraft) return `must have at least ${min} items`;
  return undefined;
}
