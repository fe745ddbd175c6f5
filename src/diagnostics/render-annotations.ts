/** Diagnostics as GitHub workflow commands, which GitHub shows next to the changed line of a pull request. */
import { posix } from 'node:path';
import type { Diagnostic, Severity } from './diagnostic.ts';

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function placeOf({ location, path }: Diagnostic, out: string): readonly string[] {
  if (location === undefined) return path === undefined ? [] : [`file=${escapeProperty(posix.join(out, path))}`];
  const { file, line, column, length } = location;
  return [`file=${escapeProperty(file)}`, `line=${line}`, `col=${column}`, `endColumn=${column + length}`];
}

function annotation(diagnostic: Diagnostic, out: string): string {
  const properties = [...placeOf(diagnostic, out), `title=${escapeProperty(diagnostic.code)}`].join(',');
  const text = diagnostic.hint === undefined ? diagnostic.message : `${diagnostic.message}\n${diagnostic.hint}`;
  return `::${commands[diagnostic.severity]} ${properties}::${escapeMessage(text)}\n`;
}

/**
 * One line per diagnostic: `::error file=schema.yaml,line=3,col=5,endColumn=9,title=code::message`. `out` is the folder of the
 * project.
 */
export function renderAnnotations(diagnostics: readonly Diagnostic[], out = '.'): string {
  return diagnostics.map((diagnostic) => annotation(diagnostic, out)).join('');
}
