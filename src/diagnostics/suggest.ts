import { distance } from 'fastest-levenshtein';

/**
 * Longer names are not compared: they are rarely mistyped by a letter or two, and the comparison takes quadratic time.
 */
const maxLength = 100;

/**
 * The candidate closest to `name`, if one is within two edits, or a third of the length of a longer name. On a tie, the
 * first candidate wins.
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

/** `did you mean "author"?`, or else the allowed names if there are only a few. */
export function suggestion(name: string, candidates: readonly string[]): string | undefined {
  const near = nearest(name, candidates);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  if (candidates.length === 0 || candidates.length > 20) return undefined;
  return `possible: ${candidates.map((candidate) => `\`${candidate}\``).join(', ')}`;
}
