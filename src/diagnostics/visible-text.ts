/** Text from files and file names, made safe to print: nothing in it can move the cursor, hide or reorder what follows. */

// Control characters, line and paragraph separators, direction marks and invisible characters; U+FEFF is the BOM.
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\p{Cs}]/gu;

/** Replaces each character of `text` that is unsafe in a terminal by its code, `\u{1b}`. A tab stays one blank. */
export function visibleText(text: string): string {
  return text.replace(unsafe, (character) =>
    character === '\t' ? ' ' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** `text` in double quotes as a message shows it: visible, and cut after `max` characters. */
export function quoted(text: string, max = 60): string {
  const characters = Array.from(text.slice(0, 2 * max + 2));
  const shown = characters.length > max ? `${characters.slice(0, max).join('')}…` : characters.join('');
  return `"${visibleText(shown)}"`;
}

/** A name of the schema as a message shows it: in backticks, visible, and cut where it is very long. */
export function named(name: string): string {
  return `\`${quoted(name, 80).slice(1, -1)}\``;
}
