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

/** Sorts by file, line and column; diagnostics without a location come first. Independent of the system locale. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted(compare);
}

/** Whether any of them makes the run fail. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

/**
 * The maximum number of diagnostics shown per run: nobody fixes more at once, and hostile input can produce any number.
 */
const maxShown = 200;

/** Sorts the diagnostics and truncates them to the maximum. */
export function diagnosticsOfRun(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const sorted = sortDiagnostics(diagnostics);
  if (sorted.length <= maxShown) return sorted;
  const more: Diagnostic = {
    code: 'schema/too-many-problems',
    severity: hasErrors(sorted.slice(maxShown)) ? 'error' : 'warning',
    message: `${sorted.length - maxShown} further problems are not shown`,
  };
  return [...sorted.slice(0, maxShown), more];
}
