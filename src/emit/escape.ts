/**
 * Escapes text from the schema for generated files: one function per context. Every such text must pass through the
 * function for its context.
 */

/** Line breaks, control, invisible and bidirectional characters, and lone surrogates. */
const UNSAFE_IN_CODE =
  // eslint-disable-next-line no-control-regex -- matches control characters on purpose
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}/gu;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

/** Letters, digits and punctuation that never need escaping. Most strings contain nothing else. */
const PLAIN = /^[\w ./:,;!?()[\]<>=+*^|@#%&~-]*$/;

/** A TypeScript string literal, with the quotes that prettier would choose. */
export function tsString(text: string): string {
  if (PLAIN.test(text)) return `'${text}'`;
  const quote = count(text, "'") > count(text, '"') ? '"' : "'";
  const body = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replace(UNSAFE_IN_CODE, (character) => SHORT_ESCAPES.get(character) ?? unicodeEscape(character));
  return quote + body + quote;
}

/** A property name of an object or interface, unquoted if it is an identifier. */
export function propertyKey(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : tsString(name);
}

/** Access to a property of an object: `.article`, `['to-one']`. */
export function propertyAccess(name: string): string {
  const key = propertyKey(name);
  return /^\w+$/u.test(key) ? `.${key}` : `[${key}]`;
}

/**
 * The text of a doc comment. It cannot end the comment, and an `@` in it starts no tag, neither for editors nor for the
 * compiler (`@ts-ignore`). Line breaks are kept; blank lines are dropped.
 */
export function docText(text: string): string {
  if (text === '') return '';
  return text
    .split(/[\n\r\u0085\u2028\u2029]+/)
    .map((line) => line.replace(UNSAFE_IN_CODE, ' ').trim())
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('*/', '*\\/').replace(/(^|[\s{*])@/g, '$1\\@'))
    .join('\n');
}

/** Text for a paragraph or table cell of Markdown, on one line. */
export function markdownText(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(UNSAFE_IN_CODE, '')
    .trim()
    .replace(/[\\`*_[\]<>|~&$]/g, '\\$&');
}

/** A YAML value: a double-quoted scalar. `$` is doubled, so that Compose does not substitute variables. */
export function composeValue(text: string): string {
  const escaped = text.replace(/["\\]/g, '\\$&').replace(UNSAFE_IN_CODE, unicodeEscape).replaceAll('$', '$$$$');
  return `"${escaped}"`;
}

/**
 * A value for an `.env` file. Throws if it could not be read back: such values come from the generator, never from free
 * text of the schema.
 */
export function envValue(text: string): string {
  if (!/^[\w@%+=:,./-]*$/.test(text)) throw new Error(`not a value for .env: ${JSON.stringify(text)}`);
  return text;
}

/** A path segment. Throws for anything but letters, digits, `_` and `-`, which the schema reader rejects before. */
export function pathSegment(text: string): string {
  if (!/^[A-Za-z0-9][\w-]*$/.test(text)) throw new Error(`not a file name: ${JSON.stringify(text)}`);
  return text;
}
