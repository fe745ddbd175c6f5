/** How many requests run at the same time. */
const AT_ONCE = 4;

/** Runs `work` for each item, a few at a time. The results are in the order of the items; undefined where it has failed. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<(R | undefined)[]> {
  const results: (R | undefined)[] = items.map(() => undefined);
  const waiting = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, item] = next;
      try {
        results[at] = await work(item);
      } catch {
        // The others are shown.
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
