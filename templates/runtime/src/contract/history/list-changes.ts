/** How an ordered list became another one. */

export interface ListChange {
  readonly kind: 'added' | 'removed' | 'moved' | 'changed';
  readonly key: string;
  /** Its position in the former list, from 1. */
  readonly from?: number;
  /** Its position in the other list, from 1. */
  readonly to?: number;
}

/** The longest series of increasing numbers among different ones. */
function longestIncrease(numbers: readonly number[]): ReadonlySet<number> {
  /** The last numbers of the best series of each length, and before each number the one that precedes it there. */
  const ends: number[] = [];
  const previous = new Map<number, number | undefined>();
  for (const number of numbers) {
    const found = ends.findIndex((end) => end > number);
    const at = found === -1 ? ends.length : found;
    previous.set(number, ends[at - 1]);
    ends[at] = number;
  }
  const series = new Set<number>();
  for (let number = ends.at(-1); number !== undefined; number = previous.get(number)) series.add(number);
  return series;
}

/**
 * The elements that were added, removed, and moved, by their keys. As few as possible count as moved: where one element went to the
 * end of the list, the others did not move to the front.
 */
export function listChanges(before: readonly string[], after: readonly string[]): ListChange[] {
  const places = new Map(before.map((key, at) => [key, at]));
  const remaining = new Set(after);
  const kept = after.flatMap((key) => places.get(key) ?? []);
  const inOrder = longestIncrease(kept);
  const removed = before.flatMap((key, at): ListChange[] =>
    remaining.has(key) ? [] : [{ kind: 'removed', key, from: at + 1 }],
  );
  const others = after.flatMap((key, at): ListChange[] => {
    const was = places.get(key);
    if (was === undefined) return [{ kind: 'added', key, to: at + 1 }];
    return inOrder.has(was) ? [] : [{ kind: 'moved', key, from: was + 1, to: at + 1 }];
  });
  return [...removed, ...others];
}
