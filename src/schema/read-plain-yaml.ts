/**
 * A fast reader of plain YAML: block maps, lists of values, and collections in brackets on one line, with simple scalars.
 * That is how schemas are written, and ten times as fast as the library, whose cost for a large schema is more than that of
 * all else. It reads what it knows for certain and leaves every other text, and every error, to the library.
 */
import type { YamlNode, YamlScalar } from './yaml-node.ts';

/** The text is not plain. */
const notPlain = Symbol('not plain');

const maxDepth = 16;

/** Words, with single blanks between; what could be anything else than text or a number is not plain. */
const plainScalar = /(?:[A-Za-z_]|-?\d)[\w./+-]*(?: [A-Za-z0-9_][\w./+-]*)*/y;
const quotedScalar = /"([^"\\\n\t]*)"|'([^'\n\t]*)'(?!')/y;
const wholeNumber = /^-?(?:0|[1-9]\d{0,14})$/;
const fraction = /^-?(?:0|[1-9]\d{0,8})\.\d{1,9}$/;
const words: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);
/** What the core schema reads as something else in other spellings, or YAML 1.1 does. */
const ambiguous = /^(?:null|true|false)$/i;

interface Cursor {
  readonly text: string;
  position: number;
}

function fail(): never {
  throw notPlain;
}

function skipBlanks(cursor: Cursor): void {
  while (cursor.text[cursor.position] === ' ') cursor.position += 1;
}

function plainValue(source: string): string | number | boolean {
  const word = words.get(source);
  if (word !== undefined) return word;
  if (wholeNumber.test(source) || fraction.test(source)) return Number(source);
  return /^[-\d]/.test(source) || ambiguous.test(source) ? fail() : source;
}

function readScalar(cursor: Cursor): YamlScalar {
  const { text, position: start } = cursor;
  const first = text[start];
  const isQuoted = first === '"' || first === "'";
  const pattern = isQuoted ? quotedScalar : plainScalar;
  pattern.lastIndex = start;
  const match = pattern.exec(text) ?? fail();
  const source = isQuoted ? (match[1] ?? match[2] ?? '') : match[0];
  cursor.position = pattern.lastIndex;
  return { kind: 'scalar', value: isQuoted ? source : plainValue(source), source, start, end: cursor.position };
}

/** `,` or the closing bracket after an item; whether there is another item. */
function nextItem(cursor: Cursor, close: string): boolean {
  skipBlanks(cursor);
  const sign = cursor.text[cursor.position];
  cursor.position += 1;
  if (sign === close) return false;
  if (sign !== ',') fail();
  skipBlanks(cursor);
  // A comma after the last item is for the library to judge.
  if (cursor.text[cursor.position] === close) fail();
  return true;
}

/** The `:` after a key, with a blank after it. */
function readColon(cursor: Cursor): void {
  if (cursor.text[cursor.position] !== ':' || cursor.text[cursor.position + 1] !== ' ') fail();
  cursor.position += 1;
  skipBlanks(cursor);
}

/** The items of a collection in brackets, from its opening bracket to after its closing one. */
function readItems<T>(cursor: Cursor, close: string, readItem: () => T): readonly T[] {
  cursor.position += 1;
  skipBlanks(cursor);
  const items: T[] = [];
  if (cursor.text[cursor.position] === close) cursor.position += 1;
  else {
    do items.push(readItem());
    while (nextItem(cursor, close));
  }
  return items;
}

function readFlow(cursor: Cursor, depth: number): YamlNode {
  const start = cursor.position;
  const bracket = cursor.text[start];
  if (depth > maxDepth) fail();
  if (bracket === '[') {
    const items = readItems(cursor, ']', () => readFlow(cursor, depth + 1));
    return { kind: 'list', items, start, end: cursor.position };
  }
  if (bracket !== '{') return readScalar(cursor);
  const entries = readItems(cursor, '}', () => {
    const key = readScalar(cursor);
    readColon(cursor);
    return { key, value: readFlow(cursor, depth + 1) };
  });
  return { kind: 'map', entries, start, end: cursor.position };
}

/** Blanks and a comment up to the end of the line, and the lines after it that hold nothing else. */
function skipLines(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    const from = cursor.position;
    skipBlanks(cursor);
    const atStart = from === 0 || text[from - 1] === '\n';
    if (text[cursor.position] === '#') {
      if (cursor.position === from && !atStart) fail();
      const end = text.indexOf('\n', cursor.position);
      cursor.position = end === -1 ? text.length : end;
    }
    if (cursor.position >= text.length) return;
    if (text[cursor.position] !== '\n') {
      // What follows on a line of its own is the next entry; after a value it is something unknown.
      if (!atStart) fail();
      cursor.position = from;
      return;
    }
    cursor.position += 1;
  }
}

/** How far the next line is indented; -1 at the end of the text. */
function indentation(cursor: Cursor): number {
  const { text, position } = cursor;
  if (position >= text.length) return -1;
  let indent = 0;
  while (text[position + indent] === ' ') indent += 1;
  return indent;
}

/** A list of values, one a line after `- `. */
function readBlockList(cursor: Cursor, indent: number): YamlNode {
  const items: YamlNode[] = [];
  const start = cursor.position + indent;
  let end = start;
  while (indentation(cursor) === indent && cursor.text.startsWith('- ', cursor.position + indent)) {
    cursor.position += indent + 2;
    const item = readFlow(cursor, 0);
    items.push(item);
    end = cursor.position;
    skipLines(cursor);
  }
  return { kind: 'list', items, start, end };
}

function readBlockValue(cursor: Cursor, indent: number, depth: number): YamlNode {
  const { text, position } = cursor;
  skipBlanks(cursor);
  const sign = text[cursor.position];
  if (sign !== '\n' && sign !== '#') return cursor.position > position ? readFlow(cursor, depth) : fail();
  cursor.position = position;
  skipLines(cursor);
  const inner = indentation(cursor);
  if (inner >= indent && text.startsWith('- ', cursor.position + inner)) return readBlockList(cursor, inner);
  return inner > indent ? readBlockMap(cursor, inner, depth + 1) : fail();
}

function readBlockMap(cursor: Cursor, indent: number, depth: number): YamlNode {
  if (depth > maxDepth) fail();
  const start = cursor.position + indent;
  const entries: { readonly key: YamlNode; readonly value: YamlNode }[] = [];
  let end = start;
  while (indentation(cursor) === indent) {
    cursor.position += indent;
    const key = readScalar(cursor);
    if (cursor.text[cursor.position] !== ':') fail();
    cursor.position += 1;
    const value = readBlockValue(cursor, indent, depth);
    entries.push({ key, value });
    end = value.end;
    if (value.kind === 'scalar' || cursor.text[cursor.position - 1] !== '\n') skipLines(cursor);
  }
  if (indentation(cursor) > indent) fail();
  return { kind: 'map', entries, start, end };
}

/** The document, where `text` is plain; `undefined` where the library has to read it. */
export function readPlainYaml(text: string): YamlNode | undefined {
  const cursor: Cursor = { text, position: 0 };
  try {
    skipLines(cursor);
    const indent = indentation(cursor);
    if (indent !== 0) return undefined;
    const root = readBlockMap(cursor, indent, 0);
    return cursor.position >= text.length ? root : undefined;
  } catch (error) {
    if (error === notPlain) return undefined;
    throw error;
  }
}
