/** Strings that spans hold while they wait for the collector. */

/** The first `most` characters of a text, as a copy: a V8 substring would keep the whole text in memory. */
export function copyPrefix(text: string, most: number): string {
  return Buffer.from(text.slice(0, most)).toString();
}
