import { distance } from 'fastest-levenshtein';

/** Longer names are not compared: nobody mistypes them by a letter or two, and the comparison costs their square. */
const maxLength = 100;

/**
 * The one of `candidates` that was most likely meant by `name`, if one is near: at most two letters off, or a third of
 * a longer name. The first in the given order wins a tie.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > maxLength) return undefined;
  const written = name.toLowerCase();
  const allowed = Math.min(Math.max(2, Math.floor(name.length / 3)), Math.max(1, name.length - 1));
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const found = distance(written, candidate.toLowerCase());
    if (found < bestDistance) [best, bestDistance] = [candidate, found];
  }
  return best;
}

/** `did you mean "author"?`, or the allowed names where none is near and they are few. */
export function suggestion(name: string, candidates: readonly string[]): string | undefined {
  const near = nearest(name, candidates);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  if (candidates.length === 0 || candidates.length > 20) return undefined;
  return `possible: ${candidates.map((candidate) => `\`${candidate}\``).join(', ')}`;
}
