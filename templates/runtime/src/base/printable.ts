/** Makes text from requests and files safe to print in a terminal. */

/** All but line feeds and tabs. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/gu;

/** Replaces control characters, which could move the cursor or send commands to the terminal, by their escape in JSON: `\u001b`. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
