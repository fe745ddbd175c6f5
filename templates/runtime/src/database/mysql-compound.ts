/** The text of MariaDB's compound statements. */

/** On a line of its own, so that a comment at the end of a statement does not swallow it. */
const SEPARATOR = '\n;\n';
const START = 'BEGIN NOT ATOMIC\n';
const END = '\n;\nEND';

/** Runs statements in order, until one fails. */
export function compoundOf(texts: readonly string[]): string {
  return `${START}${texts.join(SEPARATOR)}${END}`;
}

/** The texts of the statements in a compound statement; for any other statement, its own text. */
export function textsIn(text: string): readonly string[] {
  return text.startsWith(START) ? text.slice(START.length, -END.length).split(SEPARATOR) : [text];
}
