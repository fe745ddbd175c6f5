/** The source line that a diagnostic refers to, with a caret under the location. */
import type { SourceLocation } from './diagnostic.ts';
import { visibleText } from './visible-text.ts';

const maxWidth = 110;
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\p{Extended_Pictographic}]/u;
const zeroWidth = /\p{Mn}/u;

/** Columns that `character` takes in a terminal with a monospaced font. */
function widthOf(character: string): number {
  const shown = visibleText(character);
  if (shown.length !== character.length) return shown.length;
  if (zeroWidth.test(character)) return 0;
  return character > '\u007f' && wide.test(character) ? 2 : 1;
}

function widthOfAll(characters: readonly string[]): number {
  return characters.reduce((sum, character) => sum + widthOf(character), 0);
}

/** The text of line `line` (from 1) of `text`, without its line break. */
function lineOf(text: string, line: number): string | undefined {
  let start = 0;
  for (let current = 1; current < line; current += 1) {
    const end = text.indexOf('\n', start);
    if (end === -1) return undefined;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? undefined : end).replace(/\r$/, '');
}

/** The visible part of a long line: `maxWidth` characters around `column`. */
function windowOf(length: number, column: number): { readonly from: number; readonly to: number } {
  if (length <= maxWidth) return { from: 0, to: length };
  const from = Math.max(0, Math.min(column - Math.floor(maxWidth / 3), length - maxWidth));
  return { from, to: Math.min(length, from + maxWidth) };
}

/** A code frame: `gutter` is the line number, `source` the line, `marker` the spaces and carets below it. */
export interface CodeFrame {
  readonly gutter: string;
  readonly source: string;
  readonly marker: string;
}

/** The frame of `location` in `text`; `undefined` if the text has no such line. Control characters are escaped. */
export function codeFrame(text: string, location: SourceLocation): CodeFrame | undefined {
  const line = lineOf(text, location.line);
  if (line === undefined) return undefined;
  const characters = [...line];
  const { from, to } = windowOf(characters.length, location.column - 1);
  const before = from > 0 ? '…' : '';
  const start = Math.max(from, Math.min(location.column - 1, to));
  const marked = characters.slice(start, Math.min(to, start + location.length));
  return {
    gutter: String(location.line),
    source: `${before}${visibleText(characters.slice(from, to).join(''))}${to < characters.length ? '…' : ''}`,
    marker: `${' '.repeat(before.length + widthOfAll(characters.slice(from, start)))}${'^'.repeat(Math.max(1, widthOfAll(marked)))}`,
  };
}
