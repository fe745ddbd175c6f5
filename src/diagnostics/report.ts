import type { DiagnosticCode } from './codes.ts';
import type { Diagnostic, Severity, SourceLocation } from './diagnostic.ts';

/** Receives the problems that a stage finds. */
export type Report = (diagnostic: Diagnostic) => void;

/** A problem at a location; `hint` and `related` may be absent or undefined. */
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

/** Reports an error. Returns `undefined`, so that a reader can return the result of the call. */
export function reportError(report: Report, problem: Problem): undefined {
  report(diagnosticOf('error', problem));
}

/** Reports something that is allowed, but probably unintended. */
export function reportWarning(report: Report, problem: Problem): void {
  report(diagnosticOf('warning', problem));
}

/** Reports something that is allowed and may be intended, but often surprises. */
export function reportHint(report: Report, problem: Problem): void {
  report(diagnosticOf('info', problem));
}
