import type { DiagnosticCode } from './codes.ts';
import type { Diagnostic, Severity, SourceLocation } from './diagnostic.ts';

/** Takes a problem that a stage has found. */
export type Report = (diagnostic: Diagnostic) => void;

/** A problem at a place; `hint` and `related` may be left out or undefined. */
export interface Problem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly location: SourceLocation;
  readonly hint?: string | undefined;
  readonly related?: readonly { readonly message: string; readonly location: SourceLocation }[] | undefined;
}

function diagnosticOf(severity: Severity, { code, message, location, hint, related }: Problem): Diagnostic {
  return {
    code,
    severity,
    message,
    location,
    ...(related === undefined ? {} : { related }),
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Reports an error. Returns `undefined`, which a reader of values can hand on. */
export function reportError(report: Report, problem: Problem): undefined {
  report(diagnosticOf('error', problem));
}

/** Reports something that is allowed, but hardly meant. */
export function reportWarning(report: Report, problem: Problem): void {
  report(diagnosticOf('warning', problem));
}

/** Reports something that is allowed and may be meant, but surprises many. */
export function reportHint(report: Report, problem: Problem): void {
  report(diagnosticOf('info', problem));
}
