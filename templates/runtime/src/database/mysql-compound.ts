/** The text of a compound statement of MariaDB. */

/** On a line of its own: a comment at the end of a statement does not swallow it. */
const SEPARATOR = '\n;\n';
const START = 'BEGIN NOT ATOMIC\n';
const END = '\n;\nEND';

/** Runs statements one after the other, until one fails. */
export function compoundOf(texts: readonly string[]): string {
  return `${START}${texts.join(SEPARATOR)}${END}`;
}

/** The texts that a compound statement is of; of any other statement, its own. */
export function textsIn(text: string): readonly string[] {
  return text.startsWith(START) ? text.slice(START.length, -END.length).split(SEPARATOR) : [text];
}
