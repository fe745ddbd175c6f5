/** Ranges and lengths of attributes. */
import type { Bound } from '#contract/attribute-types/attribute-type.ts';
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import { compareDecimals } from '#contract/values/decimal.ts';
import { type Report, reportError } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { Located, ScalarDefinition, WrittenNumber } from '../schema/definition.ts';

function resolveBound(
  report: Report,
  { name, type }: ScalarDefinition,
  option: string,
  written: WrittenNumber | undefined,
): Bound | undefined {
  const bound = written && attributeType(type).readBound?.(written.text);
  if (written === undefined || bound === undefined) return undefined;
  if ('value' in bound) return bound.value;
  return reportError(report, {
    code: 'attribute/range',
    message: `\`${option}\` of ${named(name)} is not valid: expected ${bound.expected}, found ${written.text}`,
    location: written.location,
  });
}

function isAbove(a: Bound, b: Bound): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a > b : compareDecimals(String(a), String(b)) > 0;
}

/** `min` and `max` of a number, checked against its type and each other. */
export function resolveRange(
  report: Report,
  definition: ScalarDefinition,
): { readonly min: Bound | undefined; readonly max: Bound | undefined } {
  const min = resolveBound(report, definition, 'min', definition.min);
  const max = resolveBound(report, definition, 'max', definition.max);
  if (min !== undefined && max !== undefined && definition.max !== undefined && isAbove(min, max)) {
    reportError(report, {
      code: 'attribute/range',
      message: `no value of ${named(definition.name)} is valid: \`min\` (${min}) is greater than \`max\` (${max})`,
      location: definition.max.location,
    });
  }
  return { min, max };
}

/** Reports counts or lengths whose lower bound exceeds the upper. */
export function checkCounts(
  report: Report,
  name: string,
  lower: Located<number> | undefined,
  upper: Located<number> | undefined,
  options: readonly [lower: string, upper: string],
): void {
  if (lower === undefined || upper === undefined || lower.value <= upper.value) return;
  const [low, high] = options;
  reportError(report, {
    code: 'attribute/range',
    message: `no value of ${named(name)} is valid: \`${low}\` (${lower.value}) is greater than \`${high}\` (${upper.value})`,
    location: upper.location,
  });
}
