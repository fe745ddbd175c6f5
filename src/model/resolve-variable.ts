/** Names of environment variables in the schema: `$SITE_HOOK`. */
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import { reportError } from '../diagnostics/report.ts';
import { quoted } from '../diagnostics/visible-text.ts';
import type { Located } from '../schema/definition.ts';
import type { ModelContext } from './model-context.ts';

const VARIABLE = /^\$([A-Z][A-Z0-9_]{0,99})$/u;

/** The name of the variable; undefined if it is absent or invalid, which is reported. `owner`: `a webhook`. */
export function variableOf(
  { report }: ModelContext,
  { owner, key, example }: { readonly owner: string; readonly key: string; readonly example: string },
  written: Located<string> | undefined,
  location: SourceLocation,
): string | undefined {
  const hint = `write \`${key}: ${example}\`, and set ${example.slice(1)} where the server runs`;
  if (written === undefined) {
    const message = `${owner} has no \`${key}\``;
    return reportError(report, { code: 'schema/missing-option', message, location, hint });
  }
  const name = VARIABLE.exec(written.value)?.[1];
  if (name !== undefined) return name;
  const message = `\`${key}\` of ${owner} must name an environment variable, not ${quoted(written.value)}`;
  return reportError(report, { code: 'project/webhooks', message, location: written.location, hint });
}
