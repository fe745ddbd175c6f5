/** What is known of the texts of statements, which are put together anew for each request. */

/** With the longest text, in UTF-16 code units, they bound the memory: 8 MB, whatever callers ask. */
const SLOTS = 1024;
const MAX_LENGTH = 8192;

/**
 * Returns what `about` said of an equal text, if that was the last one of its length. To compare a text of a kilobyte takes a fraction
 * of the time in which a Map hashes it.
 */
export function createRecentTexts<T>(about: (text: string) => T): (text: string) => T {
  const recent: ({ readonly text: string; readonly found: T } | undefined)[] = Array.from({ length: SLOTS });
  return (text) => {
    if (text.length > MAX_LENGTH) return about(text);
    const slot = text.length % SLOTS;
    const last = recent[slot];
    if (last?.text === text) return last.found;
    const found = about(text);
    recent[slot] = { text, found };
    return found;
  };
}

/** The string itself, whose hash is known if it was looked up before. */
export const createSameTexts = (): ((text: string) => string) => createRecentTexts((text) => text);
