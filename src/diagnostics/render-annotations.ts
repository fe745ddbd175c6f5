/** Diagnostics as GitHub workflow commands, which GitHub shows next to the changed line of a pull request. */
import type { Diagnostic, Severity } from './diagnostic.ts';

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function annotation(diagnostic: Diagnostic): string {
  const { location } = diagnostic;
  const place =
    location === undefined
      ? []
      : [
          `file=${escapeProperty(location.file)}`,
          `line=${location.line}`,
          `col=${location.column}`,
          `endColumn=${location.column + location.length}`,
        ];
  const properties = [...place, `title=${escapeProperty(diagnostic.code)}`].join(',');
  const text = diagnostic.hint === undefined ? diagnostic.message : `${diagnostic.message}\n${diagnostic.hint}`;
  return `::${commands[diagnostic.severity]} ${properties}::${escapeMessage(text)}\n`;
}

/** One line per diagnostic: `::error file=schema.yaml,line=3,col=5,endColumn=9,title=code::message`. */
export function renderAnnotations(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(annotation).join('');
}
