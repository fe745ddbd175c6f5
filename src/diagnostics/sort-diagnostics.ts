import type { Diagnostic } from './diagnostic.ts';

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compare(a: Diagnostic, b: Diagnostic): number {
  if (a.location === undefined || b.location === undefined) {
    if (a.location !== b.location) return a.location === undefined ? -1 : 1;
  } else {
    const place =
      compareText(a.location.file, b.location.file) ||
      a.location.line - b.location.line ||
      a.location.column - b.location.column;
    if (place !== 0) return place;
  }
  return compareText(a.code, b.code) || compareText(a.message, b.message);
}

/** By file, line and column; those without a place first. The order does not depend on the machine's language. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted(compare);
}

/** Whether one of them makes the run fail. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}
