/** Texts that spans hold while they wait for the collector. */

/** A text of at most `most` characters that keeps no longer one alive, as a part of a string does that V8 has cut from it. */
export function ownText(text: string, most: number): string {
  return Buffer.from(text.slice(0, most)).toString();
}
