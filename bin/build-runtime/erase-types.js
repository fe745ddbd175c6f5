// Compiles TypeScript to JavaScript by deleting the types, so that the code keeps its lines, blank lines and comments.
import MagicString from 'magic-string';
import blankTypes from 'ts-blank-space';

/**
 * The ranges of `source` that are blank in `blanked`. Ranges with only whitespace between them are merged.
 * @returns {{ start: number, end: number }[]}
 */
function erasedRanges(source, blanked) {
  const ranges = [];
  for (let index = 0; index < source.length; index += 1) {
    if (source[index] === blanked[index]) continue;
    const last = ranges.at(-1);
    if (last && source.slice(last.end, index).trim() === '') last.end = index + 1;
    else ranges.push({ start: index, end: index + 1 });
  }
  return ranges;
}

/** The start of the comment directly above `start`, or `start` if there is none. */
function startOfComment(source, start) {
  const above = /(?:^|\n)(?<comment>[ \t]*(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/|(?:\/\/[^\n]*))\n)$/u.exec(
    source.slice(0, start),
  );
  return above?.groups?.comment === undefined ? start : start - above.groups.comment.length;
}

/**
 * Extends a range that fills its lines to whole lines and, at top level, to the comment above and the blank line below. Returns
 * undefined if the lines contain anything else.
 */
function wholeLines(source, { start, end }) {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = source.indexOf('\n', end) + 1 || source.length;
  if (source.slice(lineStart, start).trim() !== '' || source.slice(end, lineEnd).trim() !== '') return undefined;
  const isTopLevel = lineStart === start;
  const from = isTopLevel ? startOfComment(source, lineStart) : lineStart;
  const hasBlankLine = isTopLevel && source[lineEnd] === '\n';
  return { start: from, end: hasBlankLine ? lineEnd + 1 : lineEnd };
}

/** Extends a range within a line to the blanks on one side, which would leave two blanks, or one next to a bracket. */
function withinLine(source, { start, end }) {
  let [from, to] = [start, end];
  while (from > 0 && (source[from - 1] === ' ' || source[from - 1] === '\t')) from -= 1;
  const before = source[from - 1] ?? '\n';
  const after = source[to] ?? '\n';
  if (/[),;\]}.\n]/u.test(after)) return { start: before === '\n' || before === '{' ? start : from, end };
  if (from < start || before === '(' || before === '<') while (source[to] === ' ') to += 1;
  return { start, end: to };
}

/**
 * The JavaScript of a module.
 * @param {string} source
 * @throws if the module has syntax that can't be erased
 */
export function eraseTypes(source, file) {
  const blanked = blankTypes(source, (node) => {
    throw new Error(`${file}: not erasable: ${node.getText()}`);
  });
  const code = new MagicString(source);
  for (const range of erasedRanges(source, blanked)) {
    const lines = wholeLines(source, range);
    // Within a line, a `;` or `)` may take the place of a type. In place of whole lines, a `;` is not needed.
    const replacement = lines ? '' : blanked.slice(range.start, range.end).trim();
    const { start, end } = lines ?? (replacement === '' ? withinLine(source, range) : range);
    if (start < end) code.update(start, end, replacement);
  }
  return { code: code.toString(), map: null };
}
