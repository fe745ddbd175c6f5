/** Errors about the files of the history. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';

/** The hint of nearly all errors. */
export const RESTORE = 'Restore it from version control: a migration is never changed once it was written.';

export function problem(code: string, file: string, message: string, hint: string, line = 1): Diagnostic {
  return {
    code: `migrations/${code}`,
    severity: 'error',
    kind: 'refused',
    message,
    location: { file, line, column: 1, length: 1 },
    hint,
  };
}

/** Distinguishes diagnostics from values. */
export function isDiagnostic(value: object): value is Diagnostic {
  return 'severity' in value;
}
