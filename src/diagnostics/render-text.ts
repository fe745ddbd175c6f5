/** Diagnostics as text for a terminal. */
import { codeFrame } from './code-frame.ts';
import type { Diagnostic, Severity, SourceLocation } from './diagnostic.ts';
import { visibleText } from './visible-text.ts';

/** Color functions such as those of `picocolors`; `plainColors` for anything but a terminal. */
export interface Colors {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const same = (text: string): string => text;

/** No colors at all. */
export const plainColors: Colors = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

export interface TextOptions {
  /** Returns the text of a source file, given its `SourceLocation.file`; `undefined`: no code frame is shown. */
  readonly sourceOf: (file: string) => string | undefined;
  readonly colors?: Colors;
}

function colorOf(severity: Severity, colors: Colors): (text: string) => string {
  switch (severity) {
    case 'error':
      return colors.red;
    case 'warning':
      return colors.yellow;
    case 'info':
      return colors.cyan;
  }
}

function locationText(location: SourceLocation): string {
  return `${visibleText(location.file)}:${location.line}:${location.column}`;
}

function frameLines(
  location: SourceLocation,
  sourceOf: TextOptions['sourceOf'],
  mark: (text: string) => string,
  colors: Colors,
): readonly string[] {
  const text = sourceOf(location.file);
  const frame = text === undefined ? undefined : codeFrame(text, location);
  if (frame === undefined) return [];
  const gutter = frame.gutter.padStart(5);
  return [
    colors.dim(`${gutter} |`) + (frame.source === '' ? '' : ` ${frame.source}`),
    `${colors.dim(`${' '.repeat(gutter.length)} |`)} ${frame.marker.replace(/\^+/, mark)}`,
  ];
}

function linesOf(diagnostic: Diagnostic, sourceOf: TextOptions['sourceOf'], colors: Colors): readonly string[] {
  const color = colorOf(diagnostic.severity, colors);
  const place = diagnostic.location === undefined ? '' : `${colors.bold(locationText(diagnostic.location))}: `;
  const lines = [
    `${place}${color(diagnostic.severity)} ${colors.dim(diagnostic.code)}: ${visibleText(diagnostic.message)}`,
  ];
  if (diagnostic.location !== undefined) lines.push(...frameLines(diagnostic.location, sourceOf, color, colors));
  for (const related of diagnostic.related ?? []) {
    lines.push(`  note: ${locationText(related.location)}: ${visibleText(related.message)}`);
    lines.push(...frameLines(related.location, sourceOf, colors.cyan, colors));
  }
  const [firstHint, ...moreHint] = diagnostic.hint === undefined ? [] : diagnostic.hint.split('\n');
  if (firstHint !== undefined) lines.push(`  ${colors.cyan('help:')} ${visibleText(firstHint)}`);
  for (const line of moreHint) lines.push(`        ${visibleText(line)}`);
  return lines;
}

/**
 * The diagnostics in the given order, separated by blank lines: `file:line:column: severity code: message`, the line
 * with a caret, related locations and the hint. Ends in a line feed unless empty.
 */
export function renderText(diagnostics: readonly Diagnostic[], options: TextOptions): string {
  const colors = options.colors ?? plainColors;
  return diagnostics.map((diagnostic) => `${linesOf(diagnostic, options.sourceOf, colors).join('\n')}\n`).join('\n');
}
