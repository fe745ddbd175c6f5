import type { Diagnostic } from './diagnostic.ts';

/**
 * The diagnostics as one JSON document: `{"diagnostics": [{code, severity, kind, message, location, path, related, hint}]}`.
 * `kind` is always present, the last four only if known. `members` of the document precede `diagnostics`. Ends in a
 * line feed.
 */
export function renderJson(
  diagnostics: readonly Diagnostic[],
  members: Readonly<Record<string, unknown>> = {},
): string {
  const plain = diagnostics.map(({ code, severity, kind, message, location, path, related, hint }) => ({
    code,
    severity,
    kind: kind ?? 'input',
    message,
    location,
    path,
    related,
    hint,
  }));
  return `${JSON.stringify({ ...members, diagnostics: plain }, undefined, 2)}\n`;
}
