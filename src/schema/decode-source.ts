/** Decodes the bytes of a schema file. */
import { isUtf8 } from 'node:buffer';
import type { Diagnostic, Result, SourceLocation } from '../diagnostics/diagnostic.ts';

const lineFeed = 0x0a;
// Characters that YAML does not allow.
const unprintable = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/; // oxlint-disable-line no-control-regex

function encodingError(message: string, location: SourceLocation): Result<string> {
  const diagnostic: Diagnostic = {
    code: 'source/encoding',
    severity: 'error',
    message,
    location,
    hint: 'save the file as UTF-8',
  };
  return { value: undefined, diagnostics: [diagnostic] };
}

function at(file: string, line: number, column: number): SourceLocation {
  return { file, line, column, length: 1 };
}

/**
 * Whether the bytes are UTF-16 or UTF-32 text, judging by the byte order mark or by zero bytes in the first character.
 */
function isWideEncoding(bytes: Uint8Array): boolean {
  const [a, b, c, d] = bytes;
  const marked = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (a === 0 && b === 0);
  return marked || (bytes.length >= 4 && ((a === 0 && c === 0) || (b === 0 && d === 0)));
}

/** The number of valid characters before the first invalid byte of `line`, which is not valid UTF-8. */
function validCharacters(line: Uint8Array): number {
  let bytes = 0;
  let characters = 0;
  for (const character of new TextDecoder('utf-8', { ignoreBOM: true }).decode(line)) {
    const isReplacement = character === '\ufffd';
    if (isReplacement && !(line[bytes] === 0xef && line[bytes + 1] === 0xbf && line[bytes + 2] === 0xbd)) break;
    bytes += Buffer.byteLength(character);
    characters += 1;
  }
  return characters;
}

function locateInvalidByte(file: string, bytes: Uint8Array): SourceLocation {
  let start = 0;
  for (let line = 1; ; line += 1) {
    const end = bytes.indexOf(lineFeed, start);
    const content = bytes.subarray(start, end === -1 ? undefined : end);
    if (end === -1 || !isUtf8(content)) return at(file, line, validCharacters(content) + 1);
    start = end + 1;
  }
}

/**
 * The text of a schema file: UTF-8, with or without byte order mark, with any line endings. Anything else, and any
 * character that YAML does not allow, is an error with its location.
 */
export function decodeSource(file: string, bytes: Uint8Array): Result<string> {
  if (isWideEncoding(bytes)) return encodingError('the file is UTF-16 or UTF-32 text, expected UTF-8', at(file, 1, 1));
  if (!isUtf8(bytes)) return encodingError('the file is not valid UTF-8', locateInvalidByte(file, bytes));
  const text = new TextDecoder('utf-8').decode(bytes).replace(/\r\n?/g, '\n');
  const found = unprintable.exec(text);
  if (found !== null) {
    const before = text.slice(0, found.index);
    const lineStart = before.lastIndexOf('\n') + 1;
    const location = at(file, before.split('\n').length, Array.from(before.slice(lineStart)).length + 1);
    const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const diagnostic: Diagnostic = {
      code: 'source/control-character',
      severity: 'error',
      message: `the file contains the character U+${code}, which YAML does not allow`,
      location,
      hint: 'remove it, or write it as an escape in a double-quoted text',
    };
    return { value: undefined, diagnostics: [diagnostic] };
  }
  return { value: text, diagnostics: [] };
}
