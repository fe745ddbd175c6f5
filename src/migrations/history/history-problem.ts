/** Diagnostics about the files of the history. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';

/** The hint of most of these diagnostics. */
export const RESTORE = 'Restore it from version control. Migrations must not be changed once they have been written.';

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

/** Whether a result is a diagnostic instead of a value. */
export function isDiagnostic(value: object): value is Diagnostic {
  return 'severity' in value;
}
