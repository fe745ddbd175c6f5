/** As many tags as an answer may have. */
import type { CacheTags } from '../../http/cache-tags.ts';

/** How long all tags of an answer are at most, in bytes: some caches read no more of a header. */
const LONGEST = 2048;

/**
 * Of too many entries, those of the type with the most are replaced by the type as a whole, and so on. `shown`: the tags of entries by the uid of
 * their type.
 */
export function limitedTags(
  others: readonly string[],
  shown: ReadonlyMap<string, ReadonlySet<string>>,
  tags: Pick<CacheTags, 'all' | 'ofType' | 'most'>,
): readonly string[] {
  const parts = new Map<string, readonly string[]>([...shown].map(([uid, entries]) => [uid, [...entries]]));
  for (;;) {
    const all = [...others, ...[...parts.values()].flat()];
    const length = all.reduce((sum, tag) => sum + tag.length + 1, -1);
    if (all.length <= tags.most && length <= LONGEST) return all;
    const [largest] = [...parts].sort(([, one], [, other]) => other.length - one.length);
    if (!largest || largest[1].length <= 1) return [tags.all];
    parts.set(largest[0], [tags.ofType(largest[0])]);
  }
}
