/** The default of an attribute, parsed by its type. */
import type { ScalarRules } from '#contract/attribute-types/attribute-type.ts';
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import { type Report, reportError } from '../diagnostics/report.ts';
import { named, quoted } from '../diagnostics/visible-text.ts';
import type { JsonValue, ScalarDefinition } from '../schema/definition.ts';

function quotedNumberHint({ type }: ScalarDefinition, value: JsonValue): string | undefined {
  const { readBound, isExact } = attributeType(type);
  if (!readBound || isExact) return undefined;
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? `write default: ${value}` : undefined;
}

function shown(value: JsonValue): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' ? (Array.isArray(value) ? 'a list' : 'a map') : String(value);
}

/**
 * The validated default of `definition`; an invalid one is reported. `rules`: the rules of the attribute, safe to run.
 */
export function resolveDefault(
  report: Report,
  definition: ScalarDefinition,
  rules: ScalarRules,
): JsonValue | undefined {
  const { default: written } = definition;
  if (written === undefined) return undefined;
  const code = 'attribute/default';
  const name = named(definition.name);
  const read = attributeType(definition.type).readDefault?.(written, rules);
  if (!read) {
    const message = `the password ${name} can't have a default, which everybody would know`;
    return reportError(report, { code, message, location: written.location });
  }
  if ('value' in read) return read.value;
  const found = written.text ?? shown(written.value);
  return reportError(report, {
    code,
    message: `the default of ${name} is not valid: expected ${read.expected}, found ${found}`,
    location: written.location,
    hint: quotedNumberHint(definition, written.value),
  });
}
