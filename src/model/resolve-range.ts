/** Ranges and lengths of attributes. */
import { castDecimal, compareDecimals } from '#contract/values/decimal.ts';
import { reportError } from '../diagnostics/report.ts';
import type { Report } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { Located, ScalarDefinition, WrittenNumber } from '../schema/definition.ts';
import type { ScalarType } from '../schema/keywords.ts';

/** A limit of numbers: a decimal text where the type is exact, else a number. */
export type Bound = number | string;

const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 } as const;
const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n } as const;

/** A number as YAML has it: requests may also write `.5`, and spaces around it. */
const WRITTEN = /^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,4})?$/;

function canonicalDecimal(text: string): string | undefined {
  const result = WRITTEN.test(text) ? castDecimal(text) : undefined;
  return result?.ok === true ? result.value : undefined;
}

/** The number `text` as a value of `type`, or what was expected instead. */
export function canonicalBound(
  type: ScalarType,
  text: string,
): { readonly value: Bound } | { readonly expected: string } {
  const decimal = canonicalDecimal(text);
  const leadingZero = /^[-+]?0\d/.test(text);
  if (leadingZero) return { expected: 'a number without leading zeros' };
  if (type === 'integer') {
    const value = Number(decimal);
    const fits = Number.isInteger(value) && value >= int32.min && value <= int32.max;
    return fits ? { value } : { expected: `a whole number from ${int32.min} to ${int32.max}` };
  }
  if (type === 'biginteger') {
    const whole = decimal === undefined || decimal.includes('.') ? undefined : BigInt(decimal);
    const fits = whole !== undefined && whole >= int64.min && whole <= int64.max;
    return fits ? { value: String(whole) } : { expected: `a whole number from ${int64.min} to ${int64.max}` };
  }
  if (type === 'decimal') {
    if (decimal !== undefined) return { value: decimal };
    return { expected: 'a number with at most 35 digits before and 30 after the point' };
  }
  const value = Number(text);
  return text !== '' && Number.isFinite(value) ? { value } : { expected: 'a number' };
}

function resolveBound(
  report: Report,
  { name, type }: ScalarDefinition,
  option: string,
  written: WrittenNumber | undefined,
): Bound | undefined {
  if (written === undefined) return undefined;
  const bound = canonicalBound(type, written.text);
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
      message: `no value of ${named(definition.name)} is possible: \`min\` ${min} is above \`max\` ${max}`,
      location: definition.max.location,
    });
  }
  return { min, max };
}

/** Reports counts or lengths of which the lower is above the upper. */
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
    message: `no value of ${named(name)} is possible: \`${low}\` ${lower.value} is above \`${high}\` ${upper.value}`,
    location: upper.location,
  });
}
