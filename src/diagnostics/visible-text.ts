/**
 * Makes text from files and file names safe to print: nothing in it can move the cursor, or hide or reorder what
 * follows.
 */

// Control characters, line and paragraph separators, direction marks and invisible characters; U+FEFF is the BOM.
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\p{Cs}]/gu;

/** Replaces each character of `text` that is unsafe in a terminal with its code, `\u{1b}`. A tab becomes one space. */
export function visibleText(text: string): string {
  return text.replace(unsafe, (character) =>
    character === '\t' ? ' ' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** `text` in double quotes for a message: escaped, and truncated to `max` characters. */
export function quoted(text: string, max = 60): string {
  const characters = Array.from(text.slice(0, 2 * max + 2));
  const shown = characters.length > max ? `${characters.slice(0, max).join('')}…` : characters.join('');
  return `"${visibleText(shown.replaceAll('\t', '\\t'))}"`;
}

/** A name from the schema for a message: in backticks, escaped, and truncated if it is very long. */
export function named(name: string): string {
  return `\`${quoted(name, 80).slice(1, -1)}\``;
}
