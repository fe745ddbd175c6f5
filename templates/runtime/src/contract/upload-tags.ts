/** The tags of files: words by which people find them. */

/** The attribute of files that has them, in their order. */
export const TAGS_ATTRIBUTE = 'tags';

/** A private attribute with the same as one text, in which a tag is searched as any other text is. */
export const TAG_TEXT_ATTRIBUTE = 'tagText';

/**
 * `tags` of a file, the `length` of each in characters, how many a request may `ask` for at once, and how many are listed as `known`: those
 * of the last files `read`.
 */
export const TAG_LIMITS = { tags: 20, length: 50, ask: 5, known: 100, read: 1000 } as const;

/** No tag contains it. */
const BOUNDARY = '\n';

/** What a tag looks like within the text. */
export function boundedTag(tag: string): string {
  return `${BOUNDARY}${tag}${BOUNDARY}`;
}

/** The text of all tags of a file; null without any. */
export function tagTextOf(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : boundedTag(tags.join(BOUNDARY));
}
