/** Converts offsets in a source text to lines and columns. */
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from './source-file.ts';

/** Returns the location of a range of the text, given by its offsets. */
export type Locate = (start: number, end: number) => SourceLocation;

const surrogate = /[\ud800-\udfff]/;

function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}

/** The index of the last number not greater than `value`, in ascending `numbers` that begin with 0 (binary search). */
function lastNotAbove(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Columns count characters, not UTF-16 code units. A range over several lines is cut off at the end of the first. */
export function createLocate({ file, text }: SourceFile): Locate {
  const starts = lineStartsOf(text);
  const isPlain = !surrogate.test(text);
  const count = (from: number, to: number): number => (isPlain ? to - from : Array.from(text.slice(from, to)).length);
  // The end of the text is shown on its last line, not on the empty line after it.
  const last = text.endsWith('\n') ? text.length - 1 : text.length;
  return (offset, end) => {
    const start = Math.min(offset, last);
    const index = lastNotAbove(starts, start);
    const lineStart = starts[index] ?? 0;
    const nextLine = starts[index + 1];
    const lineEnd = nextLine === undefined ? text.length : nextLine - 1;
    return {
      file,
      line: index + 1,
      column: count(lineStart, start) + 1,
      length: Math.max(1, count(start, Math.min(end, lineEnd))),
    };
  };
}
