/** Suggestions for misspelled names. */

/** In characters. Longer names are not compared, since the cost is quadratic in the length. */
const MAX_LENGTH = 40;

/** The edit distance, counting insertions, deletions, substitutions and transpositions of neighbors. */
function distance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      let least = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        least = Math.min(least, (beforeLast[j - 2] ?? Infinity) + 1);
      }
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[right.length] ?? 0;
}

/** The nearest of `names` other than `name`; undefined if none is within `most` edits, by default a third of the length. */
export function nearestName(
  name: string,
  names: Iterable<string>,
  most = Math.max(1, Math.floor(name.length / 3)),
): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const lower = name.toLowerCase();
  let nearest: string | undefined;
  let least = most + 1;
  for (const candidate of names) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= least) continue;
    const found = distance(lower, candidate.toLowerCase());
    if (found >= least) continue;
    [nearest, least] = [candidate, found];
  }
  return nearest;
}
